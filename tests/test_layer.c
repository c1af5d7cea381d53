/* Activations, max pools, residual and logit scale, the loss of classes: cases to check by eye, and every backend
 * against a plain loop over the written rules, bit for bit, on one thread and on three. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

#include "ops/point/activation.h"

static sb_real *filled(size_t n, fill kind, uint64_t seed, uint32_t stream)
{
    sb_real *x = host_take(n);
    fill_block(x, n, kind, seed, stream);
    return x;
}

static void describe(char where[200], const char *name, const subject *on, int threads, fill kind)
{
    snprintf(where, 200, "%s, %s %s, %d threads, fill %s, seed 300", name, on->backend, on->isa, threads,
             fill_names[kind]);
}

/* ---- activations ---- */

static void activation_trial(const subject *on, int threads, sb_activation function, fill kind)
{
    enum { N = 3 * 5 * 7 * 9 };
    static const char *const names[] = {"linear", "relu", "sigmoid", "tanh", "celu", "gelu", "silu", "gelutanh"};
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    const sb_real alpha = (sb_real)0.3;
    char where[200];
    describe(where, names[function], on, threads, kind);
    sb_real *x = filled(N, kind, 300, 0), *dy = filled(N, kind, 300, 1), *got = host_take(N), *want = host_take(N);
    const sb_tensor x_map = device_tensor(&d, 3, 1, 5, 7, 9, x), dy_map = device_tensor(&d, 3, 1, 5, 7, 9, dy);
    sb_tensor y = device_tensor(&d, 3, 1, 5, 7, 9, NULL), dx = device_tensor(&d, 3, 1, 5, 7, 9, NULL);
    sb_tensor in_place = device_tensor(&d, 3, 1, 5, 7, 9, dy);
    IN_TEAM
    {
        ops->activation_forward(ops, function, alpha, &x_map, &y);
        ops->activation_backward(ops, function, alpha, &x_map, &dy_map, &dx);
        ops->activation_backward(ops, function, alpha, &x_map, &in_place, &in_place);
    }
    for (int i = 0; i < N; i++) want[i] = sb_activation_value(function, x[i], alpha);
    device_planes(&d, &y, got);
    expect_same_bits(where, N, got, want);
    for (int i = 0; i < N; i++) want[i] = sb_activation_gradient(function, x[i], dy[i], alpha);
    device_planes(&d, &dx, got);
    expect_same_bits(where, N, got, want);
    device_planes(&d, &in_place, got);
    expect_same_bits(where, N, got, want);
    free(x), free(dy), free(got), free(want);
    device_close(&d);
}

static void activations(void **state)
{
    for (int function = 0; function < SB_N_ACTIVATIONS; function++)
        for (fill kind = 0; kind < fills_tried; kind++)
            for (int threads = 1; threads <= 3; threads += 2)
                activation_trial(*state, threads, (sb_activation)function, kind);
}

/* Values of the specification, section 3, and of tables: Phi(1) = 0.8413447461. */
static void activations_by_eye(void **state)
{
    static const struct {
        sb_activation function;
        double x, y, slope;
    } cases[] = {
        {SB_ACTIVATION_linear, -2, -2, 1},
        {SB_ACTIVATION_relu, -1, 0, 0},
        {SB_ACTIVATION_relu, 0, 0, 0},
        {SB_ACTIVATION_relu, 2, 2, 1},
        {SB_ACTIVATION_sigmoid, 0, 0.5, 0.25},
        {SB_ACTIVATION_tanh, 0, 0, 1},
        {SB_ACTIVATION_celu, -1, -0.289297802, 0.0356739933},
        {SB_ACTIVATION_celu, -0.3, -0.189636168, 0.367879441},
        {SB_ACTIVATION_celu, -0.1, -0.085040607, 0.716531311},
        {SB_ACTIVATION_celu, 0, 0, 1},
        {SB_ACTIVATION_celu, 2, 2, 1},
        {SB_ACTIVATION_gelu, 0, 0, 0.5},
        {SB_ACTIVATION_gelu, 1, 0.8413447461, 1.0833154706},
        {SB_ACTIVATION_gelu, -1, -0.1586552539, -0.0833154706},
        {SB_ACTIVATION_silu, 0, 0, 0.5},
        {SB_ACTIVATION_silu, 1, 0.7310585786, 0.9276705119},
        {SB_ACTIVATION_silu, -1, -0.2689414214, 0.0723294881},
        {SB_ACTIVATION_gelu_tanh, 0, 0, 0.5},
        {SB_ACTIVATION_gelu_tanh, 1, 0.8411919906, 1.082964084},
        {SB_ACTIVATION_gelu_tanh, -1, -0.1588080094, -0.0829640838},
    };
    enum { N = sizeof cases / sizeof *cases };
    device d = device_open(*state, 1);
    sb_ops *ops = d.ops;
    for (int i = 0; i < N; i++) {
        const sb_real x = (sb_real)cases[i].x, one = 1;
        sb_real y, slope;
        sb_tensor x_map = device_tensor(&d, 1, 1, 1, 1, 1, &x), map = device_tensor(&d, 1, 1, 1, 1, 1, &one);
        ops->activation_backward(ops, cases[i].function, (sb_real)0.3, &x_map, &map, &map);
        ops->activation_forward(ops, cases[i].function, (sb_real)0.3, &x_map, &x_map);
        device_planes(&d, &x_map, &y), device_planes(&d, &map, &slope);
        if (!(fabs((double)y - cases[i].y) <= 4 * FLT_EPSILON &&
              fabs((double)slope - cases[i].slope) <= 8 * FLT_EPSILON))
            fail_msg("function %d of %g: %.9f, slope %.9f", cases[i].function, cases[i].x, (double)y, (double)slope);
    }
    device_close(&d);
}

static void a_nan_stays_visible(void **state)
{
    device d = device_open(*state, 1);
    sb_ops *ops = d.ops;
    for (int function = 0; function < SB_N_ACTIVATIONS; function++) {
        sb_real x = (sb_real)NAN;
        sb_tensor map = device_tensor(&d, 1, 1, 1, 1, 1, &x);
        ops->activation_forward(ops, (sb_activation)function, 1, &map, &map);
        device_planes(&d, &map, &x);
        if (!isnan(x)) fail_msg("function %d of a NaN is %g", function, (double)x);
    }
    device_close(&d);
}

static void residual_and_scale(void **state)
{
    enum { N = 2 * 5 * 3 * 7 };
    for (fill kind = 0; kind < fills_tried; kind++) {
        device d = device_open(*state, 3);
        sb_ops *ops = d.ops;
        char where[200];
        describe(where, "residual, then scale", *state, 3, kind);
        sb_real *x = filled(N, kind, 300, 0), *f = filled(N, kind, 300, 1), *got = host_take(N);
        const sb_tensor x_map = device_tensor(&d, 2, 1, 5, 3, 7, x), f_map = device_tensor(&d, 2, 1, 5, 3, 7, f);
        sb_tensor y = device_tensor(&d, 2, 1, 5, 3, 7, NULL);
        IN_TEAM
        {
            ops->residual_forward(ops, &x_map, &f_map, &y);
            ops->logit_scale(ops, (sb_real)0.3, &y, &y);
        }
        device_planes(&d, &y, got);
        for (int i = 0; i < N; i++) x[i] = (sb_real)0.3 * (x[i] + f[i]);
        expect_same_bits(where, N, got, x);
        free(x), free(f), free(got);
        device_close(&d);
    }
}

/* ---- max pools ---- */

typedef struct pool {
    int n, c, h, w, window_h, window_w;
} pool;

static const pool pools[] = {{2, 20, 7, 6, 2, 2}, {1, 50, 4, 5, 2, 2},    {2, 3, 7, 9, 2, 2},
                             {1, 16, 8, 6, 2, 2}, {2, 5, 10, 7, 3, 3},    {3, 70, 8, 9, 4, 4},
                             {4, 8, 4, 4, 4, 4},  {1, 2, 16, 16, 16, 16}, {2, 3, 3, 5, 1, 5}};

static void want_pool(const pool *p, const sb_real *x, const sb_real *dy, sb_real *y, sb_real *dx)
{
    const int h = p->h / p->window_h, w = p->w / p->window_w;
    for (int map = 0; map < p->n * p->c; map++)
        for (int i = 0; i < h * w; i++) {
            size_t chosen = 0;
            for (int k = 0; k < p->window_h * p->window_w; k++) {
                const size_t row = (size_t)map * p->h + i / w * p->window_h + k / p->window_w;
                const size_t at = row * p->w + i % w * p->window_w + k % p->window_w;
                if (k == 0 || x[at] > x[chosen]) chosen = at;
            }
            y[map * h * w + i] = x[chosen];
            dx[chosen] = dy[map * h * w + i];
        }
}

static void pool_trial(const subject *on, int threads, const pool *p, fill kind)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    char where[200], name[80];
    snprintf(name, sizeof name, "pool %dx%d of %d x %d maps of %dx%d", p->window_h, p->window_w, p->n, p->c, p->h,
             p->w);
    describe(where, name, on, threads, kind);
    const int h = p->h / p->window_h, w = p->w / p->window_w;
    const size_t n = (size_t)p->n * p->c * p->h * p->w, n_small = (size_t)p->n * p->c * h * w;
    sb_real *x = filled(n, kind, 300, 0), *dy = filled(n_small, kind, 300, 1), *y = host_take(n_small);
    sb_real *dx = host_take(n), *want_y = host_take(n_small), *want_dx = host_take(n);
    want_pool(p, x, dy, want_y, want_dx);
    sb_tensor x_map = device_tensor(&d, p->n, 1, p->c, p->h, p->w, x); /* its place is overwritten by dx */
    sb_tensor y_map = device_tensor(&d, p->n, 1, p->c, h, w, NULL), dy_map = device_tensor(&d, p->n, 1, p->c, h, w, dy);
    uint8_t *choice = device_take(&d, n_small, NULL);
    IN_TEAM
    {
        ops->max_pool_forward(ops, p->window_h, p->window_w, &x_map, &y_map, choice);
        ops->max_pool_backward(ops, p->window_h, p->window_w, &dy_map, choice, &x_map);
    }
    device_planes(&d, &y_map, y);
    device_planes(&d, &x_map, dx);
    expect_equal(where, n_small, y, want_y);
    expect_equal(where, n, dx, want_dx);
    free(x), free(dy), free(y), free(dx), free(want_y), free(want_dx);
    device_close(&d);
}

static void max_pools(void **state)
{
    for (size_t i = 0; i < sizeof pools / sizeof *pools; i++)
        for (fill kind = 0; kind < fills_tried; kind++)
            for (int threads = 1; threads <= 3; threads += 2) pool_trial(*state, threads, &pools[i], kind);
}

/* A map of more than 32 MB: AVX-512 stores its gradient past the caches. */
static void a_large_max_pool(void **state)
{
    static const subject best = {"native", "auto", "direct", 0};
    static const pool large = {5, 128, 128, 104, 2, 2};
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) pool_trial(&best, threads, &large, FILL_RANDOM);
}

/* One 2x2 block per case: the first of equals wins, the least negative of negatives, a NaN wins. */
static void max_pool_by_eye(void **state)
{
    static const struct {
        sb_real x[4], y, gradient[4]; /* of dy = 1 */
    } cases[] = {
        {{1, 2, 3, 4}, 4, {0, 0, 0, 1}},
        {{4, 4, 4, 4}, 4, {1, 0, 0, 0}},
        {{-1, 2, 2, -5}, 2, {0, 1, 0, 0}},
        {{-3, -2, -1, -4}, -1, {0, 0, 1, 0}},
        {{0, -0.0f, 0, -1}, 0, {1, 0, 0, 0}},
        {{1, (sb_real)NAN, 3, 2}, (sb_real)NAN, {0, 1, 0, 0}},
        {{(sb_real)NAN, 1, 2, 3}, (sb_real)NAN, {1, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        device d = device_open(*state, 1);
        sb_ops *ops = d.ops;
        sb_real one = 1, y, dx[4];
        sb_tensor x_map = device_tensor(&d, 1, 1, 1, 2, 2, cases[i].x);
        sb_tensor y_map = device_tensor(&d, 1, 1, 1, 1, 1, NULL), dy_map = device_tensor(&d, 1, 1, 1, 1, 1, &one);
        uint8_t *choice = device_take(&d, 1, NULL);
        ops->max_pool_forward(ops, 2, 2, &x_map, &y_map, choice);
        ops->max_pool_backward(ops, 2, 2, &dy_map, choice, &x_map);
        device_planes(&d, &y_map, &y);
        device_planes(&d, &x_map, dx);
        char where[40];
        snprintf(where, sizeof where, "max pool case %zu", i);
        expect_equal(where, 1, &y, &cases[i].y);
        expect_equal(where, 4, dx, cases[i].gradient);
        device_close(&d);
    }
}

/* ---- the loss of classes ---- */

typedef struct classes {
    double loss[64], entropy[64], total[3];
    uint8_t predicted[64];
    sb_real dz[64 * 255];
} classes;

static void run_classes(const subject *on, int threads, int n, int k, const sb_real *z, const uint8_t *label,
                        double smoothing, double factor, classes *got)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    sb_tensor logits = device_tensor(&d, n, 1, k, 1, 1, z);
    const uint8_t *on_device = device_take(&d, (size_t)n, label);
    double *loss = device_take(&d, (size_t)n * sizeof *loss, NULL), *entropy = device_take(&d, (size_t)n * 8, NULL);
    double *total = device_take(&d, 3 * sizeof *total, NULL);
    uint8_t *predicted = device_take(&d, (size_t)n, NULL);
    IN_TEAM
    {
        ops->cross_entropy_forward(ops, &logits, on_device, smoothing, loss, entropy, predicted, total);
        ops->cross_entropy_backward(ops, &logits, on_device, smoothing, factor, &logits);
    }
    ops->to_host(ops, got->loss, loss, (size_t)n * sizeof *loss);
    ops->to_host(ops, got->entropy, entropy, (size_t)n * sizeof *loss);
    ops->to_host(ops, got->total, total, sizeof got->total);
    ops->to_host(ops, got->predicted, predicted, (size_t)n);
    device_planes(&d, &logits, got->dz);
    device_close(&d);
}

/* The value of the specification, section 2; p = (.8437947, .1141952, .0420101) of logits (2, 0, -1). */
static void loss_by_eye(void **state)
{
    static classes got;
    const sb_real z[6] = {2, 0, -1, 2, 0, -1}, p[3] = {(sb_real)0.8437947, (sb_real)0.1141952, (sb_real)0.0420101};
    run_classes(*state, 2, 2, 3, z, (uint8_t[]){0, 1}, 0.2, 0.5, &got);
    assert_true(fabs(got.loss[0] - 0.503179353) < 1e-9 && fabs(got.entropy[0] - 0.169846) < 1e-6);
    assert_true(fabs(got.entropy[1] - 2.169846) < 1e-6);
    assert_true(got.predicted[0] == 0 && got.predicted[1] == 0);
    assert_true(got.total[0] == got.loss[0] + got.loss[1] && got.total[1] == got.entropy[0] + got.entropy[1]);
    assert_true(got.total[2] == 1);
    for (int i = 0; i < 6; i++) {
        const double target = (i == 0 || i == 4 ? 0.8 : 0) + 0.2 / 3, wanted = 0.5 * ((double)p[i % 3] - target);
        if (!(fabs((double)got.dz[i] - wanted) < 1e-7))
            fail_msg("dz[%d] is %g, wanted %g", i, (double)got.dz[i], wanted);
    }
}

/* The lowest index where equal; a NaN is nobody's class, and shows in loss and gradient; logits of any size. */
static void predictions_by_eye(void **state)
{
    static classes got;
    const sb_real nan = (sb_real)NAN, large = (sb_real)3e38;
    const sb_real z[5 * 3] = {1, 1, 1, -2, 5, 5, nan, 1, 2, 1, 2, nan, -large, large, 0};
    run_classes(*state, 1, 5, 3, z, (uint8_t[]){0, 2, 2, 1, 1}, 0.1, 1, &got);
    static const uint8_t wanted[5] = {0, 1, SB_NO_CLASS, SB_NO_CLASS, 1};
    assert_memory_equal(got.predicted, wanted, 5);
    assert_true(got.total[2] == 2);
    assert_true(isnan(got.loss[2]) && isnan(got.loss[3]) && isnan(got.dz[6]) && isnan(got.dz[9]));
    assert_true(got.entropy[4] == 0 && fabs(got.loss[4] / (0.1 * (3 * (double)large) / 3) - 1) < 1e-6);
    for (int i = 12; i < 15; i++) assert_true(isfinite(got.dz[i]));
}

static void loss_trial(const subject *on, int threads, int n, int k, double smoothing, fill kind)
{
    static classes got, want;
    char where[200];
    describe(where, "cross-entropy", on, threads, kind);
    sb_real *z = filled((size_t)n * k, kind, 300, (uint32_t)k);
    uint8_t label[64];
    for (int i = 0; i < n; i++) label[i] = (uint8_t)(sb_random_words(300, 9, (uint64_t)i).word[0] % (uint32_t)k);
    run_classes(on, threads, n, k, z, label, smoothing, 1.0 / 7, &got);
    memset(&want, 0, sizeof want);
    for (int i = 0; i < n; i++) {
        const sb_real *z_i = z + (size_t)i * k;
        const sb_softmax s = sb_softmax_of(z_i, 1, k);
        want.loss[i] = sb_softmax_loss(&s, z_i, 1, k, label[i], smoothing, &want.entropy[i]);
        want.total[0] += want.loss[i], want.total[1] += want.entropy[i], want.total[2] += s.predicted == label[i];
        for (int c = 0; c < k; c++)
            want.dz[i * k + c] = sb_softmax_gradient(&s, z_i[c], k, c, label[i], smoothing, 1.0 / 7);
    }
    expect_same_bits(where, (size_t)n * k, got.dz, want.dz);
    if (memcmp(got.loss, want.loss, (size_t)n * 8) || memcmp(got.entropy, want.entropy, (size_t)n * 8) ||
        memcmp(got.total, want.total, sizeof got.total))
        fail_msg("%s: losses of %d samples of %d classes differ", where, n, k);
    free(z);
}

static void losses(void **state)
{
    static const int n_classes[] = {2, 10, 255};
    subject_or_skip(*state);
    for (size_t i = 0; i < sizeof n_classes / sizeof *n_classes; i++)
        for (fill kind = 0; kind < fills_tried; kind++)
            for (int threads = 1; threads <= 3; threads += 2)
                loss_trial(*state, threads, 1 + 13 * (int)i, n_classes[i], 0.1 * (double)i, kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(activations),
        cmocka_unit_test(activations_by_eye),
        cmocka_unit_test(a_nan_stays_visible),
        cmocka_unit_test(residual_and_scale),
        cmocka_unit_test(max_pools),
        cmocka_unit_test(max_pool_by_eye),
        cmocka_unit_test(losses),
        cmocka_unit_test(loss_by_eye),
        cmocka_unit_test(predictions_by_eye),
    };
    const struct CMUnitTest alone[] = {cmocka_unit_test(a_large_max_pool)};
    return run_on_subjects("layer", tests, sizeof tests / sizeof *tests) +
           cmocka_run_group_tests_name("layer, past the caches", alone, NULL, NULL);
}

/* Elementwise operations: cases to check by eye, and every backend against a plain loop over the rules of ops/order.h,
 * bit for bit. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

/* Sizes around every vector width, more than one row, odd channels. */
typedef struct size {
    int c, h, w;
} size;
static const size sizes[] = {{1, 2, 2}, {3, 4, 6}, {5, 2, 8}, {16, 2, 4}, {48, 4, 2}, {50, 6, 10}};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef void trial(const subject *on, int threads, const char *where, const size *s, fill kind, uint64_t seed);

/* Every size and fill, on one thread and on three. */
static void each_trial(const subject *on, const char *name, trial *run)
{
    for (int i = 0; i < SIZES; i++)
        for (fill kind = 0; kind < fills_tried; kind++)
            for (int threads = 1; threads <= 3; threads += 2) {
                char where[160];
                snprintf(where, sizeof where, "%s, %s %s, %d threads, %dx%dx%d, fill %s, seed %d", name, on->backend,
                         on->isa, threads, sizes[i].c, sizes[i].h, sizes[i].w, fill_names[kind], 200 + i);
                run(on, threads, where, &sizes[i], kind, 200 + (uint64_t)i);
            }
}

static size_t count(const size *s)
{
    return (size_t)s->c * s->h * s->w;
}

static sb_real *filled(size_t n, fill kind, uint64_t seed, uint32_t stream)
{
    sb_real *x = host_take(n);
    fill_block(x, n, kind, seed, stream);
    return x;
}

static sb_tensor take_filled(device *d, const size *s, int c, const sb_real *planes)
{
    return device_tensor(d, 1, 1, c, s->h, s->w, planes);
}

/* ---- maps ---- */

static void bytes_become_255ths(void **state)
{
    device d = device_open(*state, 2);
    sb_ops *ops = d.ops;
    uint8_t frame[256 * 3];
    sb_real got[256 * 3], wanted[256 * 3];
    for (int i = 0; i < 256 * 3; i++) {
        frame[i] = (uint8_t)(7 * i);
        wanted[i % 3 * 256 + i / 3] = (float)frame[i] / 255.0f; /* [h][w][c] becomes planes */
    }
    sb_tensor x = device_tensor(&d, 1, 1, 3, 8, 32, NULL);
    IN_TEAM
    ops->frame_load(ops, frame, &x);
    device_planes(&d, &x, got);
    expect_same_bits("a frame", 256 * 3, got, wanted);
    device_close(&d);
}

static void planes_come_back(void **state)
{
    device d = device_open(*state, 3);
    sb_ops *ops = d.ops;
    sb_real *planes = filled(4 * 5 * 3 * 7, FILL_EXTREME, 1, 0), *back = host_take(4 * 5 * 3 * 7);
    sb_real *on_device = device_take(&d, 4 * 5 * 3 * 7 * sizeof *planes, planes);
    sb_tensor map = device_tensor(&d, 1, 4, 5, 3, 7, NULL);
    IN_TEAM
    {
        ops->map_load(ops, on_device, &map);
        ops->zero(ops, on_device, 4 * 5 * 3 * 7 * sizeof *planes);
        ops->map_store(ops, &map, on_device);
    }
    ops->to_host(ops, back, on_device, 4 * 5 * 3 * 7 * sizeof *planes);
    expect_same_bits("planes stored and loaded", 4 * 5 * 3 * 7, back, planes);
    free(planes), free(back);
    device_close(&d);
}

/* ---- errors ---- */

static void error_forward_trial(const subject *on, int threads, const char *where, const size *s, fill kind,
                                uint64_t seed)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    size_t n = count(s);
    sb_real *a = filled(n, kind, seed, 0), *p = filled(n, kind, seed, 1), *e = host_take(2 * n),
            *want = host_take(2 * n);
    for (size_t i = 0; i < n; i++) want[i] = sb_relu(a[i] - p[i]), want[n + i] = sb_relu(p[i] - a[i]);
    sb_tensor a_map = take_filled(&d, s, s->c, a), p_map = take_filled(&d, s, s->c, p);
    sb_tensor e_map = take_filled(&d, s, 2 * s->c, NULL);
    IN_TEAM
    ops->error_forward(ops, &a_map, &p_map, &e_map);
    device_planes(&d, &e_map, e);
    expect_same_bits(where, 2 * n, e, want);
    free(a), free(p), free(e), free(want);
    device_close(&d);
}

static void error_backward_trial(const subject *on, int threads, const char *where, const size *s, fill kind,
                                 uint64_t seed)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    size_t n = count(s);
    sb_real *e = filled(2 * n, kind, seed, 0), *de = filled(2 * n, kind, seed, 1), *da = host_take(n),
            *dp = host_take(n);
    sb_real *want_da = host_take(n), *want_dp = host_take(n);
    for (size_t i = 0; i < n; i++) {
        want_dp[i] = (e[n + i] > 0 ? de[n + i] : 0) - (e[i] > 0 ? de[i] : 0);
        want_da[i] = -want_dp[i];
    }
    sb_tensor e_map = take_filled(&d, s, 2 * s->c, e), de_map = take_filled(&d, s, 2 * s->c, de);
    sb_tensor da_map = take_filled(&d, s, s->c, NULL), dp_map = take_filled(&d, s, s->c, NULL);
    sb_tensor alone = take_filled(&d, s, s->c, NULL);
    IN_TEAM
    {
        ops->error_backward(ops, &e_map, &de_map, &da_map, &dp_map);
        ops->error_backward(ops, &e_map, &de_map, NULL, &alone);
    }
    device_planes(&d, &da_map, da);
    device_planes(&d, &dp_map, dp);
    expect_same_bits(where, n, da, want_da);
    expect_same_bits(where, n, dp, want_dp);
    device_planes(&d, &alone, dp);
    expect_same_bits(where, n, dp, want_dp);
    free(e), free(de), free(da), free(dp), free(want_da), free(want_dp);
    device_close(&d);
}

static void errors(void **state)
{
    each_trial(*state, "error forward", error_forward_trial);
    each_trial(*state, "error backward", error_backward_trial);
}

/* ---- pool ---- */

/* One pixel of pool_forward, from its four candidates. */
static sb_real pool_pixel(const sb_real v[4], uint8_t *choice)
{
    sb_real best = 0;
    *choice = 4;
    for (int k = 0; k < 4; k++)
        if (v[k] > best || isnan(v[k])) best = v[k], *choice = (uint8_t)k;
    return best;
}

/* Forward and backward of half-size maps against a loop; dy is overwritten. */
static void pool_trial(const subject *on, int threads, const char *where, const size *s, fill kind, uint64_t seed)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    int h = s->h / 2, w = s->w / 2;
    size_t n = count(s), n_small = n / 4;
    sb_real *y = filled(n, kind, seed, 0), *da = filled(n_small, kind, seed, 1), *a = host_take(n_small);
    sb_real *dy = host_take(n), *want_a = host_take(n_small), *want_dy = host_take(n);
    for (size_t i = 0; i < n_small; i++) {
        size_t channel = i / ((size_t)h * w), row = i % ((size_t)h * w) / w, column = i % w;
        sb_real v[4];
        uint8_t choice;
        size_t at[4];
        for (size_t k = 0; k < 4; k++) {
            at[k] = (channel * s->h + 2 * row + k / 2) * s->w + 2 * column + k % 2;
            v[k] = y[at[k]];
        }
        want_a[i] = pool_pixel(v, &choice);
        for (int k = 0; k < 4; k++) want_dy[at[k]] = choice == k ? da[i] : 0;
    }
    sb_tensor y_map = take_filled(&d, s, s->c, y), dy_map = take_filled(&d, s, s->c, y);
    sb_tensor a_map = device_tensor(&d, 1, 1, s->c, h, w, NULL), da_map = device_tensor(&d, 1, 1, s->c, h, w, da);
    uint8_t *choice = device_take(&d, n_small, NULL);
    IN_TEAM
    {
        ops->pool_forward(ops, &y_map, &a_map, choice);
        ops->pool_backward(ops, &da_map, choice, &dy_map);
    }
    device_planes(&d, &a_map, a);
    device_planes(&d, &dy_map, dy);
    expect_same_bits(where, n_small, a, want_a);
    expect_same_bits(where, n, dy, want_dy);
    free(y), free(da), free(a), free(dy), free(want_a), free(want_dy);
    device_close(&d);
}

static void pools(void **state)
{
    each_trial(*state, "pool", pool_trial);
}

/* One 2x2 block per case: the first of equals wins, nothing positive chooses nothing, a NaN wins and stays visible. */
static void pool_by_eye(void **state)
{
    static const struct {
        sb_real y[4], a;
        sb_real gradient[4]; /* of da = 1 */
    } cases[] = {
        {{1, 2, 3, 4}, 4, {0, 0, 0, 1}},
        {{4, 4, 4, 4}, 4, {1, 0, 0, 0}},
        {{-1, 2, 2, -5}, 2, {0, 1, 0, 0}},
        {{-1, -2, -3, -4}, 0, {0, 0, 0, 0}},
        {{0, -0.0f, 0, -1}, 0, {0, 0, 0, 0}},
        {{1, (sb_real)NAN, 3, 2}, NAN, {0, 0, 0, 1}},
        {{3, 1, 2, (sb_real)NAN}, NAN, {0, 0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        device d = device_open(*state, 1);
        sb_ops *ops = d.ops;
        sb_real one = 1, a, dy[4];
        sb_tensor y_map = device_tensor(&d, 1, 1, 1, 2, 2, cases[i].y), dy_map = device_tensor(&d, 1, 1, 1, 2, 2, NULL);
        sb_tensor a_map = device_tensor(&d, 1, 1, 1, 1, 1, NULL), da_map = device_tensor(&d, 1, 1, 1, 1, 1, &one);
        uint8_t *choice = device_take(&d, 1, NULL);
        ops->pool_forward(ops, &y_map, &a_map, choice);
        ops->pool_backward(ops, &da_map, choice, &dy_map);
        device_planes(&d, &a_map, &a);
        device_planes(&d, &dy_map, dy);
        char where[40];
        snprintf(where, sizeof where, "pool case %zu", i);
        expect_equal(where, 1, &a, &cases[i].a);
        if (!isnan(cases[i].a)) expect_equal(where, 4, dy, cases[i].gradient);
        device_close(&d);
    }
}

/* ---- output ---- */

static void output_trial(const subject *on, int threads, const char *where, const size *s, fill kind, uint64_t seed)
{
    for (int clip = 0; clip < 2; clip++) {
        device d = device_open(on, threads);
        sb_ops *ops = d.ops;
        size_t n = count(s);
        sb_real *p = filled(n, kind, seed, 0), *dp = filled(n, kind, seed, 1);
        sb_real *got = host_take(n), *want_p = host_take(n), *want_dp = host_take(n);
        for (size_t i = 0; i < n; i++) {
            want_p[i] = clip ? sb_clip(p[i]) : sb_relu(p[i]);
            want_dp[i] = want_p[i] > 0 && (!clip || want_p[i] < 1) ? dp[i] : 0;
        }
        sb_tensor p_map = take_filled(&d, s, s->c, p), dp_map = take_filled(&d, s, s->c, dp);
        IN_TEAM
        {
            ops->output_forward(ops, &p_map, clip);
            ops->output_backward(ops, &p_map, clip, &dp_map);
        }
        device_planes(&d, &p_map, got);
        expect_same_bits(where, n, got, want_p);
        device_planes(&d, &dp_map, got);
        expect_same_bits(where, n, got, want_dp);
        free(p), free(dp), free(got), free(want_p), free(want_dp);
        device_close(&d);
    }
}

static void outputs(void **state)
{
    each_trial(*state, "output", output_trial);
}

/* The gradient of the clip is 1 strictly inside (0, 1); NaN passes through both nonlinearities. */
static void output_by_eye(void **state)
{
    static const sb_real p[6] = {-1, 0, 0.5f, 1, 2, (sb_real)NAN}, ones[6] = {1, 1, 1, 1, 1, 1};
    static const sb_real clipped[6] = {0, 0, 0.5f, 1, 1, (sb_real)NAN}, inside[5] = {0, 0, 1, 0, 0};
    static const sb_real rectified[6] = {0, 0, 0.5f, 1, 2, (sb_real)NAN}, above[5] = {0, 0, 1, 1, 1};
    for (int clip = 0; clip < 2; clip++) {
        device d = device_open(*state, 1);
        sb_ops *ops = d.ops;
        sb_real got[6];
        sb_tensor p_map = device_tensor(&d, 1, 1, 1, 1, 6, p), dp_map = device_tensor(&d, 1, 1, 1, 1, 6, ones);
        ops->output_forward(ops, &p_map, clip);
        ops->output_backward(ops, &p_map, clip, &dp_map);
        device_planes(&d, &p_map, got);
        expect_equal(clip ? "clip" : "relu", 6, got, clip ? clipped : rectified);
        device_planes(&d, &dp_map, got);
        expect_equal(clip ? "clip, gradient" : "relu, gradient", 5, got, clip ? inside : above);
        device_close(&d);
    }
}

static void relu_backward_keeps_what_was_positive(void **state)
{
    device d = device_open(*state, 3);
    sb_ops *ops = d.ops;
    enum { N = 1003 };
    sb_real *y = filled(N, FILL_EXTREME, 3, 0), *dy = filled(N, FILL_EXTREME, 3, 1), *want = host_take(N);
    for (int i = 0; i < N; i++) want[i] = y[i] > 0 ? dy[i] : 0;
    sb_real *device_y = device_take(&d, N * sizeof *y, y), *device_dy = device_take(&d, N * sizeof *y, dy);
    IN_TEAM
    ops->relu_backward(ops, N, device_y, device_dy);
    ops->to_host(ops, dy, device_dy, N * sizeof *y);
    expect_same_bits("relu backward, seed 3", N, dy, want);
    free(y), free(dy), free(want);
    device_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_become_255ths),
        cmocka_unit_test(planes_come_back),
        cmocka_unit_test(errors),
        cmocka_unit_test(pools),
        cmocka_unit_test(pool_by_eye),
        cmocka_unit_test(outputs),
        cmocka_unit_test(output_by_eye),
        cmocka_unit_test(relu_backward_keeps_what_was_positive),
    };
    return run_on_subjects("point", tests, sizeof tests / sizeof *tests);
}

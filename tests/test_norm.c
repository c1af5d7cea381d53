/* Batch norm: a case to check by eye, and every backend against the formulas of ops/norm/norm.h written out on planes,
 * bit for bit, in training, backward and evaluation, on one thread and on three. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

#include "ops/point/activation.h"

typedef struct shape {
    int n, groups, c, h, w;
    sb_activation activation;
    bool frozen;
} shape;

/* Channels around every vector width and the width of a part, one pixel, groups of one sample. */
static const shape shapes[] = {
    {5, 1, 3, 5, 7, SB_ACTIVATION_linear, false},
    {12, 4, 3, 5, 3, SB_ACTIVATION_relu, false},
    {32, 16, 5, 3, 2, SB_ACTIVATION_celu, true},
    {4, 2, 16, 4, 4, SB_ACTIVATION_gelu, false},
    {3, 1, 70, 2, 9, SB_ACTIVATION_celu, false},
    {4, 4, 21, 2, 3, SB_ACTIVATION_linear, true},
    {6, 3, 34, 1, 1, SB_ACTIVATION_relu, true},
    /* more rows than a device adds at once; a row that it does not load at once */
    {60, 1, 9, 12, 8, SB_ACTIVATION_celu, false},
    {2, 1, 2, 2, 4500, SB_ACTIVATION_relu, false},
};

static size_t size_of(const shape *s)
{
    return (size_t)s->n * s->c * s->h * s->w;
}

/* Host memory of a trial: what goes in, and what comes out. */
typedef struct values {
    sb_real *x, *dy, *scale, *shift;
    sb_real *y, *dx, *scale_grad, *shift_grad, *running_mean, *running_var, *evaluated;
} values;

static values take_values(const shape *s)
{
    const size_t n = size_of(s), c = (size_t)s->c, g = c * (size_t)s->groups;
    return (values){host_take(n), host_take(n), host_take(c), host_take(c), host_take(n), host_take(n),
                    host_take(c), host_take(c), host_take(g), host_take(g), host_take(n)};
}

static void drop_values(values *v)
{
    free(v->x), free(v->dy), free(v->scale), free(v->shift), free(v->y), free(v->dx), free(v->scale_grad);
    free(v->shift_grad), free(v->running_mean), free(v->running_var), free(v->evaluated);
}

static void fill_values(const shape *s, fill kind, values *v)
{
    fill_block(v->x, size_of(s), kind, 400, 0);
    fill_block(v->dy, size_of(s), kind, 400, 1);
    fill_block(v->scale, (size_t)s->c, FILL_RANDOM, 400, 2);
    fill_block(v->shift, (size_t)s->c, FILL_RANDOM, 400, 3);
    for (int i = 0; i < s->groups * s->c; i++) v->running_mean[i] = (sb_real)(0.125 * i), v->running_var[i] = 1;
}

static const double eps = 1e-5, rate = 0.1;
static const sb_real alpha = (sb_real)0.3;

static void run(const subject *on, int threads, const shape *s, const values *in, values *out)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    const size_t c = (size_t)s->c * sizeof(sb_real), g = c * (size_t)s->groups;
    sb_norm norm = {.c = s->c,
                    .groups = s->groups,
                    .eps = eps,
                    .rate = rate,
                    .activation = s->activation,
                    .alpha = alpha,
                    .scale = s->frozen ? NULL : device_take(&d, c, in->scale),
                    .shift = device_take(&d, c, in->shift),
                    .scale_grad = s->frozen ? NULL : device_take(&d, c, in->scale),
                    .shift_grad = device_take(&d, c, in->scale),
                    .running_mean = device_take(&d, g, in->running_mean),
                    .running_var = device_take(&d, g, in->running_var)};
    norm.space = device_take(&d, sb_norm_size(&norm), NULL);
    const sb_tensor x = device_tensor(&d, s->n, 1, s->c, s->h, s->w, in->x);
    sb_tensor y = device_tensor(&d, s->n, 1, s->c, s->h, s->w, NULL);
    sb_tensor dy = device_tensor(&d, s->n, 1, s->c, s->h, s->w, in->dy);
    sb_tensor dx = device_tensor(&d, s->n, 1, s->c, s->h, s->w, NULL);
    IN_TEAM
    {
        ops->norm_forward(ops, &norm, &x, &y);
        ops->norm_backward(ops, &norm, &x, &dy, &dx);
        ops->norm_backward(ops, &norm, &x, &dy, &dy); /* in place */
    }
    device_planes(&d, &y, out->y);
    device_planes(&d, &dx, out->dx), device_planes(&d, &dy, out->evaluated);
    expect_same_bits("a gradient in place", size_of(s), out->evaluated, out->dx);
    IN_TEAM
    ops->norm_evaluate(ops, &norm, &x, &y);
    device_planes(&d, &y, out->evaluated);
    if (!s->frozen) ops->to_host(ops, out->scale_grad, norm.scale_grad, c);
    ops->to_host(ops, out->shift_grad, norm.shift_grad, c);
    ops->to_host(ops, out->running_mean, norm.running_mean, g);
    ops->to_host(ops, out->running_var, norm.running_var, g);
    device_close(&d);
}

/* ---- the formulas ---- */

static size_t place(const shape *s, int sample, int c, int i)
{
    return ((size_t)sample * s->c + c) * s->h * s->w + i;
}

/* sum over the group of term(i): a chain in each row, the rows added up. */
typedef double chain(const values *v, size_t i, const sb_real at[2], double sum);

static double sum_group(const shape *s, const values *v, int g, int c, chain *term, const sb_real at[2])
{
    double total = 0;
    for (int sample = g; sample < s->n; sample += s->groups)
        for (int y = 0; y < s->h; y++) {
            double row = 0;
            for (int x = 0; x < s->w; x++) row = term(v, place(s, sample, c, y * s->w + x), at, row);
            total += row;
        }
    return total;
}

static double add_x(const values *v, size_t i, const sb_real at[2], double sum)
{
    (void)at;
    return sum + (double)v->x[i];
}

static double add_square(const values *v, size_t i, const sb_real at[2], double sum)
{
    const double d = (double)v->x[i] - (double)at[0];
    return fma(d, d, sum);
}

/* dx holds dz */
static double add_dz(const values *v, size_t i, const sb_real at[2], double sum)
{
    (void)at;
    return sum + (double)v->dx[i];
}

static double add_product(const values *v, size_t i, const sb_real at[2], double sum)
{
    const sb_real hat = (v->x[i] - at[0]) * at[1];
    return fma((double)v->dx[i], (double)hat, sum);
}

static void want_channel(const shape *s, values *v, int g, int c, double sums[2])
{
    const double m = (double)(s->n / s->groups) * s->h * s->w;
    const sb_real scale = s->frozen ? 1 : v->scale[c];
    sb_real at[2];
    at[0] = (sb_real)(sum_group(s, v, g, c, add_x, at) / m);
    const double squares = sum_group(s, v, g, c, add_square, at);
    at[1] = (sb_real)(1 / sqrt(squares / m + eps));
    sb_real *mean = &v->running_mean[g * s->c + c], *var = &v->running_var[g * s->c + c];
    *mean = (sb_real)(1 - rate) * *mean + (sb_real)rate * at[0];
    *var = (sb_real)(1 - rate) * *var + (sb_real)rate * (sb_real)(squares / (m - 1));
    for (int sample = g; sample < s->n; sample += s->groups)
        for (int i = 0; i < s->h * s->w; i++) {
            const size_t k = place(s, sample, c, i);
            const sb_real z = SB_FMA(scale, (v->x[k] - at[0]) * at[1], v->shift[c]);
            v->y[k] = sb_activation_value(s->activation, z, alpha);
            v->dx[k] = sb_activation_gradient(s->activation, z, v->dy[k], alpha);
        }
    const double sum = sum_group(s, v, g, c, add_dz, at), product = sum_group(s, v, g, c, add_product, at);
    const sb_real offset = (sb_real)(sum / m), slope = (sb_real)(product / m);
    for (int sample = g; sample < s->n; sample += s->groups)
        for (int i = 0; i < s->h * s->w; i++) {
            const size_t k = place(s, sample, c, i);
            const sb_real hat = (v->x[k] - at[0]) * at[1], sloped = hat * slope, rest = (v->dx[k] - offset) - sloped;
            v->dx[k] = scale * at[1] * rest;
        }
    sums[0] += sum, sums[1] += product;
}

static void want_evaluation(const shape *s, values *v, int c)
{
    double mean = 0, var = 0;
    for (int g = 0; g < s->groups; g++) mean += (double)v->running_mean[g * s->c + c];
    for (int g = 0; g < s->groups; g++) var += (double)v->running_var[g * s->c + c];
    const sb_real m = (sb_real)(mean / s->groups), of = (sb_real)(var / s->groups);
    const sb_real inverse = (sb_real)(1 / sqrt((double)of + eps)), scale = s->frozen ? 1 : v->scale[c];
    for (int sample = 0; sample < s->n; sample++)
        for (int i = 0; i < s->h * s->w; i++) {
            const size_t k = place(s, sample, c, i);
            const sb_real z = SB_FMA(scale, (v->x[k] - m) * inverse, v->shift[c]);
            v->evaluated[k] = sb_activation_value(s->activation, z, alpha);
        }
}

static void want(const shape *s, values *v)
{
    for (int c = 0; c < s->c; c++) {
        double sums[2] = {0};
        for (int g = 0; g < s->groups; g++) want_channel(s, v, g, c, sums);
        v->shift_grad[c] = (sb_real)sums[0], v->scale_grad[c] = s->frozen ? 0 : (sb_real)sums[1];
        want_evaluation(s, v, c);
    }
}

/* ---- trials ---- */

static void hold(const char *where, const shape *s, const values *got, const values *wanted)
{
    const size_t n = size_of(s), c = (size_t)s->c, g = c * (size_t)s->groups;
    expect_same_bits(where, n, got->y, wanted->y);
    expect_same_bits(where, g, got->running_mean, wanted->running_mean);
    expect_same_bits(where, g, got->running_var, wanted->running_var);
    expect_same_bits(where, c, got->shift_grad, wanted->shift_grad);
    expect_same_bits(where, c, got->scale_grad, wanted->scale_grad);
    expect_same_bits(where, n, got->dx, wanted->dx);
    expect_same_bits(where, n, got->evaluated, wanted->evaluated);
}

static void as_written(void **state)
{
    const subject *on = *state;
    subject_or_skip(on);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (fill kind = 0; kind < fills_tried; kind++) {
            const shape *s = &shapes[i];
            values wanted = take_values(s), in = take_values(s);
            fill_values(s, kind, &in), fill_values(s, kind, &wanted);
            want(s, &wanted);
            for (int threads = 1; threads <= 3; threads += 2) {
                values got = take_values(s);
                char where[160];
                snprintf(where, sizeof where, "shape %zu, %s %s, %d threads, fill %s, seed 400", i, on->backend,
                         on->isa, threads, fill_names[kind]);
                run(on, threads, s, &in, &got);
                hold(where, s, &got, &wanted);
                drop_values(&got);
            }
            drop_values(&wanted), drop_values(&in);
        }
}

/* The kernels of a device that sum all rows at once. */
static void as_written_by_rows(void **state)
{
    if (!strstr(((const subject *)*state)->backend, "cuda")) return;
    setenv("SAMEBITS_CUDA_NORMS", "1", 1);
    as_written(state);
    unsetenv("SAMEBITS_CUDA_NORMS");
}

/* Two groups of one pixel and two samples, n mod 2: (1, 3) has mean 2 and variance 1, (10, 20) 15 and 25. */
static void by_eye(void **state)
{
    const shape s = {4, 2, 1, 1, 1, SB_ACTIVATION_relu, false};
    subject_or_skip(*state);
    values in = take_values(&s), got = take_values(&s);
    const sb_real x[4] = {1, 10, 3, 20}, y[4] = {0, 0, (sb_real)2.5, (sb_real)2.5};
    const sb_real mean[2] = {(sb_real)0.2, (sb_real)1.5}, var[2] = {(sb_real)(0.9 + 0.2), (sb_real)(0.9 + 5)};
    memcpy(in.x, x, sizeof x);
    for (int i = 0; i < 4; i++) in.dy[i] = 1;
    in.scale[0] = 2, in.shift[0] = (sb_real)0.5, in.running_var[0] = in.running_var[1] = 1;
    run(*state, 2, &s, &in, &got);
    for (int i = 0; i < 4; i++)
        if (!(fabs((double)got.y[i] - (double)y[i]) < 2e-5)) fail_msg("y[%d] is %g", i, (double)got.y[i]);
    for (int g = 0; g < 2; g++) {
        assert_true(fabs((double)got.running_mean[g] - (double)mean[g]) < 1e-6);
        assert_true(fabs((double)got.running_var[g] - (double)var[g]) < 1e-6);
    }
    /* dz is 1 for the larger of each pair, whose xhat is 1; so dx, but for eps, is 0 */
    assert_true(got.shift_grad[0] == 2 && fabs((double)got.scale_grad[0] - 2) < 2e-5);
    for (int i = 0; i < 4; i++) assert_true(fabs((double)got.dx[i]) < 2e-5);
    drop_values(&in), drop_values(&got);
}

static void refusals(void **state)
{
    (void)state;
    const sb_norm ghost = {.c = 3, .groups = 16}, plain = {.c = 3, .groups = 1};
    assert_int_equal(sb_norm_check(&ghost, 50, 4, 4), SB_E_USAGE);
    assert_string_equal(sb_message(), "a batch of 50 cannot be divided into 16 groups of batch norm");
    assert_int_equal(sb_norm_check(&plain, 1, 1, 1), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "one value a channel"));
    assert_int_equal(sb_norm_check(&ghost, 48, 1, 1), SB_OK);
    assert_int_equal(sb_norm_check(&ghost, 16, 1, 1), SB_E_USAGE);
    assert_int_equal(sb_norm_check(&plain, 1, 1, 2), SB_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_written), cmocka_unit_test(as_written_by_rows),
                                       cmocka_unit_test(by_eye), cmocka_unit_test(refusals)};
    return run_on_subjects("norm", tests, sizeof tests / sizeof *tests);
}

/* Convolutions without the written order: cases to check by eye, and the identity that ties the forward pass and both
 * gradients together. */
#include "conv_trial.h"
#include "expect.h"

/* ---- by eye ---- */

/* Exactly, but for the roundings of another arithmetic on numbers up to 108. */
static void expect_by_eye(const subject *on, const char *what, size_t n, const sb_real *got, const sb_real *wanted)
{
    double bound[9];
    for (size_t i = 0; i < n; i++) bound[i] = on->slack > 1 ? on->slack * 9 * 108 * (double)SB_REAL_EPSILON : 0;
    expect_within(what, n, got, wanted, bound);
}

/* A kernel of ones sums each pixel's neighbours; a single one in it shifts the map; upsampling doubles each pixel. */
static void by_eye(void **state)
{
    device d = device_open(*state, 2);
    sb_ops *ops = d.ops;
    static const sb_real weight[3][9] = {
        {1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 0, 0, 0, 0}};
    static const sb_real x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, bias[2] = {0, 100};
    static const sb_real sums[9] = {12, 21, 16, 27, 45, 33, 24, 39, 28};
    static const sb_real shifted[9] = {100, 101, 102, 100, 104, 105, 100, 107, 108};
    const unit same = {1, 1, 2, 3, 3, false}, up = {1, 1, 1, 2, 4, true};
    static const sb_real small[2] = {3, 8}, doubled[8] = {3, 3, 8, 8, 3, 3, 8, 8};
    sb_real got[18];

    sb_conv conv = unit_open(&d, &same, weight[0]);
    sb_term term = {&conv, unit_input_operand(&d, &same, &conv, x)};
    sb_tensor y = device_tensor(&d, 1, 1, 2, 3, 3, NULL);
    const sb_real *on_device = device_take(&d, sizeof bias, bias);
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_forward(ops, 1, &term, on_device, &y);
    }
    device_planes(&d, &y, got);
    expect_by_eye(*state, "sums of neighbours", 9, got, sums);
    expect_by_eye(*state, "shifted to the right, 100 added", 9, got + 9, shifted);

    conv = unit_open(&d, &up, weight[2]);
    term = (sb_term){&conv, unit_input_operand(&d, &up, &conv, small)};
    y = device_tensor(&d, 1, 1, 1, 2, 4, NULL);
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_forward(ops, 1, &term, NULL, &y);
    }
    device_planes(&d, &y, got);
    expect_by_eye(*state, "upsampled", 8, got, doubled);
    device_close(&d);
}

/* ---- <conv(x), dy> = <x, gradient of x> = <w, gradient of w> ---- */

static double inner(size_t n, const sb_real *a, const sb_real *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)a[i] * (double)b[i];
    return sum;
}

/* The three inner products, and the sum of the sizes of all that is summed in them. */
static void three_products(const subject *on, const unit *u, const numbers *x, double product[3], double *size)
{
    device d = device_open(on, 2);
    sb_ops *ops = d.ops;
    sb_real *w = numbers_take(x, WEIGHT, unit_weights(u)), *in = numbers_take(x, INPUT, unit_input(u));
    sb_real *dy = numbers_take(x, GRADIENT, unit_output(u)), *y = host_take(unit_output(u));
    sb_real *dx = host_take(unit_input(u)), *dw = host_take(unit_weights(u));
    sb_conv conv = unit_open(&d, u, w);
    const void *input = unit_input_operand(&d, u, &conv, in), *gradient = unit_gradient_operand(&d, u, &conv, dy);
    int shrink = u->upsampled ? 1 : 0;
    sb_tensor y_map = device_tensor(&d, 1, u->gates, u->c, u->h, u->w, NULL);
    sb_tensor dx_map = device_tensor(&d, 1, 1, u->in, u->h >> shrink, u->w >> shrink, NULL);
    const sb_term forward_term = {&conv, input}, backward_term = {&conv, gradient};
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_forward(ops, 1, &forward_term, NULL, &y_map);
        ops->conv_turn(ops, &conv);
        ops->conv_data_gradient(ops, 1, &backward_term, &dx_map);
        ops->conv_weight_gradient(ops, &conv, 1, &input, &gradient);
#pragma omp barrier
        ops->conv_end(ops, &conv);
    }
    device_planes(&d, &y_map, y);
    device_planes(&d, &dx_map, dx);
    ops->to_host(ops, dw, conv.params.weight_grad, unit_weights(u) * sizeof *dw);
    product[0] = inner(unit_output(u), y, dy);
    product[1] = inner(unit_input(u), in, dx);
    product[2] = inner(unit_weights(u), w, dw);
    reference_conv reference = unit_reference(u, w);
    *size = 0;
    for (size_t i = 0; i < unit_output(u); i++) {
        double one = 0;
        sb_real ignored = 0;
        int n = u->h * u->w, pixel = (int)i % n;
        reference_forward(&reference, in, (int)i / n, pixel / u->w, pixel % u->w, &ignored, &one);
        *size += one * fabs((double)dy[i]);
    }
    free(w), free(in), free(dy), free(y), free(dx), free(dw);
    device_close(&d);
}

static void forward_and_gradients_are_adjoint(void **state)
{
    static const unit units[] = {{6, 4, 3, 6, 10, false},
                                 {16, 4, 3, 6, 10, true},
                                 {48, 1, 50, 5, 7, false},
                                 {3, 1, 5, 2, 4, false},
                                 {50, 4, 16, 4, 6, true}};
    const subject *on = *state;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const unit *u = &units[i];
        double product[3], size;
        three_products(on, u, &(numbers){FILL_RANDOM, 500 + i}, product, &size);
        int terms = unit_taps(u) * (u->in + u->gates * u->c) + u->h * u->w;
        double bound = fmax(on->slack, 1) * SB_REAL_EPSILON * terms * size;
        for (int k = 1; k < 3; k++)
            if (!(fabs(product[k] - product[0]) <= bound))
                fail_msg("%s %s %s, unit %zu, seed %zu: <conv(x), dy> is %a, <%s> %a", on->backend, on->isa,
                         on->arithmetic, i, 500 + i, product[0], k == 1 ? "x, dx" : "w, dw", product[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_eye), cmocka_unit_test(forward_and_gradients_are_adjoint)};
    return run_on_subjects("conv identity", tests, sizeof tests / sizeof *tests);
}

/* Convolutions of a batch of samples against the same samples one by one: forward and data gradient of each sample, and
 * the weight gradient, whose order is that of as many frames as there are samples in all. Where a library chooses its
 * order, on numbers whose sums are exact in any. And the shapes that are refused. */
#include "conv_trial.h"
#include "expect.h"

enum { N = 3, FRAMES = 2, SEED = 800 };

static const unit units[] = {
    {3, 1, 5, 1, 1, false},     {6, 4, 3, 6, 10, false},     {16, 1, 18, 8, 8, false},     {20, 4, 16, 4, 6, true},
    {48, 1, 50, 5, 7, false},   {5, 1, 34, 9, 3, false},     {3, 1, 6, 12, 12, true},      {18, 4, 6, 12, 20, false},
    {64, 1, 32, 4, 4, false},   {27, 1, 16, 8, 8, false, 1}, {16, 4, 5, 3, 7, false, 1},   {2, 1, 20, 4, 5, false, 5},
    {20, 1, 6, 5, 3, false, 3}, {40, 1, 24, 28, 26, false},  {1, 1, 20, 24, 24, false, 5},
};

/* Samples first .. first + n - 1 of `all` of frame 0, computed as one batch. */
static void each_sample(device *d, const unit *u, int all, int n, int first, const numbers *x, sb_real *y, sb_real *dx)
{
    sb_ops *ops = d->ops;
    const int shrink = u->upsampled ? 1 : 0;
    sb_real *w = numbers_take(x, WEIGHT, unit_weights(u)), *bias = numbers_take(x, BIAS, (size_t)u->gates * u->c);
    sb_real *in = numbers_take(x, INPUT, all * unit_input(u)), *dy = numbers_take(x, GRADIENT, all * unit_output(u));
    sb_conv conv = unit_open_batch(d, u, n, w);
    const sb_term forward = {&conv, unit_input_operand(d, u, &conv, in + first * unit_input(u))};
    const sb_term backward = {&conv, unit_gradient_operand(d, u, &conv, dy + first * unit_output(u))};
    const sb_real *on_device = device_take(d, (size_t)u->gates * u->c * sizeof *bias, bias);
    sb_tensor y_tensor = device_tensor(d, n, u->gates, u->c, u->h, u->w, NULL);
    const int in_h = (u->h + unit_more(u)) >> shrink, in_w = (u->w + unit_more(u)) >> shrink;
    sb_tensor dx_tensor = device_tensor(d, n, 1, u->in, in_h, in_w, NULL);
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_forward(ops, 1, &forward, on_device, &y_tensor);
        ops->conv_turn(ops, &conv);
        ops->conv_data_gradient(ops, 1, &backward, &dx_tensor);
    }
    device_planes(d, &y_tensor, y + first * unit_output(u));
    device_planes(d, &dx_tensor, dx + first * unit_input(u));
    free(w), free(bias), free(in), free(dy);
}

/* All samples of all frames, n of them to a batch. */
static void weight_gradient(device *d, const unit *u, int n, const numbers *x, sb_real *dw)
{
    sb_ops *ops = d->ops;
    enum { ALL = N * FRAMES };
    const int n_frames = ALL / n;
    sb_real *in = numbers_take(x, INPUT, ALL * unit_input(u)), *dy = numbers_take(x, GRADIENT, ALL * unit_output(u));
    sb_real *w = numbers_take(x, WEIGHT, unit_weights(u));
    sb_conv conv = unit_open_batch(d, u, n, w);
    const void *inputs[ALL], *gradients[ALL];
    for (int f = 0; f < n_frames; f++) {
        inputs[f] = unit_input_operand(d, u, &conv, in + (size_t)f * n * unit_input(u));
        gradients[f] = unit_gradient_operand(d, u, &conv, dy + (size_t)f * n * unit_output(u));
    }
    IN_TEAM
    {
        ops->conv_turn(ops, &conv);
        ops->conv_weight_gradient(ops, &conv, n_frames, inputs, gradients);
#pragma omp barrier
        ops->conv_end(ops, &conv);
    }
    ops->to_host(ops, dw, conv.params.weight_grad, unit_weights(u) * sizeof *dw);
    free(in), free(dy), free(w);
}

static bool is_in_written_order(const subject *on)
{
    return sb_backend_find(on->backend)->in_written_order;
}

/* The same bits; of a library that has another arithmetic, to its bound. */
static void judge(const subject *on, const char *where, const char *what, size_t n, int terms, const sb_real *got,
                  const sb_real *wanted)
{
    char text[240];
    snprintf(text, sizeof text, "%s: %s", where, what);
    if (is_in_written_order(on)) {
        expect_same_bits(text, n, got, wanted);
    } else if (on->slack <= 1) {
        expect_equal(text, n, got, wanted);
    } else {
        double *bound = malloc(n * sizeof *bound);
        assert_non_null(bound);
        for (size_t i = 0; i < n; i++) bound[i] = on->slack * (terms + 50) * (double)SB_REAL_EPSILON * 16;
        expect_within(text, n, got, wanted, bound);
        free(bound);
    }
}

static void compare(const subject *on, int threads, const unit *u)
{
    const numbers x = {is_in_written_order(on) ? FILL_RANDOM : FILL_POWERS, SEED};
    const size_t n_y = N * unit_output(u), n_x = N * unit_input(u), n_w = unit_weights(u);
    sb_real *y[2], *dx[2], *dw[2];
    char where[160];
    snprintf(where, sizeof where,
             "conv %dx%d of %d samples, %s %s %s, %d threads, %d to %dx%d channels of %dx%d%s, seed %d", unit_kernel(u),
             unit_kernel(u), N, on->backend, on->isa, on->arithmetic, threads, u->in, u->gates, u->c, u->h, u->w,
             u->upsampled ? " upsampled" : "", SEED);
    for (int i = 0; i < 2; i++) y[i] = host_take(n_y), dx[i] = host_take(n_x), dw[i] = host_take(n_w);
    device batch = device_open(on, threads), ones = device_open(on, threads);
    each_sample(&batch, u, N, N, 0, &x, y[0], dx[0]);
    weight_gradient(&batch, u, N, &x, dw[0]);
    for (int sample = 0; sample < N; sample++) each_sample(&ones, u, N, 1, sample, &x, y[1], dx[1]);
    weight_gradient(&ones, u, 1, &x, dw[1]);
    judge(on, where, "y", n_y, unit_taps(u) * u->in, y[0], y[1]);
    judge(on, where, "dx", n_x, unit_taps(u) * u->gates * u->c * (u->upsampled ? 4 : 1), dx[0], dx[1]);
    judge(on, where, "dw", n_w, N * FRAMES * u->h * u->w, dw[0], dw[1]);
    for (int i = 0; i < 2; i++) free(y[i]), free(dx[i]), free(dw[i]);
    device_close(&batch), device_close(&ones);
}

static void a_batch_is_its_samples(void **state)
{
    device d = device_open(*state, 1); /* skips here, before anything is taken */
    device_close(&d);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) compare(*state, 3, &units[i]);
}

/* So many samples that they are the lanes of the native backend: some gates of them and a part of one. */
static void many_samples_are_lanes(void **state)
{
    enum { MANY = 64 + 5, AT_ONCE = 16 };
    static const unit shapes[] = {{2, 1, 20, 4, 5, false, 5},  {20, 1, 6, 5, 3, false, 3}, {35, 1, 47, 1, 2, false, 5},
                                  {3, 1, 260, 1, 2, false, 3}, /* so many channels and pixels that rows are cut */
                                  {265, 1, 3, 1, 1, false, 3}, {2, 1, 70, 2, 9, false, 3}};
    const subject *on = *state;
    if (strcmp(on->backend, "native") != 0 || strcmp(on->arithmetic, "direct") != 0) {
        print_message("only native in its arithmetic direct has samples as lanes\n");
        skip();
    }
    subject_or_skip(on);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (fill kind = FILL_RANDOM; kind <= FILL_EXTREME && kind < fills_tried; kind++) {
            const unit *u = &shapes[i];
            const numbers x = {kind, SEED};
            const size_t n_y = MANY * unit_output(u), n_x = MANY * unit_input(u);
            sb_real *y[2] = {host_take(n_y), host_take(n_y)}, *dx[2] = {host_take(n_x), host_take(n_x)};
            char where[120];
            snprintf(where, sizeof where, "%d samples of shape %zu, %s %s, fill %s", MANY, i, on->isa, on->arithmetic,
                     fill_names[kind]);
            device batch = device_open(on, 3);
            each_sample(&batch, u, MANY, MANY, 0, &x, y[0], dx[0]);
            device_close(&batch);
            for (int first = 0; first < MANY; first += AT_ONCE) {
                device ones = device_open(on, 1);
                for (int sample = first; sample < MANY && sample < first + AT_ONCE; sample++)
                    each_sample(&ones, u, MANY, 1, sample, &x, y[1], dx[1]);
                device_close(&ones);
            }
            expect_same_bits(where, n_y, y[0], y[1]);
            expect_same_bits(where, n_x, dx[0], dx[1]);
            for (int k = 0; k < 2; k++) free(y[k]), free(dx[k]);
        }
}

/* Two samples of one channel: the kernel of ones sums each one's neighbours, and nothing of the other's. */
static void by_eye(void **state)
{
    const subject *on = *state;
    device d = device_open(on, 2);
    sb_ops *ops = d.ops;
    static const sb_real ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, x[8] = {1, 2, 3, 4, 10, 20, 30, 40};
    static const sb_real wanted[8] = {10, 10, 10, 10, 100, 100, 100, 100};
    const unit u = {1, 1, 1, 2, 2, false};
    sb_real got[8];
    double bound[8];
    sb_conv conv = unit_open_batch(&d, &u, 2, ones);
    const sb_term term = {&conv, unit_input_operand(&d, &u, &conv, x)};
    sb_tensor y = device_tensor(&d, 2, 1, 1, 2, 2, NULL);
    IN_TEAM
    {
        ops->conv_begin(ops, &conv);
        ops->conv_forward(ops, 1, &term, NULL, &y);
    }
    device_planes(&d, &y, got);
    for (int i = 0; i < 8; i++) bound[i] = on->slack > 1 ? on->slack * (9 + 50) * (double)SB_REAL_EPSILON * 40 : 0;
    expect_within("sums of neighbours", 8, got, wanted, bound);
    device_close(&d);
}

/* One 1x1 weight for each of two maps: 2 x0 + 3 x1; 5x5 ones over a map of 5x6: the sums of its two windows. */
static void by_eye_without_padding(void **state)
{
    device d = device_open(*state, 2);
    sb_ops *ops = d.ops;
    static const sb_real x[8] = {1, 2, 3, 4, 10, 20, 30, 40}, weight[2] = {2, 3}, wanted[4] = {32, 64, 96, 128};
    sb_real window[30], ones[25], got[4];
    for (int i = 0; i < 30; i++) window[i] = (sb_real)(i % 6);
    for (int i = 0; i < 25; i++) ones[i] = 1;
    const unit one = {2, 1, 1, 2, 2, false, 1}, five = {1, 1, 1, 1, 2, false, 5};
    sb_conv conv[2] = {unit_open(&d, &one, weight), unit_open(&d, &five, ones)};
    const sb_term term[2] = {{&conv[0], unit_input_operand(&d, &one, &conv[0], x)},
                             {&conv[1], unit_input_operand(&d, &five, &conv[1], window)}};
    sb_tensor y[2] = {device_tensor(&d, 1, 1, 1, 2, 2, NULL), device_tensor(&d, 1, 1, 1, 1, 2, NULL)};
    IN_TEAM
    for (int i = 0; i < 2; i++) {
        ops->conv_begin(ops, &conv[i]);
        ops->conv_forward(ops, 1, &term[i], NULL, &y[i]);
    }
    device_planes(&d, &y[0], got);
    expect_equal("2 x0 + 3 x1", 4, got, wanted);
    device_planes(&d, &y[1], got);
    expect_equal("sums of windows", 2, got, (const sb_real[2]){50, 75});
    device_close(&d);
}

/* What no backend computes is refused with its reason. */
static void other_shapes_are_refused(void **state)
{
    static const struct {
        sb_conv_shape shape;
        const char *message;
    } cases[] = {
        {{1, 3, 1, 4, 8, 8, 5, 2, .use_winograd = true},
         "a convolution of 5x5 with padding 2 and stride 1 has one gate and is neither upsampled nor wide"},
        {{1, 3, 2, 4, 8, 8, 3, 1, .stride = 2},
         "a convolution of 3x3 with padding 1 and stride 2 has one gate and is neither upsampled nor wide"},
        {{1, 3, 1, 4, 8, 8, 3, 1, .groups = 2}, "2 groups do not divide 3 to 4 channels"},
        {{1, 3, 1, 4, 8, 8, 3, 0, .use_winograd = true},
         "a convolution of 3x3 without padding is neither upsampled nor wide"},
        {{1, 3, 1, 4, 8, 8, 1, 0, .upsampled = true},
         "a convolution of 1x1 without padding is neither upsampled nor wide"},
        {{0, 3, 1, 4, 8, 8, 3, 1}, "a convolution of 0 samples, 3 to 1x4 channels of 8x8, computes nothing"},
        {{1, 3, 1, 4, 8, 7, 3, 1, .upsampled = true}, "8x7 is no upsampled size"},
    };
    device d = device_open(*state, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_conv_sizes of = {1, 1, 1, 1, 1};
        assert_int_equal(sb_conv_sizes_of(d.ops, &cases[i].shape, &of), SB_E_USAGE);
        assert_string_equal(sb_message(), cases[i].message);
        assert_true(of.packed + of.accumulator + of.scratch + of.input + of.gradient == 0);
    }
    device_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_eye), cmocka_unit_test(by_eye_without_padding), cmocka_unit_test(a_batch_is_its_samples),
        cmocka_unit_test(many_samples_are_lanes), cmocka_unit_test(other_shapes_are_refused)};
    return run_on_subjects("conv of a batch", tests, sizeof tests / sizeof *tests);
}

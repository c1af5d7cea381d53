/* Gradients of a convolution's weights and bias: each backend against the written order, element by element, and its
 * twins against each other. All frames but one at once, then that one; and the same bits where all are promised to come
 * at once. */
#include "conv_check.h"

enum { FRAMES = 4, FRAMES_OF_ONE_PIXEL = 23 };

/* More than a GPU's product takes, where that costs little. */
static int frames_of(const shape *s)
{
    return s->h * s->w == 1 ? FRAMES_OF_ONE_PIXEL : FRAMES;
}

static uint32_t frame_stream(uint32_t what, int p, int frame)
{
    return 100 * (uint32_t)(frame + 1) + what + (uint32_t)p;
}

static size_t weight_gradient_size(const shape *s)
{
    unit u = forward_unit(s, 0);
    return unit_weights(&u) + (size_t)s->gates * s->c;
}

/* The gradient of n frames, given to a convolution that is promised to get no others. */
static void expect_whole(device *d, sb_conv conv, int n, const void *const *x, const void *const *dy,
                         const sb_real *wanted)
{
    sb_ops *ops = d->ops;
    const size_t size = sb_conv_weights(&conv.shape) * sizeof *wanted;
    sb_real *got = malloc(size);
    conv.shape.whole = true;
    conv.space.accumulator = device_take(d, conv_sizes(ops, &conv.shape).accumulator, NULL);
    conv.params.weight_grad = device_take(d, size, NULL);
    IN_TEAM
    {
        ops->conv_turn(ops, &conv);
        ops->conv_weight_gradient(ops, &conv, n, x, dy);
#pragma omp barrier
        ops->conv_end(ops, &conv);
    }
    ops->to_host(ops, got, conv.params.weight_grad, size);
    assert_memory_equal(got, wanted, size);
    free(got);
}

static void run_weight_gradient(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    unit u = forward_unit(s, 0);
    size_t n_bias = (size_t)s->gates * s->c;
    sb_real *weight = numbers_take(x, WEIGHT, unit_weights(&u)), *bias = numbers_take(x, BIAS, n_bias);
    sb_conv conv = unit_open(&d, &u, weight);
    sb_real *db = device_take(&d, n_bias * sizeof *db, bias);
    const void *inputs[FRAMES_OF_ONE_PIXEL], *gradients[FRAMES_OF_ONE_PIXEL];
    int last = frames_of(s) - 1;
    for (int f = 0; f <= last; f++) {
        sb_real *input = numbers_take(x, frame_stream(INPUT, 0, f), unit_input(&u));
        sb_real *dy = numbers_take(x, frame_stream(GRADIENT, 0, f), unit_output(&u));
        inputs[f] = unit_input_operand(&d, &u, &conv, input);
        gradients[f] = unit_gradient_operand(&d, &u, &conv, dy);
        sb_tensor map = device_tensor(&d, 1, u.gates, u.c, u.h, u.w, dy);
        IN_TEAM
        ops->bias_gradient(ops, &map, db);
        free(input), free(dy);
    }
    IN_TEAM
    {
        ops->conv_turn(ops, &conv);
        ops->conv_weight_gradient(ops, &conv, last, inputs, gradients);
#pragma omp barrier
        ops->conv_weight_gradient(ops, &conv, 1, inputs + last, gradients + last);
#pragma omp barrier
        ops->conv_end(ops, &conv);
    }
    ops->to_host(ops, got, conv.params.weight_grad, unit_weights(&u) * sizeof *got);
    expect_whole(&d, conv, last + 1, inputs, gradients, got);
    ops->to_host(ops, got + unit_weights(&u), db, n_bias * sizeof *got);
    free(weight), free(bias);
    device_close(&d);
}

/* db[o] += one frame: additions along a row, the rows added one after the other */
static void want_bias(const unit *u, const sb_real *dy, sb_real *db, double *size)
{
    for (int o = 0; o < u->gates * u->c; o++)
        for (int y = 0; y < u->h; y++) {
            sb_real row = 0;
            for (int x = 0; x < u->w; x++) {
                sb_real d = dy[((size_t)o * u->h + y) * u->w + x];
                row += d;
                size[o] += fabs((double)d);
            }
            db[o] += row;
        }
}

static void want_weight_gradient(const shape *s, const numbers *x, sb_real *wanted, double *size)
{
    unit u = forward_unit(s, 0);
    size_t n = unit_weights(&u), n_bias = (size_t)s->gates * s->c;
    reference_conv conv = unit_reference(&u, NULL);
    fill_block(wanted + n, n_bias, x->kind, x->seed, BIAS);
    for (size_t i = 0; i < n_bias; i++) size[n + i] = fabs((double)wanted[n + i]);
    for (int f = 0; f < frames_of(s); f++) {
        sb_real *input = numbers_take(x, frame_stream(INPUT, 0, f), unit_input(&u));
        sb_real *dy = numbers_take(x, frame_stream(GRADIENT, 0, f), unit_output(&u));
        for (size_t i = 0; i < n; i++)
            reference_weight_gradient(&conv, input, dy, (int)i / unit_taps(&u) / u.in, (int)i / unit_taps(&u) % u.in,
                                      (int)i % unit_taps(&u), &wanted[i], &size[i]);
        want_bias(&u, dy, wanted + n, size + n);
        free(input), free(dy);
    }
}

static int weight_gradient_terms(const shape *s)
{
    return frames_of(s) * s->h * s->w + 1;
}

static double weight_gradient_scale(const shape *s, const numbers *x)
{
    unit u = forward_unit(s, 0);
    double scale = largest(x, BIAS, (size_t)s->gates * s->c);
    for (int f = 0; f < frames_of(s); f++)
        scale = fmax(scale, largest(x, frame_stream(INPUT, 0, f), unit_input(&u)) *
                                largest(x, frame_stream(GRADIENT, 0, f), unit_output(&u)));
    return scale;
}

static void weight_gradient(void **state)
{
    static const shape shapes[] = {
        {6, 10, 1, 3, 1, {{6}}},
        {1, 1, 1, 1, 1, {{1}}},
        {2, 4, 4, 5, 1, {{3}}},
        {5, 7, 1, 16, 1, {{50}}},
        {6, 10, 4, 3, 1, {{16, true}}},
        {4, 6, 4, 48, 1, {{9}}},
        {12, 4, 1, 50, 1, {{5}}},
        {130, 1, 1, 3, 1, {{2}}},
        {3, 30, 1, 20, 1, {{7}}},
        {6, 9, 1, 5, 1, {{1}}},
        /* Of winograd with all frames at once: two runs of tiles; two patches of weights each way on every instruction set. */
        {20, 24, 4, 18, 1, {{50}}},
        {4, 4, 4, 34, 1, {{100}}},
        {7, 4, 1, 20, 1, {{1}}, .valid = 5},
        {5, 7, 1, 6, 1, {{27}}, .valid = 1},
        {4, 4, 1, 50, 1, {{16}}, .valid = 1},
        {3, 5, 4, 9, 1, {{3}}, .valid = 3},
        {7, 4, 1, 20, 1, {{2}}, .valid = 5},
        {4, 4, 1, 16, 1, {{48}}, .valid = 5},
    };
    static answer answers[SHAPES_MAX][FILLS];
    const operation op = {"weight gradient",
                          shapes,
                          sizeof shapes / sizeof *shapes,
                          answers,
                          weight_gradient_size,
                          run_weight_gradient,
                          want_weight_gradient,
                          weight_gradient_terms,
                          weight_gradient_scale};
    check(&op, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(weight_gradient)};
    return run_on_subjects("conv weights", tests, sizeof tests / sizeof *tests);
}

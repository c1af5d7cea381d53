/* The convolutional LSTM cell: cases to check by eye, every backend against a plain loop over the cell of ops/order.h,
 * bit for bit, and the cell's gradient against differences. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

typedef struct size {
    int c, h, w;
} size;
static const size sizes[] = {{1, 1, 1}, {3, 2, 5}, {16, 2, 4}, {48, 3, 3}, {50, 6, 4}};

/* Host planes of one trial: gates [4], peephole [3], and what goes in and comes out. */
typedef struct cell {
    size_t n;
    sb_real *gates, *peephole, *c_old, *c, *h, *dh, *dc, *dpeephole;
} cell;

static sb_real *filled(size_t n, fill kind, uint64_t seed, uint32_t stream)
{
    sb_real *x = host_take(n);
    fill_block(x, n, kind, seed, stream);
    return x;
}

static cell cell_take(size_t n, fill kind, uint64_t seed)
{
    return (cell){n,
                  filled(4 * n, kind, seed, 0),
                  filled(3 * n, kind, seed, 1),
                  filled(n, kind, seed, 2),
                  host_take(n),
                  host_take(n),
                  filled(n, kind, seed, 3),
                  filled(n, kind, seed, 4),
                  filled(3 * n, kind, seed, 5)};
}

static void cell_free(cell *x)
{
    free(x->gates), free(x->peephole), free(x->c_old), free(x->c), free(x->h), free(x->dh), free(x->dc);
    free(x->dpeephole);
}

static void forward_by_rules(cell *x)
{
    size_t n = x->n;
    for (size_t k = 0; k < n; k++)
        sb_lstm_cell(&x->gates[k], &x->gates[n + k], &x->gates[2 * n + k], &x->gates[3 * n + k], x->peephole[k],
                     x->peephole[n + k], x->peephole[2 * n + k], x->c_old[k], &x->c[k], &x->h[k]);
}

static void backward_by_rules(cell *x)
{
    size_t n = x->n;
    for (size_t k = 0; k < n; k++)
        sb_lstm_cell_backward(&x->gates[k], &x->gates[n + k], &x->gates[2 * n + k], &x->gates[3 * n + k],
                              x->peephole[k], x->peephole[n + k], x->peephole[2 * n + k], x->c_old[k], x->c[k],
                              x->dh[k], &x->dc[k], &x->dpeephole[k], &x->dpeephole[n + k], &x->dpeephole[2 * n + k]);
}

/* The cell's maps on a device. */
typedef struct cell_maps {
    sb_tensor gates, peephole, c_old, c, h, dh, dc, dpeephole;
} cell_maps;

static cell_maps maps_take(device *d, const size *s, const cell *x)
{
    return (cell_maps){
        device_tensor(d, 1, 4, s->c, s->h, s->w, x->gates), device_tensor(d, 1, 3, s->c, s->h, s->w, x->peephole),
        device_tensor(d, 1, 1, s->c, s->h, s->w, x->c_old), device_tensor(d, 1, 1, s->c, s->h, s->w, NULL),
        device_tensor(d, 1, 1, s->c, s->h, s->w, NULL),     device_tensor(d, 1, 1, s->c, s->h, s->w, x->dh),
        device_tensor(d, 1, 1, s->c, s->h, s->w, x->dc),    device_tensor(d, 1, 3, s->c, s->h, s->w, x->dpeephole)};
}

static void expect_map(device *d, const char *where, const char *what, const sb_tensor *map, const sb_real *wanted)
{
    char text[240];
    snprintf(text, sizeof text, "%s: %s", where, what);
    sb_real *got = host_take(sb_tensor_size(map));
    device_planes(d, map, got);
    expect_same_bits(text, sb_tensor_size(map), got, wanted);
    free(got);
}

static void trial(const subject *on, int threads, const size *s, fill kind, uint64_t seed)
{
    char where[160];
    snprintf(where, sizeof where, "lstm, %s %s, %d threads, %dx%dx%d, fill %s, seed %llu", on->backend, on->isa,
             threads, s->c, s->h, s->w, fill_names[kind], (unsigned long long)seed);
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    cell x = cell_take((size_t)s->c * s->h * s->w, kind, seed);
    cell_maps m = maps_take(&d, s, &x);
    IN_TEAM
    ops->lstm_forward(ops, &m.gates, &m.peephole, &m.c_old, &m.c, &m.h);
    forward_by_rules(&x);
    expect_map(&d, where, "gates", &m.gates, x.gates);
    expect_map(&d, where, "c", &m.c, x.c);
    expect_map(&d, where, "h", &m.h, x.h);
    IN_TEAM
    ops->lstm_backward(ops, &m.gates, &m.peephole, &m.c_old, &m.c, &m.dh, &m.dc, &m.dpeephole);
    backward_by_rules(&x);
    expect_map(&d, where, "gradient of the sums", &m.gates, x.gates);
    expect_map(&d, where, "dc", &m.dc, x.dc);
    expect_map(&d, where, "dpeephole", &m.dpeephole, x.dpeephole);
    cell_free(&x);
    device_close(&d);
}

static void forward_and_backward(void **state)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (fill kind = 0; kind < fills_tried; kind++)
            for (int threads = 1; threads <= 3; threads += 2) trial(*state, threads, &sizes[i], kind, 300 + i);
}

/* Zero sums leave the gates half open: c = c_old / 2. Wide open input and closed forget gate: c = tanh(g). The forget
 * gate held open by its peephole keeps c; and the output gate looks at the old c, which is 0 in the second case. */
static void by_eye(void **state)
{
    static const sb_real gates[12] = {0, 100, -100, 0, -100, 100, 0, 100, 0, 0, 0, 100};
    static const sb_real peephole[9] = {0, 0, 0, 0, 0, 0, 0, 50, 0}, c_old[3] = {2, 0, 0.5f};
    const sb_real c_wanted[3] = {1, 1, 0.5f};
    const sb_real h_wanted[3] = {sb_tanh(1) / 2, sb_tanh(1) / 2, sb_tanh((sb_real)0.5)};
    device d = device_open(*state, 2);
    sb_ops *ops = d.ops;
    sb_tensor g = device_tensor(&d, 1, 4, 1, 1, 3, gates), p = device_tensor(&d, 1, 3, 1, 1, 3, peephole);
    sb_tensor old = device_tensor(&d, 1, 1, 1, 1, 3, c_old), c = device_tensor(&d, 1, 1, 1, 1, 3, NULL), h = c;
    h.x = device_tensor(&d, 1, 1, 1, 1, 3, NULL).x;
    sb_real got[3];
    ops->lstm_forward(ops, &g, &p, &old, &c, &h);
    device_planes(&d, &c, got);
    expect_equal("c", 3, got, c_wanted);
    device_planes(&d, &h, got);
    expect_equal("h", 3, got, h_wanted);
    device_close(&d);
}

/* ---- the gradient of the cell itself ---- */

/* q = a h + b c_new as a function of the 8 inputs: sums i f g o, peepholes i f o, c_old. */
static double objective(const double in[8], double a, double b)
{
    double i = 1 / (1 + exp(-(in[0] + in[4] * in[7]))), f = 1 / (1 + exp(-(in[1] + in[5] * in[7])));
    double o = 1 / (1 + exp(-(in[3] + in[6] * in[7])));
    double c = f * in[7] + i * tanh(in[2]);
    return a * o * tanh(c) + b * c;
}

/* In float, so to the rounding of a few dozen operations on numbers around 1. */
static void gradient_agrees_with_differences(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        sb_real x[10], activation[4], c, h, dm[3] = {0}, dc;
        double in[8];
        fill_block(x, 10, FILL_RANDOM, seed, 0);
        for (int k = 0; k < 8; k++) in[k] = x[k];
        memcpy(activation, x, sizeof activation);
        dc = x[9];
        sb_lstm_cell(&activation[0], &activation[1], &activation[2], &activation[3], x[4], x[5], x[6], x[7], &c, &h);
        sb_lstm_cell_backward(&activation[0], &activation[1], &activation[2], &activation[3], x[4], x[5], x[6], x[7], c,
                              x[8], &dc, &dm[0], &dm[1], &dm[2]);
        const sb_real got[8] = {activation[0], activation[1], activation[2], activation[3], dm[0], dm[1], dm[2], dc};
        for (int k = 0; k < 8; k++) {
            double up[8], down[8], step = 1e-5;
            memcpy(up, in, sizeof up);
            memcpy(down, in, sizeof down);
            up[k] += step, down[k] -= step;
            double wanted = (objective(up, x[8], x[9]) - objective(down, x[8], x[9])) / (2 * step);
            double scale = 1 + fabs((double)x[7]) + fabs((double)x[8]) + fabs((double)x[9]);
            if (fabs(got[k] - wanted) > 32 * SB_REAL_EPSILON * scale * scale + 1e-9)
                fail_msg("seed %llu: derivative %d is %a, differences give %a", (unsigned long long)seed, k,
                         (double)got[k], wanted);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_eye), cmocka_unit_test(forward_and_backward)};
    const struct CMUnitTest once[] = {cmocka_unit_test(gradient_agrees_with_differences)};
    int failed = run_on_subjects("lstm", tests, sizeof tests / sizeof *tests);
    return failed + cmocka_run_group_tests_name("lstm cell", once, NULL, NULL);
}

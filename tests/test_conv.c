/* Convolutions forward and the gradient of their input: each backend against the written order, element by element, and
 * its twins against each other. */
#include "conv_check.h"

/* ---- forward ---- */

/* Odd sizes, one pixel, channels around every vector width; three terms with an upsampled one as in a cell. */
static const shape forward_shapes[] = {
    {6, 10, 1, 3, 1, {{6}}},
    {1, 1, 1, 1, 1, {{1}}},
    {2, 4, 1, 5, 1, {{3}}},
    {5, 7, 1, 16, 2, {{3}, {16}}},
    {6, 10, 4, 3, 3, {{6}, {16, true}, {3}}},
    {2, 4, 4, 16, 3, {{32}, {50, true}, {16}}},
    {2, 4, 4, 48, 3, {{96}, {50, true}, {48}}},
    {4, 8, 4, 16, 3, {{32}, {50, true}, {16}}}, /* 2 tiles of winograd, 5 and 3: what so few of them take */
    {20, 4, 1, 20, 2, {{18}, {17, true}}},
    {12, 4, 1, 50, 1, {{48}}},
    {20, 24, 4, 18, 1, {{5}}},
    {20, 24, 4, 18, 1, {{18}}}, /* 30 and 90 tiles of winograd: the other sizes of its products */
    {36, 40, 4, 16, 1, {{20}}},
    {19, 10, 1, 12, 2, {{30}, {9}}}, /* pixels as lanes: several blocks, more planes than fit, columns of blocks */
    {2, 270, 3, 5, 1, {{3}}},
    {9, 12, 1, 31, 1, {{7}}},
    {5, 7, 1, 6, 1, {{27}}, .valid = 1},
    {9, 11, 1, 50, 2, {{16}, {5}}, .valid = 1},
    {3, 5, 4, 9, 1, {{3}}, .valid = 3},
    {7, 4, 1, 20, 2, {{2}, {18}}, .valid = 5},
};

static void run_forward(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    sb_conv conv[SB_TERMS_MAX];
    sb_term term[SB_TERMS_MAX];
    for (int p = 0; p < s->n_parts; p++) {
        unit u = forward_unit(s, p);
        sb_real *weight = numbers_take(x, WEIGHT + p, unit_weights(&u));
        sb_real *input = numbers_take(x, INPUT + p, unit_input(&u));
        conv[p] = unit_open(&d, &u, weight);
        term[p] = (sb_term){&conv[p], unit_input_operand(&d, &u, &conv[p], input)};
        IN_TEAM
        ops->conv_begin(ops, &conv[p]);
        free(weight), free(input);
    }
    sb_real *bias = numbers_take(x, BIAS, (size_t)s->gates * s->c), *before = numbers_take(x, BEFORE, shape_size(s));
    sb_tensor y = device_tensor(&d, 1, s->gates, s->c, s->h, s->w, before); /* to be overwritten */
    const sb_real *device_bias = device_take(&d, (size_t)s->gates * s->c * sizeof *bias, bias);
    IN_TEAM
    ops->conv_forward(ops, s->n_parts, term, device_bias, &y);
    device_planes(&d, &y, got);
    free(bias), free(before);
    device_close(&d);
}

static void want_forward(const shape *s, const numbers *x, sb_real *wanted, double *size)
{
    size_t n = (size_t)s->h * s->w;
    sb_real *bias = numbers_take(x, BIAS, (size_t)s->gates * s->c);
    for (size_t i = 0; i < shape_size(s); i++) wanted[i] = bias[i / n], size[i] = fabs((double)bias[i / n]);
    for (int p = 0; p < s->n_parts; p++) {
        unit u = forward_unit(s, p);
        sb_real *weight = numbers_take(x, WEIGHT + p, unit_weights(&u));
        sb_real *input = numbers_take(x, INPUT + p, unit_input(&u));
        reference_conv conv = unit_reference(&u, weight);
        for (size_t i = 0; i < shape_size(s); i++)
            reference_forward(&conv, input, (int)(i / n), (int)(i % n) / s->w, (int)(i % n) % s->w, &wanted[i],
                              &size[i]);
        free(weight), free(input);
    }
    free(bias);
}

static int forward_terms(const shape *s)
{
    int n = 1;
    for (int p = 0; p < s->n_parts; p++) n += (s->valid ? s->valid * s->valid : 9) * s->part[p].c;
    return n;
}

static double forward_scale(const shape *s, const numbers *x)
{
    double scale = 0;
    for (int p = 0; p < s->n_parts; p++) {
        unit u = forward_unit(s, p);
        scale = fmax(scale, largest(x, WEIGHT + p, unit_weights(&u)) * largest(x, INPUT + p, unit_input(&u)));
    }
    return scale + largest(x, BIAS, (size_t)s->gates * s->c);
}

static void forward(void **state)
{
    static answer answers[SHAPES_MAX][FILLS];
    const operation op = {"forward",    forward_shapes, sizeof forward_shapes / sizeof *forward_shapes,
                          answers,      shape_size,     run_forward,
                          want_forward, forward_terms,  forward_scale};
    check(&op, *state);
}

/* The largest error over all fills and so many seeds, in units of epsilon X W. */
static double largest_error(const subject *on, const shape *s, long seeds)
{
    const size_t n = shape_size(s);
    double worst = 0;
    sb_real *got = host_take(n), *wanted = host_take(n);
    double *size = calloc(n, sizeof *size);
    assert_non_null(size);
    for (fill kind = 0; kind < fills_tried; kind++)
        for (long seed = 0; seed < seeds; seed++) {
            const numbers x = {kind, 1000 + (uint64_t)seed};
            want_forward(s, &x, wanted, size);
            run_forward(on, 2, s, &x, got);
            const double scale = SB_REAL_EPSILON * forward_scale(s, &x);
            for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs((double)got[i] - (double)wanted[i]) / scale);
        }
    free(got), free(wanted), free(size);
    return worst;
}

/* The table of ops/conv/winograd/winograd.h, which SB_SURVEY_SEEDS=60 gave; its bits are the same for all instruction
 * sets. Sizes of errors are nothing that a sanitizer sees: there only what is written is run once. */
static void winograd_keeps_to_its_bound(void **state)
{
    static const int channels[] = {1, 5, 18, 50, 192};
    const subject on = {"native", "plain", "winograd", 3};
    (void)state;
    const char *wish = getenv("SB_SURVEY_SEEDS");
#ifdef SB_SANITIZED
    const int widths = 2, seeds = 1;
#else
    const int widths = wish ? 5 : 4, seeds = 2; /* the last one takes minutes with 60 seeds */
#endif
    for (int c = 0; c < widths; c++) {
        const shape s = {24, 24, 1, 32, 1, {{channels[c]}}};
        const int n = forward_terms(&s);
        const double worst = largest_error(&on, &s, wish ? strtol(wish, NULL, 10) : seeds);
        print_message("winograd, %d terms: %.0f epsilon X W, bound %d\n", n, worst, 3 * (n + 50));
        assert_true(worst < on.slack * (n + 50));
    }
}

/* ---- data gradient ---- */

static const shape gradient_shapes[] = {
    {6, 10, 1, 3, 1, {{3, false, 1}}},
    {2, 4, 1, 5, 2, {{5, false, 1}, {5, false, 4}}},
    {3, 5, 1, 16, 3, {{16, false, 1}, {16, false, 4}, {3, true, 4}}},
    {1, 2, 1, 50, 1, {{48, true, 4}}},
    {2, 3, 1, 48, 3, {{16, true, 4}, {48, false, 1}, {50, true, 1}}},
    {2, 4, 1, 96, 2, {{48, false, 4}, {50, false, 1}}},
    {20, 4, 1, 18, 2, {{17, false, 1}, {19, false, 4}}},
    {2, 10, 1, 17, 1, {{18, true, 4}}},
    {20, 24, 1, 70, 1, {{18, false, 1}}},
    {17, 10, 1, 12, 2, {{3, false, 4}, {40, false, 1}}},
    {2, 260, 1, 6, 1, {{3, false, 4}}},
    {5, 7, 1, 27, 1, {{6, false, 1}}, .valid = 1},
    {9, 11, 1, 20, 2, {{16, false, 1}, {5, false, 1}}, .valid = 1},
    {5, 6, 1, 3, 1, {{9, false, 4}}, .valid = 3},
    {11, 8, 1, 18, 2, {{5, false, 1}, {20, false, 1}}, .valid = 5},
};

static unit gradient_unit(const shape *s, int p)
{
    int grow = s->part[p].upsampled ? 2 : 1;
    unit u = {s->c, s->part[p].gates, s->part[p].c, s->h * grow, s->w * grow, s->part[p].upsampled, s->valid};
    u.h -= unit_more(&u), u.w -= unit_more(&u);
    return u;
}

static void run_data_gradient(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got)
{
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    sb_conv conv[SB_TERMS_MAX];
    sb_term term[SB_TERMS_MAX];
    for (int p = 0; p < s->n_parts; p++) {
        unit u = gradient_unit(s, p);
        sb_real *weight = numbers_take(x, WEIGHT + p, unit_weights(&u));
        sb_real *dy = numbers_take(x, GRADIENT + p, unit_output(&u));
        conv[p] = unit_open(&d, &u, weight);
        term[p] = (sb_term){&conv[p], unit_gradient_operand(&d, &u, &conv[p], dy)};
        IN_TEAM
        ops->conv_turn(ops, &conv[p]);
        free(weight), free(dy);
    }
    sb_real *before = numbers_take(x, BEFORE, shape_size(s));
    sb_tensor dx = device_tensor(&d, 1, 1, s->c, s->h, s->w, before); /* to be overwritten */
    IN_TEAM
    ops->conv_data_gradient(ops, s->n_parts, term, &dx);
    device_planes(&d, &dx, got);
    free(before);
    device_close(&d);
}

static void want_part(const shape *s, const numbers *x, int p, sb_real *wanted, double *size)
{
    unit u = gradient_unit(s, p);
    sb_real *weight = numbers_take(x, WEIGHT + p, unit_weights(&u));
    sb_real *dy = numbers_take(x, GRADIENT + p, unit_output(&u));
    reference_conv conv = unit_reference(&u, weight);
    size_t n = (size_t)s->h * s->w;
    for (size_t i = 0; i < shape_size(s); i++) {
        int channel = (int)(i / n), row = (int)(i % n) / s->w, column = (int)(i % n) % s->w;
        if (u.upsampled)
            wanted[i] += reference_block_gradient(&conv, dy, channel, row, column, &size[i]);
        else
            reference_data_gradient(&conv, dy, channel, row, column, &wanted[i], &size[i]);
    }
    free(weight), free(dy);
}

static void want_data_gradient(const shape *s, const numbers *x, sb_real *wanted, double *size)
{
    for (int upsampled = 0; upsampled < 2; upsampled++)
        for (int p = 0; p < s->n_parts; p++)
            if (s->part[p].upsampled == upsampled) want_part(s, x, p, wanted, size);
}

static int data_gradient_terms(const shape *s)
{
    int n = 0;
    for (int p = 0; p < s->n_parts; p++) {
        const unit u = gradient_unit(s, p);
        n += unit_taps(&u) * u.c * u.gates * (u.upsampled ? 4 : 1);
    }
    return n;
}

static double data_gradient_scale(const shape *s, const numbers *x)
{
    double scale = 0;
    for (int p = 0; p < s->n_parts; p++) {
        unit u = gradient_unit(s, p);
        scale = fmax(scale, largest(x, WEIGHT + p, unit_weights(&u)) * largest(x, GRADIENT + p, unit_output(&u)));
    }
    return scale;
}

static void data_gradient(void **state)
{
    static answer answers[SHAPES_MAX][FILLS];
    const operation op = {"data gradient",
                          gradient_shapes,
                          sizeof gradient_shapes / sizeof *gradient_shapes,
                          answers,
                          shape_size,
                          run_data_gradient,
                          want_data_gradient,
                          data_gradient_terms,
                          data_gradient_scale};
    check(&op, *state);
}

/* ---- stores past the caches ---- */

typedef void runs(const subject *on, int threads, const shape *s, const numbers *x, sb_real *got);

/* Weights and operands of more than 4 MB: AVX-512 stores them past the caches, the plain one never does. A sanitizer sees
 * the stores, and leaves the plain one, which takes most of the time, to other builds. */
static void what_passes_the_caches_has_its_bits(void **state)
{
    static const shape forward_shape = {48, 48, 1, 160, 1, {{208}}},
                       gradient_shape = {48, 48, 1, 208, 1, {{160, false, 1}}};
    static const subject best = {"native", "auto", "winograd", 3};
#ifdef SB_SANITIZED
    const subject plain = best;
#else
    static const subject plain = {"native", "plain", "winograd", 3};
#endif
    const struct {
        const char *name;
        runs *run;
        const shape *s;
    } cases[] = {{"forward", run_forward, &forward_shape}, {"data gradient", run_data_gradient, &gradient_shape}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const numbers x = {FILL_RANDOM, 400};
        const size_t n = shape_size(cases[i].s);
        sb_real *want = host_take(n), *got = host_take(n);
        cases[i].run(&plain, 2, cases[i].s, &x, want);
        for (int threads = 1; threads <= 3; threads += 2) {
            cases[i].run(&best, threads, cases[i].s, &x, got);
            expect_same_bits(cases[i].name, n, got, want);
        }
        free(want), free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forward), cmocka_unit_test(data_gradient)};
    const struct CMUnitTest alone[] = {cmocka_unit_test(winograd_keeps_to_its_bound),
                                       cmocka_unit_test(what_passes_the_caches_has_its_bits)};
    return run_on_subjects("conv", tests, sizeof tests / sizeof *tests) +
           cmocka_run_group_tests_name("conv, winograd alone", alone, NULL, NULL);
}

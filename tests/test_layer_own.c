/* The layers that only users' own networks have: cases to check by eye, and every backend against native's plain loops on
 * one thread, bit for bit, on random, extreme and power-of-two numbers. */
#include "expect.h"
#include "fill.h"
#include "layer_trial.h"

static sb_real *filled(size_t n, fill kind, uint32_t stream)
{
    sb_real *x = host_take(n);
    fill_block(x, n, kind, 310, stream);
    return x;
}

/* Does a library make its sums in an order of its own? Sums of powers are the same in any order. */
static bool has_own_order(const subject *on, const layer *l)
{
    return l->kind == LAYER_CONV && on->slack > 0 && strncmp(on->backend, "native", 6) &&
           strcmp(on->backend, "cuda-on-cpu");
}

static void hold_bits(const subject *on, layer l, const char *name, fill kind)
{
    static const subject plain = {"native", "plain", "direct", 0};
    l.n_x = (size_t)l.n * l.c * l.h * l.w_;
    l.x = filled(l.n_x, kind, 0), l.dy = filled((size_t)l.n * (l.out ? l.out : l.c) * l.h * l.w_ * 4, kind, 1);
    if (l.n_w) l.w = filled(l.n_w, kind, 2);
    if (l.n_b) l.b = filled(l.n_b, kind, 3);
    result wanted = layer_run(&plain, 1, &l);
    for (int threads = 1; threads <= 3; threads += 2) {
        char where[200];
        snprintf(where, sizeof where, "%s, %s %s, %d threads, fill %s, seed 310", name, on->backend, on->isa, threads,
                 fill_names[kind]);
        result got = layer_run(on, threads, &l);
        expect_same_bits(where, got.n_y, got.y, wanted.y);
        expect_same_bits(where, l.n_x, got.dx, wanted.dx);
        if (got.dw) expect_same_bits(where, l.n_w, got.dw, wanted.dw);
        if (got.db) expect_same_bits(where, l.n_b, got.db, wanted.db);
        result_drop(&got);
    }
    result_drop(&wanted), layer_drop(&l);
}

static void hold_layer(const subject *on, layer l, const char *name)
{
    for (fill kind = 0; kind < fills_tried; kind++)
        if (kind == FILL_POWERS || !has_own_order(on, &l)) hold_bits(on, l, name, kind);
}

static void norms(void **state)
{
    static const int cases[][3] = {{7, 0, 1}, {32, 0, 5}, {20, 0, 3},
                                   {6, 3, 4}, {32, 2, 3}, {18, 1, 5}}; /* c, groups, w */
    subject_or_skip(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int c = cases[i][0];
        hold_layer(*state,
                   (layer){.kind = LAYER_GROUP_NORM,
                           .n = 3,
                           .c = c,
                           .h = 2,
                           .w_ = cases[i][2],
                           .groups = cases[i][1],
                           .n_w = (size_t)c,
                           .n_b = (size_t)c},
                   "norm");
    }
}

static void average_pools(void **state)
{
    subject_or_skip(*state);
    for (int window = 1; window <= 4; window++)
        hold_layer(*state, (layer){.kind = LAYER_AVERAGE_POOL, .n = 2, .c = 19, .h = 9, .w_ = 7, .window = window},
                   "average pool");
}

static void dropouts(void **state)
{
    subject_or_skip(*state);
    for (int first = 0; first < 3; first++) /* of an odd number of numbers */
        hold_layer(*state,
                   (layer){.kind = LAYER_DROPOUT,
                           .n = 3,
                           .c = 5,
                           .h = 3,
                           .w_ = 3,
                           .alpha = 0.25 * (1 + first),
                           .first = (uint64_t)first},
                   "dropout");
}

static layer conv_of(int in, int out, int kernel, int padding, int stride, int dilation, int groups)
{
    return (layer){.kind = LAYER_CONV,
                   .n = 3,
                   .c = in,
                   .h = 9,
                   .w_ = 8,
                   .out = out,
                   .window = kernel,
                   .padding = padding,
                   .stride = stride,
                   .dilation = dilation,
                   .groups = groups,
                   .n_w = (size_t)out * (in / (groups ? groups : 1)) * kernel * kernel,
                   .n_b = (size_t)out};
}

static void convolutions(void **state)
{
    static const int cases[][7] = {{4, 6, 3, 1, 2, 1, 1},    {3, 5, 7, 3, 3, 1, 1}, {20, 70, 5, 2, 1, 1, 1},
                                   {4, 3, 3, 2, 1, 2, 1},    {6, 4, 3, 1, 1, 1, 2}, {70, 70, 3, 1, 1, 1, 70},
                                   {17, 17, 3, 1, 2, 1, 17}, {4, 8, 3, 1, 2, 1, 4}, {6, 9, 5, 3, 2, 2, 3},
                                   {3, 4, 2, 0, 2, 1, 1}};
    subject_or_skip(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int *k = cases[i];
        char name[80];
        snprintf(name, sizeof name, "conv %d to %d of %dx%d, padding %d, stride %d, dilation %d, %d groups", k[0], k[1],
                 k[2], k[2], k[3], k[4], k[5], k[6]);
        hold_layer(*state, conv_of(k[0], k[1], k[2], k[3], k[4], k[5], k[6]), name);
    }
}

/* A 3x3 kernel with zeros around it is a 5x5 kernel: the plain loops have the bits of the fast forms. */
static void plain_is_direct(void **state)
{
    const subject *on = *state;
    subject_or_skip(on);
    if (on->slack > 0) return;
    layer small = conv_of(5, 7, 3, 1, 1, 1, 1), large = conv_of(5, 7, 5, 2, 1, 1, 1);
    small.n_x = large.n_x = (size_t)3 * 5 * 9 * 8;
    small.x = filled(small.n_x, FILL_RANDOM, 0), small.dy = filled((size_t)3 * 7 * 9 * 8, FILL_RANDOM, 1);
    small.w = filled(small.n_w, FILL_RANDOM, 2), small.b = filled(7, FILL_RANDOM, 3);
    large.x = small.x, large.dy = small.dy, large.b = small.b, large.w = host_take(large.n_w);
    for (int pair = 0; pair < 35; pair++)
        for (int tap = 0; tap < 9; tap++)
            large.w[pair * 25 + (tap / 3 + 1) * 5 + tap % 3 + 1] = small.w[pair * 9 + tap];
    result wanted = layer_run(on, 2, &small), got = layer_run(on, 2, &large);
    expect_equal("y of 5x5", got.n_y, got.y, wanted.y);
    expect_equal("dx of 5x5", small.n_x, got.dx, wanted.dx);
    for (int pair = 0; pair < 35; pair++)
        for (int row = 0; row < 3; row++)
            expect_equal("dw of 5x5", 3, got.dw + pair * 25 + (row + 1) * 5 + 1, wanted.dw + pair * 9 + row * 3);
    result_drop(&wanted), result_drop(&got), free(large.w), layer_drop(&small);
}

static void expect_run(const subject *on, layer l, const sb_real *x, size_t n_y, const sb_real *y, const char *name)
{
    sb_real one[64];
    for (int i = 0; i < 64; i++) one[i] = 1;
    l.n_x = (size_t)l.n * l.c * l.h * l.w_, l.x = (sb_real *)(uintptr_t)x, l.dy = one;
    result got = layer_run(on, 1, &l);
    assert_int_equal(got.n_y, n_y);
    for (size_t i = 0; i < n_y; i++)
        if (!(fabs((double)got.y[i] - (double)y[i]) <= 1e-5))
            fail_msg("%s on %s: element %zu is %g, wanted %g", name, on->backend, i, (double)got.y[i], (double)y[i]);
    result_drop(&got);
}

static void by_eye(void **state)
{
    const subject *on = *state;
    subject_or_skip(on);
    sb_real scale[2] = {1, 10}, shift[2] = {0, 1}, two[1] = {2};
    const sb_real pixels[4] = {1, 5, 3, 5}; /* two channels of two pixels */
    expect_run(
        on,
        (layer){.kind = LAYER_GROUP_NORM, .n = 1, .c = 2, .h = 1, .w_ = 2, .w = scale, .b = shift, .n_w = 2, .n_b = 2},
        pixels, 4, (sb_real[]){(sb_real)-0.999995, 0, (sb_real)10.99995, 1}, "layer norm");
    expect_run(on,
               (layer){.kind = LAYER_GROUP_NORM,
                       .n = 1,
                       .c = 2,
                       .h = 1,
                       .w_ = 2,
                       .groups = 2,
                       .w = scale,
                       .b = shift,
                       .n_w = 2,
                       .n_b = 2},
               (sb_real[]){-1, 3, 2, 4}, 4, (sb_real[]){-1, 1, (sb_real)-8.99995, (sb_real)10.99995}, "group norm");
    expect_run(on, (layer){.kind = LAYER_AVERAGE_POOL, .n = 1, .c = 1, .h = 2, .w_ = 3, .window = 2},
               (sb_real[]){1, 2, 50, 3, 6, 60}, 1, (sb_real[]){3}, "average pool");
    const sb_real map[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    layer strided = {
        .kind = LAYER_CONV, .n = 1, .c = 1, .h = 4, .w_ = 4, .out = 1, .window = 1, .stride = 2, .w = two, .n_w = 1};
    expect_run(on, strided, map, 4, (sb_real[]){0, 4, 16, 20}, "strided convolution");
    sb_real taps[18] = {1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0};
    expect_run(on,
               (layer){.kind = LAYER_CONV,
                       .n = 1,
                       .c = 2,
                       .h = 3,
                       .w_ = 3,
                       .out = 2,
                       .window = 3,
                       .groups = 2,
                       .w = taps,
                       .n_w = 18},
               (sb_real[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, (sb_real[]){10, 15},
               "depthwise convolution");
}

/* Each update keeps others; a part of a batch keeps what the whole keeps there; and of many as many as the rate says. */
static void what_dropout_keeps(void **state)
{
    enum { N = 4, C = 5, PIXELS = 49 * 49, ALL = N * C * PIXELS };
    device d = device_open(*state, 3);
    sb_ops *ops = d.ops;
    sb_real *x = host_take(ALL), *y = host_take(ALL), *some = host_take(ALL);
    for (int i = 0; i < ALL; i++) x[i] = 1;
    sb_tensor map = device_tensor(&d, N, 1, C, 49, 49, x), to = device_tensor(&d, N, 1, C, 49, 49, NULL);
    sb_dropout of = {
        .seed = {1, 0}, .update = device_take(&d, 4, &(uint32_t){3}), .least = 1U << 30, .factor = (sb_real)4 / 3};
    IN_TEAM
    ops->dropout(ops, &of, &map, &to);
    device_planes(&d, &to, y);
    for (int sample = 0, k = 0; sample < N; sample++)
        for (int pixel = 0; pixel < PIXELS; pixel++)
            for (int c = 0; c < C; c++, k++) {
                const sb_random4 words = sb_random_words(1, 0, ((uint64_t)3 << 32) + (uint64_t)k / 4);
                assert_true((y[(sample * C + c) * PIXELS + pixel] != 0) == (words.word[k % 4] >= 1U << 30));
            }
    int kept = 0;
    for (int i = 0; i < ALL; i++) {
        assert_true(y[i] == 0 || y[i] == (sb_real)4 / 3);
        kept += y[i] != 0;
    }
    assert_true(abs(kept - ALL / 4 * 3) < 5 * sqrt(ALL * 3.0 / 16));
    of.first = (uint64_t)C * PIXELS;
    const sb_tensor behind = {N - 1, 1, C, 49, 49, map.x};
    sb_tensor to_behind = {N - 1, 1, C, 49, 49, to.x};
    IN_TEAM
    ops->dropout(ops, &of, &behind, &to_behind);
    device_planes(&d, &to_behind, some);
    expect_equal("samples 1 to 3 alone", (N - 1) * C * PIXELS, some, y + C * PIXELS);
    of.first = 0, of.update = device_take(&d, 4, &(uint32_t){4});
    IN_TEAM
    ops->dropout(ops, &of, &map, &to);
    device_planes(&d, &to, some);
    int alike = 0;
    for (int i = 0; i < ALL; i++) alike += some[i] == y[i];
    assert_true(abs(alike - ALL / 8 * 5) < 5 * sqrt(ALL * 15.0 / 64));
    free(x), free(y), free(some);
    device_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_eye),
        cmocka_unit_test(norms),
        cmocka_unit_test(average_pools),
        cmocka_unit_test(dropouts),
        cmocka_unit_test(convolutions),
        cmocka_unit_test(plain_is_direct),
        cmocka_unit_test(what_dropout_keeps),
    };
    return run_on_subjects("layers of own networks", tests, sizeof tests / sizeof *tests);
}

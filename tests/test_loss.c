/* Mean squared error: by eye, and every backend against the written order of ops/order.h, bit for bit. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

typedef struct size {
    int c, h, w;
} size;
static const size sizes[] = {{1, 1, 1}, {3, 8, 16}, {3, 5, 7}, {784, 4, 1}, {3, 130, 2}, {1, 1030, 3}};

/* Rows of chains over x, then colours. */
static double want_loss(const size *s, const sb_real *p, const sb_real *y, size_t n_mean)
{
    double sum = 0;
    for (int row = 0; row < s->h; row++) {
        double chain = 0;
        for (int x = 0; x < s->w; x++)
            for (int c = 0; c < s->c; c++) {
                size_t i = ((size_t)c * s->h + row) * s->w + x;
                double d = p[i] - y[i];
                chain = fma(d, d, chain);
            }
        sum += chain;
    }
    return sum / (double)n_mean;
}

static void trial(const subject *on, int threads, const size *s, fill kind, uint64_t seed)
{
    char where[160];
    snprintf(where, sizeof where, "loss, %s %s, %d threads, %dx%dx%d, fill %s, seed %llu", on->backend, on->isa,
             threads, s->c, s->h, s->w, fill_names[kind], (unsigned long long)seed);
    device d = device_open(on, threads);
    sb_ops *ops = d.ops;
    size_t n = (size_t)s->c * s->h * s->w;
    sb_real *p = host_take(n), *y = host_take(n), *dp = host_take(n), *got = host_take(n), *want = host_take(n);
    fill_block(p, n, kind, seed, 0), fill_block(y, n, kind, seed, 1), fill_block(dp, n, kind, seed, 2);
    sb_tensor p_map = device_tensor(&d, 1, 1, s->c, s->h, s->w, p),
              y_map = device_tensor(&d, 1, 1, s->c, s->h, s->w, y);
    sb_tensor dp_map = device_tensor(&d, 1, 1, s->c, s->h, s->w, dp);
    double *device_loss = device_take(&d, sizeof(double), NULL), loss;
    for (int add = 1; add >= 0; add--) { /* dp + ..., as a shard of eight; then overwritten, as a batch of its own */
        const size_t n_mean = add ? 8 * n : n;
        const double wanted = want_loss(s, p, y, n_mean);
        IN_TEAM
        {
            ops->loss_forward(ops, &p_map, &y_map, n_mean, device_loss);
            ops->loss_backward(ops, &p_map, &y_map, n_mean, add, &dp_map);
        }
        for (size_t i = 0; i < n; i++) want[i] = SB_FMA((sb_real)2 / (sb_real)n_mean, p[i] - y[i], add ? dp[i] : 0);
        device_planes(&d, &dp_map, got);
        expect_same_bits(where, n, got, want);
        ops->to_host(ops, &loss, device_loss, sizeof loss);
        if (loss != wanted) fail_msg("%s: loss is %a, wanted %a", where, loss, wanted);
    }
    free(p), free(y), free(dp), free(got), free(want);
    device_close(&d);
}

static void forward_and_backward(void **state)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (fill kind = 0; kind < fills_tried; kind++)
            for (int threads = 1; threads <= 3; threads += 2) trial(*state, threads, &sizes[i], kind, 400 + i);
}

/* Errors 1, 0, -2, 3 over 4 elements: the mean square is 14/4, its gradient (1, 0, -2, 3) / 2. */
static void by_eye(void **state)
{
    static const sb_real p[4] = {1, 2, 3, 4}, y[4] = {0, 2, 5, 1}, wanted[4] = {0.5f, 0, -1, 1.5f};
    device d = device_open(*state, 1);
    sb_ops *ops = d.ops;
    sb_tensor p_map = device_tensor(&d, 1, 1, 1, 2, 2, p), y_map = device_tensor(&d, 1, 1, 1, 2, 2, y);
    sb_tensor dp_map = device_tensor(&d, 1, 1, 1, 2, 2, p);
    double *device_loss = device_take(&d, sizeof(double), NULL), loss;
    sb_real got[4];
    ops->loss_forward(ops, &p_map, &y_map, 4, device_loss);
    ops->loss_backward(ops, &p_map, &y_map, 4, false, &dp_map);
    ops->to_host(ops, &loss, device_loss, sizeof loss);
    device_planes(&d, &dp_map, got);
    assert_true(loss == 3.5);
    expect_equal("gradient", 4, got, wanted);
    device_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_eye), cmocka_unit_test(forward_and_backward)};
    return run_on_subjects("loss", tests, sizeof tests / sizeof *tests);
}

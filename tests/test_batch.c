/* A batch of samples against the same samples one by one, each a tensor of its own: what is computed of a sample is the
 * same, and a sum over samples is what one sample after the other adds up to, in the order of ops/order.h. */
#include "expect.h"
#include "fill.h"
#include "subjects.h"

enum { N = 3, SEED = 700 };

/* Sizes around every vector width, odd channels, more rows than a block of the GPU sums at once. */
typedef struct size {
    int c, h, w;
} size;
static const size sizes[] = {{1, 2, 2}, {3, 4, 6}, {16, 2, 4}, {50, 6, 10}, {5, 130, 2}};

typedef void trial(device *d, const char *where, const size *s);

static void each_size(const subject *on, const char *name, trial *run)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char where[160];
        snprintf(where, sizeof where, "%s, %s %s, %d samples of %dx%dx%d, seed %d", name, on->backend, on->isa, N,
                 sizes[i].c, sizes[i].h, sizes[i].w, SEED);
        device d = device_open(on, 3);
        run(&d, where, &sizes[i]);
        device_close(&d);
    }
}

/* Random numbers on the device; the same stream gives the same ones. */
static sb_tensor take(device *d, int n, int gates, int c, int h, int w, uint32_t stream)
{
    sb_tensor like = {n, gates, c, h, w, NULL};
    sb_real *planes = host_take(sb_tensor_size(&like));
    fill_block(planes, sb_tensor_size(&like), FILL_RANDOM, SEED, stream);
    sb_tensor tensor = device_tensor(d, n, gates, c, h, w, planes);
    free(planes);
    return tensor;
}

/* Sample s of a tensor, as an argument. */
#define AT(tensor) ((sb_tensor[]){sb_tensor_at(&(tensor), s)})

static void expect_twins(device *d, const char *where, const char *what, const sb_tensor *batch, const sb_tensor *ones)
{
    const size_t n = sb_tensor_size(batch);
    char text[240];
    sb_real *got = host_take(n), *wanted = host_take(n);
    snprintf(text, sizeof text, "%s: %s", where, what);
    d->ops->to_host(d->ops, got, batch->x, n * sizeof *got);
    d->ops->to_host(d->ops, wanted, ones->x, n * sizeof *got);
    expect_same_bits(text, n, got, wanted);
    free(got), free(wanted);
}

/* ---- in and out ---- */

static void loading(device *d, const char *where, const size *of)
{
    sb_ops *ops = d->ops;
    sb_tensor x = take(d, N, 2, of->c, of->h, of->w, 0), y = x, frames = x, alone = x;
    const size_t n = sb_tensor_sample(&x), n_bytes = N * n * sizeof(sb_real);
    sb_real *planes = device_take(d, n_bytes, NULL), *back = device_take(d, n_bytes, NULL);
    y.x = device_take(d, n_bytes, NULL);
    uint8_t *bytes = malloc(N * n);
    assert_non_null(bytes);
    for (size_t i = 0; i < N * n; i++) bytes[i] = (uint8_t)(7 * i);
    frames = alone = (sb_tensor){N, 1, of->c, of->h, of->w, device_take(d, n_bytes, NULL)};
    alone.x = device_take(d, n_bytes, NULL);
    IN_TEAM
    {
        ops->map_store(ops, &x, planes);
        for (int s = 0; s < N; s++) ops->map_store(ops, AT(x), back + s * n);
        for (int s = 0; s < N; s++) ops->map_load(ops, planes + s * n, AT(y));
        ops->frame_load(ops, bytes, &frames);
        for (int s = 0; s < N; s++) ops->frame_load(ops, bytes + s * (n / 2), AT(alone));
    }
    expect_twins(d, where, "stored", &(sb_tensor){N, 2, of->c, of->h, of->w, planes},
                 &(sb_tensor){N, 2, of->c, of->h, of->w, back});
    expect_twins(d, where, "loaded", &x, &y);
    expect_twins(d, where, "frames", &frames, &alone);
    free(bytes);
}

/* ---- elementwise ---- */

static void errors(device *d, const char *where, const size *of)
{
    sb_ops *ops = d->ops;
    const int c = of->c, h = of->h, w = of->w;
    sb_tensor a = take(d, N, 1, c, h, w, 0), p = take(d, N, 1, c, h, w, 1), de = take(d, N, 1, 2 * c, h, w, 2);
    sb_tensor e[2], da[2], dp[2];
    for (int i = 0; i < 2; i++)
        e[i] = take(d, N, 1, 2 * c, h, w, 3), da[i] = take(d, N, 1, c, h, w, 4), dp[i] = take(d, N, 1, c, h, w, 5);
    IN_TEAM
    {
        ops->error_forward(ops, &a, &p, &e[0]);
        ops->error_backward(ops, &e[0], &de, &da[0], &dp[0]);
        for (int s = 0; s < N; s++) ops->error_forward(ops, AT(a), AT(p), AT(e[1]));
        for (int s = 0; s < N; s++) ops->error_backward(ops, AT(e[1]), AT(de), AT(da[1]), AT(dp[1]));
    }
    expect_twins(d, where, "e", &e[0], &e[1]);
    expect_twins(d, where, "da", &da[0], &da[1]);
    expect_twins(d, where, "dp", &dp[0], &dp[1]);
}

static void pools(device *d, const char *where, const size *of)
{
    sb_ops *ops = d->ops;
    const int c = of->c, h = of->h / 2, w = of->w / 2;
    const size_t n = (size_t)c * h * w;
    sb_tensor y = take(d, N, 1, c, 2 * h, 2 * w, 0), da = take(d, N, 1, c, h, w, 1), a[2], dy[2];
    uint8_t *choice[2];
    for (int i = 0; i < 2; i++) {
        a[i] = take(d, N, 1, c, h, w, 2), dy[i] = take(d, N, 1, c, 2 * h, 2 * w, 3);
        choice[i] = device_take(d, N * n, NULL);
    }
    IN_TEAM
    {
        ops->pool_forward(ops, &y, &a[0], choice[0]);
        ops->pool_backward(ops, &da, choice[0], &dy[0]);
        for (int s = 0; s < N; s++) ops->pool_forward(ops, AT(y), AT(a[1]), choice[1] + s * n);
        for (int s = 0; s < N; s++) ops->pool_backward(ops, AT(da), choice[1] + s * n, AT(dy[1]));
    }
    expect_twins(d, where, "a", &a[0], &a[1]);
    expect_twins(d, where, "dy", &dy[0], &dy[1]);
}

static void outputs(device *d, const char *where, const size *of)
{
    sb_ops *ops = d->ops;
    const int c = of->c, h = of->h, w = of->w;
    for (int clip = 0; clip < 2; clip++) {
        sb_tensor p[2], dp[2];
        for (int i = 0; i < 2; i++) p[i] = take(d, N, 1, c, h, w, 0), dp[i] = take(d, N, 1, c, h, w, 1);
        IN_TEAM
        {
            ops->output_forward(ops, &p[0], clip);
            ops->output_backward(ops, &p[0], clip, &dp[0]);
            for (int s = 0; s < N; s++) ops->output_forward(ops, AT(p[1]), clip);
            for (int s = 0; s < N; s++) ops->output_backward(ops, AT(p[1]), clip, AT(dp[1]));
        }
        expect_twins(d, where, "p", &p[0], &p[1]);
        expect_twins(d, where, "dp", &dp[0], &dp[1]);
    }
}

/* The peepholes serve all samples, and their gradient is the chain over the samples, ascending. */
static void cells(device *d, const char *where, const size *of)
{
    sb_ops *ops = d->ops;
    const int c = of->c, h = of->h, w = of->w;
    sb_tensor peephole = take(d, 1, 3, c, h, w, 0), old = take(d, N, 1, c, h, w, 1), dh = take(d, N, 1, c, h, w, 2);
    sb_tensor gates[2], new[2], out[2], dc[2], dpeephole[2];
    for (int i = 0; i < 2; i++) {
        gates[i] = take(d, N, 4, c, h, w, 3), new[i] = take(d, N, 1, c, h, w, 4), out[i] = take(d, N, 1, c, h, w, 5);
        dc[i] = take(d, N, 1, c, h, w, 6), dpeephole[i] = take(d, 1, 3, c, h, w, 7);
    }
    IN_TEAM
    {
        ops->lstm_forward(ops, &gates[0], &peephole, &old, &new[0], &out[0]);
        for (int s = 0; s < N; s++) ops->lstm_forward(ops, AT(gates[1]), &peephole, AT(old), AT(new[1]), AT(out[1]));
    }
    expect_twins(d, where, "gates", &gates[0], &gates[1]);
    expect_twins(d, where, "c", &new[0], &new[1]);
    expect_twins(d, where, "h", &out[0], &out[1]);
    IN_TEAM
    {
        ops->lstm_backward(ops, &gates[0], &peephole, &old, &new[0], &dh, &dc[0], &dpeephole[0]);
        for (int s = 0; s < N; s++)
            ops->lstm_backward(ops, AT(gates[1]), &peephole, AT(old), AT(new[1]), AT(dh), AT(dc[1]), &dpeephole[1]);
    }
    expect_twins(d, where, "gradient of the sums", &gates[0], &gates[1]);
    expect_twins(d, where, "dc", &dc[0], &dc[1]);
    expect_twins(d, where, "dpeephole", &dpeephole[0], &dpeephole[1]);
}

/* ---- sums ---- */

static void biases(device *d, const char *where, const size *of)
{
    sb_ops *ops = d->ops;
    sb_tensor dy = take(d, N, 4, of->c, of->h, of->w, 0), db[2];
    for (int i = 0; i < 2; i++) db[i] = take(d, 1, 1, 4 * of->c, 1, 1, 1);
    IN_TEAM
    {
        ops->bias_gradient(ops, &dy, db[0].x);
        for (int s = 0; s < N; s++) {
            ops->bias_gradient(ops, AT(dy), db[1].x);
#pragma omp barrier
        }
    }
    expect_twins(d, where, "db", &db[0], &db[1]);
}

/* Rows of chains over x, then colours, of all samples, which may be a part of those that the mean is over. */
static void losses(device *d, const char *where, const size *of)
{
    sb_ops *ops = d->ops;
    const int c = of->c, h = of->h, w = of->w;
    sb_tensor p = take(d, N, 1, c, h, w, 0), y = take(d, N, 1, c, h, w, 1), dp = take(d, N, 1, c, h, w, 2);
    const size_t n = sb_tensor_size(&p), n_mean = 4 * n;
    double *on_device = device_take(d, sizeof(double), NULL), loss, wanted = 0;
    sb_real *host_p = host_take(n), *host_y = host_take(n), *dp_wanted = host_take(n), *got = host_take(n);
    device_planes(d, &p, host_p), device_planes(d, &y, host_y), device_planes(d, &dp, dp_wanted);
    for (int row = 0; row < N * h; row++) {
        double chain = 0;
        for (int i = 0; i < w * c; i++) {
            size_t at = (((size_t)(row / h) * c + i % c) * h + row % h) * w + i / c;
            double error = host_p[at] - host_y[at];
            chain = fma(error, error, chain);
        }
        wanted += chain;
    }
    wanted /= (double)n_mean;
    for (size_t i = 0; i < n; i++)
        dp_wanted[i] = SB_FMA((sb_real)2 / (sb_real)n_mean, host_p[i] - host_y[i], dp_wanted[i]);
    IN_TEAM
    {
        ops->loss_forward(ops, &p, &y, n_mean, on_device);
        ops->loss_backward(ops, &p, &y, n_mean, true, &dp);
    }
    ops->to_host(ops, &loss, on_device, sizeof loss);
    if (loss != wanted) fail_msg("%s: loss is %a, wanted %a", where, loss, wanted);
    device_planes(d, &dp, got);
    expect_same_bits(where, n, got, dp_wanted);
    free(host_p), free(host_y), free(dp_wanted), free(got);
}

#define EACH_SIZE(name)                                                                                                \
    static void name##_of_a_batch(void **state)                                                                        \
    {                                                                                                                  \
        each_size(*state, #name, name);                                                                                \
    }
EACH_SIZE(loading)
EACH_SIZE(errors)
EACH_SIZE(pools)
EACH_SIZE(outputs)
EACH_SIZE(cells)
EACH_SIZE(biases)
EACH_SIZE(losses)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading_of_a_batch), cmocka_unit_test(errors_of_a_batch), cmocka_unit_test(pools_of_a_batch),
        cmocka_unit_test(outputs_of_a_batch), cmocka_unit_test(cells_of_a_batch),  cmocka_unit_test(biases_of_a_batch),
        cmocka_unit_test(losses_of_a_batch),
    };
    return run_on_subjects("batch", tests, sizeof tests / sizeof *tests);
}

/* Operations of the GPU backends that join the launch before them (gpu->last): the same bits as apart, and fewer
 * launches; and where nothing may be joined, nothing is. */
#include "host_machine.h"

#include "conv_trial.h"

/* Maps of even sides, whose last tiles are cut; MANY makes a channel's tiles too many for one block. */
enum { SAMPLES = 2, CHANNELS = 5, H = 10, W = 14, MANY = 150 };

/* Everything that the operations below read or make, on a device. */
typedef struct bench {
    device d;
    bool apart; /* wait behind each operation, so that it has nothing to join */
    unit of;
    sb_conv conv;
    sb_tensor y, a, p, dp, da, dy, e; /* e has twice the channels */
    uint8_t *choice;
    sb_real *bias, *db;
    void *x, *points, *errors; /* operands: of the input, what conv_gradient makes, and of e */
} bench;

static sb_real *take_numbers(device *d, uint32_t stream, size_t n)
{
    sb_real *host = numbers_take(&(numbers){FILL_EXTREME, 7}, stream, n),
            *on_device = device_take(d, n * sizeof *host, host);
    free(host);
    return on_device;
}

static sb_tensor take_maps(device *d, uint32_t stream, int h, int w)
{
    return (sb_tensor){SAMPLES, 1, CHANNELS, h, w, take_numbers(d, stream, (size_t)SAMPLES * CHANNELS * h * w)};
}

/* A convolution that reads e. */
static sb_conv_shape reads_errors(const bench *b, bool wide)
{
    sb_conv_shape reader = b->conv.shape;
    reader.in = 2 * CHANNELS, reader.use_winograd = wide;
    return reader;
}

static size_t errors_size(const bench *b)
{
    const sb_conv_shape wide = reads_errors(b, true), narrow = reads_errors(b, false);
    const size_t of_wide = conv_sizes(b->d.ops, &wide).input, of_narrow = conv_sizes(b->d.ops, &narrow).input;
    return of_wide > of_narrow ? of_wide : of_narrow;
}

static void open_bench(bench *b, const char *backend, int w, bool apart, bool several)
{
    static const subject on[] = {{"cuda-on-cpu", "auto", "winograd", 3}, {"native-cuda", "auto", "winograd", 3}};
    *b = (bench){.apart = apart, .of = {3, 1, CHANNELS, H, w, false, 0}};
    b->d = device_open(&on[strcmp(backend, on[1].backend) == 0], 1);
    sb_gpu_of(b->d.ops)->forms.transforms = several;
    device *d = &b->d;
    sb_real *weight = numbers_take(&(numbers){FILL_RANDOM, 7}, WEIGHT, unit_weights(&b->of));
    sb_real *x = numbers_take(&(numbers){FILL_RANDOM, 7}, INPUT, SAMPLES * unit_input(&b->of));
    b->conv = unit_open_batch(d, &b->of, SAMPLES, weight);
    b->x = unit_input_operand(d, &b->of, &b->conv, x);
    b->points = device_take(d, conv_sizes(d->ops, &b->conv.shape).gradient, NULL);
    b->y = take_maps(d, 40, H, w), b->p = take_maps(d, 41, H, w), b->dp = take_maps(d, 42, H, w);
    b->dy = take_maps(d, 43, H, w), b->a = take_maps(d, 44, H / 2, w / 2), b->da = take_maps(d, 45, H / 2, w / 2);
    b->e = (sb_tensor){SAMPLES, 1, 2 * CHANNELS, H, w, take_numbers(d, 46, 2 * sb_tensor_size(&b->y))};
    b->errors = device_take(d, errors_size(b), NULL);
    b->choice = device_take(d, sb_tensor_size(&b->a), NULL);
    b->bias = take_numbers(d, BIAS, CHANNELS), b->db = take_numbers(d, BEFORE, CHANNELS);
    free(x);
    free(weight);
    d->ops->conv_begin(d->ops, &b->conv);
    assert_int_equal(d->ops->error(d->ops), SB_OK);
}

static void next(bench *b)
{
    if (b->apart) assert_int_equal(b->d.ops->error(b->d.ops), SB_OK);
}

static void convolve(bench *b)
{
    const sb_term term = {&b->conv, b->x};
    b->d.ops->conv_forward(b->d.ops, 1, &term, b->bias, &b->y);
    next(b);
}

/* ---- what is joined ---- */

static void output(bench *b)
{
    convolve(b);
    b->d.ops->output_forward(b->d.ops, &b->y, true);
}

static void relu(bench *b)
{
    convolve(b);
    b->d.ops->output_forward(b->d.ops, &b->y, false);
}

static void pool(bench *b)
{
    convolve(b);
    b->d.ops->pool_forward(b->d.ops, &b->y, &b->a, b->choice);
}

static void errors_of(bench *b, bool wide)
{
    const sb_conv_shape reader = reads_errors(b, wide);
    b->d.ops->error_forward(b->d.ops, &b->y, &b->p, &b->e);
    next(b);
    b->d.ops->conv_input(b->d.ops, &reader, &b->e, b->errors);
}

static void errors(bench *b)
{
    errors_of(b, true);
}

static void errors_direct(bench *b)
{
    errors_of(b, false);
}

static void through_output(bench *b)
{
    b->d.ops->output_backward(b->d.ops, &b->p, true, &b->dp);
    next(b);
    b->d.ops->conv_gradient(b->d.ops, &b->conv.shape, &b->dp, b->points);
    next(b);
    b->d.ops->bias_gradient(b->d.ops, &b->dp, b->db);
}

static void bias(bench *b)
{
    b->d.ops->conv_gradient(b->d.ops, &b->conv.shape, &b->dp, b->points);
    next(b);
    b->d.ops->bias_gradient(b->d.ops, &b->dp, b->db);
}

static void through_pool(bench *b)
{
    pool(b); /* a choice to go back by */
    next(b);
    b->d.ops->pool_backward(b->d.ops, &b->da, b->choice, &b->dy);
    next(b);
    b->d.ops->conv_gradient(b->d.ops, &b->conv.shape, &b->dy, b->points);
    next(b);
    b->d.ops->bias_gradient(b->d.ops, &b->dy, b->db);
}

/* ---- what is not ---- */

/* Another tensor than the one that was made. */
static void others(bench *b)
{
    convolve(b);
    b->d.ops->output_forward(b->d.ops, &b->p, true);
    next(b);
    b->d.ops->output_backward(b->d.ops, &b->p, false, &b->dp);
    next(b);
    b->d.ops->conv_gradient(b->d.ops, &b->conv.shape, &b->dy, b->points);
    next(b);
    b->d.ops->bias_gradient(b->d.ops, &b->dp, b->db);
}

/* Of errors that another operation reads first. */
static void errors_late(bench *b)
{
    const sb_conv_shape reader = reads_errors(b, true);
    b->d.ops->error_forward(b->d.ops, &b->y, &b->p, &b->e);
    next(b);
    b->d.ops->relu_backward(b->d.ops, sb_tensor_size(&b->y), b->y.x, b->dp.x);
    next(b);
    b->d.ops->conv_input(b->d.ops, &reader, &b->e, b->errors);
}

/* A second one, behind one that has joined. */
static void twice(bench *b)
{
    relu(b);
    next(b);
    b->d.ops->output_forward(b->d.ops, &b->y, true);
    next(b);
    b->d.ops->conv_gradient(b->d.ops, &b->conv.shape, &b->dp, b->points);
    for (int i = 0; i < 2; i++) {
        next(b);
        b->d.ops->bias_gradient(b->d.ops, &b->dp, b->db);
    }
}

/* Pooled behind the nonlinearity: of what it made. */
static void pool_of_output(bench *b)
{
    output(b);
    next(b);
    b->d.ops->pool_forward(b->d.ops, &b->y, &b->a, b->choice);
}

typedef struct joined {
    const char *name;
    void (*put)(bench *b);
    int w, n_apart, n_joined; /* launches */
} joined;

static const joined cases[] = {
    {"output", output, W, 3, 2},
    {"relu", relu, W, 3, 2},
    {"pool", pool, W, 3, 2},
    {"errors", errors, W, 2, 1},
    {"errors, direct", errors_direct, W, 2, 1},
    {"errors, late", errors_late, W, 3, 3},
    {"through output", through_output, W, 3, 2},
    {"through pool", through_pool, W, 6, 4},
    {"bias", bias, W, 2, 1},
    {"bias, many tiles", bias, 8 * MANY, 2, 2},
    {"through output, many tiles", through_output, 8 * MANY, 3, 2},
    {"through pool, many tiles", through_pool, 8 * MANY, 6, 4},
    {"others", others, W, 6, 6},
    {"twice", twice, W, 7, 5},
    {"pool of output", pool_of_output, W, 4, 3},
};

/* What a case leaves in memory, in host memory of the caller's; several: threads to a tile. One device at a time: a stand-in may have no more. */
static unsigned char *left_by(const joined *c, const char *backend, bool apart, bool several, size_t *n_bytes)
{
    bench b;
    open_bench(&b, backend, c->w, apart, several);
    c->put(&b);
    const sb_tensor *maps[] = {&b.y, &b.a, &b.p, &b.dp, &b.dy, &b.e};
    struct {
        const void *x;
        size_t n_bytes;
    } block[10] = {{b.choice, sb_tensor_size(&b.a)},
                   {b.db, CHANNELS * sizeof *b.db},
                   {b.points, conv_sizes(b.d.ops, &b.conv.shape).gradient},
                   {b.errors, errors_size(&b)}};
    int n_parts = 4;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++, n_parts++)
        block[n_parts].x = maps[i]->x, block[n_parts].n_bytes = sb_tensor_size(maps[i]) * sizeof(sb_real);
    *n_bytes = 0;
    for (int i = 0; i < n_parts; i++) *n_bytes += block[i].n_bytes;
    unsigned char *left = malloc(*n_bytes), *to = left;
    assert_non_null(left);
    for (int i = 0; i < n_parts; to += block[i++].n_bytes) b.d.ops->to_host(b.d.ops, to, block[i].x, block[i].n_bytes);
    device_close(&b.d);
    return left;
}

static void compare_case(const joined *c, const char *backend)
{
    size_t n_apart, n_joined;
    unsigned char *apart = left_by(c, backend, true, false, &n_apart);
    for (int several = 0; several < 2; several++) {
        unsigned char *together = left_by(c, backend, false, several, &n_joined);
        assert_int_equal(n_apart, n_joined);
        for (size_t i = 0; i < n_apart; i++)
            if (apart[i] != together[i])
                fail_msg("%s: byte %zu of what it leaves differs%s", c->name, i, several ? ", newer form" : "");
        free(together);
    }
    free(apart);
}

static void the_bits_are_those_of_operations_apart(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) compare_case(&cases[i], *state);
}

/* ---- launches ---- */

static int n_launches;

static void count(sb_gpu *gpu, int kernel, sb_grid grid, const void *args)
{
    (void)gpu, (void)kernel, (void)grid, (void)args;
    n_launches++;
}

/* Launches of a case on a machine that computes nothing. */
static int count_launches(const joined *c, bool apart, bool several)
{
    sb_machine machine = host_machine();
    machine.launch = count;
    sb_gpu_backend *backend = calloc(1, sizeof *backend);
    assert_non_null(backend);
    sb_gpu_open(backend, &machine, &(sb_backend_options){.arithmetic = "winograd", .winograd_channels = 1});
    backend->gpu.forms.transforms = several;
    sb_ops *ops = &backend->gpu.context.ops;
    static sb_real block[1 << 19];
    static uint8_t choice[1 << 17];
    bench b = {
        .d = {.ops = ops}, .apart = apart, .of = {3, 1, CHANNELS, H, c->w, false, 0}, .choice = choice, .db = block};
    sb_tensor *maps[] = {&b.y, &b.a, &b.p, &b.dp, &b.da, &b.dy};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const bool is_small = maps[i] == &b.a || maps[i] == &b.da;
        *maps[i] = (sb_tensor){SAMPLES, 1, CHANNELS, is_small ? H / 2 : H, is_small ? c->w / 2 : c->w, block + i};
    }
    b.e = (sb_tensor){SAMPLES, 1, 2 * CHANNELS, H, c->w, block + 6};
    b.conv = (sb_conv){.shape = {SAMPLES, 3, 1, CHANNELS, H, c->w, 3, 1, false, true}};
    n_launches = 0;
    c->put(&b);
    assert_int_equal(ops->error(ops), SB_OK);
    sb_backend_close(ops);
    return n_launches;
}

static void launches_are_fewer(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        const joined *c = &cases[i / 2];
        const int apart = count_launches(c, true, i % 2), together = count_launches(c, false, i % 2);
        if (apart != c->n_apart || together != c->n_joined)
            fail_msg("%s: %d launches apart and %d joined, where %d and %d were expected", c->name, apart, together,
                     c->n_apart, c->n_joined);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(the_bits_are_those_of_operations_apart, (void *)"cuda-on-cpu"),
        cmocka_unit_test_prestate(the_bits_are_those_of_operations_apart, (void *)"native-cuda"),
        cmocka_unit_test(launches_are_fewer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

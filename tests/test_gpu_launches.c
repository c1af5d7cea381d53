/* Every launch is one that a CUDA device takes: on a machine that notes the grids, and, for the video whose rows did
 * not fit into the third dimension of a grid, bit for bit on kernels walked by the CPU. */
#include "host_machine.h"
#include "small_prednet.h"

#include "learner.h"

/* The largest launches so far. */
typedef struct noter {
    sb_gpu_backend backend;
    sb_grid most;
    long n_launches;
} noter;

static void note(sb_gpu *gpu, int kernel, sb_grid grid, const void *args)
{
    noter *n = (noter *)gpu;
    (void)kernel, (void)args;
    n->n_launches++;
    if (grid.x > n->most.x) n->most.x = grid.x;
    if (grid.y > n->most.y) n->most.y = grid.y;
    if (grid.z > n->most.z) n->most.z = grid.z;
}

static noter *open_noter(const char *arithmetic)
{
    static sb_machine machine;
    machine = host_machine();
    machine.launch = note;
    noter *n = calloc(1, sizeof *n);
    assert_non_null(n);
    sb_gpu_open(&n->backend, &machine, &(sb_backend_options){.arithmetic = arithmetic, .winograd_channels = 4});
    n->backend.gpu.processors = 132;
    snprintf(n->backend.gpu.context.variant, sizeof n->backend.gpu.context.variant, "a machine");
    return n;
}

/* Rows of the map, and other sizes that grow with the frames, only in the first dimension. */
static void frames_grow_only_x(void **state)
{
    (void)state;
    enum { WINDOW = 20, LONG = 3600, SHORT = 8 };
    static const int sizes[][2] = {{SHORT, LONG}, {LONG, SHORT}};
    uint8_t *frames = calloc((size_t)(WINDOW + 1) * SHORT * LONG, 3);
    assert_non_null(frames);
    for (int i = 0; i < 4; i++) {
        noter *n = open_noter(i < 2 ? "direct" : "winograd");
        sb_ops *ops = &n->backend.gpu.context.ops;
        const int *size = sizes[i % 2];
        const sb_prednet_shape shape = {
            .n_layers = 3, .channels = {3, 4, 6}, .w = size[0], .h = size[1], .window = WINDOW};
        const sb_window window = {.bytes = frames, .n = WINDOW, .reset = true};
        sb_step_result result;
        sb_net *net;
        const sb_status opened = sb_prednet_open(&net, ops, &shape);
        sb_learner learner = test_learner(opened, net, 1);
        assert_int_equal(sb_learner_update(&learner, &window, 1, SB_GRADIENT_KEPT, &result), SB_OK);
        assert_true(n->n_launches > 1000);
        assert_true(n->most.y <= 4 && n->most.z <= 36); /* channels in tiles, points of a tile */
        sb_learner_close(&learner);
        sb_backend_close(ops);
    }
    free(frames);
}

static void expect_refused(noter *n, const char *sentence)
{
    sb_ops *ops = &n->backend.gpu.context.ops;
    assert_int_equal(ops->error(ops), SB_E_USAGE);
    assert_string_equal(sb_message(), sentence);
}

/* Before the list is run, and with it nothing of the list is done. */
static void what_no_device_takes_is_refused(void **state)
{
    (void)state;
    noter *n = open_noter("direct");
    sb_ops *ops = &n->backend.gpu.context.ops;
    sb_gpu *gpu = sb_gpu_begin(ops, "bias_gradient", &(sb_tensor){1, 1, 3, 4, 5, NULL});
    const sb_bias_gradient_args args = {.h = 4, .w = 5};
    static const sb_grid most = {SB_GRID_X_MAX, SB_GRID_YZ_MAX, SB_GRID_YZ_MAX};
    SB_GPU_TILED(gpu, sb_bias_gradient, most, &args);
    assert_int_equal(ops->error(ops), SB_OK);
    assert_true(n->n_launches == 1 && n->most.x == most.x && n->most.z == most.z);
    static const struct {
        sb_grid grid;
        const char *sentence;
    } cases[] = {{{SB_GRID_X_MAX + 1L, 1, 1}, "2147483648 x 1 x 1"},
                 {{1, SB_GRID_YZ_MAX + 1, 1}, "1 x 65536 x 1"},
                 {{1, 1, SB_GRID_YZ_MAX + 1}, "1 x 1 x 65536"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sentence[256];
        snprintf(sentence, sizeof sentence,
                 "a machine: bias_gradient on 1x3 channels of 4x5: %s blocks; a device takes 2147483647 x 65535 x "
                 "65535: smaller frames, or --backend native",
                 cases[i].sentence);
        sb_gpu_begin(ops, "bias_gradient", &(sb_tensor){1, 1, 3, 4, 5, NULL});
        SB_GPU_TILED(gpu, sb_bias_gradient, ((sb_grid){1, 1, 1}), &args);
        SB_GPU_TILED(gpu, sb_bias_gradient, cases[i].grid, &args);
        expect_refused(n, sentence);
    }
    assert_int_equal(n->n_launches, 1);
    sb_backend_close(ops);
}

/* Their indices have 32 bits. */
static void kernels_count_to_31_bits(void **state)
{
    (void)state;
    noter *n = open_noter("direct");
    sb_ops *ops = &n->backend.gpu.context.ops;
    sb_gpu *gpu = sb_gpu_begin(ops, "relu_backward", NULL);
    SB_GPU_EACH(gpu, sb_relu_backward, 0, .y = NULL);
    assert_int_equal(ops->error(ops), SB_OK);
    assert_int_equal(n->n_launches, 0);
    SB_GPU_EACH(gpu, sb_relu_backward, 0x7fffffffL, .y = NULL);
    assert_int_equal(ops->error(ops), SB_OK);
    assert_true(n->n_launches == 1 && n->most.x == 1 << 23);
    ops->relu_backward(ops, (size_t)1 << 31, NULL, NULL);
    expect_refused(n, "a machine: relu_backward: 2147483648 numbers; a kernel counts to 2147483647: smaller frames, or "
                      "--backend native");
    ops->relu_backward(ops, (size_t)1 << 63, NULL, NULL);
    assert_int_equal(ops->error(ops), SB_E_USAGE);
    assert_int_equal(n->n_launches, 1);
    sb_backend_close(ops);
}

enum { TALL = 3600, TALL_W = 2, TALL_FRAMES = 20, TAPS = 9 };

/* The weight gradient of a convolution of one channel over a window of a tall video. */
static void tall_weight_gradient(const char *backend, float gradient[TAPS])
{
    sb_ops *ops;
    if (sb_backend_open(&ops, backend, &(sb_backend_options){.threads = 1}) != SB_OK) fail_msg("%s", sb_message());
    enum { N = TALL * TALL_W };
    static float map[N], weight[TAPS];
    float *x = ops->allocate(ops, sizeof map);
    sb_conv conv = {.shape = {1, 1, 1, 1, TALL, TALL_W, 3, 1}};
    sb_conv_sizes sizes;
    if (sb_conv_sizes_of(ops, &conv.shape, &sizes) != SB_OK) fail_msg("%s", sb_message());
    conv.params.weight = ops->allocate(ops, sizeof weight);
    conv.params.weight_grad = ops->allocate(ops, sizeof weight);
    conv.space.packed = ops->allocate(ops, sizes.packed);
    conv.space.accumulator = ops->allocate(ops, sizes.accumulator);
    conv.space.scratch = ops->allocate(ops, sizes.scratch);
    const sb_tensor on_device = {1, 1, 1, TALL, TALL_W, x};
    const void *input[TALL_FRAMES], *dy[TALL_FRAMES];
    for (int f = 0; f < TALL_FRAMES; f++) {
        void *operand[2] = {ops->allocate(ops, sizes.input), ops->allocate(ops, sizes.gradient)};
        assert_true(operand[0] && operand[1]);
        for (int side = 0; side < 2; side++) {
            fill_block(map, N, FILL_RANDOM, 3, (uint32_t)(2 * f + side));
            ops->to_device(ops, x, map, sizeof map);
            (side ? ops->conv_gradient : ops->conv_input)(ops, &conv.shape, &on_device, operand[side]);
        }
        input[f] = operand[0], dy[f] = operand[1];
    }
    ops->conv_turn(ops, &conv);
    ops->conv_weight_gradient(ops, &conv, TALL_FRAMES, input, dy);
    ops->conv_end(ops, &conv);
    ops->to_host(ops, gradient, conv.params.weight_grad, sizeof weight);
    if (ops->error(ops) != SB_OK) fail_msg("%s", sb_message());
    void *owned[] = {x,
                     (void *)conv.params.weight,
                     conv.params.weight_grad,
                     conv.space.packed,
                     conv.space.accumulator,
                     conv.space.scratch};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) ops->release(ops, owned[i]);
    for (int f = 0; f < TALL_FRAMES; f++) ops->release(ops, (void *)input[f]), ops->release(ops, (void *)dy[f]);
    sb_backend_close(ops);
}

static void a_tall_video_has_the_bits_of_native(void **state)
{
    (void)state;
    float wanted[TAPS], got[TAPS];
    assert_true(TALL_FRAMES * TALL > SB_GRID_YZ_MAX);
    tall_weight_gradient("native", wanted);
    tall_weight_gradient("cuda-on-cpu", got);
    for (int tap = 0; tap < TAPS; tap++)
        if (memcmp(&wanted[tap], &got[tap], sizeof *got) != 0)
            fail_msg("tap %d: native has %a, the GPU %a", tap, (double)wanted[tap], (double)got[tap]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_grow_only_x), cmocka_unit_test(what_no_device_takes_is_refused),
        cmocka_unit_test(kernels_count_to_31_bits), cmocka_unit_test(a_tall_video_has_the_bits_of_native)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

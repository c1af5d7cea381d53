/* The backends cublas and cudnn against native, on the kernels walked by the CPU and on libraries that compute on the
 * CPU (support/fake_cuda_libraries.c): the order of their arguments, shapes and descriptors; and what is said where a
 * library is absent. */
#include "expect.h"
#include "fake_cuda_libraries.h"
#include "small_prednet.h"

#include "autoencoder.h"
#include "backend/gpu.h"
#include "backend/nvml.h"
#include "learner.h"
#include "ops/cuda.h"
#include "ops/library/cublas.h"
#include "ops/library/cudnn.h"
#include "ops/library/library.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { W = 8, H = 4, N = 3 };

static sb_ops *open_backend(const char *name)
{
    sb_ops *ops;
    if (sb_backend_open(&ops, name, &(sb_backend_options){.threads = 1}) != SB_OK) fail_msg("%s", sb_message());
    return ops;
}

/* cuda-on-cpu with the libraries put into it as cuda.c does. */
static sb_ops *open_with_libraries(bool cudnn, const char *choice, bool tf32)
{
    static char *workspace; /* the library of the tests uses only what is after it, for `graph-timed` */
    size_t n_bytes;
    assert_int_equal(sb_cudnn_workspace("graph-timed", &n_bytes), SB_OK);
    if (!workspace) workspace = calloc(1, n_bytes);
    assert_non_null(workspace);
    sb_ops *ops = open_backend("cuda-on-cpu");
    sb_gpu *gpu = sb_gpu_of(ops);
    if (sb_cublas_open_library(&gpu->cublas, NULL, workspace, tf32) != SB_OK) fail_msg("%s", sb_message());
    sb_conv_cublas(ops);
    sb_dense_cublas(ops);
    if (!cudnn) return ops;
    if (sb_cudnn_open_library(&gpu->cudnn, NULL, workspace, choice, NULL, tf32) != SB_OK) fail_msg("%s", sb_message());
    sb_conv_cudnn(ops);
    return ops;
}

static void close_with_libraries(sb_ops *ops)
{
    sb_gpu *gpu = sb_gpu_of(ops);
    sb_cudnn_close(gpu->cudnn);
    sb_cublas_close(gpu->cublas);
    sb_backend_close(ops);
}

/* Every parameter's gradient to some roundings of its largest element. */
static void expect_close_gradients(const sb_learner *on_a, const sb_learner *on_b)
{
    const sb_net *a = on_a->net, *b = on_b->net;
    void *free_a, *free_b;
    const sb_real *wanted, *got;
    assert_int_equal(sb_learner_host_block(on_a, a->grad, &wanted, &free_a), SB_OK);
    assert_int_equal(sb_learner_host_block(on_b, b->grad, &got, &free_b), SB_OK);
    for (int p = 0; p < a->params.n; p++) {
        const sb_param *param = &a->params.list[p];
        double largest = 0;
        for (size_t i = 0; i < param->n; i++) largest = fmax(largest, fabs((double)wanted[param->offset + i]));
        assert_true(largest > 0);
        for (size_t i = 0; i < param->n; i++) {
            double w = wanted[param->offset + i], g = got[param->offset + i];
            if (!(fabs(g - w) <= 200 * FLT_EPSILON * largest))
                fail_msg("gradient of %s[%zu]: wanted %a, got %a", param->name, i, w, g);
        }
    }
    free(free_a), free(free_b);
}

static void learn(sb_learner *learner, const sb_window *window, sb_step_result *result)
{
    if (sb_learner_update(learner, window, 1, SB_GRADIENT_KEPT, result) != SB_OK) fail_msg("%s", sb_message());
}

/* The same window from the same state and weights is the same list of work, to the byte: one graph. */
static void expect_one_graph(sb_learner *learner, const sb_window *window)
{
    sb_step_result first, again;
    learn(learner, window, &first);
    for (int i = 0; i < 3; i++) {
        learn(learner, window, &again);
        assert_true(again.loss_mean < first.loss_mean);
        first = again;
    }
    assert_int_equal(sb_gpu_graphs_made(learner->net->ops), 1);
}

/* Of several sequences at once, in windows of N frames, which could be longer. */
static void compare_prednet(sb_ops *gpu, int n_lanes, int longest)
{
    const sb_prednet_shape shape = {
        .n_layers = 3, .channels = {3, 5, 4}, .w = W, .h = H, .window = longest, .n_lanes = n_lanes};
    sb_ops *cpu = open_backend("native");
    sb_net *net_a, *net_b;
    sb_step_result wanted, got;
    uint8_t *frames = waves(n_lanes * (N + 1), W, H, 9);
    const sb_window window = {.bytes = frames, .n = N, .n_lanes = n_lanes, .reset = true};
    assert_int_equal(sb_prednet_open(&net_a, cpu, &shape), SB_OK);
    assert_int_equal(sb_prednet_open(&net_b, gpu, &shape), SB_OK);
    sb_learner a = test_learner(SB_OK, net_a, 8), b = test_learner(SB_OK, net_b, 8);
    learn(&a, &window, &wanted);
    learn(&b, &window, &got);
    assert_true(fabs(got.loss_mean - wanted.loss_mean) <= 50 * FLT_EPSILON * wanted.loss_mean);
    expect_close_gradients(&a, &b);
    expect_one_graph(&b, &window);
    sb_learner_close(&a), sb_learner_close(&b);
    sb_backend_close(cpu);
    free(frames);
}

static void cublas_convolves(void **state)
{
    (void)state;
    for (int n_lanes = 1; n_lanes <= 3; n_lanes += 2) {
        sb_ops *gpu = open_with_libraries(false, NULL, false);
        compare_prednet(gpu, n_lanes, N);
        close_with_libraries(gpu);
    }
}

/* What the library of the tests holds under a name. */
static void *in_library(const char *name)
{
    void *library = dlopen(SB_FAKE_LIBRARIES, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(library);
    void *found = dlsym(library, name);
    assert_non_null(found);
    dlclose(library);
    return found;
}

/* Of a whole network; which ones there are, and what is taken where one is refused: tests/test_gpu_cudnn.c. */
static void cudnn_convolves_with_the_algorithms_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *choice;
        bool tf32;
        int n_lanes;
        unsigned wanted;
    } cases[] = {{NULL, false, 1, 1u << 1},
                 {NULL, false, 3, 1u << 1},
                 {"deterministic", false, 1, 1u << 1},
                 {"heuristic", false, 1, 1u << FAKE_GUESSED},
                 {"heuristic", true, 1, 1u << FAKE_ON_TENSOR_CORES},
                 {"graph-deterministic", false, 1, 1u << FAKE_WINOGRAD},
                 {"graph-deterministic", false, 3, 1u << FAKE_WINOGRAD},
                 {"graph-deterministic", true, 1, 1u << FAKE_TENSOR_CORES},
                 {"graph-heuristic", false, 1, 1u << FAKE_ATOMICS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_ops *gpu = open_with_libraries(true, cases[i].choice, cases[i].tf32);
        fake_cudnn_state *fake = in_library("fake_cudnn");
        fake->used = 0;
        compare_prednet(gpu, cases[i].n_lanes, N);
        assert_int_equal(fake->used, cases[i].wanted);
        close_with_libraries(gpu);
    }
}

/* By whichever engine is the fastest. */
static void cudnn_convolves_by_the_clock(void **state)
{
    (void)state;
    sb_ops *gpu = open_with_libraries(true, "graph-timed", false);
    compare_prednet(gpu, 1, N);
    close_with_libraries(gpu);
}

enum { SEARCHES = 3 };

/* Convolutions of y, of x and of w that cuDNN computes for compare_prednet, and how often it lists candidates. variable:
 * NULL, or what is set to 1. */
static void count_convolutions(const char *choice, const char *variable, int n_lanes, int longest, int most_images,
                               int n[SEARCHES + 1])
{
    if (variable) setenv(variable, "1", 1);
    sb_ops *gpu = open_with_libraries(true, choice, false);
    if (variable) unsetenv(variable);
    fake_cudnn_state *fake = in_library("fake_cudnn");
    memset(fake->n_convolved, 0, sizeof fake->n_convolved);
    fake->most_images = most_images, fake->n_searches = 0;
    compare_prednet(gpu, n_lanes, longest);
    fake->most_images = 0;
    memcpy(n, fake->n_convolved, sizeof fake->n_convolved);
    n[SEARCHES] = fake->n_searches;
    close_with_libraries(gpu);
}

/* In one call where their operands are contiguous; else, and where cuDNN refuses a batch of this size, one by one. */
static void cudnn_takes_several_frames_at_once(void **state)
{
    (void)state;
    static const char *const choices[] = {"deterministic", "graph-deterministic"}, frames[] = "SAMEBITS_CUDNN_FRAMES";
    for (int i = 0; i < 2; i++)
        for (int n_lanes = 1; n_lanes <= 3; n_lanes += 2) {
            int alone[SEARCHES + 1], joined[SEARCHES + 1], refused[SEARCHES + 1];
            count_convolutions(choices[i], NULL, n_lanes, N, 0, alone);
            count_convolutions(choices[i], frames, n_lanes, N, 0, joined);
            count_convolutions(choices[i], frames, n_lanes, N, n_lanes, refused);
            assert_true(joined[0] == alone[0] && joined[1] == alone[1] && joined[2] < alone[2]);
            assert_int_equal(refused[2], alone[2]);
            /* once for each batch, in both modes of the heuristic where it is refused, and once for a frame */
            assert_true(refused[SEARCHES] <= 2 * joined[SEARCHES] + alone[SEARCHES]);
        }
}

/* Of one lane: 3 + 3 + 2 inputs of gates become 3. Windows as long as the rings, and shorter ones. */
static void cudnn_takes_all_inputs_of_a_cell_at_once(void **state)
{
    (void)state;
    enum { GATES = 3, INPUTS = 8, OTHERS = 5 }; /* in a frame; ConvA and ConvP */
    for (int longest = N; longest <= N + 2; longest += 2) {
        int alone[SEARCHES + 1], joined[SEARCHES + 1], lanes[SEARCHES + 1];
        count_convolutions(NULL, NULL, 1, longest, 0, alone);
        count_convolutions(NULL, "SAMEBITS_CUDNN_INPUTS", 1, longest, 0, joined);
        assert_int_equal(joined[0] * (INPUTS + OTHERS), alone[0] * (GATES + OTHERS));
        assert_true(joined[1] < alone[1] && joined[2] < alone[2]);
        count_convolutions(NULL, NULL, 3, longest, 0, alone);
        count_convolutions(NULL, "SAMEBITS_CUDNN_INPUTS", 3, longest, 0, lanes);
        assert_true(lanes[0] == alone[0] && lanes[1] == alone[1]);
    }
}

/* What convolutions without padding give: y, dx and dw behind each other, of numbers that any order sums exactly. */
enum { SAMPLES = 2, IN = 3, OUT = 4, VALID_H = 5, VALID_W = 4, RESULTS = 4000 };

static void *take_filled(sb_ops *ops, size_t n, uint32_t stream)
{
    sb_real *host = calloc(n, sizeof *host), *x = ops->allocate(ops, n * sizeof *x);
    assert_true(host && x);
    fill_block(host, n, FILL_POWERS, 900, stream);
    ops->to_device(ops, x, host, n * sizeof *x);
    assert_int_equal(ops->error(ops), SB_OK);
    free(host);
    return x;
}

static size_t convolve_without_padding(sb_ops *ops, int kernel, sb_real *got)
{
    const int h = VALID_H + kernel - 1, w = VALID_W + kernel - 1;
    sb_conv conv = {.shape = {SAMPLES, IN, 1, OUT, VALID_H, VALID_W, kernel, 0}};
    const size_t n_x = (size_t)SAMPLES * IN * h * w, n_y = (size_t)SAMPLES * OUT * VALID_H * VALID_W;
    const size_t n_w = sb_conv_weights(&conv.shape), n = n_y + n_x + n_w;
    sb_conv_sizes sizes;
    assert_int_equal(sb_conv_sizes_of(ops, &conv.shape, &sizes), SB_OK);
    sb_real *planes[] = {take_filled(ops, n_x, 1), take_filled(ops, n_y, 2), take_filled(ops, n_w, 3)};
    sb_real *memory[] = {take_filled(ops, n_x, 4), take_filled(ops, n_y, 5), take_filled(ops, n_x, 6),
                         take_filled(ops, n_y, 7), take_filled(ops, n_w, 8)};
    void *space[5];
    const size_t n_bytes[5] = {sizes.packed, sizes.accumulator, sizes.scratch, sizes.input, sizes.gradient};
    for (int i = 0; i < 5; i++) space[i] = ops->allocate(ops, n_bytes[i]);
    sb_tensor x = {SAMPLES, 1, IN, h, w, memory[0]}, dy = {SAMPLES, 1, OUT, VALID_H, VALID_W, memory[1]};
    sb_tensor dx = {SAMPLES, 1, IN, h, w, memory[2]}, y = {SAMPLES, 1, OUT, VALID_H, VALID_W, memory[3]};
    conv.params = (sb_conv_params){planes[2], memory[4]};
    conv.space = (sb_conv_space){space[0], space[1], space[2]};
    ops->map_load(ops, planes[0], &x), ops->map_load(ops, planes[1], &dy);
    ops->conv_begin(ops, &conv);
    ops->conv_input(ops, &conv.shape, &x, space[3]);
    ops->conv_forward(ops, 1, &(sb_term){&conv, space[3]}, NULL, &y);
    ops->conv_turn(ops, &conv);
    ops->conv_gradient(ops, &conv.shape, &dy, space[4]);
    ops->conv_data_gradient(ops, 1, &(sb_term){&conv, space[4]}, &dx);
    ops->conv_weight_gradient(ops, &conv, 1, &(const void *){space[3]}, &(const void *){space[4]});
    ops->conv_end(ops, &conv);
    ops->map_store(ops, &y, planes[1]), ops->map_store(ops, &dx, planes[0]);
    ops->to_host(ops, got, planes[1], n_y * sizeof *got);
    ops->to_host(ops, got + n_y, planes[0], n_x * sizeof *got);
    ops->to_host(ops, got + n_y + n_x, memory[4], n_w * sizeof *got);
    assert_int_equal(ops->error(ops), SB_OK);
    for (int i = 0; i < 5; i++) ops->release(ops, space[i]), ops->release(ops, memory[i]);
    for (int i = 0; i < 3; i++) ops->release(ops, planes[i]);
    return n;
}

static void libraries_convolve_without_padding(void **state)
{
    (void)state;
    static sb_real wanted[RESULTS], got[RESULTS];
    static const char *const choices[] = {NULL, "deterministic", "graph-deterministic"}; /* NULL: by cuBLAS */
    for (int c = 0; c < 3; c++)
        for (int kernel = 1; kernel <= 5; kernel += 2) {
            sb_ops *cpu = open_backend("native"), *gpu = open_with_libraries(choices[c], choices[c], false);
            const size_t n = convolve_without_padding(cpu, kernel, wanted);
            assert_true(n <= RESULTS);
            assert_int_equal(convolve_without_padding(gpu, kernel, got), n);
            expect_equal(choices[c] ? choices[c] : "cublas", n, got, wanted);
            sb_backend_close(cpu), close_with_libraries(gpu);
        }
}

static void cublas_computes_dense_layers(void **state)
{
    (void)state;
    enum { INPUTS = 24, BATCH = 5 };
    const autoencoder_shape shape = {INPUTS, {1, {7}}, BATCH, SB_ACTIVATION_relu, SB_ACTIVATION_relu};
    sb_ops *gpu = open_with_libraries(false, NULL, false), *cpu = open_backend("native");
    sb_net *net_a, *net_b;
    sb_step_result wanted, got;
    uint8_t *bytes = waves(1, INPUTS, BATCH, 2);
    const sb_window window = {.bytes = bytes, .n = BATCH};
    assert_int_equal(autoencoder_open(&net_a, cpu, &shape), SB_OK);
    assert_int_equal(autoencoder_open(&net_b, gpu, &shape), SB_OK);
    sb_learner a = test_learner(SB_OK, net_a, 8), b = test_learner(SB_OK, net_b, 8);
    learn(&a, &window, &wanted);
    learn(&b, &window, &got);
    expect_close_gradients(&a, &b);
    sb_learner_close(&a), sb_learner_close(&b);
    sb_backend_close(cpu);
    close_with_libraries(gpu);
    free(bytes);
}

static void versions_are_read(void **state)
{
    (void)state;
    char version[32];
    assert_true(sb_cublas_found_version(version, sizeof version));
    assert_string_equal(version, "13.0.2");
    assert_true(sb_cudnn_found_version(version, sizeof version));
    assert_string_equal(version, "9.13.0");
}

static void the_driver_tells_its_facts(void **state)
{
    (void)state;
    sb_facts here = {0}, elsewhere = {0}, none = {0};
    sb_nvml_facts(&here, "0000:01:00.0");
    assert_string_equal(sb_facts_find(&here, "gpu_driver"), "580.65.06");
    assert_string_equal(sb_facts_find(&here, "gpu_mig"), "off");
    assert_string_equal(sb_facts_find(&here, "gpu_power_limit_w"), "700");
    sb_nvml_facts(&elsewhere, "0000:02:00.0");
    assert_non_null(sb_facts_find(&elsewhere, "gpu_driver"));
    assert_null(sb_facts_find(&elsewhere, "gpu_mig"));
    setenv("SAMEBITS_NVML", "/nowhere/libnvidia-ml.so", 1);
    sb_nvml_facts(&none, "0000:01:00.0");
    assert_int_equal(none.n, 0);
    setenv("SAMEBITS_NVML", SB_FAKE_LIBRARIES, 1);
}

static void absence_is_a_sentence(void **state)
{
    (void)state;
    char why[256] = "";
    setenv("SAMEBITS_CUBLAS", "/nowhere/libcublas.so", 1);
    assert_false(sb_cublas_found(why, sizeof why));
    assert_non_null(strstr(why, "cuBLAS is not here (/nowhere/libcublas.so"));
    setenv("SAMEBITS_CUBLAS", "libm.so.6", 1);
    sb_cublas *blas;
    assert_int_equal(sb_cublas_open_library(&blas, NULL, NULL, false), SB_E_MISSING);
    assert_string_equal(sb_message(), "cuBLAS has no cublasCreate_v2; another version is needed");
    assert_null(blas);
    setenv("SAMEBITS_CUBLAS", SB_FAKE_LIBRARIES, 1);
}

/* Of several names, the one that is there and broken is worth a word, not those that are not there. */
static void a_broken_library_is_named(void **state)
{
    (void)state;
    static const char *const names[] = {"libnowhere.so.3", "./broken.so", "libnowhere.so.1", NULL};
    static const char *const absent[] = {"libnowhere.so.3", "libnowhere.so.1", NULL};
    void *handle;
    FILE *file = fopen("broken.so", "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(sb_library_open(&handle, "It", "SAMEBITS_NO_SUCH", names, NULL, NULL, NULL), SB_E_MISSING);
    assert_non_null(strstr(sb_message(), "It is not here (./broken.so: "));
    assert_null(handle);
    remove("broken.so");
    assert_int_equal(sb_library_open(&handle, "It", "SAMEBITS_NO_SUCH", absent, NULL, NULL, NULL), SB_E_MISSING);
    assert_non_null(strstr(sb_message(), "It is not here (libnowhere.so.3: "));
}

/* A library that is newer than the driver opens and does not start; the older one beside it is taken. */
static void the_first_that_starts_is_taken(void **state)
{
    (void)state;
    char why[256], version[32];
    sb_cublas *blas;
    sb_cudnn *dnn;
    static char workspace[64];
    unsetenv("SAMEBITS_CUBLAS"), unsetenv("SAMEBITS_CUDNN");
    assert_true(sb_cublas_found(why, sizeof why) && sb_cudnn_found(why, sizeof why));
    assert_int_equal(sb_cublas_open_library(&blas, NULL, workspace, false), SB_OK);
    assert_string_equal(sb_cublas_version(blas), "12.0.2");
    assert_int_equal(sb_cudnn_open_library(&dnn, NULL, workspace, NULL, NULL, false), SB_OK);
    assert_string_equal(sb_cudnn_version(dnn), "8.9.2");
    assert_true(sb_cublas_found_version(version, sizeof version));
    assert_string_equal(version, "12.0.2"); /* that of the one in use */
    assert_true(sb_cudnn_found_version(version, sizeof version));
    assert_string_equal(version, "8.9.2");
    sb_cublas_close(blas), sb_cudnn_close(dnn);
    static const char *const taken[] = {"8", "8.9", "8.9.2", "any"}, *const others[] = {"8.9.20", "8.1", "89", "9.1"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sb_cudnn_open_library(&dnn, NULL, workspace, NULL, taken[i], false), SB_OK);
        sb_cudnn_close(dnn);
        assert_int_equal(sb_cudnn_open_library(&dnn, NULL, workspace, NULL, others[i], false), SB_E_MISSING);
        assert_non_null(strstr(sb_message(), " is here, and --cudnn-version wants "));
        assert_non_null(strstr(sb_message(), others[i]));
    }
    setenv("SAMEBITS_CUBLAS", "libcublas.so.13", 1), setenv("SAMEBITS_CUDNN", "libcudnn.so.9", 1);
    assert_false(sb_cublas_found(why, sizeof why));
    assert_string_equal(why, "cuBLAS 13.0.2 does not start: status 1");
    assert_false(sb_cudnn_found(why, sizeof why));
    assert_string_equal(why, "cuDNN 9.13.0 does not start: CUDNN_STATUS_NOT_INITIALIZED");
    setenv("SAMEBITS_CUBLAS", SB_FAKE_LIBRARIES, 1), setenv("SAMEBITS_CUDNN", SB_FAKE_LIBRARIES, 1);
}

static void what_cublas_refuses_is_told_and_nothing_stays_open(void **state)
{
    (void)state;
    static const char *const sentences[] = {
        "cuBLAS 13.0.2 does not start: status 1", "cuBLAS 13.0.2 takes no stream: status 15",
        "cuBLAS 13.0.2 takes no workspace: status 15", "cuBLAS 13.0.2 does not turn TF32 off: status 15"};
    static char workspace[64];
    sb_cublas *blas;
    assert_int_equal(sb_cublas_open_library(&blas, NULL, workspace, false), SB_OK);
    fake_cublas_state *fake = in_library("fake_cublas");
    sb_cublas_close(blas);
    for (int call = 0; call < 4; call++) {
        fake->failing_call = call;
        assert_int_equal(sb_cublas_open_library(&blas, NULL, workspace, false), SB_E_MISSING);
        assert_string_equal(sb_message(), sentences[call]);
        assert_null(blas);
        assert_int_equal(fake->n_live, 0);
    }
    fake->failing_call = -1;
    setenv("CUBLAS_EMULATE_SINGLE_PRECISION", "1", 1);
    assert_int_equal(sb_cublas_open_library(&blas, NULL, workspace, false), SB_E_USAGE);
    assert_string_equal(sb_message(), "CUBLAS_EMULATE_SINGLE_PRECISION=1: with it cuBLAS emulates float32 by bfloat16, "
                                      "against the settings of the run; unset it");
    unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
    assert_null(blas);
}

int main(void)
{
    setenv("SAMEBITS_CUBLAS", SB_FAKE_LIBRARIES, 1);
    setenv("SAMEBITS_CUDNN", SB_FAKE_LIBRARIES, 1);
    setenv("SAMEBITS_NVML", SB_FAKE_LIBRARIES, 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(versions_are_read),
                                       cmocka_unit_test(the_driver_tells_its_facts),
                                       cmocka_unit_test(cublas_convolves),
                                       cmocka_unit_test(libraries_convolve_without_padding),
                                       cmocka_unit_test(cudnn_convolves_with_the_algorithms_asked_for),
                                       cmocka_unit_test(cudnn_convolves_by_the_clock),
                                       cmocka_unit_test(cudnn_takes_several_frames_at_once),
                                       cmocka_unit_test(cudnn_takes_all_inputs_of_a_cell_at_once),
                                       cmocka_unit_test(cublas_computes_dense_layers),
                                       cmocka_unit_test(absence_is_a_sentence),
                                       cmocka_unit_test(a_broken_library_is_named),
                                       cmocka_unit_test(the_first_that_starts_is_taken),
                                       cmocka_unit_test(what_cublas_refuses_is_told_and_nothing_stays_open)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

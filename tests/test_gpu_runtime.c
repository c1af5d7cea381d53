/* src/backend/cuda.c and cuda_device.c on a runtime that computes on the CPU and fails on demand
 * (support/fake_cuda_runtime.h): the bits of native through its streams and graphs; and, for every call of the runtime
 * that a training makes, what happens when that call fails: it is told or it costs nothing, nothing is launched behind
 * it, and nothing stays open. */
#include "fake_cuda_libraries.h"
#include "fake_cuda_runtime.h"
#include "small_prednet.h"

#include "backend/context.h"
#include "backend/gpu.h"
#include "ops/library/cublas.h"
#include "train/learner.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

enum { W = 4, H = 2, WINDOW = 2, UPDATES = 3 }; /* the third window is a repetition of the second's graph */

/* What a training came to. */
typedef struct outcome {
    sb_status status;
    char message[512];
    sb_hash weights;
    double device_seconds, copy_seconds;
    int n_graphs;
    long n_calls; /* of the runtime, until the weights were read */
} outcome;

static sb_status learn_windows(sb_learner *learner, const uint8_t *frames)
{
    for (long update = 1; update <= UPDATES; update++) {
        const sb_window window = {.bytes = frames, .n = WINDOW, .reset = true};
        sb_step_result result;
        SB_TRY(sb_learner_update(learner, &window, update, SB_GRADIENT_KEPT, &result));
    }
    return SB_OK;
}

static sb_status train_on(sb_ops *ops, const uint8_t *frames, outcome *o)
{
    const sb_prednet_shape shape = {.n_layers = 1, .channels = {3}, .w = W, .h = H, .window = WINDOW};
    sb_net *net;
    sb_learner learner = {0};
    sb_settings settings;
    sb_settings_default(&settings);
    SB_TRY(sb_prednet_open(&net, ops, &shape));
    sb_status status = sb_learner_open(&learner, net, &settings, NULL);
    if (status == SB_OK) status = sb_learner_start(&learner, 3, 0);
    if (status == SB_OK) status = learn_windows(&learner, frames);
    if (status == SB_OK) status = sb_learner_weights_hash(&learner, &o->weights);
    o->device_seconds = sb_backend_device_seconds(ops);
    o->copy_seconds = sb_backend_copy_seconds(ops);
    o->n_graphs = sb_gpu_graphs_made(ops);
    o->n_calls = fake.n_calls;
    sb_learner_close(&learner);
    return status;
}

static uint8_t *train_frames(void)
{
    static uint8_t *frames;
    if (!frames) frames = waves(WINDOW + 1, W, H, 5);
    return frames;
}

/* one_by_one: with SAMEBITS_CUDA_SYNC */
static outcome train(const char *backend, bool one_by_one)
{
    outcome o = {0};
    sb_ops *ops;
    setenv("SAMEBITS_CUDA_SYNC", one_by_one ? "1" : "0", 1);
    sb_fail(SB_OK, "no error");
    o.status = sb_backend_open(&ops, backend, &(sb_backend_options){.threads = 1});
    if (o.status == SB_OK) {
        o.status = train_on(ops, train_frames(), &o);
        sb_backend_close(ops);
    }
    snprintf(o.message, sizeof o.message, "%s", sb_message());
    return o;
}

static void expect_all_closed(const char *what)
{
    static const char *const names[] = {"allocations", "pinned allocations", "streams", "events",
                                        "graphs",      "runnable graphs"};
    for (int kind = 0; kind < FAKE_KINDS; kind++)
        if (fake.live[kind] != 0) fail_msg("%s: %d %s stay open", what, fake.live[kind], names[kind]);
    if (fake.misused) fail_msg("%s: the runtime is misused", what);
    if (fake.stale) fail_msg("%s: an error is left for the next who asks", what);
}

/* The runtime's calls by what their failure may do. */
static bool is_one_of(const char *function, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(function, *names) == 0) return true;
    return false;
}

/* Optional: all is as if it had not failed. A graph's are, and so is whatever is captured. */
static bool is_optional(void)
{
    static const char *const names[] = {"cudaEventCreate",       "cudaEventRecord",
                                        "cudaEventElapsedTime",  "cudaEventDestroy",
                                        "cudaMemGetInfo",        "cudaStreamBeginCapture",
                                        "cudaStreamEndCapture",  "cudaGraphInstantiateWithFlags",
                                        "cudaGraphDestroy",      "cudaDeviceGetStreamPriorityRange",
                                        "cudaGraphNodeGetType",  "cudaGraphKernelNodeSetAttribute",
                                        "sb_kernels_can_depend", NULL};
    return fake.failed_in_capture || is_one_of(fake.failed, names);
}

/* What a failed release leaves open is not the caller's mistake. */
static void forgive_release(void)
{
    static const struct {
        const char *function;
        fake_live kind;
    } releases[] = {{"cudaFree", FAKE_MEMORY},           {"cudaFreeHost", FAKE_PINNED},
                    {"cudaStreamDestroy", FAKE_STREAMS}, {"cudaEventDestroy", FAKE_EVENTS},
                    {"cudaGraphDestroy", FAKE_GRAPHS},   {"cudaGraphExecDestroy", FAKE_RUNNABLE_GRAPHS}};
    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++)
        if (strcmp(fake.failed, releases[i].function) == 0) fake.live[releases[i].kind]--;
}

static void windows_have_the_bits_of_native(void **state)
{
    (void)state;
    fake_cuda_reset();
    outcome wanted = train("cuda-on-cpu", false), got = train("native-cuda", false);
    assert_int_equal(got.status, SB_OK);
    assert_true(sb_hash_equal(wanted.weights, got.weights));
    assert_int_equal(got.n_graphs, 1);
    assert_true(got.device_seconds > 0 && got.copy_seconds > 0 && fake.n_launches > 0);
    expect_all_closed("a training");
}

static void expect_told(const outcome *o, long call)
{
    bool memory = strcmp(fake.failed, "cudaMalloc") == 0 || strcmp(fake.failed, "cudaMallocHost") == 0;
    if (o->status == SB_OK) fail_msg("call %ld, %s: its failure is not reported", call, fake.failed);
    if (!strstr(o->message, memory ? "out of memory" : "failed as asked"))
        fail_msg("call %ld, %s: '%s'", call, fake.failed, o->message);
    if (strstr(o->message, "work put down before")) fail_msg("call %ld, %s is no earlier work", call, fake.failed);
    if (fake.n_work_after != 0)
        fail_msg("call %ld, %s: %ld pieces of work are put on the stream after it", call, fake.failed,
                 fake.n_work_after);
}

/* One training for each call of the runtime, which fails in it. */
static void expect_sound_failures(long first, long step, bool one_by_one)
{
    fake_cuda_reset();
    const outcome whole = train("native-cuda", one_by_one);
    const long n_calls = fake.n_calls;
    assert_true(whole.status == SB_OK && n_calls > 100);
    for (long call = first; call < n_calls; call += step) {
        fake_cuda_reset();
        fake.failing_call = call;
        outcome o = train("native-cuda", one_by_one);
        assert_non_null(fake.failed);
        bool late = call >= whole.n_calls; /* the training is over, and its result is right */
        if (!late && !is_optional()) expect_told(&o, call);
        if ((late || is_optional()) && o.status != SB_OK)
            fail_msg("call %ld, %s, ends a training: %s", call, fake.failed, o.message);
        if (o.status == SB_OK && !sb_hash_equal(o.weights, whole.weights))
            fail_msg("call %ld, %s, changes the bits", call, fake.failed);
        bool clock = strncmp(fake.failed, "cudaEvent", 9) == 0;
        if (!late && clock && !isnan(o.device_seconds)) fail_msg("call %ld, %s: time is missing", call, fake.failed);
        forgive_release();
        expect_all_closed(fake.failed);
    }
}

static void any_call_may_fail(void **state)
{
    (void)state;
    expect_sound_failures(0, 1, false);
}

static void any_call_may_fail_one_by_one(void **state)
{
    (void)state;
    expect_sound_failures(1, 7, true);
}

/* Each entry of a graph waits for what it depends on, and runs in another order than it was recorded. */
static void branches_have_the_bits_of_native(void **state)
{
    for (int priorities = 0; priorities < 2; priorities++) {
        setenv("SAMEBITS_CUDA_BRANCHES", priorities ? "priorities" : "1", 1);
        windows_have_the_bits_of_native(state);
        assert_true(fake.n_choices > 0);
        expect_sound_failures(2 - priorities, 3, false);
    }
    unsetenv("SAMEBITS_CUDA_BRANCHES");
}

/* A kernel that fails on the device is noticed by a later call, whatever that is. */
static void a_trap_is_not_told_of_the_next_call(void **state)
{
    (void)state;
    fake_cuda_reset();
    assert_int_equal(train("native-cuda", false).status, SB_OK);
    const long n_launches = fake.n_launches;
    for (long trap = 0; trap < n_launches; trap += 11) {
        fake_cuda_reset();
        fake.trap = trap;
        outcome o = train("native-cuda", false);
        assert_int_equal(o.status, SB_E_IO);
        assert_string_equal(o.message, "sm_90: work put down before (SAMEBITS_CUDA_SYNC=1 names the operation): "
                                       "unspecified launch failure");
        assert_int_equal(fake.n_work_after, 0);
    }
}

/* The label of the kernel that failed: the second operation of a list of three. */
static void one_by_one_a_trap_has_its_name(void **state)
{
    (void)state;
    setenv("SAMEBITS_CUDA_SYNC", "1", 1);
    fake_cuda_reset();
    fake.trap = 1;
    sb_ops *ops;
    assert_int_equal(sb_backend_open(&ops, "native-cuda", &(sb_backend_options){.threads = 1}), SB_OK);
    float *x = ops->allocate(ops, 4 * sizeof *x);
    assert_non_null(x);
    ops->relu_backward(ops, 4, x, x);
    ops->output_forward(ops, &(sb_tensor){1, 1, 1, 2, 2, x}, true);
    ops->relu_backward(ops, 4, x, x);
    assert_int_equal(ops->error(ops), SB_E_IO);
    assert_string_equal(sb_message(), "sm_90: output_forward on 1x1 channels of 2x2: unspecified launch failure");
    assert_int_equal(fake.n_launches, 2);
    sb_backend_close(ops);
}

static void short_memory_says_how_much(void **state)
{
    (void)state;
    fake_cuda_reset();
    sb_ops *ops;
    assert_int_equal(sb_backend_open(&ops, "native-cuda", &(sb_backend_options){.threads = 1}), SB_OK);
    fake.failing_call = fake.n_calls;
    assert_null(ops->allocate(ops, 3 << 20));
    assert_string_equal(sb_message(),
                        "not enough memory on the GPU: 3.0 MiB asked, 256.0 of 1024.0 MiB free on the GPU "
                        "(out of memory)");
    fake.failing_call = fake.n_calls + 1; /* filling it with zeros */
    assert_null(ops->allocate(ops, 3 << 20));
    assert_string_equal(sb_message(), "no memory on the GPU: failed as asked");
    sb_backend_close(ops);
    expect_all_closed("short memory");
}

/* The number is counted round; the first device is chosen as it is. */
static void a_device_is_chosen_by_its_number(void **state)
{
    (void)state;
    static const int chosen[] = {0, 1, 2, 3, 0, 1};
    for (int device = 0; device < 6; device++) {
        sb_ops *ops;
        fake_cuda_reset();
        fake.n_devices = 4;
        assert_int_equal(sb_backend_open(&ops, "native-cuda", &(sb_backend_options){.threads = 1, .device = device}),
                         SB_OK);
        assert_int_equal(fake.device, chosen[device]);
        sb_backend_close(ops);
        expect_all_closed("a device among several");
    }
}

/* Not the device that happens to be chosen. */
static void a_device_that_fails_is_said(void **state)
{
    (void)state;
    sb_ops *ops;
    bool seen = false;
    for (long call = 0; call < 3; call++) {
        fake_cuda_reset();
        fake.n_devices = 2, fake.failing_call = call;
        const sb_status status = sb_backend_open(&ops, "native-cuda", &(sb_backend_options){.threads = 1, .device = 1});
        if (status == SB_OK) sb_backend_close(ops);
        if (!fake.failed || strcmp(fake.failed, "cudaSetDevice") != 0) continue;
        seen = true;
        assert_int_equal(status, SB_E_MISSING);
        assert_string_equal(sb_message(), "GPU 1 of 2 cannot be used: failed as asked");
        expect_all_closed("a device that fails");
    }
    assert_true(seen);
}

static void absence_is_a_sentence(void **state)
{
    (void)state;
    char why[256];
    fake_cuda_reset();
    fake.no_driver = true;
    assert_false(sb_native_cuda_available(why, sizeof why));
    assert_string_equal(why,
                        "no CUDA device: its driver serves CUDA 11.4 and this program wants 13.0; update it, or build "
                        "with that toolkit");
    expect_all_closed("no driver");
}

static void facts_survive_any_failure(void **state)
{
    (void)state;
    static sb_facts facts;
    fake_cuda_reset();
    sb_cuda_facts(&facts);
    assert_string_equal(sb_facts_find(&facts, "gpu_clock_mhz"), "1980");
    assert_string_equal(sb_facts_find(&facts, "gpu_sm"), "9.0");
    for (long call = 0, n_calls = fake.n_calls; call < n_calls; call++) {
        fake_cuda_reset();
        fake.failing_call = call;
        facts.n = 0;
        sb_cuda_facts(&facts);
        const char *clock = sb_facts_find(&facts, "gpu_clock_mhz"), *driver = sb_facts_find(&facts, "cuda_driver");
        assert_true(!clock || strcmp(clock, "1980") == 0); /* nothing is made up */
        assert_true(!driver || strcmp(driver, "13.0") == 0);
        expect_all_closed("facts");
    }
}

/* ---- the libraries on top of it ---- */

static void expect_libraries_closed(void)
{
    void *library = dlopen(SB_FAKE_LIBRARIES, RTLD_NOW);
    assert_non_null(library);
    assert_int_equal(((fake_cudnn_state *)dlsym(library, "fake_cudnn"))->n_live, 0);
    assert_int_equal(((fake_cublas_state *)dlsym(library, "fake_cublas"))->n_live, 0);
    dlclose(library);
}

static void expect_variant(const char *backend, const sb_backend_options *options, const char *variant)
{
    sb_ops *ops;
    if (sb_backend_open(&ops, backend, options) != SB_OK) fail_msg("%s", sb_message());
    assert_string_equal(sb_backend_variant(ops), variant);
    sb_backend_close(ops);
    expect_all_closed(backend);
    expect_libraries_closed();
}

/* On a device whose code waits every launch is a dependent one, unless the environment says 0; on others none is; and the
 * bits are the same. */
static void launches_depend_where_kernels_wait(void **state)
{
    (void)state;
    static const char name[] = "SAMEBITS_CUDA_DEPENDENT_LAUNCH";
    static const char *const values[] = {"0", "1", NULL};
    sb_hash weights[6];
    for (int i = 0; i < 6; i++) {
        const char *value = values[i / 2];
        const bool wanted = !value || *value == '1', wait = i % 2;
        fake_cuda_reset();
        fake.kernels_wait = wait;
        if (value)
            setenv(name, value, 1);
        else
            unsetenv(name);
        const outcome o = train("native-cuda", false);
        assert_int_equal(o.status, SB_OK);
        weights[i] = o.weights;
        assert_true(sb_hash_equal(weights[0], weights[i]));
        assert_true(wanted && wait ? fake.n_dependent > 100 && fake.n_put == 0
                                   : fake.n_dependent == 0 && fake.n_put > 100);
        expect_all_closed("dependent launches");
    }
    fake_cuda_reset();
    fake.kernels_wait = true;
    setenv(name, "1", 1);
    expect_variant("cublas", &(sb_backend_options){.threads = 1}, "sm_90 cuBLAS 13.0.2"); /* no other backend by it */
    unsetenv(name);
}

static void libraries_open_and_close(void **state)
{
    (void)state;
    fake_cuda_reset();
    expect_variant("cublas", &(sb_backend_options){.threads = 1}, "sm_90 cuBLAS 13.0.2");
    expect_variant("cudnn", &(sb_backend_options){.threads = 1}, "sm_90 cuBLAS 13.0.2 cuDNN 9.13.0");
    expect_variant("cudnn", &(sb_backend_options){.threads = 1, .tf32 = true, .cudnn_algorithm = "heuristic"},
                   "sm_90 cuBLAS 13.0.2 with TF32 cuDNN 9.13.0 algorithms heuristic");
    expect_variant("cudnn", &(sb_backend_options){.threads = 1, .cudnn_algorithm = "graph-deterministic"},
                   "sm_90 cuBLAS 13.0.2 cuDNN 9.13.0 algorithms graph-deterministic");
}

/* What a run file has of cuDNN: the engines of the graph choices, once they have computed. */
static void chosen_engines_are_facts(void **state)
{
    (void)state;
    static const char *const choices[] = {"deterministic", "graph-deterministic", "graph-timed"};
    static sb_facts facts;
    for (int i = 0; i < 3; i++) {
        sb_ops *ops;
        outcome o = {0};
        fake_cuda_reset();
        const sb_backend_options options = {.threads = 1, .cudnn_algorithm = choices[i]};
        if (sb_backend_open(&ops, "cudnn", &options) != SB_OK) fail_msg("%s", sb_message());
        facts.n = 0;
        sb_backend_choices(ops, &facts);
        assert_int_equal(facts.n, 0);
        if (train_on(ops, train_frames(), &o) != SB_OK) fail_msg("%s", sb_message());
        sb_backend_choices(ops, &facts);
        const char *engines = sb_facts_find(&facts, "cudnn_engines");
        assert_true(i == 0 ? !engines : engines && strncmp(engines, "forward 1x", 10) == 0);
        assert_true(i == 0 || !strstr(engines, "us") == (i == 1));
        sb_backend_close(ops);
        expect_all_closed("a run with engines");
    }
}

/* Opening a backend with both libraries, each call of the runtime failing in turn: it opens, or nothing stays open. */
static void opening_may_fail_anywhere(void **state)
{
    (void)state;
    sb_ops *ops;
    for (long call = 0, reached = 1; reached; call++) {
        fake_cuda_reset();
        fake.failing_call = call;
        sb_fail(SB_OK, "no error");
        sb_status status = sb_backend_open(&ops, "cudnn", &(sb_backend_options){.threads = 1});
        reached = fake.failed != NULL;
        const bool is_needless =
            reached && (strncmp(fake.failed, "cudaEvent", 9) == 0 || strcmp(fake.failed, "sb_kernels_can_depend") == 0);
        if ((status == SB_OK) != (!reached || is_needless))
            fail_msg("call %ld, %s: %s", call, fake.failed, sb_message());
        if (status == SB_OK) sb_backend_close(ops);
        assert_true(reached || call >= 8);
        expect_all_closed("an opening");
        expect_libraries_closed();
    }
}

static void an_environment_is_refused_before_anything_is_computed(void **state)
{
    (void)state;
    static const char *const backends[] = {"cublas", "cudnn"};
    sb_ops *ops;
    setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
    for (int i = 0; i < 2; i++) {
        fake_cuda_reset();
        assert_int_equal(sb_backend_open(&ops, backends[i], &(sb_backend_options){.threads = 1}), SB_E_USAGE);
        assert_null(ops);
        assert_string_equal(sb_message(),
                            "NVIDIA_TF32_OVERRIDE=1: with it cuBLAS decides on TF32 by itself, against the "
                            "settings of the run; unset it, and choose by --tf32");
        expect_all_closed(backends[i]);
        expect_libraries_closed();
    }
    assert_int_equal(sb_backend_open(&ops, "native-cuda", &(sb_backend_options){.threads = 1}), SB_OK);
    sb_backend_close(ops);
    unsetenv("NVIDIA_TF32_OVERRIDE");
}

int main(void)
{
    unsetenv("NVIDIA_TF32_OVERRIDE"), unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
    setenv("SAMEBITS_CUBLAS", SB_FAKE_LIBRARIES, 1);
    setenv("SAMEBITS_CUDNN", SB_FAKE_LIBRARIES, 1);
    setenv("SAMEBITS_NVML", SB_FAKE_LIBRARIES, 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(windows_have_the_bits_of_native),
                                       cmocka_unit_test(branches_have_the_bits_of_native),
                                       cmocka_unit_test(any_call_may_fail),
                                       cmocka_unit_test(any_call_may_fail_one_by_one),
                                       cmocka_unit_test(launches_depend_where_kernels_wait),
                                       cmocka_unit_test(a_trap_is_not_told_of_the_next_call),
                                       cmocka_unit_test(one_by_one_a_trap_has_its_name),
                                       cmocka_unit_test(short_memory_says_how_much),
                                       cmocka_unit_test(a_device_is_chosen_by_its_number),
                                       cmocka_unit_test(a_device_that_fails_is_said),
                                       cmocka_unit_test(absence_is_a_sentence),
                                       cmocka_unit_test(facts_survive_any_failure),
                                       cmocka_unit_test(libraries_open_and_close),
                                       cmocka_unit_test(chosen_engines_are_facts),
                                       cmocka_unit_test(opening_may_fail_anywhere),
                                       cmocka_unit_test(an_environment_is_refused_before_anything_is_computed)};
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    fake_cuda_reset();
    free(train_frames());
    return n_failed;
}

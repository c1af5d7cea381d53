/* Which algorithm computes a convolution where a card does not support the first one, or cuDNN fails on the way:
 * against a cuDNN that refuses on demand (support/fake_cuda_libraries.h). */
#define _POSIX_C_SOURCE 200809L
#include "fake_cuda_libraries.h"
#include "support.h"

#include "ops/cudnn.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN = 2, OUT = 3, H = 4, W = 5 };
static const sb_cudnn_shape shape = {1, IN, OUT, H, W, 3, 1};
static char workspace[64]; /* the stand-in only looks whether there is one */
static fake_cudnn_state *fake;

static sb_cudnn *open_dnn(const char *choice, bool tf32)
{
    sb_cudnn *dnn;
    *fake = (fake_cudnn_state){.failing_call = -1};
    if (sb_cudnn_open_library(&dnn, NULL, workspace, choice, NULL, tf32) != SB_OK) fail_msg("%s", sb_message());
    return dnn;
}

static void close_dnn(sb_cudnn *dnn)
{
    sb_cudnn_close(dnn);
    assert_int_equal(fake->n_live, 0);
}

/* All ones: x [IN][H][W], w [OUT][IN][3][3], y [OUT][H][W]. */
static float x[IN * H * W], w[OUT * IN * 9], y[OUT * H * W];

static void fill(float *numbers, size_t n, float value)
{
    for (size_t i = 0; i < n; i++) numbers[i] = value;
}

/* The work on ones, and what went wrong. */
static const char *convolve(sb_cudnn *dnn, sb_cudnn_work work)
{
    fill(x, sizeof x / sizeof *x, 1), fill(w, sizeof w / sizeof *w, 1), fill(y, sizeof y / sizeof *y, 1);
    fake->used = fake->used_math = 0;
    const float *a[] = {x, w, x}, *b[] = {w, y, y};
    float *result[] = {y, x, w};
    return sb_cudnn_convolve(dnn, work, &shape, a[work], b[work], 1, result[work]);
}

/* What the work leaves at a place in the middle: the sum of the ones, and the one that was there. */
static void expect_computed(sb_cudnn_work work)
{
    const float wanted[] = {9 * IN + 1, 9 * OUT + 1, H * W + 1};
    const float got[] = {y[W + 1], x[W + 1], w[4]};
    assert_true(got[work] == wanted[work]);
}

static void expect_algorithm(sb_cudnn *dnn, sb_cudnn_work work, int algorithm, int math)
{
    const char *words = convolve(dnn, work);
    if (words) fail_msg("%s", words);
    assert_int_equal(fake->used, 1u << algorithm);
    assert_int_equal(fake->used_math, 1u << math);
    expect_computed(work);
}

enum { DEFAULT = 0, TENSOR_OP = 1, FMA = 3 };

/* choice, TF32, work, what the card does not support, what is then taken and by which math type */
static void the_next_one_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *choice;
        bool tf32;
        sb_cudnn_work work;
        unsigned refused;
        int algorithm, math;
    } cases[] = {{"deterministic", false, SB_CUDNN_FORWARD, 0, 1, FMA},
                 {"deterministic", true, SB_CUDNN_FORWARD, 0, 1, DEFAULT},
                 {"deterministic", false, SB_CUDNN_FORWARD, 1u << 1, 0, FMA},
                 {"deterministic", false, SB_CUDNN_FORWARD, 1u << 1 | 1u << 0, 2, FMA},
                 {"deterministic", false, SB_CUDNN_DATA, 1u << 1, 4, FMA},
                 {"deterministic", false, SB_CUDNN_DATA, 1u << 1 | 1u << 4, 5, FMA},
                 {"deterministic", false, SB_CUDNN_FILTER, 1u << 1, 5, FMA},
                 {"deterministic", true, SB_CUDNN_FILTER, 1u << 1 | 1u << 5, 6, DEFAULT},
                 {"atomics", false, SB_CUDNN_DATA, 0, 0, FMA},
                 {"atomics", false, SB_CUDNN_FILTER, 1u << 0, 3, FMA},
                 {"heuristic", false, SB_CUDNN_FORWARD, 0, FAKE_GUESSED, FMA},
                 {"heuristic", false, SB_CUDNN_DATA, 1u << FAKE_GUESSED, 0, FMA},
                 {"heuristic", true, SB_CUDNN_FORWARD, 0, FAKE_ON_TENSOR_CORES, TENSOR_OP},
                 {"heuristic", true, SB_CUDNN_FORWARD, 1u << FAKE_ON_TENSOR_CORES, FAKE_GUESSED, DEFAULT},
                 {"timed", false, SB_CUDNN_FILTER, 0, FAKE_FASTEST, FMA},
                 {"timed", false, SB_CUDNN_FILTER, 1u << FAKE_FASTEST, 0, FMA}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* asked for the memory, when it is to convolve, by the memory that it wants */
        for (int how = 0; how < 3; how++) {
            sb_cudnn *dnn = open_dnn(cases[i].choice, cases[i].tf32);
            *(how == 0 ? &fake->unsized : how == 1 ? &fake->unsupported : &fake->large) = cases[i].refused;
            expect_algorithm(dnn, cases[i].work, cases[i].algorithm, cases[i].math);
            int n_refused = fake->n_refused;
            expect_algorithm(dnn, cases[i].work, cases[i].algorithm, cases[i].math);
            assert_int_equal(fake->n_refused, n_refused); /* chosen once */
            assert_true(fake->n_searches <= 1);
            close_dnn(dnn);
        }
    }
}

static void where_none_is_left_it_is_said(void **state)
{
    (void)state;
    sb_cudnn *dnn = open_dnn("atomics", false);
    fake->unsupported = 1u << 0;
    assert_string_equal(convolve(dnn, SB_CUDNN_DATA), "cuDNN has no atomics algorithm for the data gradient that works "
                                                      "here within 8 MiB without TF32");
    assert_int_equal(fake->used, 0);
    fake->unsupported = 0;
    expect_algorithm(dnn, SB_CUDNN_DATA, 0, FMA); /* begins anew */
    close_dnn(dnn);
    dnn = open_dnn("heuristic", true);
    fake->unsized = ~0u;
    assert_string_equal(convolve(dnn, SB_CUDNN_FORWARD),
                        "cuDNN has no heuristic algorithm for the forward convolution that works here within 8 MiB");
    close_dnn(dnn);
}

/* A window computed by one algorithm and the next by another would be a run that no setting describes. */
static void what_has_worked_is_kept(void **state)
{
    (void)state;
    sb_cudnn *dnn = open_dnn("deterministic", false);
    expect_algorithm(dnn, SB_CUDNN_FORWARD, 1, FMA);
    fake->unsupported = 1u << 1;
    assert_string_equal(convolve(dnn, SB_CUDNN_FORWARD), "cuDNN's convolution gives CUDNN_STATUS_NOT_SUPPORTED");
    fake->unsupported = 0;
    expect_algorithm(dnn, SB_CUDNN_FORWARD, 1, FMA);
    close_dnn(dnn);
}

/* What is not about support is an error, not a reason to compute by something else. */
static void other_errors_are_told(void **state)
{
    (void)state;
    sb_cudnn *dnn = open_dnn("deterministic", false);
    fake->broken = 1u << 1;
    assert_string_equal(convolve(dnn, SB_CUDNN_FORWARD), "cuDNN's convolution gives CUDNN_STATUS_EXECUTION_FAILED");
    fake->broken = 0;
    expect_algorithm(dnn, SB_CUDNN_FORWARD, 1, FMA);
    close_dnn(dnn);
}

/* Every call on the way to the first convolution, failing once: told, nothing half done is kept, and the next time all
 * is well. */
static void any_step_may_fail(void **state)
{
    (void)state;
    static const char *const choices[] = {"deterministic", "heuristic", "timed"};
    for (int c = 0; c < 3; c++)
        for (int call = 0, reached = 1; reached; call++) {
            const int algorithm[] = {1, FAKE_GUESSED, FAKE_FASTEST};
            sb_cudnn *dnn = open_dnn(choices[c], false);
            fake->failing_call = call;
            const char *words = convolve(dnn, SB_CUDNN_FORWARD);
            reached = fake->failing_call < 0;
            if (reached && (!words || !strstr(words, "CUDNN_STATUS_INTERNAL_ERROR")))
                fail_msg("%s, call %d: '%s'", choices[c], call, words ? words : "");
            assert_true(reached || call > 12); /* three descriptors, three times two for the works, math and search */
            fake->failing_call = -1;
            expect_algorithm(dnn, SB_CUDNN_FORWARD, algorithm[c], FMA);
            close_dnn(dnn);
        }
}

static void more_shapes_than_room_are_refused(void **state)
{
    (void)state;
    sb_cudnn *dnn = open_dnn("deterministic", false);
    static float zeros[100 * 9];
    const char *words = NULL;
    int n = 0;
    for (; !words && n < 100; n++) {
        const sb_cudnn_shape thin = {1, 1, 1, 1, n + 1, 3, 1};
        words = sb_cudnn_convolve(dnn, SB_CUDNN_FORWARD, &thin, zeros, zeros, 0, zeros);
    }
    assert_true(n == 65);
    assert_string_equal(words, "more shapes of convolutions than there is room for");
    close_dnn(dnn);
}

static void errors_have_cudnns_words(void **state)
{
    (void)state;
    sb_cudnn *dnn = open_dnn(NULL, false);
    const sb_cudnn_shape flat = {.n = 1, .in = 3, .out = 2, .h = 0, .w = 4, .kernel = 3, .padding = 1};
    for (int i = 0; i < 70; i++) /* what cannot be described takes no room */
        assert_string_equal(sb_cudnn_convolve(dnn, SB_CUDNN_FORWARD, &flat, x, w, 0, y),
                            "cuDNN's description of a convolution gives CUDNN_STATUS_BAD_PARAM");
    close_dnn(dnn);
    assert_int_equal(sb_cudnn_open_library(&dnn, NULL, workspace, "fast", NULL, false), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "'fast'"));
    assert_null(dnn);
}

/* NVIDIA_TF32_OVERRIDE and CUBLAS_EMULATE_SINGLE_PRECISION: name, value, with TF32, refused */
static void an_environment_that_changes_the_arithmetic_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        bool tf32, refused;
    } cases[] = {{"NVIDIA_TF32_OVERRIDE", "0", false, false},
                 {"NVIDIA_TF32_OVERRIDE", "0", true, true},
                 {"NVIDIA_TF32_OVERRIDE", "1", false, true},
                 {"NVIDIA_TF32_OVERRIDE", "", false, true},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "0", false, false},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "0", true, false},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "1", false, true},
                 {"CUBLAS_EMULATE_SINGLE_PRECISION", "1", true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_cudnn *dnn;
        setenv(cases[i].name, cases[i].value, 1);
        sb_status status = sb_cudnn_open_library(&dnn, NULL, workspace, NULL, NULL, cases[i].tf32);
        unsetenv(cases[i].name);
        assert_int_equal(status, cases[i].refused ? SB_E_USAGE : SB_OK);
        if (!cases[i].refused) {
            sb_cudnn_close(dnn);
            continue;
        }
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%s=%s: with it cuDNN ", cases[i].name, cases[i].value);
        if (strncmp(sb_message(), wanted, strlen(wanted)) != 0 || !strstr(sb_message(), "; unset it"))
            fail_msg("%s", sb_message());
        assert_null(dnn);
    }
}

int main(void)
{
    unsetenv("NVIDIA_TF32_OVERRIDE"), unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_next_one_is_taken),
                                       cmocka_unit_test(where_none_is_left_it_is_said),
                                       cmocka_unit_test(what_has_worked_is_kept),
                                       cmocka_unit_test(other_errors_are_told),
                                       cmocka_unit_test(any_step_may_fail),
                                       cmocka_unit_test(more_shapes_than_room_are_refused),
                                       cmocka_unit_test(errors_have_cudnns_words),
                                       cmocka_unit_test(an_environment_that_changes_the_arithmetic_is_refused)};
    /* once with the statuses of cuDNN 9, once with those of 8 */
    static const char *const libraries[] = {SB_FAKE_LIBRARIES, SB_FAKE_CUDNN_8};
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW);
        fake = library ? dlsym(library, "fake_cudnn") : NULL;
        if (!fake) return 1;
        setenv("SAMEBITS_CUDNN", libraries[i], 1);
        int n_failed = cmocka_run_group_tests_name(libraries[i], tests, NULL, NULL);
        if (n_failed) return n_failed;
    }
    return 0;
}

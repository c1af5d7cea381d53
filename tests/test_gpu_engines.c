/* The table of cuDNN's engines (inspect/engines.h), with the CUDA runtime and the cuDNN of the tests. */
#include "fake_cuda_libraries.h"
#include "fake_cuda_runtime.h"
#include "support.h"

#include "inspect/engines.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char table[] = "test_gpu_engines.csv";
static fake_cudnn_state *dnn;

/* Print the table of these convolutions into a file. */
static sb_status print(const sb_texts *convolutions)
{
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0 && freopen(table, "w", stdout));
    const sb_status status = sb_engines_print(convolutions);
    fflush(stdout);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    return status;
}

/* How many lines of the table begin with begin and end in end. */
static int count(const char *begin, const char *end)
{
    char line[512];
    int n = 0;
    FILE *file = fopen(table, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        const size_t length = strlen(line), n_end = strlen(end);
        n += strncmp(line, begin, strlen(begin)) == 0 && length >= n_end && strcmp(line + length - n_end, end) == 0;
    }
    fclose(file);
    return n;
}

static void print_table(void)
{
    char line[512];
    FILE *file = fopen(table, "r");
    while (file && fgets(line, sizeof line, file)) fputs(line, stderr);
    if (file) fclose(file);
}

static void expect_lines(int n, const char *begin, const char *end)
{
    const int found = count(begin, end);
    if (found == n) return;
    print_table();
    fail_msg("%d lines, not %d, are '%s ... %s'", found, n, begin, end);
}

static void expect_line(const char *line)
{
    expect_lines(1, line, line);
}

static void start(void)
{
    fake_cuda_reset();
    *dnn = (fake_cudnn_state){.failing_call = -1, .limit = (size_t)256 << 20};
}

static void expect_closed(void)
{
    for (int kind = 0; kind < FAKE_KINDS; kind++) assert_int_equal(fake.live[kind], 0);
    assert_int_equal(dnn->n_live, 0);
    assert_false(fake.misused);
}

/* In each of the three lists: 250 ms for 16 runs by the clock of the tests. */
static void every_engine_has_a_row(void **state)
{
    (void)state;
    start();
    if (print(&(sb_texts){1, {"1x2x3x4x5x3"}}) != SB_OK) fail_msg("%s", sb_message());
    expect_line("convolution,shape,work,rank,list,engine,allowed,us,workspace,numerical,behavior,refusal");
    expect_lines(3 * FAKE_ENGINES, "1,1x2x3x4x5x3,", ",");
    expect_line("1,1x2x3x4x5x3,forward,1,A,0,0,15625,4096,tensor cores+rounds inputs,,");
    expect_line("1,1x2x3x4x5x3,forward,3,A,2,0,15625,4096,note 21,,");
    expect_line("1,1x2x3x4x5x3,data,6,A,5,1,15625,4096,Winograd+6x6+strict NaN,compiled at run time,");
    expect_line("1,1x2x3x4x5x3,filter,7,A,6,1,15625,4096,,,");
    expect_line("1,1x2x3x4x5x3,filter,8,fallback,7,1,15625,4096,nondeterministic,,");
    expect_closed();
}

static void what_does_not_run_says_why(void **state)
{
    (void)state;
    start();
    dnn->unsized = 1u << FAKE_PLAIN, dnn->large = 1u << FAKE_WINOGRAD, dnn->broken = 1u << FAKE_ATOMICS;
    assert_int_equal(print(&(sb_texts){1, {"1x2x3x4x5x1"}}), SB_OK);
    expect_lines(1, "1,1x2x3x4x5x1,forward,7,A,6,1,,", ",cuDNN's execution plan gives CUDNN_STATUS_NOT_SUPPORTED");
    expect_lines(1, "1,1x2x3x4x5x1,forward,6,A,5,1,,268435457,", ",wants more than 256 MiB");
    assert_int_equal(
        count("1,1x2x3x4x5x1,forward,5,A,4,1,,4096,", ": convolution: cuDNN's convolution gives CUDNN_STATUS_EXECUTION_FAILED"), 1);
    expect_lines(3 * (FAKE_ENGINES - 3), "1,1x2x3x4x5x1,", ",");
    expect_closed();
}

/* 18 convolutions of a frame; the gates of layer 1 have the most products. */
static void without_a_shape_it_is_prednet(void **state)
{
    (void)state;
    start();
    dnn->unsized = ~0u;
    assert_int_equal(print(&(sb_texts){0}), SB_OK);
    expect_lines(1 + 18 * 3 * FAKE_ENGINES, "", "");
    expect_lines(3 * FAKE_ENGINES, "gates of up 1,1x96x192x60x80x3,", "");
    expect_lines(3 * FAKE_ENGINES, "A 3,1x192x192x30x40x3,", "");
    expect_closed();
}

static void errors_are_told(void **state)
{
    (void)state;
    static const char *const wrong[] = {"1x2x3x4x5",    "1x2x3x4x5x2",     "0x2x3x4x5x3",
                                        "1x2x3x4x5x3x", "1x2x3x4x5x99999", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        start();
        assert_int_equal(print(&(sb_texts){1, {wrong[i]}}), SB_E_USAGE);
    }
    start();
    fake.no_driver = true;
    assert_int_equal(print(&(sb_texts){0}), SB_E_MISSING);
    assert_non_null(strstr(sb_message(), "backend cudnn cannot run here: no CUDA device"));
    start();
    assert_int_equal(print(&(sb_texts){1, {"65536x65536x65536x65536x65536x3"}}), SB_E_MEMORY);
    expect_closed();
}

int main(void)
{
    setenv("SAMEBITS_CUBLAS", SB_FAKE_LIBRARIES, 1);
    setenv("SAMEBITS_CUDNN", SB_FAKE_LIBRARIES, 1);
    setenv("SAMEBITS_NVML", SB_FAKE_LIBRARIES, 1);
    unsetenv("NVIDIA_TF32_OVERRIDE");
    void *library = dlopen(SB_FAKE_LIBRARIES, RTLD_NOW);
    dnn = library ? dlsym(library, "fake_cudnn") : NULL;
    if (!dnn) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_has_a_row), cmocka_unit_test(what_does_not_run_says_why),
        cmocka_unit_test(without_a_shape_it_is_prednet), cmocka_unit_test(errors_are_told)};
    const int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    fake_cuda_reset();
    if (!n_failed) remove(table);
    dlclose(library);
    return n_failed;
}

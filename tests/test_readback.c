/* From what a run file says of itself back to the options that made it. */
#include "support.h"

#include "io/h5/h5_attribute.h"
#include "train/readback.h"

#include <stdio.h>
#include <string.h>

static const char path[] = "test_readback.h5";

/* A run file's /config: pairs of name and value. */
static sb_h5 *run_of(const char *const (*pair)[2], int n)
{
    sb_h5 *file;
    assert_int_equal(sb_h5_create(&file, path, SB_SEAL_CHECKPOINT), SB_OK);
    for (int i = 0; i < n; i++) assert_int_equal(sb_h5_set_text(file, "config", pair[i][0], pair[i][1]), SB_OK);
    assert_int_equal(sb_h5_finish(file, SB_OK), SB_OK);
    assert_int_equal(sb_h5_open(&file, path, SB_SEAL_CHECKPOINT), SB_OK);
    return file;
}

static const char *const common[][2] = {
    {"precision", SB_REAL_NAME},
    {"model", "prednet"},
    {"threads", "1"},
    {"target", "shared"},
    {"seed", "7"},
    {"lr", "0.002"},
    {"channels", "3,5"},
    {"window", "4"},
    {"hidden", "0"},
    {"batch", "1"},
    {"data_digest", "00112233445566778899aabbccddeeff"},
    {"data_name", "clip"},
    {"backend", "cudnn"},
    {"arithmetic", "blas"},
    {"kernel", "sm_90 cuBLAS 13.1.0 with TF32 cuDNN 9.19.0 algorithms heuristic"},
};
enum { COMMON = sizeof common / sizeof *common };

static void a_device_s_libraries_come_back(void **state)
{
    (void)state;
    sb_readback readback;
    sb_settings options;
    sb_h5 *run = run_of(common, COMMON);
    assert_int_equal(sb_readback_read(&readback, run), SB_OK);
    assert_string_equal(sb_readback_value(&readback, "cudnn_algorithm"), "heuristic");
    assert_string_equal(sb_readback_value(&readback, "tf32"), "on");
    assert_null(sb_readback_value(&readback, "kernel"));
    assert_null(sb_readback_value(&readback, "ulp")); /* of a program that had no such option */
    assert_int_equal(sb_readback_options(&readback, "clip.h5", &options), SB_OK);
    assert_string_equal(options.backend, "cudnn");
    assert_string_equal(options.cudnn_algorithm, "heuristic");
    assert_string_equal(options.tf32, "on");
    assert_string_equal(options.target, "shared");
    assert_string_equal(options.data, "clip.h5");
    assert_int_equal(options.seed, 7);
    assert_int_equal(options.ulp, 0);
    assert_int_equal(options.channels.n, 2);
    assert_int_equal(options.window, 4);
    assert_true(options.lr == 0.002);
    assert_int_equal(sb_readback_check_data(run, "clip.h5", "00112233445566778899aabbccddeeff"), SB_OK);
    assert_int_equal(sb_readback_check_data(run, "clip.h5", "ff112233445566778899aabbccddeeff"), SB_E_USAGE);
    assert_non_null(strstr(sb_message(), "learned from 'clip'"));
    sb_h5_close(run);
}

static void what_is_missing_is_no_default(void **state)
{
    (void)state;
    sb_readback readback;
    sb_h5 *run = run_of(common + 2, COMMON - 2); /* neither precision nor model */
    assert_int_equal(sb_readback_read(&readback, run), SB_E_INTEGRITY);
    sb_h5_close(run);
    const char *other[][2] = {{"precision", "float128"}};
    run = run_of((const char *const(*)[2])other, 1);
    assert_int_equal(sb_readback_read(&readback, run), SB_E_USAGE);
    sb_h5_close(run);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_device_s_libraries_come_back),
                                       cmocka_unit_test(what_is_missing_is_no_default)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

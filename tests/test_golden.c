/* The golden files of the library the study ran on, held by every backend; and a file with one number changed, which
 * must fail whichever number it is. Built twice: test_golden in float, test_golden_f64 in double. */
#include "support.h"

#include "backend/backend.h"
#include "core/file.h"
#include "damage.h"
#include "inspect/check.h"
#include "io/h5_attribute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SB_REAL_IS_DOUBLE
#define REFEREE   "prednet_16x8_bprop4_f8.h5"
#define DAMAGED   "test_golden_f64_damaged.h5"
#define TOLERANCE 1e-12
#else
#define REFEREE   "prednet_16x8_bprop4_f4.h5"
#define DAMAGED   "test_golden_damaged.h5"
#define TOLERANCE 5e-6
#endif

static const char *const files[] = {"prednet_16x8_bprop4_f4.h5", "prednet_16x8_bprop4_f8.h5",
                                    "autoencoder_784_64_relu_relu_f4.h5"};
enum { FILES = sizeof files / sizeof *files };

typedef struct computer {
    const char *backend, *isa, *arithmetic;
} computer;

static sb_setup_options options_of(const computer *on)
{
    return (sb_setup_options){.backend = on->backend,
                              .isa = on->isa,
                              .arithmetic = on->arithmetic,
                              .target = "copy",
                              .threads = 2,
                              .alpha = 1e-3};
}

static void golden_path(const char *name, char path[SB_PATH_MAX])
{
    snprintf(path, SB_PATH_MAX, "%s/%s", SB_GOLDEN, name);
}

static void every_file_holds(void **state)
{
    const computer *on = *state;
    if (strcmp(on->backend, "native") == 0 && !sb_isa_available(on->isa)) skip();
    for (int i = 0; i < FILES; i++) {
        char path[SB_PATH_MAX];
        golden_path(files[i], path);
        sb_status status = sb_check_golden(path, options_of(on), 0, stdout);
        if (status == SB_E_MISSING) skip(); /* no such device here */
        if (status != SB_OK) fail_msg("%s", sb_message());
    }
}

/* ---- a check that can fail ---- */

/* A copy of the golden file in which element `at` of a data set is off by ten tolerances of its largest element. */
static void write_damaged(const char *name, const char *dataset, size_t at)
{
    char path[SB_PATH_MAX];
    sb_h5 *file;
    sb_h5_shape shape;
    golden_path(name, path);
    assert_int_equal(sb_h5_open(&file, path, SB_SEAL_FOREIGN), SB_OK);
    assert_int_equal(sb_h5_shape_of(file, dataset, &shape), SB_OK);
    double *value = malloc(shape.n * sizeof *value), largest = 0;
    assert_non_null(value);
    assert_int_equal(sb_h5_read(file, dataset, SB_F64, shape.n, value), SB_OK);
    sb_h5_close(file);
    for (size_t i = 0; i < shape.n; i++) largest = fmax(largest, fabs(value[i]));
    double changed = value[at] + 10 * TOLERANCE * largest;
    if (damage_number(path, DAMAGED, dataset, at, changed) != SB_OK) fail_msg("%s", sb_message());
    free(value);
}

static void one_changed_number_fails(void **state)
{
    (void)state;
    static const struct {
        const char *dataset;
        size_t at;
        const char *found; /* in the sentence */
    } cases[] = {
        {"copy/step_loss", 5, "arm copy: loss deviates"},
        {"shared/step_loss", 10, "arm shared: loss deviates"},
        {"copy/window1/grad/lstm3/output/peephole", 3, "arm copy: gradient deviates"},
        {"shared/window3/grad/conv_p1/w", 7, "arm shared: gradient deviates"},
        {"copy/window2/param/conv_a2/b", 1, "arm copy: Adam's step deviates"},
        {"copy/window2/adam_m/lstm0/input/x1_w", 11, "arm copy: Adam's m deviates"},
        {"shared/window2/adam_v/conv_p0/b", 2, "arm shared: Adam's v deviates"},
        {"copy/activation/step1/P1", 20, "arm copy: activation deviates"},
        {"copy/activation/step2/c3", 4, "arm copy: activation deviates"},
        {"init/lstm1/forget/h_w", 9, "deviates"},
    };
    const computer native = {"native", "auto", "direct"};
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_damaged(REFEREE, cases[i].dataset, cases[i].at);
        sb_status status = sb_check_golden(DAMAGED, options_of(&native), 0, out);
        if (status != SB_E_DIFFERS) fail_msg("%s changed: the check gives status %d", cases[i].dataset, status);
        if (!strstr(sb_message(), cases[i].found)) fail_msg("%s changed: '%s'", cases[i].dataset, sb_message());
    }
    fclose(out);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    const computer native = {"native", "auto", "direct"};
    sb_h5 *file;
    assert_int_equal(sb_h5_create(&file, DAMAGED, SB_SEAL_FOREIGN), SB_OK);
    assert_int_equal(sb_h5_finish(file, sb_h5_set_text(file, "", "format", "samebits-dataset")), SB_OK);
    assert_int_equal(sb_check_golden(DAMAGED, options_of(&native), 0, stdout), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), DAMAGED ": not a golden file of samebits");
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(DAMAGED);
}

int main(void)
{
    static computer computers[] = {
        {"native", "plain", "direct"},     {"native", "avx2", "direct"},        {"native", "avx512", "direct"},
        {"native", "plain", "winograd"},   {"native", "avx2", "winograd"},      {"native", "avx512", "winograd"},
        {"openblas", "auto", "direct"},    {"cuda-on-cpu", "auto", "direct"},   {"cuda-on-cpu", "auto", "winograd"},
        {"native-cuda", "auto", "direct"}, {"native-cuda", "auto", "winograd"}, {"cublas", "auto", "direct"},
        {"cudnn", "auto", "direct"},
    };
    enum { COMPUTERS = sizeof computers / sizeof *computers };
    static char name[COMPUTERS][80];
    struct CMUnitTest tests[COMPUTERS + 2] = {cmocka_unit_test(one_changed_number_fails),
                                              cmocka_unit_test(other_files_are_refused)};
    for (int i = 0; i < COMPUTERS; i++) {
        snprintf(name[i], sizeof name[i], "every_file_holds, %s %s %s", computers[i].backend, computers[i].isa,
                 computers[i].arithmetic);
        tests[i + 2] = (struct CMUnitTest){name[i], every_file_holds, NULL, NULL, &computers[i]};
    }
    return cmocka_run_group_tests(tests, NULL, remove_files);
}

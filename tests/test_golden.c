/* The golden files of the library the study ran on, held by every backend; a file with one number changed, which must
 * fail whichever number it is; files of other networks; and what is allowed where no tolerance is given. Built twice:
 * test_golden in float, test_golden_f64 in double. */
#include "support.h"

#include "backend/backend.h"
#include "core/file.h"
#include "core/rows/isas.h"
#include "damage.h"
#include "inspect/check/check.h"
#include "inspect/check/check_parts.h"
#include "io/h5/h5_attribute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRANSFORMER "learning/gpt_f8.h5"
#ifdef SB_REAL_IS_DOUBLE
#define REFEREE         "prednet_16x8_bprop4_f8.h5"
#define DAMAGED         "test_golden_f64_damaged.h5"
#define TOLERANCE       3e-14
#define CLASS_TOLERANCE 1e-11
#else
#define REFEREE         "prednet_16x8_bprop4_f4.h5"
#define DAMAGED         "test_golden_damaged.h5"
#define TOLERANCE       5e-6
#define CLASS_TOLERANCE 2e-5
#endif

typedef struct golden {
    const char *name;
    double tolerance; /* of a file in float32 its own rounding; 0: as sb_check_golden takes it */
} golden;

/* These files are known, and held closer than the default for files of any shape: it must allow more. */
static const golden files[] = {
    {"prednet_16x8_bprop4_f4.h5", 5e-6},
    {"autoencoder_784_64_relu_relu_f4.h5", 5e-6},
    {"prednet_16x8_bprop4_f8.h5", TOLERANCE}, /* in memory as the first */
};

/* Of networks that classify: the float64 build at 1e-11, the float32 build its own file at 2e-5. The last two have every
 * kind of layer, and are all that is held by what is slow: the walked kernels, and plain in float64. */
static const golden class_files[] = {
#ifdef SB_REAL_IS_DOUBLE
    {"learning/resnet9_rung0_f8.h5", 0},
    {TRANSFORMER, 0},
    {"learning/resnet9_rung5_f8.h5", 0},
    {"learning/resnet9_rung8_f8.h5", 0},
    {"learning/lenet_f8.h5", 0},
#else
    {"learning/resnet9_rung0_f4.h5", 0},
    {TRANSFORMER, 0},
#endif
};

enum {
    FILES = sizeof files / sizeof *files,
    CLASS_FILES = sizeof class_files / sizeof *class_files,
    SLOW_FILES = CLASS_FILES < 2 ? CLASS_FILES : 2,
#ifdef SB_SANITIZED /* a sanitizer sees one file of each kind, and no file of classes on what is slow */
    FILES_HELD = 2,
    SLOW_FILES_HELD = 0,
#else
    FILES_HELD = FILES,
    SLOW_FILES_HELD = SLOW_FILES,
#endif
#if defined SB_SANITIZED || defined SB_REAL_IS_DOUBLE /* what is found is found by the same lines in float */
    CHANGES = 2,
#else
    CHANGES = 100,
#endif
};

typedef struct computer {
    const char *backend, *isa, *arithmetic;
} computer;

static sb_settings options_of(const computer *on)
{
    sb_settings options;
    sb_settings_default(&options);
    options.backend = on->backend, options.isa = on->isa, options.arithmetic = on->arithmetic, options.threads = 2;
    return options;
}

static void golden_path(const char *name, char path[SB_PATH_MAX])
{
    snprintf(path, SB_PATH_MAX, "%s/%s", SB_GOLDEN, name);
}

static void hold(const golden *file, int n, const computer *on, int threads)
{
    const bool is_tf32 = sb_arithmetic_imitated(on->arithmetic) & SB_IMITATED_TF32; /* its own tolerance */
    if (strcmp(on->backend, "native") == 0 && strcmp(on->isa, "auto") != 0 && !sb_isa_available(on->isa)) skip();
    for (int i = 0; i < n; i++) {
        char path[SB_PATH_MAX];
        sb_settings options = options_of(on);
        options.threads = threads;
        golden_path(file[i].name, path);
        sb_status status = sb_check_golden(path, options, is_tf32 ? 0 : file[i].tolerance, stdout);
        if (status == SB_E_MISSING) skip(); /* no such device here */
        if (status != SB_OK) fail_msg("%s", sb_message());
    }
}

static void every_file_holds(void **state)
{
    hold(files, FILES_HELD, *state, 2);
}

/* By one thread: of many short operations, between which a busy machine keeps a team waiting. */
static void every_file_of_classes_holds(void **state)
{
    const computer *on = *state;
    const bool is_plain_slow = SB_H5_REAL == SB_F64 || SLOW_FILES_HELD == 0;
    const bool is_slow = strcmp(on->backend, "cuda-on-cpu") == 0 || (is_plain_slow && strcmp(on->isa, "plain") == 0);
    const int n = is_slow ? SLOW_FILES_HELD : CLASS_FILES;
    if (n == 0) skip();
    hold(class_files + CLASS_FILES - n, n, on, 1);
}

/* ---- a check that can fail ---- */

/* A copy of the golden file in which element `at` of a data set is off by so much of its largest element. */
static void write_damaged(const char *name, const char *dataset, size_t at, double share)
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
    double changed = value[at] + share * largest;
    if (damage_number(path, DAMAGED, dataset, at, changed) != SB_OK) fail_msg("%s", sb_message());
    free(value);
}

typedef struct change {
    const char *dataset;
    size_t at;
    const char *found; /* in the sentence */
} change;

/* Each of n changes alone, by so much of the largest element of its data set, is found. */
static void find_changes(const char *file, const change *changes, size_t n, double share, sb_settings options)
{
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    for (size_t i = 0; i < n && i < CHANGES; i++) {
        write_damaged(file, changes[i].dataset, changes[i].at, share);
        sb_status status = sb_check_golden(DAMAGED, options, 0, out);
        if (status != SB_E_DIFFERS) fail_msg("%s changed: the check gives status %d", changes[i].dataset, status);
        if (!strstr(sb_message(), changes[i].found)) fail_msg("%s changed: '%s'", changes[i].dataset, sb_message());
    }
    fclose(out);
}

static void one_changed_number_fails(void **state)
{
    (void)state;
    static const change changes[] = {
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
    find_changes(REFEREE, changes, sizeof changes / sizeof *changes, 10 * TOLERANCE, options_of(&native));
}

static void one_changed_number_of_classes_fails(void **state)
{
    (void)state;
    static const change changes[] = {
        {"loss_sum", 1, "loss deviates"},
        {"update2/logits", 33, "logits deviates"},
        {"update1/grad/layer1/conv_w", 3, "gradient deviates"},
        {"update2/param/prep/bn_shift", 2, "Nesterov's step deviates"},
        {"update2/running/layer2/bn_var", 1, "running deviates"},
        {"final/velocity/linear/w", 7, "Nesterov's v deviates"},
        {"eval/logits_tta", 20, "evaluation deviates"},
    };
    const computer native = {"native", "auto", "winograd"};
    sb_settings options = options_of(&native);
    options.threads = 1;
    find_changes(class_files[0].name, changes, sizeof changes / sizeof *changes, 20 * CLASS_TOLERANCE, options);
}

static void one_changed_number_of_a_transformer_fails(void **state)
{
    (void)state;
    static const change changes[] = {
        {"losses", 1, "loss deviates"},
        {"update2/grad/block1_qkv/w", 5, "gradient deviates"},
        {"update1/param/embedding/position", 9, "AdamW's step deviates"},
    };
    const computer native = {"native", "auto", "direct"};
    find_changes(TRANSFORMER, changes, sizeof changes / sizeof *changes, 1e-3, options_of(&native));
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

/* ---- other networks ---- */

enum { INPUTS = 5, HIDDEN = 3, BATCH = 2 };

/* A file that begins like a golden one of an autoencoder: start weights, a batch and a loss. */
static sb_status write_autoencoder(sb_h5 *file)
{
    static const double zeros[BATCH * HIDDEN * INPUTS], loss;
    const size_t one = 1, e[] = {HIDDEN, INPUTS}, d[] = {INPUTS, HIDDEN}, in[] = {1, BATCH, INPUTS};
    SB_TRY(sb_h5_set_text(file, "", "format", "samebits-golden"));
    SB_TRY(sb_h5_set_text(file, "", "model", "autoencoder"));
    SB_TRY(sb_h5_write(file, "init/encoder/w", SB_F64, 2, e, zeros, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "init/encoder/b", SB_F64, 1, e, zeros, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "init/decoder/w", SB_F64, 2, d, zeros, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "init/decoder/b", SB_F64, 1, d, zeros, SB_H5_PLAIN));
    SB_TRY(sb_h5_write(file, "inputs", SB_F64, 3, in, zeros, SB_H5_PLAIN));
    return sb_h5_write(file, "losses", SB_F64, 1, &one, &loss, SB_H5_PLAIN);
}

static void expect_other(const char *sentence)
{
    const computer native = {"native", "auto", "direct"};
    assert_int_equal(sb_check_golden(DAMAGED, options_of(&native), 0, stdout), SB_E_INTEGRITY);
    assert_string_equal(sb_message(), sentence);
}

static void other_parameters_are_named(void **state)
{
    (void)state;
    sb_h5 *file;
    const size_t three = 3;
    const double values[3] = {0};
    assert_int_equal(sb_h5_create(&file, DAMAGED, SB_SEAL_FOREIGN), SB_OK);
    assert_int_equal(sb_h5_write(file, "init/encoder2/b", SB_F64, 1, &three, values, SB_H5_PLAIN), SB_OK);
    assert_int_equal(sb_h5_finish(file, write_autoencoder(file)), SB_OK);
    expect_other(DAMAGED ": is of another network: it has a parameter encoder2/b, which autoencoder has not");
    assert_int_equal(sb_h5_create(&file, DAMAGED, SB_SEAL_FOREIGN), SB_OK);
    assert_int_equal(sb_h5_set_text(file, "", "format", "samebits-golden"), SB_OK);
    assert_int_equal(sb_h5_finish(file, sb_h5_set_text(file, "", "model", "vgg")), SB_OK);
    expect_other(DAMAGED ": is of another network, 'vgg'; here there are prednet, autoencoder, gpt, "
                         "lenet and resnet9");
}

/* ---- the default ---- */

static void the_default_follows_the_arithmetic(void **state)
{
    (void)state;
    const double epsilon = SB_H5_REAL == SB_F64 ? 0x1p-52 : 0x1p-23;
    sb_settings o = {.model = "prednet", .backend = "native", .arithmetic = "direct", .tf32 = "off"};
    assert_true(sb_check_tolerance(&o, true, 400) == 40 * epsilon);
    assert_true(sb_check_tolerance(&o, false, 400) == 40 * 0x1p-23); /* the file's own rounding */
    o.arithmetic = "winograd";
    assert_true(sb_check_tolerance(&o, true, 350) == 120 * epsilon);
    o.backend = "openblas"; /* --arithmetic is not its */
    assert_true(sb_check_tolerance(&o, true, 400) == 40 * epsilon);
    o.backend = "cudnn";
    assert_true(sb_check_tolerance(&o, true, 350) == 120 * epsilon);
    o.backend = "cublas", o.tf32 = "on";
    assert_true(sb_check_tolerance(&o, true, 400) == 40 * 0x1p-10);
    o = (sb_settings){.model = "prednet", .backend = "native", .arithmetic = "imitate-gpu"};
    assert_true(sb_check_tolerance(&o, true, 400) == 40 * 0x1p-10);
    o.arithmetic = "imitate-atomics";
    assert_true(sb_check_tolerance(&o, true, 400) == 40 * epsilon);
    o = (sb_settings){.model = "autoencoder", .backend = "native", .arithmetic = "winograd"};
    assert_true(sb_check_tolerance(&o, true, 400) == 40 * epsilon);
    /* the published network: a window of 20 frames has more pixels than any sum has channels; a small one has not */
    assert_true(sb_check_terms_prednet(&(sb_list){4, {3, 48, 96, 192}}, 160, 120, 20) == 160 * 120 * 20);
    assert_true(sb_check_terms_prednet(&(sb_list){4, {3, 48, 96, 192}}, 16, 8, 20) == 9 * (5 * 192 + 4 * 96));
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(DAMAGED);
}

int main(void)
{
    static computer computers[] = {
#define NATIVE(isa) {"native", #isa, "direct"}, {"native", #isa, "winograd"},
        SB_ISAS(NATIVE)
#undef NATIVE
            {"openblas", "auto", "direct"},
        {"native", "auto", "winograd-flush"},
        {"cuda-on-cpu", "auto", "direct"},
        {"cuda-on-cpu", "auto", "winograd"},
        {"native-cuda", "auto", "direct"},
        {"native-cuda", "auto", "winograd"},
        {"cublas", "auto", "direct"},
        {"cudnn", "auto", "direct"},
#if !defined SB_REAL_IS_DOUBLE && !defined SB_SANITIZED /* test_imitations has their memory */
        {"native", "auto", "imitate-atomics"},
        {"native", "auto", "imitate-tf32"},
        {"native", "auto", "imitate-flush"},
        {"native", "auto", "imitate-functions"},
        {"native", "auto", "imitate-unfused"},
        {"native", "auto", "imitate-ties"},
        {"native", "auto", "imitate-gpu"},
#endif
    };
    enum { COMPUTERS = sizeof computers / sizeof *computers };
    enum { PLAIN = 14 }; /* without imitations */
    static char name[COMPUTERS + PLAIN][80];
    enum { OTHERS = 5 };
    struct CMUnitTest tests[COMPUTERS + PLAIN + OTHERS] = {
        cmocka_unit_test(one_changed_number_fails),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(other_parameters_are_named),
        cmocka_unit_test(the_default_follows_the_arithmetic),
        cmocka_unit_test(one_changed_number_of_classes_fails),
        cmocka_unit_test(one_changed_number_of_a_transformer_fails),
    };
    for (int i = 0; i < COMPUTERS; i++) {
        snprintf(name[i], sizeof name[i], "every_file_holds, %s %s %s", computers[i].backend, computers[i].isa,
                 computers[i].arithmetic);
        tests[i + OTHERS] = (struct CMUnitTest){name[i], every_file_holds, NULL, NULL, &computers[i]};
    }
    for (int i = 0; i < PLAIN; i++) {
        snprintf(name[COMPUTERS + i], sizeof name[0], "every_file_of_classes_holds, %s %s %s", computers[i].backend,
                 computers[i].isa, computers[i].arithmetic);
        tests[i + OTHERS + COMPUTERS] =
            (struct CMUnitTest){name[COMPUTERS + i], every_file_of_classes_holds, NULL, NULL, &computers[i]};
    }
    return cmocka_run_group_tests(tests, NULL, remove_files);
}

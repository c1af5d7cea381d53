/* What a run file is held against behind its seal: a number in it is changed and the seal made anew, as by a program
 * that read damaged memory and wrote it out again. Nothing that is loaded to go on, and no outcome, passes. */
#include "support.h"

#include "core/file.h"
#include "damage.h"
#include "data_files.h"
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_walk.h"
#include "io/run/runfile.h"
#include "train/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RUN     "test_runfile.h5"
#define DAMAGED "test_runfile_damaged.h5"
#define DATA    "test_runfile_data.h5"

static sb_settings prednet_settings(void)
{
    sb_settings options;
    sb_settings_default(&options);
    options.data = DATA, options.arithmetic = "direct", options.threads = 1;
    options.channels = (sb_list){2, {3, 4}}, options.window = 4, options.hidden = (sb_list){1, {3}};
    return options;
}

/* poison: one start weight is no number. */
static sb_status train(const char *path, long updates, bool poison)
{
    const sb_run_options run = {
        .output = path, .updates = updates, .chain_every = 1, .cell = "", .record = "", .quiet = true};
    sb_setup setup;
    sb_run_outcome outcome;
    const sb_settings options = prednet_settings();
    SB_TRY(sb_setup_open(&setup, &options));
    if (poison) setup.learner.net->weight[0] = NAN;
    sb_status status = sb_run_train(&setup, &run, &outcome);
    if (status == SB_OK) status = sb_run_judge(&outcome, &options, &run);
    sb_setup_close(&setup);
    return status;
}

static sb_status check(const char *path)
{
    sb_h5 *file;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    sb_status status = sb_runfile_check(file);
    sb_h5_close(file);
    return status;
}

static int make_run(void **state)
{
    (void)state;
    assert_int_equal(data_write_video(DATA, 12, 8, 8, 1, (int64_t[]){0}, 1), SB_OK);
    assert_int_equal(train(RUN, 2, false), SB_OK);
    assert_int_equal(check(RUN), SB_OK);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    unlink(RUN), unlink(DAMAGED), unlink(DATA), unlink(RUN ".journal"), unlink(DAMAGED ".journal");
    return 0;
}

/* ---- tensors ---- */

typedef struct names {
    char name[256][64];
    int n;
} names;

static sb_status note(void *context, const char *name)
{
    names *list = context;
    assert_true(list->n < 256);
    snprintf(list->name[list->n++], sizeof *list->name, "%s", name);
    return SB_OK;
}

static void expect_changed(const char *group, const char *name, const char *what)
{
    char path[80];
    snprintf(path, sizeof path, "%s/%s", group, name);
    assert_int_equal(damage_number(RUN, DAMAGED, path, 0, 0.123456789), SB_OK);
    assert_int_equal(sb_seal_check(DAMAGED, SB_SEAL_RUNS, NULL), SB_OK);
    if (check(DAMAGED) != SB_E_INTEGRITY || !strstr(sb_message(), what))
        fail_msg("/%s changed: wanted '%s', not: %s", path, what, sb_message());
    assert_int_equal(train(DAMAGED, 3, false), SB_E_INTEGRITY);
}

/* Every STEP-th tensor of a group: all are read by the same lines, which is what the sanitizers look at. */
#ifdef SB_SANITIZED
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

static void every_tensor_is_held_by_a_hash(void **state)
{
    (void)state;
    static const char *const groups[][2] = {{"param", "the hash of its weights is"},
                                            {"adam/m", "the hash of the moments of the optimizer is"},
                                            {"adam/v", "the hash of the moments of the optimizer is"},
                                            {"state", "the hash of the carried state is"},
                                            {"sketch", "the hash of its content is"}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        static names list;
        sb_h5 *file;
        list.n = 0;
        assert_int_equal(sb_h5_open(&file, RUN, SB_SEAL_RUN), SB_OK);
        assert_int_equal(sb_h5_each_dataset(file, groups[i][0], note, &list), SB_OK);
        sb_h5_close(file);
        assert_true(list.n > 0);
        for (int k = 0; k < list.n; k += i < 4 ? STEP : 1)
            if (strcmp(list.name[k], "row") == 0 || i < 4) expect_changed(groups[i][0], list.name[k], groups[i][1]);
    }
}

/* ---- outcomes ---- */

/* Change each place in the file that holds these bytes, and seal it again. */
static void replace(const void *before, const void *after, size_t n)
{
    char *content;
    size_t n_bytes, n_found = 0;
    sb_seal seal;
    assert_true(sb_seal_peek(RUN, &seal));
    assert_int_equal(sb_file_read(RUN, &content, &n_bytes), SB_OK);
    for (size_t k = 0; k + n <= n_bytes; k++)
        if (memcmp(content + k, before, n) == 0) memcpy(content + k, after, n), n_found++;
    assert_true(n_found > 0);
    assert_int_equal(sb_file_write(DAMAGED, content, n_bytes), SB_OK);
    assert_int_equal(sb_seal_write(DAMAGED, seal.kind), SB_OK);
    free(content);
}

static void the_outcome_follows_from_the_rest(void **state)
{
    (void)state;
    sb_h5 *file;
    sb_run_summary summary;
    assert_int_equal(sb_h5_open(&file, RUN, SB_SEAL_RUN), SB_OK);
    assert_int_equal(sb_runfile_summary(file, &summary), SB_OK);
    sb_h5_close(file);
    const struct {
        const char *name;
        double value;
    } finals[] = {{"loss_last", summary.loss_last},
                  {"loss_mean", summary.loss_mean},
                  {"frames_per_second", summary.frames_per_second}};
    for (size_t i = 0; i < sizeof finals / sizeof *finals; i++) {
        const double other = finals[i].value * (1 + 1e-12);
        char wanted[80];
        replace(&finals[i].value, &other, sizeof other);
        snprintf(wanted, sizeof wanted, "/final's %s does not follow from the rest of it", finals[i].name);
        assert_int_equal(check(DAMAGED), SB_E_INTEGRITY);
        assert_non_null(strstr(sb_message(), wanted));
    }
}

/* What a data set says of itself is content, and each has what its table promises. */
static void the_descriptions_are_content(void **state)
{
    (void)state;
    sb_h5 *file;
    char units[8];
    assert_int_equal(sb_h5_open(&file, RUN, SB_SEAL_RUN), SB_OK);
    assert_int_equal(sb_h5_get_text(file, "train/seconds", "units", units, sizeof units), SB_OK);
    assert_string_equal(units, "s");
    assert_true(sb_h5_has(file, "train/loss_last", "DIMENSION_LIST"));
    assert_true(sb_h5_has(file, "train/update", "REFERENCE_LIST"));
    assert_true(sb_h5_has(file, "chain/byte", "REFERENCE_LIST"));
    sb_h5_close(file);
    static const char *const texts[][2] = {{"L2 norm of the", "L1 norm of the"},
                                           {"Training of prednet", "Training of prednot"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        replace(texts[i][0], texts[i][1], strlen(texts[i][0]));
        assert_int_equal(check(DAMAGED), SB_E_INTEGRITY);
        assert_non_null(strstr(sb_message(), "the hash of its content is"));
    }
}

/* The name of a group is a byte away from another name: then its content is missing, and that is noticed. */
static void a_group_that_is_gone_is_noticed(void **state)
{
    (void)state;
    static const char *const groups[] = {"final", "head", "param", "state", "chain", "train"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        char before[16] = "", after[16] = "";
        const size_t n = strlen(groups[i]) + 2; /* in the heap of names each stands between zeros */
        memcpy(before + 1, groups[i], n - 2);
        memcpy(after, before, sizeof after);
        after[2] ^= 1;
        replace(before, after, n);
        assert_int_equal(check(DAMAGED), SB_E_INTEGRITY);
    }
}

/* ---- the chain ---- */

static void write_linked(bool as_linked, bool finished)
{
    static const float w[] = {1, 2, 3};
    static const double loss[] = {0.5, 0.25};
    static const int64_t update[] = {1, 2};
    sb_hash link[2] = {{{7}}, sb_hash_of(w, 3, sizeof *w)}, moments[2] = {{{8}}, {{9}}};
    sb_hash both = sb_hash_of((float[]){1, 2, 3, 1, 2, 3}, 6, sizeof *w);
    sb_h5 *file;
    sb_run_head head;
    moments[1] = both;
    if (!as_linked) link[1].byte[0] ^= 1;
    assert_int_equal(sb_h5_create(&file, DAMAGED, finished ? SB_SEAL_RUN : SB_SEAL_CHECKPOINT), SB_OK);
    sb_status status = sb_h5_set_int(file, "meta", "schema", SB_RUN_SCHEMA);
    static const char *const tensors[] = {"param/w", "adam/m/w", "adam/v/w"};
    for (int i = 0; status == SB_OK && i < 3; i++)
        status = sb_h5_write(file, tensors[i], SB_F32, 1, (size_t[]){3}, w, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_set_text(file, "param", "names", "w");
    if (status == SB_OK) status = sb_h5_write(file, "train/loss_last", SB_F64, 1, (size_t[]){2}, loss, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_write(file, "chain/update", SB_I64, 1, (size_t[]){2}, update, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_write(file, "chain/weights", SB_U8, 2, (size_t[]){2, 16}, link, SB_H5_PLAIN);
    if (status == SB_OK)
        status = sb_h5_write(file, "chain/optimiser", SB_U8, 2, (size_t[]){2, 16}, moments, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_runfile_head_of(file, &head, NULL);
    if (status == SB_OK) status = sb_runfile_write_head(file, &head);
    assert_int_equal(sb_h5_finish(file, status), SB_OK);
}

/* Even if every hash that is about the file itself was made anew. */
static void the_last_link_holds_the_weights(void **state)
{
    (void)state;
    write_linked(true, false);
    assert_int_equal(check(DAMAGED), SB_E_EMPTY);
    write_linked(false, false);
    assert_int_equal(check(DAMAGED), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "its weights differ from the last entry of its hash chain"));
    write_linked(true, true);
    assert_int_equal(check(DAMAGED), SB_E_INTEGRITY);
    assert_non_null(strstr(sb_message(), "sealed as a finished run, but it has no /final"));
}

static int64_t diverged_at(const char *path)
{
    sb_h5 *file;
    sb_run_summary summary;
    assert_int_equal(sb_h5_open(&file, path, SB_SEAL_RUN), SB_OK);
    assert_int_equal(sb_runfile_summary(file, &summary), SB_OK);
    sb_h5_close(file);
    return summary.diverged;
}

/* The run is complete, ends at that update, and is not trained again. */
static void a_training_that_diverges_is_a_result(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(train(DAMAGED, 2, i == 0), SB_E_DIFFERS);
        assert_non_null(strstr(sb_message(), DAMAGED ": diverged at update 1: the loss is nan"));
        assert_non_null(strstr(sb_message(), "try a smaller --lr"));
        assert_int_equal(check(DAMAGED), SB_OK);
        assert_int_equal(diverged_at(DAMAGED), 1);
    }
    assert_int_equal(diverged_at(RUN), 0);
}

/* What a file of two updates with these losses says, whose /train has the attribute; 0: it has none. */
static sb_status read_diverged(double first, double second, int64_t attribute, int64_t *update)
{
    const double loss[] = {first, second};
    const size_t n = 2;
    sb_h5 *file;
    assert_int_equal(sb_h5_create(&file, DAMAGED, SB_SEAL_CHECKPOINT), SB_OK);
    sb_status status = sb_h5_write(file, "train/update", SB_I64, 1, &n, (int64_t[]){1, 2}, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_write(file, "train/loss_last", SB_F64, 1, &n, loss, SB_H5_PLAIN);
    if (status == SB_OK) status = sb_h5_write(file, "train/loss_mean", SB_F64, 1, &n, loss, SB_H5_PLAIN);
    if (status == SB_OK && attribute) status = sb_h5_set_int(file, "train", "diverged", attribute);
    assert_int_equal(sb_h5_finish(file, status), SB_OK);
    assert_int_equal(sb_h5_open(&file, DAMAGED, SB_SEAL_CHECKPOINT), SB_OK);
    status = sb_runfile_diverged(file, update);
    sb_h5_close(file);
    return status;
}

/* The losses and the attribute tell one story: only the last one may be no number, and then the attribute says so. That a
 * weight is none, the attribute alone says. */
static void the_losses_say_where_it_diverged(void **state)
{
    (void)state;
    static const struct {
        double first, second;
        int64_t attribute;
        sb_status status;
    } files[] = {
        {1, 2, 0, SB_OK},
        {1, NAN, 2, SB_OK},
        {1, INFINITY, 2, SB_OK},
        {1, 2, 2, SB_OK},
        {1, NAN, 0, SB_E_INTEGRITY},
        {NAN, 1, 0, SB_E_INTEGRITY},
        {NAN, 1, 2, SB_E_INTEGRITY},
        {1, NAN, 1, SB_E_INTEGRITY},
        {1, 2, 3, SB_E_INTEGRITY},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int64_t update;
        assert_int_equal(read_diverged(files[i].first, files[i].second, files[i].attribute, &update), files[i].status);
        if (files[i].status == SB_OK) assert_int_equal(update, files[i].attribute);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_tensor_is_held_by_a_hash, make_run, remove_files),
        cmocka_unit_test_setup_teardown(the_outcome_follows_from_the_rest, make_run, remove_files),
        cmocka_unit_test_setup_teardown(the_descriptions_are_content, make_run, remove_files),
        cmocka_unit_test_setup_teardown(a_group_that_is_gone_is_noticed, make_run, remove_files),
        cmocka_unit_test_teardown(the_last_link_holds_the_weights, remove_files),
        cmocka_unit_test_setup_teardown(a_training_that_diverges_is_a_result, make_run, remove_files),
        cmocka_unit_test_teardown(the_losses_say_where_it_diverged, remove_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the trainer reads: its HDF5 files, as edits of good ones and as bytes. */
#include "edit.h"
#include "target.h"
#include "templates.h"
#include "trial.h"

#include "core/file.h"
#include "core/random.h"
#include "inspect/bisect/divergence.h"
#include "inspect/check/check.h"
#include "inspect/diff.h"
#include "inspect/external/explain.h"
#include "inspect/external/recorded.h"
#include "inspect/trace/trace_file.h"
#include "record/external_file.h"
#include "record/traced.h"
#include "inspect/verify/verify.h"
#include "io/h5/h5_parts.h"
#include "io/run/runfile.h"
#include "train/evaluate.h"
#include "train/readback.h"
#include "train/run/run.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- HDF5: edits ---- */

/* What the digests inside a run file say of its content, said anew, as whoever edits one on purpose would do. */
static void mend(const char *path, sb_seal_kind kind)
{
    struct sb_h5 file = {.id = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), .created = true, .is_sealed = true};
    sb_run_head head;
    bool has_tensors;
    snprintf(file.path, sizeof file.path, "%s", path);
    if (sb_runfile_head_of(&file, &head, &has_tensors) == SB_OK) {
        H5Ldelete(file.id, "head", H5P_DEFAULT);
        H5Ldelete(file.id, "final", H5P_DEFAULT);
        sb_status status = sb_runfile_write_head(&file, &head);
        if (status == SB_OK && kind == SB_SEAL_RUN) (void)sb_runfile_write_final(&file, 1);
    }
    if (file.rows) H5Dclose(file.rows);
    H5Fclose(file.id);
    if (sb_seal_write(path, kind) != SB_OK) abort();
}

static bool is_taken(const char *path, sb_seal_kind kind)
{
    sb_h5 *file;
    if (sb_h5_open(&file, path, kind) != SB_OK) return false;
    sb_h5_close(file);
    return true;
}

/* An edited copy of a template, sealed as what it is. The library wrote every byte of it, so that nothing in it crashes
 * the library. */
static const char *edited(sb_template_kind kind, const char *name, const uint8_t *bytes, size_t n)
{
    const sb_template *t = sb_template_of(kind);
    const bool is_run = t->kind & SB_SEAL_RUNS, is_mended = is_run && sb_fuzz_choice(&bytes, &n) % 4 > 0;
    const char *path = sb_fuzz_put(name, t->content, t->n_bytes);
    sb_edit_file(path, t->names, t->n_names, bytes, n);
    if (t->kind != SB_SEAL_FOREIGN && sb_seal_write(path, t->kind) != SB_OK) abort();
    if (is_mended && is_taken(path, t->kind)) mend(path, t->kind);
    return path;
}

static const char *good(sb_template_kind kind, const char *name)
{
    const sb_template *t = sb_template_of(kind);
    return sb_fuzz_put(name, t->content, t->n_bytes);
}

/* The first byte chooses one of two templates. */
static sb_template_kind choose(const uint8_t **bytes, size_t *n, sb_template_kind first, sb_template_kind second)
{
    return sb_fuzz_choice(bytes, n) % 2 ? second : first;
}

/* Everything that training and evaluation read of it; small ones only, as the shape may be large. */
static void read_dataset(const char *path)
{
    sb_dataset *dataset;
    sb_hash digest;
    if (sb_dataset_open(&dataset, path) != SB_OK) return;
    const sb_dataset_facts *facts = sb_dataset_about(dataset);
    const size_t size = facts->h * facts->w * facts->c;
    (void)sb_dataset_digest(dataset, &digest);
    uint8_t *bytes = size < 1 << 20 ? malloc(2 * size) : NULL;
    if (bytes && facts->n > 1) (void)sb_dataset_read(dataset, facts->n - 2, 2, bytes);
    if (bytes && facts->n_test) (void)sb_dataset_read_test(dataset, facts->n_test - 1, 1, bytes);
    if (bytes && facts->has_labels) (void)sb_dataset_read_labels(dataset, facts->n - 1, 1, bytes);
    if (bytes && facts->has_test_labels) (void)sb_dataset_read_test_labels(dataset, facts->n_test - 1, 1, bytes);
    free(bytes);
    sb_dataset_close(dataset);
}

static void fuzz_data(const uint8_t *bytes, size_t n)
{
    static const sb_template_kind kinds[] = {SB_TEMPLATE_VIDEO, SB_TEMPLATE_IMAGES, SB_TEMPLATE_TEXT};
    const sb_template_kind kind = kinds[sb_fuzz_choice(&bytes, &n) % 3];
    const char *path = edited(kind, "data.h5", bytes, n);
    read_dataset(path);
}

static void read_run(const char *path)
{
    sb_h5 *file;
    sb_run_summary summary;
    sb_run_sketches sketches;
    sb_readback readback;
    if (sb_h5_open(&file, path, SB_SEAL_RUNS) != SB_OK) return;
    sb_status status = sb_runfile_check(file);
    (void)sb_runfile_summary(file, &summary);
    if (sb_runfile_sketches(file, &sketches) == SB_OK) sb_run_sketches_free(&sketches);
    if (sb_readback_read(&readback, file) == SB_OK) {
        sb_settings options;
        (void)sb_readback_options(&readback, "data.h5", &options);
    }
    (void)status;
    sb_h5_close(file);
}

static void compare(const char *a, const char *b)
{
    sb_diff diff;
    if (sb_diff_runs(&diff, a, b) == SB_OK) {
        (void)sb_diff_judge(&diff);
        sb_diff_print(&diff, sb_fuzz_nowhere());
    }
    sb_diff_free(&diff);
}

/* The first byte chooses the template and who reads. */
static void fuzz_run(const uint8_t *bytes, size_t n)
{
    const uint8_t choice = sb_fuzz_choice(&bytes, &n);
    const char *path = edited(choice % 2 ? SB_TEMPLATE_CHECKPOINT : SB_TEMPLATE_RUN, "run.h5", bytes, n);
    const char *other = good(SB_TEMPLATE_RUN, "good.h5");
    if (choice / 2 % 3 == 0) read_run(path);
    if (choice / 2 % 3 == 1) compare(path, other);
    if (choice / 2 % 3 == 2) compare(other, path);
}

/* Whatever is edited, `verify` says something of it; and what it puts a seal before holds from then on. */
static void fuzz_verify(const uint8_t *bytes, size_t n)
{
    static const uint8_t nothing[SB_SEAL_BYTES];
    const uint8_t choice = sb_fuzz_choice(&bytes, &n);
    const char *path = edited((sb_template_kind)(choice / 2 % SB_N_TEMPLATES), "verify.h5", bytes, n);
    sb_verified verified;
    if (choice % 2 == 0) {
        if (sb_verify_file(path, &verified) != SB_OK) abort();
        return;
    }
    FILE *file = fopen(path, "r+b");
    if (!file || fwrite(nothing, 1, sizeof nothing, file) != sizeof nothing || fclose(file) != 0) abort();
    if (sb_verify_adopt(path, &verified) != SB_OK) return;
    if (sb_verify_file(path, &verified) == SB_OK && verified.verdict == SB_FILE_HOLDS) return;
    fprintf(stderr, "got a seal, and does not hold: %s\n", verified.said);
    abort();
}

static void evaluate(const char *path)
{
    SB_OWNED(sb_setup_close) sb_setup setup = {0};
    sb_settings options = sb_template_settings();
    sb_evaluation evaluation;
    options.data = good(SB_TEMPLATE_IMAGES, "images.h5");
    if (sb_evaluate_open(&setup, &options, path, false) != SB_OK) return;
    (void)sb_evaluate_loss(&setup, &evaluation);
}

static void go_on(const char *path, sb_settings options, sb_template_kind data)
{
    const sb_run_options run = {.output = path, .cell = "", .record = "", .updates = 4, .quiet = true};
    sb_setup setup;
    sb_run_outcome outcome;
    char journal[SB_PATH_MAX];
    options.data = good(data, "images.h5");
    if (sb_setup_open(&setup, &options) != SB_OK) abort();
    (void)sb_run_train(&setup, &run, &outcome);
    sb_setup_close(&setup);
    snprintf(journal, sizeof journal, "%.4000s.journal", path);
    unlink(journal);
}

/* An evaluation of its weights, or a run that goes on from the file. */
static void fuzz_checkpoint(const uint8_t *bytes, size_t n)
{
    const uint8_t choice = sb_fuzz_choice(&bytes, &n);
    const char *path = edited(SB_TEMPLATE_CHECKPOINT, "checkpoint.h5", bytes, n);
    if (choice % 2)
        go_on(path, sb_template_settings(), SB_TEMPLATE_IMAGES);
    else
        evaluate(path);
}

/* A run without gradients that goes on from the file, or two of them compared. */
static void fuzz_evolution(const uint8_t *bytes, size_t n)
{
    const uint8_t choice = sb_fuzz_choice(&bytes, &n);
    const char *path = edited(SB_TEMPLATE_EVOLUTION, "evolution.h5", bytes, n);
    if (choice % 2)
        go_on(path, sb_template_evolution(), SB_TEMPLATE_LABELLED);
    else
        compare(path, good(SB_TEMPLATE_EVOLUTION, "good.h5"));
}

static void read_trace(const char *path)
{
    sb_traced traced, other;
    if (sb_trace_read(&traced, path) != SB_OK) return;
    if (sb_trace_read(&other, good(SB_TEMPLATE_TRACE, "good.h5")) != SB_OK) abort();
    sb_divergence d = sb_divergence_find(&traced, &other);
    if (d.kind != SB_SAME_BITS && d.row < traced.n && d.row < other.n)
        sb_divergence_print(&d, &traced, &other, sb_fuzz_nowhere());
    sb_traced_free(&other);
    sb_traced_free(&traced);
}

static void fuzz_trace(const uint8_t *bytes, size_t n)
{
    const char *path = edited(SB_TEMPLATE_TRACE, "trace.h5", bytes, n);
    read_trace(path);
}

/* Two recordings are compared, in both directions. */
static void read_recording(const char *path)
{
    sb_external e;
    sb_recorded_diff d;
    const char *other = good(SB_TEMPLATE_RECORDING, "good.h5");
    if (sb_external_read(&e, path, true) == SB_OK) sb_external_free(&e);
    for (int i = 0; i < 2; i++) {
        if (sb_recorded_compare(&d, i ? path : other, i ? other : path) == SB_OK) {
            sb_recorded_print(&d, sb_fuzz_nowhere());
            (void)sb_recorded_judge(&d);
        }
        sb_recorded_free(&d);
    }
}

static void fuzz_recording(const uint8_t *bytes, size_t n)
{
    read_recording(edited(SB_TEMPLATE_RECORDING, "recording.h5", bytes, n));
}

static void explain(const sb_traced_update *a, const sb_traced_update *b)
{
    sb_explanation e;
    char names[256];
    if (sb_explain(a, b, &e) == SB_OK) {
        sb_explanation_print(&e, sb_fuzz_nowhere());
        if (e.cause != SB_CAUSE_NONE) sb_explanation_names(&e, names, sizeof names);
    }
    sb_explanation_free(&e);
}

static void read_other_trace(const char *path)
{
    sb_traced_update traced, other;
    if (sb_traced_read(&traced, path) != SB_OK) return;
    if (sb_traced_read(&other, good(SB_TEMPLATE_OTHER_TRACE, "good.h5")) != SB_OK) abort();
    explain(&traced, &other);
    sb_carried carried;
    if (sb_carried_compare(&traced, &other, &other, 1, &carried) == SB_OK)
        sb_carried_print(&carried, &traced, 1, sb_fuzz_nowhere());
    explain(&other, &traced);
    sb_traced_update_free(&other);
    sb_traced_update_free(&traced);
}

static void fuzz_other_trace(const uint8_t *bytes, size_t n)
{
    read_other_trace(edited(SB_TEMPLATE_OTHER_TRACE, "trace.h5", bytes, n));
}

static void fuzz_golden(const uint8_t *bytes, size_t n)
{
    sb_template_kind kind = choose(&bytes, &n, SB_TEMPLATE_PREDNET, SB_TEMPLATE_AUTOENCODER);
    const char *path = edited(kind, "golden.h5", bytes, n);
    (void)sb_check_golden(path, sb_template_settings(), 0, sb_fuzz_nowhere());
}

/* ---- HDF5: bytes ---- */

/* Any bytes under a seal that holds, for every reader. Its first bytes are the seal's. */
static void fuzz_h5(const uint8_t *bytes, size_t n)
{
    static const sb_seal_kind kinds[] = {SB_SEAL_RUN, SB_SEAL_DATA, SB_SEAL_TRACE, SB_SEAL_RECORDING};
    if (n < SB_SEAL_BYTES) return;
    const char *path = sb_fuzz_put("any.h5", bytes, n);
    const int kind = bytes[0] % 4;
    if (sb_seal_write(path, kinds[kind]) != SB_OK) abort();
    if (!sb_trial_survived(path, true)) return;
    if (kind == 0) read_run(path);
    if (kind == 1) read_dataset(path);
    if (kind == 2) read_trace(path);
    if (kind == 2) read_other_trace(path);
    if (kind == 3) read_recording(path);
}

/* The good files, for mutation by bytes. */
static void seed_h5(void)
{
    for (int kind = 0; kind < SB_N_TEMPLATES; kind++) {
        char name[32];
        const sb_template *t = sb_template_of(kind);
        snprintf(name, sizeof name, "template%d", kind);
        if (t->kind != SB_SEAL_FOREIGN) sb_fuzz_seed(name, t->content, t->n_bytes);
    }
}

/* Scripts of one edit, over every name and form of edit: the first byte chooses the template. */
static void seed_edits(void)
{
    uint8_t script[24] = {0};
    for (int i = 0; i < 64; i++) {
        char name[32];
        for (size_t at = 0; at < sizeof script; at++)
            script[at] = (uint8_t)sb_random_words(1, (uint64_t)i, at / 4).word[at % 4];
        script[0] = (uint8_t)i;
        snprintf(name, sizeof name, "edit%02d", i);
        sb_fuzz_seed(name, script, i ? sizeof script : 1);
    }
}

const sb_fuzz_target sb_fuzz_targets[] = {
    {"data", fuzz_data, seed_edits},
    {"run", fuzz_run, seed_edits},
    {"checkpoint", fuzz_checkpoint, seed_edits},
    {"evolution", fuzz_evolution, seed_edits},
    {"trace", fuzz_trace, seed_edits},
    {"recording", fuzz_recording, seed_edits},
    {"other_trace", fuzz_other_trace, seed_edits},
    {"golden", fuzz_golden, seed_edits},
    {"h5", fuzz_h5, seed_h5},
    {"verify", fuzz_verify, seed_edits},
    {NULL, NULL, NULL},
};

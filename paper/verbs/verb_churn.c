#include "core/rows/setting.h"
#include "core/size.h"
#include "core/status.h"
#include "io/h5/h5_attribute.h"
#include "io/run/runfile.h"
#include "paper/judge/judge.h"
#include "paper/statistics/stats.h"
#include "paper/verbs/verbs.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of networks that classify the predictions of several runs, compared with each other: accuracy of each setting, and
 * churn, the share of test images or held-out tokens whose class differs between two runs.
 *
 *     sb_churn churn;
 *     SB_TRY(churn_read(&churn, path, n));
 *     churn_print(&churn, stdout);
 *     churn_free(&churn);
 */

/* What two runs of one recipe and one data set have in common. */
typedef enum sb_churn_kind {
    SB_CHURN_SETTINGS, /* one start, two settings: library, kernel type, threads */
    SB_CHURN_ULP,      /* one setting and seed, initial weights that differ by one unit in the last place */
    SB_CHURN_SEEDS,    /* one setting, two seeds */
    SB_N_CHURN_KINDS,
} sb_churn_kind;

typedef struct sb_churn_run {
    const char *path;
    char *recipe;      /* what was trained, with the data; without seed and ulp */
    char setting[192]; /* "openblas Haswell, 2 threads" */
    int64_t seed, ulp;
    size_t n, n_right;  /* test images or held-out tokens */
    bool is_text;
    uint8_t *predicted; /* [n] */
} sb_churn_run;

typedef struct sb_churn {
    size_t n;
    sb_churn_run *run;
} sb_churn;

/* ---- reading ---- */

/* All that says what was trained, and on what. */
static sb_status read_recipe(sb_churn_run *run, sb_h5 *file)
{
    char *text = NULL, value[SB_SETTING_TEXT];
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!out) return sb_fail(SB_E_MEMORY, "not enough memory");
    sb_status status = SB_OK;
    for (sb_setting_id id = 0; status == SB_OK && id < SB_N_SETTINGS; id++) {
        const sb_setting_row *row = &sb_settings_table[id];
        const bool counts = row->role == SB_ROLE_RECIPE || row->role == SB_ROLE_ARM;
        if (row->group != SB_GROUP_LEARN || !counts || !sb_h5_has(file, "config", row->key)) continue;
        status = sb_h5_attribute_text(file, "config", row->key, value, sizeof value);
        fprintf(out, "%s=%s\n", row->key, status == SB_OK ? value : "");
    }
    if (status == SB_OK) status = sb_h5_attribute_text(file, "config", "data_digest", value, sizeof value);
    fprintf(out, "%s", status == SB_OK ? value : "");
    if (fclose(out) != 0 && status == SB_OK) status = sb_fail(SB_E_MEMORY, "not enough memory");
    run->recipe = text;
    return status;
}

static sb_status read_setting(sb_churn_run *run, sb_h5 *file)
{
    char backend[32], arithmetic[32], kernel[64];
    int64_t threads;
    SB_TRY(sb_h5_attribute_text(file, "config", "backend", backend, sizeof backend));
    SB_TRY(sb_h5_attribute_text(file, "config", "arithmetic", arithmetic, sizeof arithmetic));
    SB_TRY(sb_h5_attribute_text(file, "config", "kernel", kernel, sizeof kernel));
    SB_TRY(sb_h5_get_int(file, "config", "threads", &threads));
    const bool is_blas = strcmp(arithmetic, "blas") == 0;
    snprintf(run->setting, sizeof run->setting, "%s %s, %lld thread%s", backend, is_blas ? kernel : arithmetic,
             (long long)threads, threads == 1 ? "" : "s");
    SB_TRY(sb_h5_get_int(file, "config", "seed", &run->seed));
    return sb_h5_get_int(file, "config", "ulp", &run->ulp);
}

static sb_status read_predictions(sb_churn_run *run, sb_h5 *file)
{
    sb_h5_shape shape;
    char flip[16];
    int64_t right;
    if (!sb_h5_exists(file, "eval/predicted"))
        return sb_fail(SB_E_USAGE,
                       "%s: has no predictions: its network does not classify, or there were no test images or "
                       "held-out tokens",
                       run->path);
    SB_TRY(sb_h5_attribute_text(file, "config", "test_flip", flip, sizeof flip));
    SB_TRY(sb_h5_get_int(file, "eval", strcmp(flip, "on") == 0 ? "correct_flipped" : "correct", &right));
    SB_TRY(sb_h5_shape_of(file, "eval/predicted", &shape));
    run->is_text = sb_h5_exists(file, "characters");
    run->n = shape.n, run->n_right = (size_t)right;
    return sb_h5_read_new(file, "eval/predicted", SB_U8, run->n, &run->predicted);
}

static sb_status read_run(sb_churn_run *run, const char *path)
{
    SB_OWNED(sb_h5_leave) sb_h5 *file = NULL;
    run->path = path;
    SB_TRY(sb_h5_open(&file, path, SB_SEAL_RUNS));
    const sb_status status = sb_runfile_check(file);
    SB_TRY(status == SB_E_EMPTY ? sb_fail(SB_E_USAGE, "%s: is not finished", path) : status);
    SB_TRY(read_recipe(run, file));
    SB_TRY(read_setting(run, file));
    return read_predictions(run, file);
}

static void churn_free(sb_churn *churn)
{
    for (size_t i = 0; i < churn->n; i++) {
        free(churn->run[i].recipe);
        free(churn->run[i].predicted);
    }
    free(churn->run);
    *churn = (sb_churn){0};
}

/* Finished runs of networks that classify, with test images; SB_E_USAGE if one is not. The paths
 * stay the caller's, who frees the churn also after a failure. */
static sb_status churn_read(sb_churn *churn, const char *const *path, size_t n)
{
    *churn = (sb_churn){.run = sb_size_allocate(n, sizeof *churn->run)};
    if (!churn->run) return sb_fail(SB_E_MEMORY, "not enough memory for %zu runs", n);
    for (size_t i = 0; i < n; i++) SB_TRY(read_run(&churn->run[churn->n++], path[i]));
    return SB_OK;
}

/* ---- pairs ---- */

/* Images whose predicted class differs. */
static size_t count_differing(const sb_churn_run *a, const sb_churn_run *b)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n && i < b->n; i++) n += a->predicted[i] != b->predicted[i];
    return n;
}

static bool same_recipe(const sb_churn_run *a, const sb_churn_run *b)
{
    return strcmp(a->recipe, b->recipe) == 0 && a->n == b->n;
}

/* SB_N_CHURN_KINDS: they differ in more than one thing. */
static sb_churn_kind kind_of(const sb_churn_run *a, const sb_churn_run *b)
{
    const bool setting = strcmp(a->setting, b->setting) == 0, seed = a->seed == b->seed, ulp = a->ulp == b->ulp;
    if (!same_recipe(a, b)) return SB_N_CHURN_KINDS;
    if (!setting) return seed && ulp ? SB_CHURN_SETTINGS : SB_N_CHURN_KINDS;
    if (!seed) return a->ulp == 0 && b->ulp == 0 ? SB_CHURN_SEEDS : SB_N_CHURN_KINDS;
    return ulp ? SB_N_CHURN_KINDS : SB_CHURN_ULP;
}

/* ---- printing ---- */

/* Is it the first run of its recipe, or of its recipe and setting? */
static bool is_first(const sb_churn *churn, size_t i, bool of_setting)
{
    for (size_t k = 0; k < i; k++)
        if (same_recipe(&churn->run[k], &churn->run[i]) &&
            (!of_setting || strcmp(churn->run[k].setting, churn->run[i].setting) == 0))
            return false;
    return true;
}

static sb_status print_accuracy(const sb_churn *churn, size_t first, double *percent, FILE *out)
{
    const sb_churn_run *of = &churn->run[first];
    sb_summary summary;
    size_t n = 0;
    for (size_t i = first; i < churn->n; i++) {
        const sb_churn_run *run = &churn->run[i];
        if (!same_recipe(run, of) || strcmp(run->setting, of->setting) != 0 || run->ulp) continue;
        percent[n++] = 100.0 * (double)run->n_right / (double)run->n;
    }
    if (n == 0) return SB_OK;
    SB_TRY(sb_stats_summary(percent, n, &summary));
    fprintf(out, "  right  %-36s %zu run%s  mean %.2f %%", of->setting, n, n == 1 ? "" : "s", summary.mean);
    if (n > 1) fprintf(out, "  sd %.2f", summary.sd);
    fprintf(out, "  %.2f to %.2f\n", summary.min, summary.max);
    return SB_OK;
}

static sb_status print_pairs(const sb_churn *churn, size_t first, sb_churn_kind kind, double *percent, FILE *out)
{
    static const char *const what[SB_N_CHURN_KINDS] = {
        [SB_CHURN_SETTINGS] = "one seed, two settings",
        [SB_CHURN_ULP] = "one setting, one ulp of one initial weight",
        [SB_CHURN_SEEDS] = "one setting, two seeds",
    };
    sb_summary summary;
    size_t n = 0;
    for (size_t i = first; i < churn->n; i++)
        for (size_t k = i + 1; k < churn->n; k++) {
            const sb_churn_run *a = &churn->run[i], *b = &churn->run[k];
            if (!same_recipe(a, &churn->run[first]) || kind_of(a, b) != kind) continue;
            percent[n++] = 100.0 * (double)count_differing(a, b) / (double)a->n;
        }
    if (n == 0) return SB_OK;
    SB_TRY(sb_stats_summary(percent, n, &summary));
    fprintf(out, "  churn  %-36s %zu pair%s  mean %.2f %%  %.2f to %.2f\n", what[kind], n, n == 1 ? "" : "s",
            summary.mean, summary.min, summary.max);
    return SB_OK;
}

static sb_status print_recipe(const sb_churn *churn, size_t first, double *percent, FILE *out)
{
    size_t n = 0;
    for (size_t i = first; i < churn->n; i++) n += same_recipe(&churn->run[i], &churn->run[first]);
    fprintf(out, "%zu run%s like %s, %zu %s\n", n, n == 1 ? "" : "s", churn->run[first].path, churn->run[first].n,
            churn->run[first].is_text ? "held-out tokens" : "test images");
    for (size_t i = first; i < churn->n; i++)
        if (same_recipe(&churn->run[i], &churn->run[first]) && is_first(churn, i, true))
            SB_TRY(print_accuracy(churn, i, percent, out));
    for (sb_churn_kind kind = 0; kind < SB_N_CHURN_KINDS; kind++) SB_TRY(print_pairs(churn, first, kind, percent, out));
    return SB_OK;
}

/* Accuracy of each setting over its runs that have no ulp, then each kind of pairs, for each recipe. */
static sb_status churn_print(const sb_churn *churn, FILE *out)
{
    SB_FREED double *percent = sb_size_allocate(churn->n * churn->n + 1, sizeof *percent);
    if (!percent) return sb_fail(SB_E_MEMORY, "not enough memory for the pairs of %zu runs", churn->n);
    for (size_t i = 0; i < churn->n; i++)
        if (is_first(churn, i, false)) SB_TRY(print_recipe(churn, i, percent, out));
    return SB_OK;
}

static sb_status print_churn(const sb_call *call)
{
    SB_OWNED(churn_free) sb_churn churn = {0};
    SB_TRY(sb_distinct_check(call->arguments.item, (size_t)call->arguments.n));
    SB_TRY(churn_read(&churn, call->arguments.item, (size_t)call->arguments.n));
    return churn_print(&churn, stdout);
}

const sb_command sb_verb_churn = {
    .program = "samebits-report",
    .verb = "churn",
    .summary = "print accuracies, and prediction disagreement (churn) between runs",
    .arguments = "RUN.h5...",
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "Compares runs of networks that classify, up to 64 files: runs of one seed with two settings, runs whose "
        "initial weights\n"
        "differ by one unit in the last place, and runs of two seeds.\n"
        "example: samebits-report churn results/runs/rung5*/*/*/*/*/*/*.h5\n",
    .run = print_churn,
    .once = true,
};

/* The collected results: the folder that `samebits-matrix collect` writes.
 *
 *   cells.csv   one row per finished cell, columns as in sb_result below
 *   curves.csv  hash, update, loss_last, loss_mean: one row per update of each of these cells
 *   timing.csv  hash, seconds, frames_per_second, peak_mib: one row per cell
 *   baselines.csv      may be absent; how well the video is predicted without learning
 *   registrations.csv  may be absent; the claims that stood when a run began
 *
 * Checked while reading: no loss is below 0 unless the training diverged, every cell has its curve and its
 * times, no name stands twice.
 */
#pragma once

#include "core/file.h"
#include "core/rows/evidence.h"
#include "core/rows/metrics.h"
#include "core/rows/setting.h"
#include "core/status.h"
#include "io/baselines.h"
#include "io/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How well the video of a run is predicted without learning: baselines.csv, looked up for a run.
 *
 *     SB_TRY(sb_baseline_losses_read(&losses, folder));
 *     double loss = sb_baseline_loss(&losses, cell, SB_BASELINE_REPEAT, SB_METRIC_LAST);
 */

struct sb_result;

typedef struct sb_baseline_row {
    char digest[SB_SHA256_TEXT]; /* of the data, as cells.csv has it */
    long window, updates;
    sb_baseline_id id;
    double loss[SB_N_METRICS];
} sb_baseline_row;

typedef struct sb_baseline_losses { /* {0}: none */
    size_t n;
    sb_baseline_row *row;
} sb_baseline_losses;

/* A folder without the table has none; a baseline that this program does not know is passed over. SB_E_INTEGRITY: a row
 * makes no sense. A failed call leaves nothing to free. */
sb_status sb_baseline_losses_read(sb_baseline_losses *losses, const char *folder);
void sb_baseline_losses_free(sb_baseline_losses *losses);

/* NAN: none of the run's data, window and number of updates. */
double sb_baseline_loss(const sb_baseline_losses *losses, const struct sb_result *cell, sb_baseline_id id,
                        sb_metric metric);

/* Which claims stood when a run began: registrations.csv, which the column `registration` of cells.csv points into.
 *
 *     SB_TRY(sb_registrations_read(&registrations, folder));
 *     if (sb_registrations_find(&registrations, cell->registration, digest) != SB_NOT_REGISTERED) ...
 */

typedef struct sb_registrations { /* {0}: nothing was registered */
    sb_table table;
    size_t id, claim, digest; /* columns */
} sb_registrations;

/* A folder without the table has none. SB_E_INTEGRITY: it makes no sense, or a set is not the one that its id says. The
 * caller frees, also after a failure. */
sb_status sb_registrations_read(sb_registrations *registrations, const char *folder);
void sb_registrations_free(sb_registrations *registrations);

/* The row of a claim of that digest in the registration of that id ("": no registration); SB_NOT_REGISTERED: it did not
 * are in it. */
#define SB_NOT_REGISTERED SIZE_MAX
size_t sb_registrations_find(const sb_registrations *registrations, const char *id, const char *digest);

/* The cells that the claim of this row spoke of when the registration was made: how many, and their digest
 * (io/yaml/claim_cells.h). false: an older registration, which does not say. */
bool sb_registrations_cells(const sb_registrations *registrations, size_t row, size_t *n, const char **cells);

/* The metrics that a run is judged by, in the order of core/rows/metrics.h: the loss of the window's last frame (what
 * was published), and the mean over the window; then the share of test images that are wrong. */
extern const char *const sb_metric_column[SB_N_LOSSES]; /* "loss_last", ..., "error", ... */
extern const char *const sb_metric_title[SB_N_LOSSES];  /* "last-frame loss", ..., "test error", ... */

typedef enum sb_target { SB_TARGET_COPY, SB_TARGET_SHARED, SB_N_TARGETS } sb_target;
extern const char *const sb_target_name[SB_N_TARGETS]; /* "copy", "shared" */

/* A field for each setting, by its key: "backend"; of one that is a number, or has a type of its own, "threads_text".
 */
#define SB_CELL_FIELD(A, ID, key, option, KIND, words, fallback, min, max, of, without, role, ...)                     \
    const char *SB_CELL_FIELD_##role(key, KIND);
#define SB_CELL_FIELD_RECIPE(key, KIND)    SB_CELL_FIELD_##KIND(key)
#define SB_CELL_FIELD_SETTING(key, KIND)   SB_CELL_FIELD_##KIND(key)
#define SB_CELL_FIELD_REPLICATE(key, KIND) SB_CELL_FIELD_##KIND(key)
#define SB_CELL_FIELD_LABEL(key, KIND)     SB_CELL_FIELD_##KIND(key)
#define SB_CELL_FIELD_LENGTH(key, KIND)    SB_CELL_FIELD_##KIND(key)
#define SB_CELL_FIELD_ARM(key, KIND)       key##_text
#define SB_CELL_FIELD_NAME(key)            key
#define SB_CELL_FIELD_CHOICE(key)          key
#define SB_CELL_FIELD_REAL(key)            key
#define SB_CELL_FIELD_LIST(key)            key
#define SB_CELL_FIELD_REALS(key)           key
#define SB_CELL_FIELD_LAYERS(key)          key
#define SB_CELL_FIELD_INT(key)             key##_text
#define SB_CELL_FIELD_INTS(key)            key##_text

typedef struct sb_result {
    const char *name, *hash, *weights, *data_digest;
    union { /* the columns of settings (core/rows/setting.h), "" where the table has none; recipe.h compares them */
        const char *setting[SB_N_SETTINGS];
        struct {
            SB_SETTINGS(, SB_CELL_FIELD, SB_CELL_FIELD, SB_CELL_FIELD, SB_CELL_FIELD)
        };
    };
    const char *run;          /* the run file, relative to run_folder */
    const char *registration; /* the claims that stood when it began (registration.h); "": none */
    sb_evidence evidence;     /* of a run */
    sb_target target;
    long threads, seed, ulp, batch, updates;
    double loss[SB_N_LOSSES]; /* as collect says: means over the last fifth of the updates; error: 1 - accuracy.
                               * Those of test images are NaN where there are none */
    bool diverged;    /* its training lost its numbers: a result without losses, each of which is NaN; its curve ends
                         before, and may have no point */
    long diverged_at; /* the update; 0: the table, of an older program, does not say */
    double accuracy;  /* share of the test images that are right, of networks that classify; NaN: none */
    double seconds, frames_per_second, peak_mib;
    /* Of the start whose own run this is (below): its other runs. */
    size_t n_replicates;
    const struct sb_result *const *replicate;
    bool is_replicate; /* of another cell: no condition holds it */
    size_t line;       /* of cells.csv */
    size_t n_curve;    /* points of the curve */
    double *update;    /* [n_curve], ascending */
    double *curve[SB_N_METRICS];
} sb_result;

/* Some cells in an order of their own. */
typedef struct sb_result_list {
    size_t n;
    const sb_result **cell;
} sb_result_list;

typedef struct sb_results {
    char run_folder[SB_PATH_MAX]; /* what the column run is relative to */
    size_t n_cells;
    sb_result *cell;     /* by name, in whatever order the rows stand */
    sb_result **by_hash; /* the same cells in the order of their hashes */
    sb_registrations registrations;
    sb_baseline_losses baselines;
    sb_table cells;                      /* what the cells' texts point into */
    double *points;                      /* what the cells' curves point into */
    const struct sb_result **replicates; /* what the cells' replicates point into */
} sb_results;

/* run_folder NULL: the same folder. SB_E_USAGE: no such folder. SB_E_EMPTY: it holds no results. SB_E_INTEGRITY: a row
 * makes no sense. The caller frees, also after a failure. */
sb_status sb_results_read(sb_results *results, const char *folder, const char *run_folder);
/* The cell of that hash, which the results own; NULL: there is none. */
sb_result *sb_results_find(const sb_results *results, const char *hash);

/* The same loss in both, or in neither, for both diverged. */
bool sb_result_same_loss(const sb_result *a, const sb_result *b, sb_metric metric);

void sb_results_free(sb_results *results);

/* The columns of cells.csv and timing.csv: a row each, with the function that reads it. */

/* A row of cells.csv, or of timing.csv, into a cell; the texts are the table's. SB_E_INTEGRITY: it makes no sense. */
sb_status sb_cell_read(const sb_table *table, size_t row, sb_result *cell);
sb_status sb_cell_read_timing(const sb_table *table, size_t row, sb_result *cell);

/* A loss of 0 is the best there is: it has no place on a log axis and in a ratio, and says so there. */
sb_status sb_cell_check_loss(const sb_table *table, size_t row, const char *column, double loss, const char *cell);

/* Replicates: several runs of one start (seed) and condition, which differ in nothing that the condition is about.
 *
 *   draws      imitated atomics in another random order; the run with the smallest draw is the start's own run
 *   one ulp    a run with ulp > 0 is a replicate of its unmoved run, the one of ulp 0 that agrees with it in all else
 *              (of its own study; else of others, which must all have the same bits), and of the own run of every
 *              start with the same recipe, target, seed, final weights and losses. So the one-ulp runs of one backend
 *              count for another one that has the same bits.
 *
 * Two runs of one ulp and draw with the same weights are one and the same computation, and count once.
 *
 *     SB_TRY(sb_replicates_find(results));
 *     const double value = sb_result_value(cell, SB_METRIC_LAST);
 */

/* Fill `replicate` and `is_replicate` of all cells. The results own what the cells point into. SB_E_MEMORY only. */
sb_status sb_replicates_find(sb_results *results);

/* Runs of the start of this own run: its replicates and itself. */
size_t sb_result_runs(const sb_result *cell);

/* How many of them diverged. */
size_t sb_result_diverged(const sb_result *cell);

/* The value of the start: the mean of log(loss) over these runs, as a multiple of 2^-40, so that means that are equal on
 * paper are equal; INFINITY if one of them diverged, else -INFINITY if a loss is 0. NAN: one of them has no such loss. */
double sb_result_value(const sb_result *cell, sb_metric metric);

/* Equal final weights, and losses that differ by no more than the rounding of their own sums (SB_SAME_LOSS). */
#define SB_SAME_LOSS 1e-6
bool sb_result_same_bits(const sb_result *a, const sb_result *b);

/* The difference of their losses: the largest |a - b| / min(a, b) of loss_last and loss_mean; INFINITY if one diverged
 * and the other did not, or one loss is 0 and the other is not. */
double sb_result_loss_gap(const sb_result *a, const sb_result *b);

/* The numbers of the arms and pairs as entries of the register (numbers.h). STUDY is the group's part, SETTING the
 * setting's (arms.h), METRIC loss-last or loss-mean:
 *
 *     STUDY.SETTING.TARGET.METRIC          mean of the final losses, with its interval
 *     STUDY.SETTING.TARGET.METRIC.sd       their standard deviation; the same .se (of the mean), .min, .median, .max
 *     STUDY.SETTING.TARGET.seconds         mean wall time of a run
 *     STUDY.SETTING.TARGET.accuracy        of networks that classify: percent of the test images that are right, mean
 *                                          and range over seeds
 *     STUDY.SETTING.shared-over-copy.METRIC    ratio of the pairs, with interval and p; the same .median, of the pairs'
 *                                              ratios, and .without-one, the ratio's range without one of the pairs
 */
#pragma once

#include "core/status.h"
#include "paper/effects/arms.h"
#include "paper/numbers/numbers.h"
#include "paper/results/results.h"
#include "paper/statistics/stats.h"

#include <stddef.h>

/* -- losses: measures.c -- */

/* A metric as part of a label. */
extern const char *const sb_metric_part[SB_N_METRICS]; /* "loss-last", "loss-mean" */

sb_status sb_measures_add(sb_numbers *numbers, const sb_arms *arms);

/* -- baselines: against_baselines.c -- */

/* Final losses against rules that learn nothing (io/baselines.h), as entries of the register. STUDY is the group's
 * part, SETTING the setting's (arms.h), BASELINE repeat-last, mean-frame or linear, METRIC loss-last or loss-mean:
 *
 *     STUDY.baseline.BASELINE.METRIC       its loss over the windows that the final losses of the runs are means of
 *     STUDY.over-BASELINE.METRIC           mean final loss of all runs over it, with the least and the most of a run
 *     STUDY.SETTING.TARGET.METRIC.over-BASELINE   the same of one arm
 *
 * None where the table has no row for the runs, or where the runs of the group are not of one length.
 */

sb_status sb_against_baselines_add(sb_numbers *numbers, const sb_arms *arms, const sb_baseline_losses *losses);

/* Of all runs of a group; NAN: there is none, or not one for all. */
double sb_group_baseline(const sb_group *group, const sb_baseline_losses *losses, sb_baseline_id id, sb_metric metric);

/* -- ranks of studies: rank.c -- */

/* The order in which a reader is told of the studies, the most important first. Of two of them that one goes first
 *
 *   whose network has the published size; that is a PredNet; that has pairs of both targets; whose network is larger;
 *   whose training is longer; whose runs rest on stronger evidence (measured before emulated before imitated);
 *   whose windows are as long as the published ones, 20 frames; that has more pairs; whose name comes first.
 *
 * So among studies of one network and length the one that is most like the published one speaks, not one that varies it
 * (windows of another length, a rule of arithmetic, a video by itself with fewer starts). */

typedef struct sb_ranking { /* {0} holds none */
    size_t n;
    const sb_group **group; /* the most important first */
} sb_ranking;

/* Below 0: a goes first. */
int sb_rank_compare(const sb_group *a, const sb_group *b);

/* arms must outlive the ranking. SB_E_MEMORY is the only failure, and leaves nothing to free. */
sb_status sb_ranking_of(sb_ranking *ranking, const sb_arms *arms);
void sb_ranking_free(sb_ranking *ranking);

/* -- batches: batches.c -- */

/* What the size of a batch does to the share of the test images that are wrong, optimiser by optimiser, each with the
 * rate that was chosen for it.
 *
 *   line   arms of one optimiser on one data set, by the same settings, that differ in the batch and in what is tuned
 *          with it: rate, momentum, weight decay, schedule, shards, number of updates. Local SGD is a line of its own.
 *   rise   how many more test images are wrong than at the smallest batch of the line, from the same starts
 *
 * A line that has a batch twice is a choice of rates and no line; without a line of two batches there is none.
 */

enum { SB_BATCH_LINE_NAME = 96 };

typedef struct sb_batch_arm {
    const sb_arm *arm;
    sb_summary error; /* share of the test images */
    size_t n_pairs;   /* starts that the smallest batch has too; 0 of that one itself */
    sb_summary rise;  /* their differences, where there are any */
} sb_batch_arm;

typedef struct sb_batch_line {
    char name[SB_BATCH_LINE_NAME]; /* "momentum-buffer", "momentum-buffer, 8 local steps" */
    size_t n;
    sb_batch_arm *arm; /* [n], batches ascending */
} sb_batch_line;

typedef struct sb_batches { /* {0} holds none */
    size_t n;
    sb_batch_line *line; /* in the order of their first arms */
    sb_batch_arm *arms;  /* what the lines point into */
} sb_batches;

/* arms must outlive batches. SB_E_MEMORY is the only failure; the caller frees, also after a failure. */
sb_status sb_batches_measure(sb_batches *batches, const sb_arms *arms);
void sb_batches_free(sb_batches *batches);

/* batch.STUDY.SETTING.error and batch.STUDY.SETTING.rise, in percent and in points. */
sb_status sb_batches_add(sb_numbers *numbers, const sb_batches *batches);

/* -- sources of variation: spread.c -- */

/* How far final losses differ by one source of variation alone: for each recipe and source, all pairs of cells that
 * differ in that source and in nothing else.
 *
 *   repeat       nothing differs: the same cell under two names; 0 where a backend keeps its bits
 *   ulp          one initial weight, by one unit in the last place
 *   threads, kernel, arithmetic      of one backend
 *   library      the backend, and with it what is the backend's own: arithmetic, kernel type, threads
 *   machine      the hardware that computed (recipe.h says what that is of an emulated cell)
 *   target       copy against shared
 *   seed         the initial weights
 *
 * sd is the standard deviation of a run's log loss by that source: sqrt(mean(d^2) / 2) over the pairs' differences d,
 * which for all pairs of one group is the sample standard deviation. share is its square over the sum of squares of all
 * sources that were measured: how the variance would divide, were the sources independent. Multiply sd by 100 for
 * percent of a loss. Pairs share runs, so n counts pairs, not independent samples.
 */

typedef enum sb_source {
    SB_SOURCE_REPEAT,
    SB_SOURCE_ULP,
    SB_SOURCE_THREADS,
    SB_SOURCE_KERNEL,
    SB_SOURCE_ARITHMETIC,
    SB_SOURCE_LIBRARY,
    SB_SOURCE_MACHINE,
    SB_SOURCE_TARGET,
    SB_SOURCE_SEED,
    SB_N_SOURCES
} sb_source;
extern const char *const sb_source_name[SB_N_SOURCES]; /* "repeat", "ulp", ... */

typedef struct sb_spread_row {
    size_t n_pairs;                               /* 0: this source was not measured */
    double sd[SB_N_METRICS], share[SB_N_METRICS]; /* NAN without pairs */
    sb_evidence evidence;
    size_t n_cells;
    const sb_result **cell; /* each cell of a pair once, in the order of the results */
} sb_spread_row;

typedef struct sb_source_spread {
    const char *study; /* the first by alphabet of those with this recipe */
    char recipe[96];   /* in words */
    char part[64];     /* the study as part of a label */
    sb_spread_row row[SB_N_SOURCES];
} sb_source_spread;

typedef struct sb_spreads {
    size_t n;
    sb_source_spread *spread; /* one for each recipe, by study */
} sb_spreads;

/* results must outlive spreads. The caller frees, also after a failure. */
sb_status sb_spreads_measure(sb_spreads *spreads, const sb_results *results);
void sb_spreads_free(sb_spreads *spreads);

/* spread.STUDY.SOURCE.METRIC and spread.STUDY.SOURCE.METRIC.share into the register. */
sb_status sb_spreads_add(sb_numbers *numbers, const sb_spreads *spreads);

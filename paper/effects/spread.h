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
#ifndef SB_PAPER_EFFECTS_SPREAD_H
#define SB_PAPER_EFFECTS_SPREAD_H

#include "core/status.h"
#include "paper/numbers/numbers.h"
#include "paper/results/results.h"

#include <stddef.h>

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

/* results must outlive spreads. A failed call leaves nothing to free. */
sb_status sb_spreads_measure(sb_spreads *spreads, const sb_results *results);
void sb_spreads_free(sb_spreads *spreads);

/* spread.STUDY.SOURCE.METRIC and spread.STUDY.SOURCE.METRIC.share into the register. */
sb_status sb_spreads_add(sb_numbers *numbers, const sb_spreads *spreads);

#endif

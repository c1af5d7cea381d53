/* What the generations of runs without gradients were like: generations.csv as three curves for each arm, of the
 * best, the median and the worst individual. An arm is the runs of a study that differ in their seeds alone
 * (recipe.h). */
#ifndef SB_PAPER_RESULTS_GENERATION_CURVES_H
#define SB_PAPER_RESULTS_GENERATION_CURVES_H

#include "core/status.h"
#include "paper/results/results.h"

#include <stddef.h>

typedef enum sb_individual_rank { SB_RANK_BEST, SB_RANK_MEDIAN, SB_RANK_WORST, SB_N_RANKS } sb_individual_rank;
extern const char *const sb_individual_rank_name[SB_N_RANKS]; /* "best", "median", "worst" */

/* Over the runs of an arm: at each generation the median, smallest and largest loss. */
typedef struct sb_generation_curve {
    size_t n;                                 /* points */
    double *generation, *median, *low, *high; /* [n] */
} sb_generation_curve;

typedef struct sb_generation_arm {
    const sb_result *cell; /* any of the arm */
    size_t n_runs;
    sb_generation_curve curve[SB_N_RANKS];
} sb_generation_arm;

typedef struct sb_generation_curves { /* {0} holds none */
    size_t n;
    sb_generation_arm *arm; /* in the order of cells.csv */
} sb_generation_curves;

/* FOLDER/generations.csv; no such file is no generations. SB_E_INTEGRITY: a row makes no sense, or names a cell that is
 * none of the results. A failed call leaves nothing to free. */
sb_status sb_generation_curves_read(sb_generation_curves *curves, const char *folder, const sb_results *results);
void sb_generation_curves_free(sb_generation_curves *curves);

#endif

/* Curves of many runs as one: at each point the median, the smallest and the largest value of them. Tables of collected
 * results as such curves, which lie over each other in panels. */
#pragma once

#include "core/status.h"
#include "paper/results/results.h"

#include <stddef.h>

typedef struct sb_curve {             /* {0} holds none */
    size_t n;                         /* points */
    double *at, *median, *low, *high; /* [n]; at: the update or generation */
    size_t n_none;                    /* values of the table that are in no point */
} sb_curve;

/* A curve without points, with room for n. */
sb_status sb_curve_make(sb_curve *curve, size_t n);
void sb_curve_free(sb_curve *curve);

/* A point of value [n], which is sorted; nothing where n is 0. */
void sb_curve_add(sb_curve *curve, double at, double *value, size_t n);

enum { SB_CURVES_MOST = 3 };

typedef struct sb_curve_panel {
    const sb_result *cell; /* any of the runs */
    size_t n_runs;         /* the most values of a point */
    sb_curve curve[SB_CURVES_MOST];
} sb_curve_panel;

typedef struct sb_curves { /* {0} holds none */
    size_t n;
    sb_curve_panel *panel;
} sb_curves;

/* The relative distances of the weights of paired cells over the updates, FOLDER/distances.csv: a panel for each recipe,
 * by the order of recipes, and a curve for each thing in which pairs differ. Pairs of the same bits, of distance 0, are
 * in no point.
 *
 * No such file is no distances. SB_E_INTEGRITY: a row makes no sense, or names a cell that is none of the results. A
 * failed call leaves nothing to free. */
typedef enum sb_differs { SB_DIFFERS_TARGET, SB_DIFFERS_SETTING, SB_DIFFERS_ULP, SB_N_DIFFERS } sb_differs;
extern const char *const sb_differs_name[SB_N_DIFFERS]; /* "target", "setting", "ulp" */
sb_status sb_curves_of_distances(sb_curves *curves, const char *folder, const sb_results *results);

/* What the generations of runs without gradients were like, FOLDER/generations.csv, in the same way: a panel for each
 * arm, in the order of cells.csv, and curves of the losses of the best, the median and the worst individual. An arm is
 * the runs of a study that differ in their seeds alone (recipe.h). Losses that are no number are in no point. */
typedef enum sb_individual_rank { SB_RANK_BEST, SB_RANK_MEDIAN, SB_RANK_WORST, SB_N_RANKS } sb_individual_rank;
sb_status sb_curves_of_generations(sb_curves *curves, const char *folder, const sb_results *results);

void sb_curves_free(sb_curves *curves);

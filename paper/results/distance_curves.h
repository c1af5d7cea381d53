/* The distances of the weights of paired cells over the updates: distances.csv as the curves of each recipe. */
#ifndef SB_PAPER_RESULTS_DISTANCE_CURVES_H
#define SB_PAPER_RESULTS_DISTANCE_CURVES_H

#include "core/status.h"
#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_differs { SB_DIFFERS_TARGET, SB_DIFFERS_SETTING, SB_DIFFERS_ULP, SB_N_DIFFERS } sb_differs;
extern const char *const sb_differs_name[SB_N_DIFFERS]; /* "target", "setting", "ulp" */

/* Over the pairs of one recipe that differ in one thing: at each update the median, smallest and largest distance.
 * Pairs of the same bits (distance 0) are counted and otherwise left out. */
typedef struct sb_distance_curve {
    size_t n;                             /* points */
    double *update, *median, *low, *high; /* [n] */
    size_t n_zero;                        /* rows of distance 0 */
} sb_distance_curve;

typedef struct sb_distance_panel {
    const sb_result *cell; /* any of the recipe */
    sb_distance_curve curve[SB_N_DIFFERS];
} sb_distance_panel;

typedef struct sb_distance_curves { /* {0} holds none */
    size_t n;
    sb_distance_panel *panel; /* by the order of recipes */
} sb_distance_curves;

/* Relative distances of FOLDER/distances.csv; no such file is no distances. SB_E_INTEGRITY: a row makes no sense, or
 * names a cell that is none of the results. A failed call leaves nothing to free. */
sb_status sb_distance_curves_read(sb_distance_curves *distances, const char *folder, const sb_results *results);
void sb_distance_curves_free(sb_distance_curves *distances);

#endif

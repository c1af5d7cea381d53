/* The loss curves of an arm as one line with a band: per point the median, the smallest and the largest of the seeds.
 * Long curves are thinned first: a point stands for `stride` updates and holds the mean of each seed's losses over
 * them, so that a figure stays readable whatever the length of the training. */
#ifndef SB_PAPER_FIGURES_BAND_H
#define SB_PAPER_FIGURES_BAND_H

#include "paper/effects/arms.h"

#include <stddef.h>

typedef struct sb_band {
    size_t n;                             /* points */
    size_t stride;                        /* updates in a point; the last point may hold fewer */
    double *update, *median, *low, *high; /* [n]; update is the mean of those in the point */
} sb_band;

/* At most n_max points; none, where every training diverged at once. arm->n >= 1. The curve of one that diverged ends
 * early, and the points after it are of the others. SB_E_INTEGRITY if the other curves of the arm differ in length. A
 * failed call leaves nothing to free. */
sb_status sb_band_of(sb_band *band, const sb_arm *arm, sb_metric metric, size_t n_max);
void sb_band_free(sb_band *band);

#endif

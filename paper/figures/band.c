#include "paper/figures/band.h"

#include <stdlib.h>

static double mean_of(const double *x, size_t first, size_t end)
{
    double sum = 0;
    for (size_t i = first; i < end; i++) sum += x[i];
    return sum / (double)(end - first);
}

/* Point i from the seeds' means in value[arm->n]. */
static void fill_point(sb_band *band, const sb_arm *arm, sb_metric metric, size_t i, double *value)
{
    size_t first = i * band->stride, end = first + band->stride, n = arm->cell[0]->n_curve;
    if (end > n) end = n;
    for (size_t s = 0; s < arm->n; s++) value[s] = mean_of(arm->cell[s]->curve[metric], first, end);
    band->update[i] = mean_of(arm->cell[0]->update, first, end);
    sb_stats_spread(value, arm->n, &band->low[i], &band->median[i], &band->high[i]);
}

sb_status sb_band_of(sb_band *band, const sb_arm *arm, sb_metric metric, size_t n_max)
{
    size_t n = arm->cell[0]->n_curve;
    for (size_t s = 1; s < arm->n; s++)
        if (arm->cell[s]->n_curve != n)
            return sb_fail(SB_E_INTEGRITY, "curves.csv: %zu rows of cell %s, but %zu of cell %s; collect again",
                           arm->cell[s]->n_curve, arm->cell[s]->name, n, arm->cell[0]->name);
    *band = (sb_band){.stride = (n + n_max - 1) / n_max};
    band->n = (n + band->stride - 1) / band->stride;
    band->update = malloc((4 * band->n + arm->n) * sizeof *band->update);
    if (!band->update) return sb_fail(SB_E_MEMORY, "not enough memory for a curve of %zu points", n);
    band->median = band->update + band->n;
    band->low = band->median + band->n;
    band->high = band->low + band->n;
    double *value = band->high + band->n;
    for (size_t i = 0; i < band->n; i++) fill_point(band, arm, metric, i, value);
    return SB_OK;
}

void sb_band_free(sb_band *band)
{
    free(band->update);
    *band = (sb_band){0};
}

#include "paper/figures/band.h"

#include <stdlib.h>

static double mean_of(const double *x, size_t first, size_t end)
{
    double sum = 0;
    for (size_t i = first; i < end; i++) sum += x[i];
    return sum / (double)(end - first);
}

/* The cell whose curve is longest. */
static const sb_result *longest_of(const sb_arm *arm)
{
    const sb_result *longest = arm->cell[0];
    for (size_t s = 1; s < arm->n; s++)
        if (arm->cell[s]->n_curve > longest->n_curve) longest = arm->cell[s];
    return longest;
}

/* Point i from the means, in value[arm->n], of the seeds whose curves get so far. */
static void fill_point(sb_band *band, const sb_arm *arm, sb_metric metric, size_t i, double *value)
{
    const sb_result *longest = longest_of(arm);
    size_t first = i * band->stride, end = first + band->stride, n = 0;
    if (end > longest->n_curve) end = longest->n_curve;
    for (size_t s = 0; s < arm->n; s++) {
        const size_t here = arm->cell[s]->n_curve < end ? arm->cell[s]->n_curve : end;
        if (here > first) value[n++] = mean_of(arm->cell[s]->curve[metric], first, here);
    }
    band->update[i] = mean_of(longest->update, first, end);
    sb_stats_spread(value, n, &band->low[i], &band->median[i], &band->high[i]);
}

/* Only the curve of a training that diverged may be shorter than the others. */
static sb_status check_lengths(const sb_arm *arm)
{
    const sb_result *longest = longest_of(arm);
    for (size_t s = 0; s < arm->n; s++)
        if (arm->cell[s]->n_curve != longest->n_curve && !arm->cell[s]->diverged)
            return sb_fail(SB_E_INTEGRITY, "curves.csv: %zu rows of cell %s, but %zu of cell %s; collect again",
                           arm->cell[s]->n_curve, arm->cell[s]->name, longest->n_curve, longest->name);
    return SB_OK;
}

sb_status sb_band_of(sb_band *band, const sb_arm *arm, sb_metric metric, size_t n_max)
{
    const size_t n = longest_of(arm)->n_curve;
    SB_TRY(check_lengths(arm));
    *band = (sb_band){.stride = n ? (n + n_max - 1) / n_max : 1};
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

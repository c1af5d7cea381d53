#include "paper/statistics/stats_parts.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* |x - median(x)| into deviation [n]. */
static void deviate(const double *x, size_t n, double *deviation)
{
    memcpy(deviation, x, n * sizeof *x);
    gsl_sort(deviation, 1, n);
    double median = gsl_stats_median_from_sorted_data(deviation, 1, n);
    for (size_t i = 0; i < n; i++) deviation[i] = fabs(x[i] - median);
}

sb_status sb_stats_brown_forsythe(const double *a, size_t n_a, const double *b, size_t n_b, double *p)
{
    *p = NAN;
    if (n_a < 2 || n_b < 2) return SB_OK;
    double *z = malloc((n_a + n_b) * sizeof *z), na = (double)n_a, nb = (double)n_b;
    if (!z) return sb_stats_fail_memory();
    deviate(a, n_a, z);
    deviate(b, n_b, z + n_a);
    double mean_a = gsl_stats_mean(z, 1, n_a), mean_b = gsl_stats_mean(z + n_a, 1, n_b);
    double within = gsl_stats_tss_m(z, 1, n_a, mean_a) + gsl_stats_tss_m(z + n_a, 1, n_b, mean_b);
    double between = na * nb / (na + nb) * (mean_a - mean_b) * (mean_a - mean_b);
    if (within > 0) *p = gsl_cdf_fdist_Q(between * (na + nb - 2) / within, 1, na + nb - 2);
    free(z);
    return SB_OK;
}

sb_status sb_stats_brown_forsythe_pairs(const double *a, const double *b, size_t n, double *p)
{
    *p = NAN;
    if (n < 2) return SB_OK;
    double *z = malloc(2 * n * sizeof *z);
    if (!z) return sb_stats_fail_memory();
    deviate(a, n, z);
    deviate(b, n, z + n);
    for (size_t i = 0; i < n; i++) z[i] -= z[n + i];
    sb_status status = sb_stats_sign_flip(z, n, p);
    free(z);
    return status;
}

#include "paper/statistics/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* The third cumulant of the mean of n >= 3 values, without bias. */
static double cumulant_of_mean(const double *x, size_t n)
{
    double mean = gsl_stats_mean(x, 1, n), sum = 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean) * (x[i] - mean);
    return sum / ((double)n * (double)(n - 1) * (double)(n - 2));
}

/* The inverse of Hall's transformation of a studentised mean of skewness a. */
static double unskew(double t, double a)
{
    return fabs(a) < 1e-6 ? t : 3 / a * (cbrt(1 + a * (t - a / 6)) - 1);
}

/* cumulant: the third one of the estimate. */
static void find_ends(sb_estimate e, double cumulant, double *low, double *high)
{
    *low = *high = e.mean;
    if (e.se == 0) return;
    const double t = gsl_cdf_tdist_Qinv(SB_STATS_ALPHA / 2, e.df), a = cumulant / (e.se * e.se * e.se);
    *low = e.mean - fmax(t, unskew(t, a)) * e.se;
    *high = e.mean - fmin(-t, unskew(-t, a)) * e.se;
}

void sb_stats_interval(const double *x, size_t n, double *low, double *high)
{
    *low = *high = NAN;
    if (n >= SB_STATS_INTERVAL_RUNS) find_ends(sb_stats_estimate(x, n), cumulant_of_mean(x, n), low, high);
}

void sb_stats_one_more(const double *x, size_t n, double *low, double *high)
{
    *low = *high = NAN;
    if (n < SB_STATS_INTERVAL_RUNS) return;
    const sb_estimate e = sb_stats_estimate(x, n);
    const double half = gsl_cdf_tdist_Qinv(SB_STATS_ALPHA / 2, e.df) * e.se * sqrt((double)n + 1);
    *low = e.mean - half, *high = e.mean + half;
}

void sb_stats_difference(const double *a, size_t n_a, const double *b, size_t n_b, double *low, double *high)
{
    *low = *high = NAN;
    if (n_a >= SB_STATS_INTERVAL_RUNS && n_b >= SB_STATS_INTERVAL_RUNS)
        find_ends(sb_stats_estimate_difference(a, n_a, b, n_b), cumulant_of_mean(a, n_a) - cumulant_of_mean(b, n_b),
                  low, high);
}

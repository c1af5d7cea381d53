#include "paper/statistics/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Pitman's and Morgan's t of the hypothesis sd(a) / sd(b) = factor: the t of the correlation of a + factor b and
 * a - factor b. Positive where a spreads more than that. */
static double pitman_morgan(const double *a, const double *b, size_t n, double factor)
{
    const double aa = gsl_stats_variance(a, 1, n), bb = factor * factor * gsl_stats_variance(b, 1, n);
    const double ab = factor * gsl_stats_covariance(a, 1, b, 1, n);
    const double difference = aa - bb, rest = (aa + bb) * (aa + bb) - 4 * ab * ab - difference * difference;
    /* The pairs lie on a line, which rounding may step over. */
    if (!(rest > 1e-14 * (aa + bb) * (aa + bb))) return difference == 0 ? 0 : copysign(HUGE_VAL, difference);
    return difference * sqrt((double)(n - 2) / rest);
}

double sb_stats_equal_spread_pairs(const double *a, const double *b, size_t n, double factor)
{
    if (n < 3 || gsl_stats_variance(a, 1, n) == 0 || gsl_stats_variance(b, 1, n) == 0) return NAN;
    const double df = (double)(n - 2);
    return fmax(gsl_cdf_tdist_P(pitman_morgan(a, b, n, factor), df),
                gsl_cdf_tdist_Q(pitman_morgan(a, b, n, 1 / factor), df));
}

double sb_stats_equal_spread(const double *a, size_t n_a, const double *b, size_t n_b, double factor)
{
    if (n_a < 2 || n_b < 2) return NAN;
    const double aa = gsl_stats_variance(a, 1, n_a), bb = gsl_stats_variance(b, 1, n_b), square = factor * factor;
    if (aa == 0 || bb == 0) return NAN;
    return fmax(gsl_cdf_fdist_P(aa / bb / square, (double)n_a - 1, (double)n_b - 1),
                gsl_cdf_fdist_Q(aa / bb * square, (double)n_a - 1, (double)n_b - 1));
}

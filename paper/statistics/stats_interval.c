#include "paper/statistics/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* ---- estimates ---- */

/* The third cumulant of the mean, without bias; NAN of too few values for an interval. */
static double cumulant_of_mean(const double *x, size_t n)
{
    if (n < SB_STATS_INTERVAL_RUNS) return NAN;
    double mean = gsl_stats_mean(x, 1, n), sum = 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean) * (x[i] - mean);
    return sum / ((double)n * (double)(n - 1) * (double)(n - 2));
}

static sb_estimate with_skewness(sb_estimate e, double cumulant)
{
    e.skewness = e.se > 0 ? cumulant / (e.se * e.se * e.se) : 0 * cumulant; /* NAN stays NAN */
    return e;
}

static sb_estimate student(const double *x, size_t n)
{
    if (n < 2) return (sb_estimate){NAN, NAN, NAN, NAN};
    return (sb_estimate){gsl_stats_mean(x, 1, n), gsl_stats_sd(x, 1, n) / sqrt((double)n), (double)n - 1, NAN};
}

sb_estimate sb_stats_estimate(const double *x, size_t n)
{
    return with_skewness(student(x, n), cumulant_of_mean(x, n));
}

sb_estimate sb_stats_estimate_difference(const double *a, size_t n_a, const double *b, size_t n_b)
{
    sb_estimate of_a = student(a, n_a), of_b = student(b, n_b);
    double v_a = of_a.se * of_a.se, v_b = of_b.se * of_b.se, v = v_a + v_b;
    double df = v > 0 ? v * v / (v_a * v_a / of_a.df + v_b * v_b / of_b.df) : of_a.df + of_b.df;
    return with_skewness((sb_estimate){of_a.mean - of_b.mean, sqrt(v), df, NAN},
                         cumulant_of_mean(a, n_a) - cumulant_of_mean(b, n_b));
}

/* ---- intervals: an end is Student's or Hall's, whichever is further out ---- */

/* Hall's transformation of a studentised mean t of skewness a, and its inverse. */
static double skew(double t, double a)
{
    return t + a * t * t / 3 + a * a * t * t * t / 27 + a / 6;
}

static double unskew(double t, double a)
{
    return fabs(a) < 1e-6 ? t : 3 / a * (cbrt(1 + a * (t - a / 6)) - 1);
}

void sb_stats_ends(sb_estimate e, double alpha, double *low, double *high)
{
    *low = *high = isnan(e.skewness) ? NAN : e.mean;
    if (isnan(e.skewness) || e.se == 0) return;
    const double t = gsl_cdf_tdist_Qinv(alpha / 2, e.df);
    *low = e.mean - fmax(t, unskew(t, e.skewness)) * e.se;
    *high = e.mean - fmin(-t, unskew(-t, e.skewness)) * e.se;
}

/* Where the beta distribution has that share below it, by halving: GSL's inverse does not always converge. */
static double beta_quantile(double share, double a, double b)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (gsl_cdf_beta_P(middle, a, b) < share)
            low = middle;
        else
            high = middle;
    }
    return high;
}

void sb_stats_binomial(size_t hits, size_t n, double *low, double *high)
{
    const double k = (double)hits, rest = (double)(n - hits), tail = SB_STATS_ALPHA / 2;
    *low = hits ? beta_quantile(tail, k, rest + 1) : 0;
    *high = hits < n ? beta_quantile(1 - tail, k + 1, rest) : 1;
}

double sb_stats_binomial_or_more(size_t hits, size_t n, double probability)
{
    return hits ? gsl_cdf_binomial_Q((unsigned)hits - 1, probability, (unsigned)n) : 1;
}

double sb_stats_binomial_or_fewer(size_t hits, size_t n, double probability)
{
    return gsl_cdf_binomial_P((unsigned)hits, probability, (unsigned)n);
}

void sb_stats_interval(const double *x, size_t n, double *low, double *high)
{
    sb_stats_ends(sb_stats_estimate(x, n), SB_STATS_ALPHA, low, high);
}

void sb_stats_difference(const double *a, size_t n_a, const double *b, size_t n_b, double *low, double *high)
{
    sb_stats_ends(sb_stats_estimate_difference(a, n_a, b, n_b), SB_STATS_ALPHA, low, high);
}

/* ---- equivalence ---- */

/* The level, of one side, at which the lower end lies `room` standard errors below the mean; of the upper end with the
 * skewness turned round. */
static double level_at(double room, double skewness, double df)
{
    return gsl_cdf_tdist_Q(fmin(room, skew(room, skewness)), df);
}

double sb_stats_equivalence(sb_estimate e, double margin)
{
    if (isnan(e.skewness) || isnan(margin)) return NAN;
    if (e.se == 0) return fabs(e.mean) < margin ? 0 : 1;
    return fmax(level_at((margin + e.mean) / e.se, e.skewness, e.df),
                level_at((margin - e.mean) / e.se, -e.skewness, e.df));
}

#include "paper/statistics/crossed.h"

#include "paper/statistics/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* The mean square of n means, each of `of` effects: those from i * step on, every `stride`-th. */
static sb_component square_of_means(const double *effect, size_t n, size_t step, size_t of, size_t stride, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = gsl_stats_mean(effect + i * step, stride, of) - mean;
        sum += off * off;
    }
    return (sb_component){.df = (double)(n - 1), .mean_square = (double)of * sum / (double)(n - 1)};
}

/* What neither data set nor start explains. */
static sb_component square_of_rest(const double *effect, const sb_crossed *c)
{
    const size_t n = c->n_data * c->n_starts;
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (effect[i] - c->mean) * (effect[i] - c->mean);
    const double left = sum - c->data.df * c->data.mean_square - c->start.df * c->start.mean_square;
    const double df = c->data.df * c->start.df;
    return (sb_component){.df = df, .mean_square = fmax(left, 0) / df};
}

static double sd_above(const sb_component *factor, const sb_component *rest, size_t n)
{
    return sqrt(fmax(factor->mean_square - rest->mean_square, 0) / (double)n);
}

/* The two parts of a variance, of data sets and of starts, and all of it: a standard error and Satterthwaite's degrees
 * of freedom. */
typedef struct spread {
    double se, df;
} spread;

static spread spread_of(const sb_crossed *c, double of_data, double of_start, double variance)
{
    const double both = of_data + of_start;
    if (both == 0) return (spread){sqrt(variance), c->data.df};
    return (spread){sqrt(variance),
                    both * both / (of_data * of_data / c->data.df + of_start * of_start / c->start.df)};
}

static void take_intervals(sb_crossed *c, spread mean, spread another)
{
    const double half = gsl_cdf_tdist_Qinv(SB_STATS_ALPHA / 2, mean.df) * mean.se;
    const double half_new = gsl_cdf_tdist_Qinv(SB_STATS_ALPHA / 2, another.df) * another.se;
    if (c->n_data < SB_STATS_INTERVAL_RUNS) return;
    c->low = c->mean - half, c->high = c->mean + half;
    c->new_low = c->mean - half_new, c->new_high = c->mean + half_new;
    c->new_p = another.se > 0 ? gsl_cdf_tdist_Q(fabs(c->mean) / another.se, another.df) : c->mean == 0;
    c->new_p = fmax(c->new_p, ldexp(1, -(int)c->n)); /* no less than sign flips of the effects could give */
}

static void cross_all(sb_crossed *c, const double *effect)
{
    const double n = (double)c->n;
    c->mean = gsl_stats_mean(effect, 1, c->n);
    c->data = square_of_means(effect, c->n_data, c->n_starts, c->n_starts, 1, c->mean);
    c->start = square_of_means(effect, c->n_starts, 1, c->n_data, c->n_starts, c->mean);
    c->rest = square_of_rest(effect, c);
    c->data.sd = sd_above(&c->data, &c->rest, c->n_starts);
    c->start.sd = sd_above(&c->start, &c->rest, c->n_data);
    c->rest.sd = sqrt(c->rest.mean_square);
    const double of_data = c->data.mean_square / n, of_start = c->start.mean_square / n;
    const double of_new = of_data * (double)(c->n_data + 1);
    take_intervals(c, spread_of(c, of_data, of_start, of_data + of_start),
                   spread_of(c, of_new, of_start, of_new + of_start));
}

/* ---- incomplete tables ---- */

/* The harmonic mean number of effects in a row, of n rows; effects have the distance `step` between rows, and `stride`
 * within a row; *most: the largest number. */
static double harmonic_mean(const double *effect, size_t n, size_t step, size_t of, size_t stride, size_t *most)
{
    double sum = 0;
    *most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = 0;
        for (size_t k = 0; k < of; k++) count += !isnan(effect[i * step + k * stride]);
        if (count == 0) return NAN;
        if (count > *most) *most = count;
        sum += 1 / (double)count;
    }
    return (double)n / sum;
}

static void cross_some(sb_crossed *c, const double *effect)
{
    size_t most_starts, most_data;
    const double starts = harmonic_mean(effect, c->n_data, c->n_starts, c->n_starts, 1, &most_starts);
    const double sets = harmonic_mean(effect, c->n_starts, 1, c->n_data, c->n_starts, &most_data);
    if (isnan(starts) || isnan(sets) || most_data < 2 || c->n <= c->n_data + c->n_starts) return;
    const double d = (double)c->n_data, s = (double)c->n_starts, n = (double)c->n;
    const sb_reml r = sb_reml_of(effect, c->n_data, c->n_starts);
    c->mean = r.mean;
    c->data = (sb_component){d - 1, r.rest + starts * r.data, sqrt(r.data)};
    c->start = (sb_component){s - 1, r.rest + sets * r.start, sqrt(r.start)};
    c->rest = (sb_component){n - d - s + 1, r.rest, sqrt(r.rest)};
    const double of_data = c->data.mean_square / (d * starts), of_start = c->start.mean_square / (s * sets);
    const double variance = r.variance + r.rest / n;
    take_intervals(c, spread_of(c, of_data, of_start, variance),
                   spread_of(c, of_data * (d + 1), of_start, variance + r.data + r.rest / starts));
}

sb_crossed sb_crossed_of(const double *effect, size_t n_data, size_t n_starts)
{
    const sb_component none = {NAN, NAN, NAN};
    sb_crossed c = {.n_data = n_data, .n_starts = n_starts, .mean = NAN, .low = NAN, .high = NAN, .new_low = NAN,
                    .new_high = NAN, .new_p = NAN, .data = none, .start = none, .rest = none};
    for (size_t i = 0; i < n_data * n_starts; i++) c.n += !isnan(effect[i]);
    c.complete = c.n == n_data * n_starts;
    if (n_data < 2 || n_starts < 2) return c;
    if (c.complete)
        cross_all(&c, effect);
    else
        cross_some(&c, effect);
    return c;
}

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

/* Half the interval of an estimate of the variance a MD + b MS. */
static double half_of(const sb_crossed *c, double a, double b)
{
    const double of_data = a * c->data.mean_square, of_start = b * c->start.mean_square, variance = of_data + of_start;
    if (variance == 0) return 0;
    const double df = variance * variance / (of_data * of_data / c->data.df + of_start * of_start / c->start.df);
    return gsl_cdf_tdist_Qinv(SB_STATS_ALPHA / 2, df) * sqrt(variance);
}

sb_crossed sb_crossed_of(const double *effect, size_t n_data, size_t n_starts)
{
    const sb_component none = {NAN, NAN, NAN};
    sb_crossed c = {n_data, n_starts, NAN, NAN, NAN, NAN, NAN, none, none, none};
    if (n_data < 2 || n_starts < 2) return c;
    const double n = (double)(n_data * n_starts);
    c.mean = gsl_stats_mean(effect, 1, n_data * n_starts);
    c.data = square_of_means(effect, n_data, n_starts, n_starts, 1, c.mean);
    c.start = square_of_means(effect, n_starts, 1, n_data, n_starts, c.mean);
    c.rest = square_of_rest(effect, &c);
    c.data.sd = sd_above(&c.data, &c.rest, n_starts);
    c.start.sd = sd_above(&c.start, &c.rest, n_data);
    c.rest.sd = sqrt(c.rest.mean_square);
    if (n_data < SB_STATS_INTERVAL_RUNS) return c;
    const double half = half_of(&c, 1 / n, 1 / n), half_new = half_of(&c, (double)(n_data + 1) / n, 1 / n);
    c.low = c.mean - half, c.high = c.mean + half;
    c.new_low = c.mean - half_new, c.new_high = c.mean + half_new;
    return c;
}

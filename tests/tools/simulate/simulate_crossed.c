#include "simulate_parts.h"

#include "core/random.h"
#include "paper/statistics/crossed.h"
#include "paper/statistics/stats.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>

enum { STARTS = 6 };
enum { OF_DATA = 7, OF_STARTS, OF_REST }; /* streams of random numbers */

/* Standard deviations of data sets, starts and the rest; the mean is 0. */
static const struct truth {
    const char *name;
    double data, start, rest;
    bool skewed; /* the data sets: an exponential distribution */
} truths[] = {
    {"data sets far apart", 2, 1, 1},  {"data sets skewed", 2, 1, 1, true}, {"all alike apart", 1, 1, 1},
    {"data sets close", 0.3, 1, 1},    {"data sets the same", 0, 1, 1},     {"starts the same", 1, 0, 1},
    {"starts far apart", 0.3, 2, 0.5}, {"nothing but the rest", 0, 0, 1},
};
enum { N_TRUTHS = sizeof truths / sizeof *truths };

static double of_data(const struct truth *truth, size_t trial, size_t d)
{
    if (truth->skewed) return truth->data * (-log(sb_random_uniform(trial, OF_DATA, d)) - 1);
    return truth->data * sb_random_normal(trial, OF_DATA, d);
}

/* The effects of n data sets; returns that of a new one. */
static double make(const struct truth *truth, size_t trial, size_t n, double effect[SB_MOST_VALUES * STARTS])
{
    for (size_t d = 0; d < n; d++)
        for (size_t s = 0; s < STARTS; s++)
            effect[d * STARTS + s] = of_data(truth, trial, d) + truth->start * sb_random_normal(trial, OF_STARTS, s) +
                                     truth->rest * sb_random_normal(trial, OF_REST, d * STARTS + s);
    return of_data(truth, trial, SB_MOST_VALUES);
}

static bool holds(double low, double x, double high)
{
    return low <= x && x <= high;
}

/* The intervals that are not used. Student's of prediction from the means of the data sets, which leaves out that they
 * share their starts; and the exact variance, from which the mean square of the rest is taken away. */
static bool holds_student(const double *effect, size_t n, double x)
{
    assert(n <= SB_MOST_VALUES);
    double mean[SB_MOST_VALUES];
    for (size_t d = 0; d < n; d++) mean[d] = gsl_stats_mean(effect + d * STARTS, 1, STARTS);
    const sb_estimate e = sb_stats_estimate(mean, n);
    return fabs(x - e.mean) <= gsl_cdf_tdist_Qinv(SB_STATS_ALPHA / 2, e.df) * e.se * sqrt((double)n + 1);
}

static bool holds_exact(const sb_crossed *c, double x)
{
    const double n = (double)(c->n_data * c->n_starts), a = (double)(c->n_data + 1) / n;
    const double parts[] = {a * c->data.mean_square, c->start.mean_square / n, -a * c->rest.mean_square};
    const double df[] = {c->data.df, c->start.df, c->rest.df};
    double variance = 0, sum = 0;
    for (int i = 0; i < 3; i++) variance += parts[i], sum += parts[i] * parts[i] / df[i];
    if (variance <= 0) return x == c->mean;
    const double t = gsl_cdf_tdist_Qinv(SB_STATS_ALPHA / 2, fmax(variance * variance / sum, 1));
    return fabs(x - c->mean) <= t * sqrt(variance);
}

static const struct question {
    const char *kind, *name;
} questions[] = {{"interval", "mean over data sets and starts"},
                 {"interval", "new data set"},
                 {"not used", "new data set by Student's t of the means of data sets"},
                 {"not used", "new data set by exact mean squares"}};
enum { N_QUESTIONS = sizeof questions / sizeof *questions };

static void ask(const struct truth *truth, size_t trial, size_t n, bool it_did[N_QUESTIONS])
{
    double effect[SB_MOST_VALUES * STARTS];
    const double other = make(truth, trial, n, effect);
    const sb_crossed c = sb_crossed_of(effect, n, STARTS);
    it_did[0] = holds(c.low, 0, c.high);
    it_did[1] = holds(c.new_low, other, c.new_high);
    it_did[2] = holds_student(effect, n, other);
    it_did[3] = holds_exact(&c, other);
}

sb_status sb_simulate_crossed(size_t trials, sb_rate_taker *take, void *context)
{
    size_t hits[N_QUESTIONS][N_TRUTHS][SB_N_SIZES] = {0};
    for (int t = 0; t < N_TRUTHS; t++)
        for (int i = 0; i < SB_N_SIZES; i++)
            for (size_t trial = 0; trial < trials; trial++) {
                bool it_did[N_QUESTIONS];
                ask(&truths[t], trial, sb_simulated_n[i], it_did);
                for (int k = 0; k < N_QUESTIONS; k++) hits[k][t][i] += it_did[k];
            }
    for (int k = 0; k < N_QUESTIONS; k++)
        for (int t = 0; t < N_TRUTHS; t++)
            for (int i = 0; i < SB_N_SIZES; i++) {
                const sb_rate rate = {.kind = questions[k].kind,
                                      .name = questions[k].name,
                                      .values = truths[t].name,
                                      .what = "holds the truth",
                                      .n = sb_simulated_n[i],
                                      .nominal = 1 - SB_STATS_ALPHA,
                                      .rate = (double)hits[k][t][i] / (double)trials};
                SB_TRY(take(context, &rate));
            }
    return SB_OK;
}

#include "paper/statistics/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

typedef struct logs {
    double mean, sd;
    double n; /* drawn */
} logs;

static logs logs_of(const double *loss, size_t n, size_t n_drawn)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += log(loss[i]);
    for (size_t i = 0; i < n; i++) squares += pow(log(loss[i]) - sum / (double)n, 2);
    return (logs){sum / (double)n, sqrt(squares / (double)(n - 1)), (double)n_drawn};
}

/* The density of the largest of `below` at x, times the chance that all of `above` lie over it. */
static double integrand(double x, void *context)
{
    const logs *above = context, *below = above + 1;
    const double density = gsl_ran_gaussian_pdf(x - below->mean, below->sd);
    return below->n * pow(gsl_cdf_gaussian_P(x - below->mean, below->sd), below->n - 1) * density *
           pow(gsl_cdf_gaussian_Q(x - above->mean, above->sd), above->n);
}

static double of_normal(const logs side[2])
{
    enum { NODES = 512 };
    if (!(side[0].sd > 0 && side[1].sd > 0)) return NAN;
    gsl_integration_glfixed_table *nodes = gsl_integration_glfixed_table_alloc(NODES);
    if (!nodes) return NAN;
    /* Beyond ten standard deviations of `below` its density is nothing. */
    const gsl_function f = {integrand, (void *)side};
    const double low = side[1].mean - 10 * side[1].sd, high = side[1].mean + 10 * side[1].sd;
    const double chance = gsl_integration_glfixed(&f, low, high, nodes);
    gsl_integration_glfixed_table_free(nodes);
    return chance;
}

/* Sum over the values that the least of `above` may have. */
static double of_samples(const double *above, size_t n_a, double n_above, const double *below, size_t n_b,
                         double n_below)
{
    double chance = 0;
    for (size_t i = 0; i < n_a; i++) {
        size_t at_least = 0, over = 0, equal = 0, under = 0;
        for (size_t k = 0; k < n_a; k++) {
            at_least += above[k] >= above[i];
            over += above[k] > above[i];
            equal += above[k] == above[i];
        }
        for (size_t k = 0; k < n_b; k++) under += below[k] < above[i];
        const double least = pow((double)at_least / (double)n_a, n_above) - pow((double)over / (double)n_a, n_above);
        chance += least / (double)equal * pow((double)under / (double)n_b, n_below);
    }
    return chance;
}

sb_separation sb_separation_of(const double *above, size_t n_a, size_t n_above, const double *below, size_t n_b,
                               size_t n_below)
{
    const logs side[2] = {logs_of(above, n_a, n_above), logs_of(below, n_b, n_below)};
    return (sb_separation){of_normal(side), of_samples(above, n_a, (double)n_above, below, n_b, (double)n_below)};
}

double sb_separation_by_chance(size_t n_above, size_t n_below)
{
    return 1 / gsl_sf_choose((unsigned)(n_above + n_below), (unsigned)n_above);
}

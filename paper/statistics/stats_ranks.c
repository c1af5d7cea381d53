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
    SB_FREED double *z = malloc(2 * n * sizeof *z);
    if (!z) return sb_stats_fail_memory();
    deviate(a, n, z);
    deviate(b, n, z + n);
    for (size_t i = 0; i < n; i++) z[i] -= z[n + i];
    return sb_stats_sign_flip(z, n, p);
}

/* Of two differences that are equal on paper: the values of starts are rounded to 2^-40 (results/results.h). */
static const double OF_VALUES = 2e-12;

/* Ranks of n values, from 1. Equal values, and values that differ by at most `apart`, get their mean rank. order [n] is
 * scratch. */
static void rank_values(const double *x, size_t n, double apart, size_t *order, double *rank)
{
    gsl_sort_index(order, x, 1, n);
    for (size_t i = 0, end; i < n; i = end) {
        const double from = x[order[i]];
        for (end = i + 1; end < n && (x[order[end]] == from || x[order[end]] - from <= apart);) end++;
        for (size_t k = i; k < end; k++) rank[order[k]] = 0.5 * (double)(i + 1 + end);
    }
}

sb_status sb_stats_signed_ranks(double *difference, size_t n)
{
    double *far = calloc(2 * n + 1, sizeof *far); /* distances, then their ranks */
    size_t *order = malloc(n * sizeof *order);
    if (!far || !order) {
        free(order);
        free(far);
        return sb_stats_fail_memory();
    }
    for (size_t i = 0; i < n; i++) far[i] = fabs(difference[i]);
    rank_values(far, n, OF_VALUES, order, far + n);
    for (size_t i = 0; i < n; i++) difference[i] = far[n + i] * ((difference[i] > 0) - (difference[i] < 0));
    free(order);
    free(far);
    return SB_OK;
}

/* Ranks of a and b in one row: [n_a + n_b], the caller frees; NULL when memory is short. */
static double *rank_together(const double *a, size_t n_a, const double *b, size_t n_b)
{
    size_t n = n_a + n_b;
    double *x = malloc(n * sizeof *x), *rank = malloc(n * sizeof *rank);
    SB_FREED size_t *order = malloc(n * sizeof *order);
    if (x && rank && order) {
        memcpy(x, a, n_a * sizeof *x);
        memcpy(x + n_a, b, n_b * sizeof *x);
        rank_values(x, n, 0, order, rank);
    } else {
        free(rank);
        rank = NULL;
    }
    free(x);
    return rank;
}

/* ways[k][s]: in how many ways k of the values seen so far have ranks of the sum s / 2; twice a mean rank is whole. */
static void count_splits(double *ways, size_t n_a, size_t n_sums, const double *rank, size_t n)
{
    ways[0] = 1;
    for (size_t i = 0; i < n; i++) {
        size_t twice = (size_t)lround(2 * rank[i]);
        for (size_t k = n_a; k > 0; k--)
            for (size_t s = n_sums - 1; s >= twice; s--) ways[k * n_sums + s] += ways[(k - 1) * n_sums + s - twice];
    }
}

sb_status sb_stats_rank_sum(const double *a, size_t n_a, const double *b, size_t n_b, double *p)
{
    size_t n = n_a + n_b, n_sums = n * (n + 1) + 1;
    *p = NAN;
    if (n_a == 0 || n_b == 0) return SB_OK;
    if (n_a > n_b) return sb_stats_rank_sum(b, n_b, a, n_a, p); /* the same splits, counted by the smaller part */
    double *rank = rank_together(a, n_a, b, n_b), *ways = calloc((n_a + 1) * n_sums, sizeof *ways);
    if (!rank || !ways) {
        free(ways);
        free(rank);
        return sb_stats_fail_memory();
    }
    count_splits(ways, n_a, n_sums, rank, n);
    double mean = (double)(n_a * (n + 1)), seen = 0, hits = 0, all = 0; /* of twice the rank sum */
    for (size_t i = 0; i < n_a; i++) seen += 2 * rank[i];
    for (size_t s = 0; s < n_sums; s++) {
        double count = ways[n_a * n_sums + s];
        all += count;
        if (fabs((double)s - mean) >= fabs(seen - mean)) hits += count;
    }
    *p = hits / all;
    free(ways);
    free(rank);
    return SB_OK;
}

/* Exact below 2^53: a p that can be 0.05 is not below 0.05. */
static double choices_of(size_t n, size_t k)
{
    double choices = 1;
    for (size_t i = 1; i <= k; i++) choices = choices * (double)(n - k + i) / (double)i;
    return choices;
}

double sb_stats_smallest_rank_sum_p(size_t n_a, size_t n_b)
{
    if (n_a == 0 || n_b == 0) return NAN;
    return fmin(1, 2 / choices_of(n_a + n_b, n_a < n_b ? n_a : n_b));
}

/* Variance of the placements of one sample: its ranks among all, less those within itself. placement [n]. */
static double placement_variance(const double *together, const double *x, size_t n, size_t *order, double *placement)
{
    rank_values(x, n, 0, order, placement);
    for (size_t i = 0; i < n; i++) placement[i] = together[i] - placement[i];
    return gsl_stats_variance(placement, 1, n);
}

sb_status sb_stats_brunner_munzel(const double *a, size_t n_a, const double *b, size_t n_b, double *p)
{
    *p = NAN;
    if (n_a < 2 || n_b < 2) return SB_OK;
    size_t n = n_a + n_b, *order = malloc(n * sizeof *order);
    double *rank = rank_together(a, n_a, b, n_b), *placement = malloc(n * sizeof *placement);
    if (!rank || !placement || !order) {
        free(placement);
        free(rank);
        free(order);
        return sb_stats_fail_memory();
    }
    double na = (double)n_a, nb = (double)n_b;
    double v_a = na * placement_variance(rank, a, n_a, order, placement);
    double v_b = nb * placement_variance(rank + n_a, b, n_b, order, placement);
    double difference = gsl_stats_mean(rank + n_a, 1, n_b) - gsl_stats_mean(rank, 1, n_a);
    double t = na * nb * difference / ((na + nb) * sqrt(v_a + v_b));
    double df = (v_a + v_b) * (v_a + v_b) / (v_a * v_a / (na - 1) + v_b * v_b / (nb - 1));
    if (v_a + v_b > 0)
        *p = 2 * gsl_cdf_tdist_Q(fabs(t), df);
    else
        *p = difference != 0 ? 0 : 1;
    free(placement);
    free(rank);
    free(order);
    return SB_OK;
}

double sb_stats_cliff(const double *a, size_t n_a, const double *b, size_t n_b)
{
    double sum = 0;
    for (size_t i = 0; i < n_a; i++)
        for (size_t k = 0; k < n_b; k++) sum += (a[i] > b[k]) - (a[i] < b[k]);
    return n_a && n_b ? sum / ((double)n_a * (double)n_b) : NAN;
}

double sb_stats_cliff_pairs(const double *difference, size_t n)
{
    const double zero = 0;
    return sb_stats_cliff(difference, n, &zero, 1);
}

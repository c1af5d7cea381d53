#include "paper/statistics/stats.h"

#include "paper/statistics/stats_parts.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct look {
    double p;
    size_t place;
} look;

static int compare_looks(const void *left, const void *right)
{
    const look *a = left, *b = right;
    return (a->p > b->p) - (a->p < b->p);
}

sb_status sb_stats_holm(const double *p, size_t n, double *adjusted)
{
    SB_FREED look *looks = malloc((n + 1) * sizeof *looks);
    if (!looks) return sb_stats_fail_memory();
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(p[i]))
            looks[m++] = (look){p[i], i};
        else
            adjusted[i] = NAN;
    qsort(looks, m, sizeof *looks, compare_looks);
    double largest = 0;
    for (size_t i = 0; i < m; i++) {
        largest = fmax(largest, fmin(1, (double)(m - i) * looks[i].p));
        adjusted[looks[i].place] = largest;
    }
    return SB_OK;
}

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

enum { RNG_SEED = 1 };

sb_status sb_stats_fail_memory(void)
{
    return sb_fail(SB_E_MEMORY, "not enough memory for the statistics");
}

gsl_rng *sb_stats_rng(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng) gsl_rng_set(rng, RNG_SEED);
    return rng;
}

double sb_stats_quantile(double *x, size_t n, double q)
{
    gsl_sort(x, 1, n);
    return gsl_stats_quantile_from_sorted_data(x, 1, n, q);
}

void sb_stats_spread(double *x, size_t n, double *min, double *median, double *max)
{
    gsl_sort(x, 1, n);
    *min = x[0];
    *median = gsl_stats_median_from_sorted_data(x, 1, n);
    *max = x[n - 1];
}

sb_status sb_stats_summary(const double *x, size_t n, sb_summary *summary)
{
    *summary = (sb_summary){.n = n, .sd = NAN, .se = NAN, .low = NAN, .high = NAN};
    SB_FREED double *sorted = malloc(n * sizeof *sorted);
    if (!sorted) return sb_stats_fail_memory();
    memcpy(sorted, x, n * sizeof *sorted);
    sb_stats_spread(sorted, n, &summary->min, &summary->median, &summary->max);
    summary->mean = gsl_stats_mean(sorted, 1, n);
    if (n > 1) {
        summary->sd = gsl_stats_sd(sorted, 1, n);
        summary->se = summary->sd / sqrt((double)n);
    }
    sb_stats_interval(sorted, n, &summary->low,
                      &summary->high); /* of sorted ones, so that the order of seeds is none */
    return SB_OK;
}

sb_status sb_stats_ratio(const double *over, const double *under, size_t n, sb_ratio *ratio)
{
    *ratio = (sb_ratio){n, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (n == 0) return SB_OK;
    SB_FREED double *log_ratio = malloc(n * sizeof *log_ratio);
    if (!log_ratio) return sb_stats_fail_memory();
    for (size_t i = 0; i < n; i++) log_ratio[i] = log(over[i] / under[i]);
    sb_summary summary;
    SB_TRY(sb_stats_summary(log_ratio, n, &summary));
    SB_TRY(sb_stats_sign_flip(log_ratio, n, &ratio->p));
    ratio->ratio = exp(summary.mean);
    ratio->low = exp(summary.low);
    ratio->high = exp(summary.high);
    ratio->median = exp(summary.median);
    if (n > 1) { /* without its largest, and without its smallest */
        ratio->least_without = exp((summary.mean * (double)n - summary.max) / (double)(n - 1));
        ratio->most_without = exp((summary.mean * (double)n - summary.min) / (double)(n - 1));
    }
    return SB_OK;
}

int sb_stats_ratio_decimals(const sb_ratio *ratio)
{
    double width = ratio->high - ratio->low;
    if (isnan(width)) return 2;
    int decimals = width > 0 ? 2 : 3;
    for (; width > 0 && width < 0.03 && decimals < 6; width *= 10) decimals++;
    return decimals;
}

void sb_stats_ratio_text(const sb_ratio *ratio, char text[SB_RATIO_TEXT])
{
    int decimals = sb_stats_ratio_decimals(ratio);
    if (ratio->n == 0)
        snprintf(text, SB_RATIO_TEXT, "no pairs");
    else if (isnan(ratio->low))
        snprintf(text, SB_RATIO_TEXT, "%.*f", decimals, ratio->ratio);
    else
        snprintf(text, SB_RATIO_TEXT, "%.*f [%.*f, %.*f]", decimals, ratio->ratio, decimals, ratio->low, decimals,
                 ratio->high);
}

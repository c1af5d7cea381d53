#include "paper/statistics/stats_parts.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Add `sign` times the mean of a resample of x to each of the means. resample [n]. */
static void resample_means(gsl_rng *rng, double *x, size_t n, double sign, double *resample, double *mean,
                           size_t resamples)
{
    for (size_t i = 0; i < resamples; i++) {
        gsl_ran_sample(rng, resample, n, x, n, sizeof *x);
        mean[i] += sign * gsl_stats_mean(resample, 1, n);
    }
}

static void find_interval(double *mean, size_t resamples, double *low, double *high)
{
    gsl_sort(mean, 1, resamples);
    *low = gsl_stats_quantile_from_sorted_data(mean, 1, resamples, 0.025);
    *high = gsl_stats_quantile_from_sorted_data(mean, 1, resamples, 0.975);
}

/* se, low and high from the means of resamples of x. */
static sb_status bootstrap(double *x, size_t n, size_t resamples, sb_summary *summary)
{
    sb_status status = SB_OK;
    gsl_rng *rng = sb_stats_rng();
    double *resample = malloc(n * sizeof *resample);
    double *mean = calloc(resamples, sizeof *mean);
    if (!rng || !resample || !mean) {
        status = sb_stats_fail_memory();
        goto out;
    }
    resample_means(rng, x, n, 1, resample, mean, resamples);
    summary->se = gsl_stats_sd(mean, 1, resamples);
    if (n >= SB_STATS_INTERVAL_RUNS) find_interval(mean, resamples, &summary->low, &summary->high);
out:
    free(mean);
    free(resample);
    gsl_rng_free(rng);
    return status;
}

sb_status sb_stats_difference(const double *a, size_t n_a, const double *b, size_t n_b, size_t resamples, double *low,
                              double *high)
{
    sb_status status = SB_OK;
    *low = *high = NAN;
    if (n_a < SB_STATS_INTERVAL_RUNS || n_b < SB_STATS_INTERVAL_RUNS) return SB_OK;
    gsl_rng *rng = sb_stats_rng();
    double *sorted = malloc((n_a + n_b) * sizeof *sorted), *resample = malloc((n_a + n_b) * sizeof *resample);
    double *mean = calloc(resamples, sizeof *mean);
    if (!rng || !sorted || !resample || !mean) {
        status = sb_stats_fail_memory();
        goto out;
    }
    memcpy(sorted, a, n_a * sizeof *a);
    memcpy(sorted + n_a, b, n_b * sizeof *b);
    gsl_sort(sorted, 1, n_a);
    gsl_sort(sorted + n_a, 1, n_b);
    resample_means(rng, sorted, n_a, 1, resample, mean, resamples);
    resample_means(rng, sorted + n_a, n_b, -1, resample, mean, resamples);
    find_interval(mean, resamples, low, high);
out:
    free(mean);
    free(resample);
    free(sorted);
    gsl_rng_free(rng);
    return status;
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
    return sb_stats_summary_of(x, n, SB_STATS_RESAMPLES, summary);
}

sb_status sb_stats_summary_of(const double *x, size_t n, size_t resamples, sb_summary *summary)
{
    *summary = (sb_summary){.n = n, .sd = NAN, .se = NAN, .low = NAN, .high = NAN};
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted) return sb_stats_fail_memory();
    memcpy(sorted, x, n * sizeof *sorted);
    sb_stats_spread(sorted, n, &summary->min, &summary->median, &summary->max);
    summary->mean = gsl_stats_mean(sorted, 1, n);
    if (n > 1) summary->sd = gsl_stats_sd(sorted, 1, n);
    /* Resampling the sorted values makes the interval independent of the order in which the seeds came. */
    sb_status status = n > 1 ? bootstrap(sorted, n, resamples, summary) : SB_OK;
    free(sorted);
    return status;
}

sb_status sb_stats_ratio(const double *over, const double *under, size_t n, sb_ratio *ratio)
{
    *ratio = (sb_ratio){n, NAN, NAN, NAN, NAN};
    if (n == 0) return SB_OK;
    double *log_ratio = malloc(n * sizeof *log_ratio);
    if (!log_ratio) return sb_stats_fail_memory();
    for (size_t i = 0; i < n; i++) log_ratio[i] = log(over[i] / under[i]);
    sb_summary summary;
    sb_status status = sb_stats_summary(log_ratio, n, &summary);
    if (status == SB_OK) status = sb_stats_sign_flip(log_ratio, n, &ratio->p);
    if (status == SB_OK) {
        ratio->ratio = exp(summary.mean);
        ratio->low = exp(summary.low);
        ratio->high = exp(summary.high);
    }
    free(log_ratio);
    return status;
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

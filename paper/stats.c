#include "paper/stats.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RNG_SEED = 1 };

static sb_status fail_memory(void)
{
    return sb_fail(SB_E_MEMORY, "not enough memory for the statistics");
}

static gsl_rng *rng_begin(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng) gsl_rng_set(rng, RNG_SEED);
    return rng;
}

/* se, low and high from the means of resamples of x. */
static sb_status bootstrap(double *x, size_t n, sb_summary *summary)
{
    sb_status status = SB_OK;
    gsl_rng *rng = rng_begin();
    double *resample = malloc(n * sizeof *resample);
    double *mean = malloc(SB_STATS_RESAMPLES * sizeof *mean);
    if (!rng || !resample || !mean) {
        status = fail_memory();
        goto out;
    }
    for (size_t i = 0; i < SB_STATS_RESAMPLES; i++) {
        gsl_ran_sample(rng, resample, n, x, n, sizeof *x);
        mean[i] = gsl_stats_mean(resample, 1, n);
    }
    gsl_sort(mean, 1, SB_STATS_RESAMPLES);
    summary->se = gsl_stats_sd(mean, 1, SB_STATS_RESAMPLES);
    summary->low = gsl_stats_quantile_from_sorted_data(mean, 1, SB_STATS_RESAMPLES, 0.025);
    summary->high = gsl_stats_quantile_from_sorted_data(mean, 1, SB_STATS_RESAMPLES, 0.975);
out:
    free(mean);
    free(resample);
    gsl_rng_free(rng);
    return status;
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
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted) return fail_memory();
    memcpy(sorted, x, n * sizeof *sorted);
    sb_stats_spread(sorted, n, &summary->min, &summary->median, &summary->max);
    summary->mean = gsl_stats_mean(sorted, 1, n);
    if (n > 1) summary->sd = gsl_stats_sd(sorted, 1, n);
    /* Resampling the sorted values makes the interval independent of the order in which the seeds came. */
    sb_status status = n > 1 ? bootstrap(sorted, n, summary) : SB_OK;
    free(sorted);
    return status;
}

sb_status sb_stats_ratio(const double *over, const double *under, size_t n, sb_ratio *ratio)
{
    *ratio = (sb_ratio){n, NAN, NAN, NAN, NAN};
    if (n == 0) return SB_OK;
    double *log_ratio = malloc(n * sizeof *log_ratio);
    if (!log_ratio) return fail_memory();
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

void sb_stats_ratio_text(const sb_ratio *ratio, char text[SB_RATIO_TEXT])
{
    int decimals = ratio->high - ratio->low < 0.03 ? 3 : 2;
    if (ratio->n == 0)
        snprintf(text, SB_RATIO_TEXT, "no pairs");
    else if (ratio->n == 1)
        snprintf(text, SB_RATIO_TEXT, "%.2f", ratio->ratio);
    else
        snprintf(text, SB_RATIO_TEXT, "%.*f [%.*f, %.*f]", decimals, ratio->ratio, decimals, ratio->low, decimals,
                 ratio->high);
}

/* Bit i of `signs` turns the sign of difference i. */
static double flipped_sum(const double *difference, size_t n, uint32_t signs)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += signs >> i & 1 ? -difference[i] : difference[i];
    return sum;
}

static double exact_p(const double *difference, size_t n, double threshold)
{
    /* Turning all signs leaves the distance from 0, so the last difference keeps its own. */
    uint32_t n_choices = UINT32_C(1) << (n - 1), hits = 0;
    for (uint32_t signs = 0; signs < n_choices; signs++) hits += fabs(flipped_sum(difference, n, signs)) >= threshold;
    return (double)hits / n_choices;
}

static sb_status random_p(const double *difference, size_t n, double threshold, double *p)
{
    gsl_rng *rng = rng_begin();
    if (!rng) return fail_memory();
    size_t hits = 0;
    for (size_t k = 0; k < SB_STATS_SIGN_FLIPS; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += gsl_rng_uniform_int(rng, 2) ? -difference[i] : difference[i];
        hits += fabs(sum) >= threshold;
    }
    gsl_rng_free(rng);
    *p = (1.0 + (double)hits) / (1.0 + SB_STATS_SIGN_FLIPS);
    return SB_OK;
}

sb_status sb_stats_sign_flip(const double *difference, size_t n, double *p)
{
    *p = NAN;
    if (n == 0) return SB_OK;
    /* Sums that are equal on paper may differ by rounding and still count as equal. */
    double sum = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        sum += difference[i];
        scale += fabs(difference[i]);
    }
    double threshold = fabs(sum) - 1e-12 * scale;
    if (n > SB_STATS_EXACT_PAIRS) return random_p(difference, n, threshold, p);
    *p = exact_p(difference, n, threshold);
    return SB_OK;
}

double sb_stats_smallest_p(size_t n)
{
    return n ? ldexp(1, 1 - (int)n) : NAN;
}

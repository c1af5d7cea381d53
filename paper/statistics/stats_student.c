#include "paper/statistics/stats_parts.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Bit i of `signs` turns the sign of difference i. */
static double flipped_sum(const double *difference, size_t n, uint32_t signs)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += signs >> i & 1 ? -difference[i] : difference[i];
    return sum;
}

/* Choices of signs whose sum is at least as far from 0 as the one seen, at least as large, and at most as large. */
typedef struct hits {
    size_t far, above, below;
} hits;

/* Of a difference in two sums: the values of starts are rounded to 2^-40 (results/results.h); and of a sum. */
static const double OF_VALUES = 2e-12, OF_SUMS = 1e-12;

/* The observed sum, and the difference that rounding may cause between equal sums: within it they count as equal. */
typedef struct seen {
    double sum, slack;
} seen;

static void count(hits *n, seen s, double sum)
{
    n->far += fabs(sum) >= fabs(s.sum) - s.slack;
    n->above += sum >= s.sum - s.slack;
    n->below += sum <= s.sum + s.slack;
}

/* Of all choices: the last difference keeps its sign, and each sum stands for its opposite, too. */
static void count_all(const double *difference, size_t n, seen s, hits *found)
{
    for (uint32_t signs = 0; signs < UINT32_C(1) << (n - 1); signs++) {
        const double sum = flipped_sum(difference, n, signs);
        count(found, s, sum);
        count(found, s, -sum);
    }
}

enum { SIGNS = 32 }; /* bits of one number of sb_stats_rng, MT19937 */

/* The sum with random signs. */
static double random_sum(const double *difference, size_t n, gsl_rng *rng)
{
    double sum = 0;
    for (size_t first = 0; first < n; first += SIGNS) {
        const uint32_t signs = (uint32_t)gsl_rng_get(rng);
        const size_t end = n - first < SIGNS ? n : first + SIGNS;
        for (size_t i = first; i < end; i++) sum += (1 - 2 * (double)(signs >> (i - first) & 1)) * difference[i];
    }
    return sum;
}

static sb_status count_random(const double *difference, size_t n, seen s, hits *found)
{
    gsl_rng *rng = sb_stats_rng();
    if (!rng) return sb_stats_fail_memory();
    for (size_t k = 0; k < SB_STATS_SIGN_FLIPS; k++) count(found, s, random_sum(difference, n, rng));
    gsl_rng_free(rng);
    return SB_OK;
}

sb_status sb_stats_sign_flips(const double *difference, size_t n, sb_sign_flips *p)
{
    *p = (sb_sign_flips){NAN, NAN, NAN};
    if (n == 0) return SB_OK;
    seen s = {0};
    hits found = {0};
    for (size_t i = 0; i < n; i++) s.sum += difference[i], s.slack += OF_VALUES + OF_SUMS * fabs(difference[i]);
    double seen_itself = 0, choices;
    if (n <= SB_STATS_EXACT_PAIRS) {
        count_all(difference, n, s, &found);
        choices = ldexp(1, (int)n);
    } else {
        SB_TRY(count_random(difference, n, s, &found));
        seen_itself = 1;
        choices = 1.0 + SB_STATS_SIGN_FLIPS;
    }
    p->two_sided = (seen_itself + (double)found.far) / choices;
    p->above = (seen_itself + (double)found.above) / choices;
    p->below = (seen_itself + (double)found.below) / choices;
    return SB_OK;
}

sb_status sb_stats_sign_flip(const double *difference, size_t n, double *p)
{
    sb_sign_flips of;
    SB_TRY(sb_stats_sign_flips(difference, n, &of));
    *p = of.two_sided;
    return SB_OK;
}

double sb_stats_smallest_p(size_t n)
{
    return n ? ldexp(1, 1 - (int)n) : NAN;
}

double sb_stats_student_p(sb_estimate e)
{
    if (isnan(e.se)) return NAN;
    if (e.se == 0) return e.mean == 0 ? 1 : 0;
    return 2 * gsl_cdf_tdist_Q(fabs(e.mean) / e.se, e.df);
}

/* T = (Z + shift) / S, where S^2 df is chi squared: points s of S with their weights, for the mean over S by Gauss and
 * Legendre between quantiles that leave 1e-12 at either end. */
enum { N_POINTS = 64 };
typedef struct scale {
    double s[N_POINTS], weight[N_POINTS], critical;
} scale;

/* Smaller ones hardly occur. */
static double least_scale(double df)
{
    return sqrt(gsl_cdf_chisq_Pinv(1e-12, df) / df);
}

/* Scales up to `most`; INFINITY: all. */
static bool find_scale(double df, double alpha, double most, scale *t)
{
    double low = least_scale(df), high = fmin(most, sqrt(gsl_cdf_chisq_Qinv(1e-12, df) / df));
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(N_POINTS);
    if (!table) return false;
    for (size_t i = 0; i < N_POINTS; i++) {
        gsl_integration_glfixed_point(low, high, i, &t->s[i], &t->weight[i], table);
        t->weight[i] *= 2 * df * t->s[i] * gsl_ran_chisq_pdf(df * t->s[i] * t->s[i], df);
    }
    gsl_integration_glfixed_table_free(table);
    t->critical = gsl_cdf_tdist_Qinv(alpha / 2, df);
    return true;
}

/* P(|T| > critical) */
static double find_power(const scale *t, double shift)
{
    double power = 0;
    for (size_t i = 0; i < N_POINTS; i++) {
        double bound = t->critical * t->s[i];
        power += t->weight[i] * (gsl_cdf_ugaussian_Q(bound - shift) + gsl_cdf_ugaussian_P(-bound - shift));
    }
    return power;
}

double sb_stats_power(double shift, double df, double alpha)
{
    scale t;
    return find_scale(df, alpha, INFINITY, &t) ? find_power(&t, shift) : NAN;
}

double sb_stats_power_equivalent(double margin, double shift, double df, double errors)
{
    scale t;
    double power = 0;
    const double reach = fmax(errors, gsl_cdf_tdist_Qinv(SB_STATS_ALPHA, df));
    if (margin / reach <= least_scale(df)) return 0;
    if (!find_scale(df, SB_STATS_ALPHA, margin / reach, &t)) return NAN;
    for (size_t i = 0; i < N_POINTS; i++) {
        const double room = margin - reach * t.s[i];
        power += t.weight[i] * (gsl_cdf_ugaussian_P(room - shift) - gsl_cdf_ugaussian_P(-room - shift));
    }
    return power;
}

double sb_stats_detectable(sb_estimate e)
{
    scale t;
    if (isnan(e.se) || !find_scale(e.df, SB_STATS_ALPHA, INFINITY, &t)) return NAN;
    double low = 0, high = 64; /* standard errors: one degree of freedom needs 34 of them */
    while (high - low > 1e-6) {
        double middle = 0.5 * (low + high);
        if (find_power(&t, middle) < SB_STATS_POWER)
            low = middle;
        else
            high = middle;
    }
    return high * e.se;
}

/* ---- more starts ---- */

static bool shows_difference(const sb_pilot *pilot, size_t n)
{
    const double df = pilot->paired ? (double)n - 1 : 2 * ((double)n - 1);
    const double smallest = pilot->paired ? sb_stats_smallest_p(n) : sb_stats_smallest_rank_sum_p(n, n);
    const double t = gsl_cdf_tdist_Qinv(pilot->alpha / 2, df) + gsl_cdf_tdist_Qinv(1 - SB_STATS_POWER, df);
    return pilot->mean != 0 && smallest < pilot->alpha && fabs(pilot->mean) >= t * pilot->sd / sqrt((double)n);
}

static bool shows_equivalence(const sb_pilot *pilot, size_t n)
{
    return n >= pilot->least && fabs(pilot->mean) + pilot->errors * pilot->sd / sqrt((double)n) < pilot->margin;
}

static bool decides(const sb_pilot *pilot, size_t n)
{
    return shows_difference(pilot, n) || shows_equivalence(pilot, n);
}

size_t sb_stats_more_starts(const sb_pilot *pilot)
{
    size_t low = pilot->n_now, high = SB_STATS_MOST_STARTS; /* what decides with N starts decides with more */
    if (isnan(pilot->sd) || pilot->n_now < 2 || low >= high || !decides(pilot, high)) return 0;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (decides(pilot, middle))
            high = middle;
        else
            low = middle;
    }
    return high - pilot->n_now;
}

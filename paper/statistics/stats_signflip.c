#include "paper/statistics/stats_parts.h"

#include <math.h>
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

/* Of a difference in two sums: the values of starts are rounded to 2^-40 (results/replicates.h); and of a sum. */
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

#include "paper/statistics/stats_parts.h"

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

static bool reaches(double sum, double threshold, bool two_sided)
{
    return (two_sided ? fabs(sum) : sum) >= threshold;
}

static double exact_p(const double *difference, size_t n, double threshold, bool two_sided)
{
    /* Turning all signs leaves the distance from 0, so of two sides the last difference keeps its own sign. */
    uint32_t n_choices = UINT32_C(1) << (two_sided ? n - 1 : n), hits = 0;
    for (uint32_t signs = 0; signs < n_choices; signs++)
        hits += reaches(flipped_sum(difference, n, signs), threshold, two_sided);
    return (double)hits / n_choices;
}

static sb_status random_p(const double *difference, size_t n, double threshold, bool two_sided, double *p)
{
    gsl_rng *rng = sb_stats_rng();
    if (!rng) return sb_stats_fail_memory();
    size_t hits = 0;
    for (size_t k = 0; k < SB_STATS_SIGN_FLIPS; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += (1 - 2 * (double)gsl_rng_uniform_int(rng, 2)) * difference[i];
        hits += reaches(sum, threshold, two_sided);
    }
    gsl_rng_free(rng);
    *p = (1.0 + (double)hits) / (1.0 + SB_STATS_SIGN_FLIPS);
    return SB_OK;
}

static sb_status sign_flip(const double *difference, size_t n, bool two_sided, double *p)
{
    *p = NAN;
    if (n == 0) return SB_OK;
    /* Sums that are equal on paper may differ by rounding and still count as equal. */
    double sum = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        sum += difference[i];
        scale += fabs(difference[i]);
    }
    double threshold = (two_sided ? fabs(sum) : sum) - 1e-12 * scale;
    if (n > SB_STATS_EXACT_PAIRS) return random_p(difference, n, threshold, two_sided, p);
    *p = exact_p(difference, n, threshold, two_sided);
    return SB_OK;
}

sb_status sb_stats_sign_flip(const double *difference, size_t n, double *p)
{
    return sign_flip(difference, n, true, p);
}

sb_status sb_stats_sign_flip_above(const double *difference, size_t n, double *p)
{
    return sign_flip(difference, n, false, p);
}

double sb_stats_smallest_p(size_t n)
{
    return n ? ldexp(1, 1 - (int)n) : NAN;
}

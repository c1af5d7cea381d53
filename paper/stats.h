/* The statistics of the report, with GSL. Random numbers come from one fixed seed (Mersenne twister, seed 1, started
 * anew by every call), so that the same losses give the same digits.
 *
 * Bootstrap: percentile intervals from SB_STATS_RESAMPLES resamples (Efron and Tibshirani, An Introduction to the
 * Bootstrap, 1993, chapters 6 and 13). With few seeds such an interval is too narrow: with 5 about 84 % rather than
 * 95 % of them hold the truth. That is said where intervals are shown.
 */
#ifndef SB_PAPER_STATS_H
#define SB_PAPER_STATS_H

#include "core/status.h"

#include <stddef.h>

enum { SB_STATS_RESAMPLES = 10000, SB_STATS_EXACT_PAIRS = 20, SB_STATS_SIGN_FLIPS = 100000 };

typedef struct sb_summary {
    size_t n;
    double mean, median, min, max;
    double sd;        /* with n - 1; NAN when n < 2 */
    double se;        /* of the mean: the standard deviation of the resampled means; NAN when n < 2 */
    double low, high; /* of the mean: 95 % interval; NAN when n < 2 */
} sb_summary;

/* n >= 1 values. SB_E_MEMORY is the only failure. */
sb_status sb_stats_summary(const double *x, size_t n, sb_summary *summary);

/* Smallest, median and largest of n >= 1 values, which are sorted on the way. */
void sb_stats_spread(double *x, size_t n, double *min, double *median, double *max);

typedef struct sb_ratio {
    size_t n;         /* pairs */
    double ratio;     /* geometric mean of over[i] / under[i]; NAN when n is 0 */
    double low, high; /* its 95 % interval, whole pairs resampled; NAN when n < 2 */
    double p;         /* sign-flip permutation of the log ratios, two-sided; NAN when n is 0 */
} sb_ratio;

/* n pairs of positive values. */
sb_status sb_stats_ratio(const double *over, const double *under, size_t n, sb_ratio *ratio);

/* "1.49 [1.40, 1.59]" for people, with a third decimal where the interval is narrow; "1.49" of one pair, "no pairs" of
 * none. */
enum { SB_RATIO_TEXT = 48 };
void sb_stats_ratio_text(const sb_ratio *ratio, char text[SB_RATIO_TEXT]);

/* Two-sided p of the hypothesis that the differences are as likely negative as positive: the share of the 2^n choices
 * of signs whose sum is at least as far from 0 as the one seen. Up to SB_STATS_EXACT_PAIRS all of them are tried, so
 * that the smallest p is 2^(1-n); above, SB_STATS_SIGN_FLIPS random ones, and p = (1 + hits) / (1 + tries). */
sb_status sb_stats_sign_flip(const double *difference, size_t n, double *p);

/* The smallest p that n pairs can give in the exact test. */
double sb_stats_smallest_p(size_t n);

#endif

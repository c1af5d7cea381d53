/* The statistics of the report, with GSL. Random numbers come from one fixed seed (Mersenne twister, seed 1, started
 * anew by every call), so that the same losses give the same digits.
 *
 * An interval of 95 % is Student's, widened on the side on which the values are skewed to where Hall's transformation
 * of the studentised mean ends (Journal of the Royal Statistical Society B 54 (1992) 221-228, with the unbiased third
 * moment). With 5 to 10 runs Student's alone holds the mean of skewed values in 88 to 90 % of the cases, and
 * percentiles of resampled means hold even the mean of normal ones in 84 to 90 %. How often each does, by simulation,
 * is in results/checks/statistics/rates.csv. The price is its length: at 5 normal values a quarter more than Student's,
 * at 10 a fourteenth. Resampled t statistics would do as well, and were left aside for what they make of a few values
 * in two clusters, as losses are: an interval ten times as long.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_STATS_EXACT_PAIRS = 20, SB_STATS_SIGN_FLIPS = 100000 };

/* Runs or pairs below which no interval is given: what is simulated begins at five. Their standard error is given from
 * two on. */
enum { SB_STATS_INTERVAL_RUNS = 5 };

/* How an interval is made, for the formula of a number. */
#define SB_STATS_INTERVAL_WORDS "Student's t, widened for skewness"

/* -- one sample: stats.c -- */

typedef struct sb_summary {
    size_t n;
    double mean, median, min, max;
    double sd;        /* with n - 1; NAN when n < 2 */
    double se;        /* of the mean, sd / sqrt(n); NAN when n < 2 */
    double low, high; /* of the mean: 95 % interval; NAN when n < SB_STATS_INTERVAL_RUNS */
} sb_summary;

/* n >= 1 values. SB_E_MEMORY is the only failure. */
sb_status sb_stats_summary(const double *x, size_t n, sb_summary *summary);

/* Smallest, median and largest of n >= 1 values, which are sorted on the way. */
void sb_stats_spread(double *x, size_t n, double *min, double *median, double *max);

/* The value below which a share q of n >= 1 values lies, with linear interpolation (R's type 7); they are sorted on the
 * way. */
double sb_stats_quantile(double *x, size_t n, double q);

/* -- estimates, intervals, equivalence: stats_interval.c -- */

#define SB_STATS_ALPHA 0.05

/* A mean, or a difference of means, with its standard error, degrees of freedom, and skewness: its third cumulant over
 * se^3. */
typedef struct sb_estimate {
    double mean, se, df;
    double skewness; /* NAN with fewer than SB_STATS_INTERVAL_RUNS values, in either sample */
} sb_estimate;

/* Of n >= 2 values; of the difference of two samples of at least 2 each, with Welch's degrees of freedom. NANs with
 * fewer. */
sb_estimate sb_stats_estimate(const double *x, size_t n);
sb_estimate sb_stats_estimate_difference(const double *a, size_t n_a, const double *b, size_t n_b);

/* The interval of 1 - alpha, as said above; NANs without a skewness. Equal values have an interval of no length. */
void sb_stats_ends(sb_estimate estimate, double alpha, double *low, double *high);

/* 95 % interval of a probability from `hits` of n trials (Clopper and Pearson 1934): exact, so that no true rate is left out
 * in more than 2.5 % of the cases on either side. */
void sb_stats_binomial(size_t hits, size_t n, double *low, double *high);

/* Exact one-sided p of the binomial test: the chance of this many hits of n, or more (or fewer), where each trial hits with that
 * probability. */
double sb_stats_binomial_or_more(size_t hits, size_t n, double probability);
double sb_stats_binomial_or_fewer(size_t hits, size_t n, double probability);

/* 95 % interval of the mean of n values, and of mean(a) - mean(b). */
void sb_stats_interval(const double *x, size_t n, double *low, double *high);
void sb_stats_difference(const double *a, size_t n_a, const double *b, size_t n_b, double *low, double *high);

/* p of equivalence, by inclusion: half the smallest alpha whose interval lies inside +-margin, so that p < 0.05 says
 * that the 90 % interval does (Westlake, Biometrics 32 (1976) 741-744; of Student's interval alone these are the two
 * one-sided tests of Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987) 657-680). NAN without an
 * interval or a margin. */
double sb_stats_equivalence(sb_estimate estimate, double margin);

/* -- pairs: stats.c -- */

typedef struct sb_ratio {
    size_t n;         /* pairs */
    double ratio;     /* geometric mean of over[i] / under[i]; NAN when n is 0 */
    double low, high; /* its 95 % interval, from the interval of the mean log ratio; NAN when n <
                       * SB_STATS_INTERVAL_RUNS */
    double p;         /* sign-flip permutation of the log ratios, two-sided; NAN when n is 0 */
    double median; /* of the pairs' ratios, in the middle of the two of an even number geometrically; NAN when n is 0 */
    double least_without, most_without; /* the geometric mean without one of the pairs; NAN when n < 2 */
} sb_ratio;

/* n pairs of positive values. */
sb_status sb_stats_ratio(const double *over, const double *under, size_t n, sb_ratio *ratio);

/* "1.49 [1.40, 1.59]" for people, with more decimals where the interval is narrow; "1.49" without an interval, "no
 * pairs" of none. */
enum { SB_RATIO_TEXT = 48 };
void sb_stats_ratio_text(const sb_ratio *ratio, char text[SB_RATIO_TEXT]);

/* The decimals of that text, for a sentence that has the ratio in one place and its interval in another. */
int sb_stats_ratio_decimals(const sb_ratio *ratio);

/* -- sign flips: stats_student.c -- */

/* Tests of the hypothesis that the differences are as likely negative as positive: the share of the 2^n choices of
 * signs whose sum is at least as far from 0 as the one seen (two-sided), at least as large (above: small where the
 * differences are above 0) or at most as large (below); of the last two, one for a direction said beforehand. Up to
 * SB_STATS_EXACT_PAIRS all choices are tried, so that the smallest p is 2^(1-n), and 2^-n of one side; above,
 * SB_STATS_SIGN_FLIPS random ones, and p = (1 + hits) / (1 + tries). All NaN where n is 0. */
typedef struct sb_sign_flips {
    double two_sided, above, below;
} sb_sign_flips;

sb_status sb_stats_sign_flips(const double *difference, size_t n, sb_sign_flips *p);

/* The two-sided one alone. */
sb_status sb_stats_sign_flip(const double *difference, size_t n, double *p);

/* The smallest two-sided p that n pairs can give in the exact test. */
double sb_stats_smallest_p(size_t n);

/* -- two samples without pairs, by ranks: stats_ranks.c -- */

/* Two-sided p of the hypothesis that both come from one distribution: the share of all ways to split the n_a + n_b
 * values whose rank sum is at least as far from its mean as the one seen (Wilcoxon 1945; ties get their mean rank).
 * Exact, by counting. The smallest p is 2 / choose(n_a + n_b, n_a). NAN where a sample is empty. */
sb_status sb_stats_rank_sum(const double *a, size_t n_a, const double *b, size_t n_b, double *p);
double sb_stats_smallest_rank_sum_p(size_t n_a, size_t n_b);

/* Two-sided p of P(a < b) + P(a = b) / 2 = 1/2, whatever the spreads: Brunner and Munzel, Biometrical Journal 42 (2000)
 * 17-25, with Student's t. Holds its level from about 10 values each. NAN with fewer than 2 each; where the samples do
 * not overlap the statistic is infinite and p is 0, which is for the caller to limit. */
sb_status sb_stats_brunner_munzel(const double *a, size_t n_a, const double *b, size_t n_b, double *p);

/* The differences of pairs become their signed ranks: the rank of |difference| among all of them, equal ones get their
 * mean rank, with the sign of the difference; 0 stays 0, and still takes a rank (Pratt, JASA 54 (1959) 655-667). They
 * may be infinite. */
sb_status sb_stats_signed_ranks(double *difference, size_t n);

/* Cliff's delta, P(a > b) - P(a < b) in [-1, 1] (Psychological Bulletin 114 (1993) 494-509); for pairs the same within
 * pairs, from their differences. NAN of nothing. */
double sb_stats_cliff(const double *a, size_t n_a, const double *b, size_t n_b);
double sb_stats_cliff_pairs(const double *difference, size_t n);

/* -- spread of two samples: stats_ranks.c -- */

/* p of equal spread: F test of the absolute deviations from the medians (Brown and Forsythe, JASA 69 (1974) 364-367).
 * NAN with fewer than 2 each or without any deviation. */
sb_status sb_stats_brown_forsythe(const double *a, size_t n_a, const double *b, size_t n_b, double *p);

/* The same for n pairs: sign flips of the differences of these deviations. */
sb_status sb_stats_brown_forsythe_pairs(const double *a, const double *b, size_t n, double *p);

/* -- equal spread: stats.c -- */

/* p of equal spread by two one-sided tests: the larger p of "sd(a) / sd(b) >= factor" and "<= 1 / factor", of normal
 * values. For n pairs from the correlation of a + factor b and a - factor b (Pitman and Morgan, Biometrika 31 (1939)
 * 9-12 and 13-19), else from the ratio of variances. NAN with fewer than 3 pairs, or 2 values a side, or where one side
 * does not spread. */
double sb_stats_equal_spread_pairs(const double *a, const double *b, size_t n, double factor);
double sb_stats_equal_spread(const double *a, size_t n_a, const double *b, size_t n_b, double factor);

/* -- Student's t: stats_student.c -- */

#define SB_STATS_POWER 0.80

/* Two-sided p of the mean 0. NAN without an estimate. */
double sb_stats_student_p(sb_estimate estimate);

/* The smallest |mean| that a two-sided t test at SB_STATS_ALPHA finds with a probability of SB_STATS_POWER, for this
 * standard error: from the noncentral t distribution. NAN without an estimate. */
double sb_stats_detectable(sb_estimate estimate);

/* How many more starts would decide, if mean and standard deviation (of a pair; without pairs the standard error
 * times the root of the starts of a condition) stay as they are: the smallest N above n_now with which
 *
 *   a difference   |mean| >= (t(1 - alpha/2) + t(0.8)) sd / sqrt(N), and the exact test can give a p below alpha; or
 *   equivalence    N >= least, and |mean| + errors sd / sqrt(N) < margin
 *
 * holds, less n_now. 0: none up to SB_STATS_MOST_STARTS does. */
enum { SB_STATS_MOST_STARTS = 10000 };
typedef struct sb_pilot {
    double mean, sd;
    size_t n_now;
    bool paired;
    double alpha;  /* two-sided */
    double margin; /* NAN: none */
    size_t least;
    double errors;
} sb_pilot;
size_t sb_stats_more_starts(const sb_pilot *pilot);

/* The probability that this test finds a mean of `shift` standard errors, at alpha, two-sided. */
double sb_stats_power(double shift, double df, double alpha);

/* The probability that a mean of `shift` standard errors is found equivalent: that it, and `errors` of its estimated
 * standard errors on either side, lie within `margin` standard errors of 0. Fewer than the two one-sided tests at
 * SB_STATS_ALPHA ask for are not taken. The integral over the distribution of the estimated standard error; without the
 * allowance for skewness. */
double sb_stats_power_equivalent(double margin, double shift, double df, double errors);

/* -- families: stats.c -- */

/* Adjust n p values for having looked n times: Holm, Scandinavian Journal of Statistics 6 (1979) 65-70. A NAN was no
 * look and stays one. adjusted may be p. */
sb_status sb_stats_holm(const double *p, size_t n, double *adjusted);

/* The published figure, simulated: how often does every one of some runs end above every one of some others, all of
 * them from different initial weights? The study showed four CPUs above eight GPUs; on a CPU its library shared the
 * target buffer, on a GPU it copied. The chance is how often that figure results if only the buffer causes differences
 * between losses; if runs do not differ at all it is 1 / choose(12, 4).
 */

enum { SB_PUBLISHED_CPUS = 4, SB_PUBLISHED_GPUS = 8 };

/* The chance that the least of n_above losses lies above the largest of n_below, these losses being distributed as two
 * samples of at least 2 say: once as normal logarithms of their means and standard deviations (by numerical
 * integration), once as the samples themselves, drawn with replacement (exactly; equal losses are not above). */
typedef struct sb_separation {
    double normal, resampled;
} sb_separation;

/* Positive losses. Of equal losses in a sample `normal` is NAN. */
sb_separation sb_separation_of(const double *above, size_t n_a, size_t n_above, const double *below, size_t n_b,
                               size_t n_below);

/* The same for runs that do not differ. */
double sb_separation_by_chance(size_t n_above, size_t n_below);

/* Effects of several data sets, each measured from the same starts, as draws: what they say of another data set.
 *
 *     effect[d][s] = mean + data set d + start s + rest
 *
 * A data set is a video in an order. Data sets, starts and rests are random, each with a variance of its own (a mixed
 * model: the mean, the effect of the target, is fixed).
 *
 * A complete table has the classical analysis of variance (Searle, Casella and McCulloch, Variance Components, 1992,
 * chapter 4), with mean squares
 *
 *     of data sets   MD, D - 1 degrees of freedom          expected: rest + S data set
 *     of starts      MS, S - 1                             expected: rest + D start
 *     of the rest    ME, (D - 1) (S - 1)                   expected: rest
 *
 * and a variance is what its mean square has above ME, over S or D; 0 where it has less. The two intervals are by
 * Student's t with Satterthwaite's degrees of freedom (Biometrics Bulletin 2 (1946) 110-114) of the variances
 *
 *     of the mean            (MD + MS) / (D S)
 *     of a new data set      MD (D + 1) / (D S) + MS / (D S)    its effect over all starts, less the mean
 *
 * in which ME is not taken away: so they hold at least what they say, also where data sets or starts do not differ, in
 * which case the exact ones fail (results/checks/statistics).
 *
 * An incomplete table (crossed_reml.c) has the variances of restricted maximum likelihood (Patterson and Thompson,
 * Biometrika 58 (1971) 545-554; the criterion profiled as by Bates, Maechler, Bolker and Walker, Journal of Statistical
 * Software 67 (2015), section 3.4), and the mean of generalized least squares, of variance V. With H the harmonic mean
 * number of starts of a data set, K the number of data sets of a start, and N effects, MD = rest + H data set and
 * MS = rest + K start take the places above, and the variances are
 *
 *     of the mean            V + rest / N                       degrees of freedom from MD / (D H) and MS / (S K)
 *     of a new data set      V + rest / N + data set + rest / H    from MD (D + 1) / (D H) and MS / (S K)
 *
 * which are those above for a complete table. No library of C in Debian 12 has mixed models; GSL has the distributions,
 * the linear algebra and the minimum.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* One of the random factors: its degrees of freedom, mean square, and the standard deviation of its draws. */
typedef struct sb_component {
    double df, mean_square, sd;
} sb_component;

typedef struct sb_crossed {
    size_t n_data, n_starts, n; /* n: effects */
    bool complete;
    double mean, low, high;   /* 95 % interval of the mean over all data sets and starts */
    double new_low, new_high; /* where the effect of a new data set lies, over all starts, with 95 % */
    double new_p;             /* one-sided p of that: the tail of Student's t beyond |mean| over its standard error */
    sb_component data, start, rest;
} sb_crossed;

/* effect [n_data][n_starts], NAN: there is none. NANs with fewer than two of either, and where an incomplete table has
 * no start in two data sets, or no more effects than data sets and starts together; no interval with fewer than
 * SB_STATS_INTERVAL_RUNS data sets. */
sb_crossed sb_crossed_of(const double *effect, size_t n_data, size_t n_starts);

/* -- crossed_reml.c -- */

typedef struct sb_reml {
    double mean, variance;    /* of generalized least squares, and its variance */
    double data, start, rest; /* variances */
} sb_reml;

/* The same for an incomplete table with n effects, of which data sets and starts have one at least. NANs where memory is
 * short. */
sb_reml sb_reml_of(const double *effect, size_t n_data, size_t n_starts);

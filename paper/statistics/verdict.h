/* What can be said of two arms A and B of one recipe, from their final losses in one metric.
 *
 *   same bits      the hashes of the final weights are equal in every pair, and there is a pair. A fact, not a test.
 *   equivalent     the 90 % interval of the effect, made as the 95 % interval that is printed, lies inside the margin:
 *                  a systematic difference of the margin or more is rejected at alpha = 0.05 (stats.h). Runs too few
 *                  for an interval are too few for equivalence. The margin is fixed beforehand: by a one-ulp ensemble
 *                  (ensemble.h), or chosen and said so. Of an ensemble it is the least margin that it gives without one
 *                  of its seeds, so that no equivalence hangs on one of them. A difference that is significant and yet
 *                  inside the margin counts as equivalent: it is there, and it is smaller than what one rounding does
 *                  to a run.
 *   different      p < alpha after Holm's adjustment for all comparisons of the family (Holm 1979).
 *   undetermined   neither of these: a loss of 0 or none at all, one run, too few runs for the test to reach alpha at all, no margin, or a
 *                  difference that the spread hides. `reason` says which.
 * They are tried in this order.
 *
 * Where at least half of the smaller arm's seeds stand in both arms, the runs are paired by seed, that is by start
 * weights, which matter more than anything else here; runs without a partner are left out. Then
 *   effect         geometric mean of loss(A) / loss(B), with the interval of the mean log ratio (stats.h)
 *   test           sign-flip permutation of the log ratios, exact up to 20 pairs
 *   cliff          P(A > B) - P(A < B) within pairs
 * Without pairs
 *   effect         ratio of the geometric means, with the interval of the difference of the mean logs
 *   test           Brunner and Munzel (2000) from 10 runs in each arm on, below it the exact permutation of rank sums
 *   cliff          Cliff's delta (1993)
 * p_spread asks whether the arms spread otherwise (Brown and Forsythe 1974, for pairs by sign flips), p_equal_spread
 * whether they are shown to spread alike, within a factor of SB_VERDICT_SPREAD. detectable is the smallest ratio above
 * 1 that a t test with these runs finds with a power of 80 %: what "no difference seen" could have hidden.
 *
 * Updates, frames and windows of one run are one sample: a run enters with one number, its final loss.
 */
#ifndef SB_PAPER_STATISTICS_VERDICT_H
#define SB_PAPER_STATISTICS_VERDICT_H

#include "core/status.h"
#include "paper/results/results.h"
#include "paper/statistics/ensemble.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_verdict_word {
    SB_VERDICT_SAME_BITS,
    SB_VERDICT_EQUIVALENT,
    SB_VERDICT_DIFFERENT,
    SB_VERDICT_UNDETERMINED,
    SB_N_VERDICTS
} sb_verdict_word;
extern const char *const sb_verdict_name[SB_N_VERDICTS]; /* "same bits", "equivalent", ... */

/* Spreads that are less than this many times apart are called equal. */
enum { SB_VERDICT_SPREAD = 2 };

enum { SB_VERDICT_REASON = 224 };

/* The cells of an arm, ascending by seed, each seed once. */
typedef struct sb_sample {
    size_t n;
    const sb_result *const *cell;
} sb_sample;

typedef struct sb_verdict {
    sb_verdict_word word;
    char reason[SB_VERDICT_REASON]; /* one clause in words */
    bool paired;
    size_t n;                /* pairs; without pairs the runs of the smaller arm */
    size_t n_same;           /* pairs with equal weights */
    const char *test;        /* its name */
    double ratio;            /* of A over B; NAN, as all that follows, where a run has no loss or one of 0 */
    double low, high;        /* its 95 % interval; NAN with fewer than SB_STATS_INTERVAL_RUNS runs */
    double low_90, high_90;  /* its 90 % interval, which equivalence is judged by */
    double p, smallest_p;    /* two-sided, and the smallest that so many runs can give */
    double p_above, p_below; /* of pairs, one-sided: small where A is above, below B; NAN without pairs */
    double p_holm;           /* p adjusted for the family */
    double p_equivalent;     /* of equivalence within margin.least; NAN without a margin or an interval */
    double p_all_seeds;      /* the same for margin.log_ratio */
    double p_spread;
    double p_equal_spread; /* that the spreads are SB_VERDICT_SPREAD times apart or more; small: they are not */
    double cliff;
    double detectable; /* a ratio; NAN where no effect of any size could be found */
    sb_margin margin;
} sb_verdict;

/* The i-th ratio of a pair, of verdict.n, in the order of the seeds; only of paired verdicts. *of and *over: its cells. */
double sb_sample_pair(sb_sample a, sb_sample b, sb_metric metric, size_t i, const sb_result **of,
                      const sb_result **over);

/* The verdict on two samples of at least one cell each, as a family of one. SB_E_MEMORY is the only failure. */
sb_status sb_verdict_of(sb_verdict *verdict, sb_sample a, sb_sample b, sb_metric metric, const sb_margin *margin);

/* The verdicts of one family, decided anew with adjusted p. Same bits are a fact and take no part in the family. */
sb_status sb_verdict_family(sb_verdict *const *verdict, size_t n);

/* "1.02 [0.99, 1.05]", as far as there are runs enough. */
enum { SB_VERDICT_TEXT = 48 };
void sb_verdict_ratio_text(const sb_verdict *verdict, char text[SB_VERDICT_TEXT]);

#endif

/* The verdict about two conditions A and B of one recipe, from their final losses in one metric. The rules are in
 * docs/claims.md (Verdicts), which says each of them exactly; in short:
 *
 *   same bits      equal final weights and losses in every pair, and no start without a partner. A fact, not a test.
 *   equivalent     the 90 % interval of the effect lies inside the margin, and so do SB_VERDICT_ERRORS standard errors
 *                  around the effect: few starts cannot show a rare outlier, which would move the mean. At least
 *                  SB_VERDICT_EQUIVALENT starts. The margin is fixed beforehand (ensemble.h).
 *   different      p < alpha after Holm's adjustment for all comparisons of the family, and mean and ranks agree
 *                  about the side.
 *   undetermined   neither of these; `reason` says why, what effect would have been seen, and how many more starts
 *                  would decide.
 * They are tried in this order, after tables that contradict each other: equal weights, and losses that differ.
 *
 * Runs are paired by seed where both conditions have the same seeds. Where only some are common, the verdict is the weaker
 * one of that on these pairs and that on all runs without pairs, unless the rule leaves the others out.
 *   effect         geometric mean of loss(A) / loss(B) over the pairs; without pairs ratio of the geometric means
 *   test           sign-flip permutation of the log ratios, exact up to 20 pairs; of their signed ranks where a start
 *                  diverged or has a loss of 0. Without pairs the exact permutation of rank sums up to 100 starts in
 *                  all, above it Brunner and Munzel (2000)
 *   cliff          P(A > B) - P(A < B) (Cliff 1993), within pairs where there are pairs
 *   direction      the side that the test is about: the sign of the tested sum of pairs, of cliff without pairs
 * p_spread asks whether the conditions spread otherwise (Brown and Forsythe 1974, for pairs by sign flips),
 * p_equal_spread whether they are shown to spread alike, within a factor of SB_VERDICT_SPREAD.
 *
 * Updates, frames and windows of one run are one sample, and so are the replicates of one start: a start enters with
 * one number (replicates.h).
 */
#ifndef SB_PAPER_EFFECTS_VERDICT_H
#define SB_PAPER_EFFECTS_VERDICT_H

#include "core/status.h"
#include "paper/effects/ensemble.h"
#include "paper/effects/sample.h"

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

/* Two spreads whose ratio is below this are called equal. */
enum { SB_VERDICT_SPREAD = 2 };

/* Equivalence: the fewest starts, and how many standard errors around the mean must lie inside the margin
 * (results/checks/statistics says what fewer of either would do). */
enum { SB_VERDICT_EQUIVALENT_STARTS = 6, SB_VERDICT_ERRORS = 6 };

/* With fewer starts in common, of more, runs are not paired. */
enum { SB_VERDICT_COMMON = 6 };

enum { SB_VERDICT_REASON = 864 };

typedef struct sb_verdict_rule {
    sb_metric metric;
    const sb_margin *margin;
    bool common; /* only the starts that both have; the others are left out, and it is said */
    bool quick;  /* neither power nor p_spread: for a simulation, which reads the word alone */
    double unit; /* 0: ratios are judged; else log ratios are differences in this unit, and words give them so */
} sb_verdict_rule;

typedef struct sb_verdict {
    sb_verdict_word word;
    char reason[SB_VERDICT_REASON]; /* one clause in words, and remarks */
    bool paired, common, quick;
    bool conflict;           /* the verdict on pairs, `of_pairs`, and that on all runs contradict each other */
    sb_verdict_word of_pairs;
    size_t n;                /* pairs; without pairs the starts of the smaller condition */
    sb_side side[2];         /* of A and of B */
    sb_common bits;
    const char *test;        /* its name */
    double ratio;            /* of A over B; NAN, as the intervals, where a start diverged or has a loss of 0 */
    double low, high;        /* its 95 % interval; NAN with fewer than SB_STATS_INTERVAL_RUNS starts */
    double low_90, high_90;  /* its 90 % interval, which equivalence is judged by */
    double mean, sd;         /* of the log ratio: sd is the standard error times the root of n */
    double p, smallest_p;    /* two-sided, and the smallest possible with this number of runs */
    double p_above, p_below; /* one-sided: small where A is above, below B */
    double p_holm;           /* p adjusted for the family */
    double p_equivalent;     /* of equivalence within margin.judged; NAN without a margin or an interval */
    double p_spread;
    double p_equal_spread; /* p of the hypothesis that the ratio of the spreads is at least SB_VERDICT_SPREAD; small: it
                            * is not */
    double cliff;
    int direction;     /* 1 above, -1 below, 0 neither */
    bool disagree;     /* mean and ranks name opposite sides */
    double detectable; /* a ratio; NAN where no effect of any size could be found */
    double unit;       /* the rule's */
    sb_margin margin;
} sb_verdict;

/* The verdict on two samples of at least one cell each, as a family of one. SB_E_MEMORY is the only failure. */
sb_status sb_verdict_of(sb_verdict *verdict, sb_sample a, sb_sample b, const sb_verdict_rule *rule);

/* What stays where nothing can be computed: no numbers, no test, no side. */
void sb_verdict_clear(sb_verdict *verdict);

/* The verdicts of one family, decided anew with adjusted p. Same bits are a fact and take no part in the family. */
sb_status sb_verdict_family(sb_verdict *const *verdict, size_t n);

/* Significant on one side by the test, on the other one by the mean; or the two verdicts of half-paired runs contradict
 * each other. Then nothing is said of a side. */
bool sb_verdict_has_no_side(const sb_verdict *verdict);

/* -- words: verdict_words.c -- */

/* The word and its reason, from the numbers. */
void sb_verdict_decide(sb_verdict *verdict);

/* "; 1 of 8 seeds of i5 has no run in h100, so runs are not paired; 0 of 8 runs of i5 and 2 of 7 of h100 diverged; ...";
 * "" where there is nothing to say. */
enum { SB_VERDICT_REMARKS = 480 };
void sb_verdict_remarks(const sb_verdict *verdict, char text[SB_VERDICT_REMARKS]);

/* "; this comparison by itself finds a difference of 9.12 % with a power of 80 %; 7 more pairs would decide", for a two-sided test at
 * alpha; "" where nothing can be said. */
enum { SB_VERDICT_POWER = 192 };
void sb_verdict_power(const sb_verdict *verdict, double alpha, char text[SB_VERDICT_POWER]);

/* How many more pairs, or seeds of each condition, would decide at alpha, two-sided; 0: unknown, or too many. */
size_t sb_verdict_more(const sb_verdict *verdict, double alpha);

/* A ratio of the verdict as what is judged: itself, or a difference; and what that is. */
double sb_verdict_size(const sb_verdict *verdict, double ratio);
const char *sb_verdict_measure(const sb_verdict *verdict); /* "ratio", "difference" */

/* "1.02 [0.99, 1.05]", or a difference, as far as there are runs enough. */
enum { SB_VERDICT_TEXT = 48 };
void sb_verdict_ratio_text(const sb_verdict *verdict, char text[SB_VERDICT_TEXT]);

/* "ratio 1.02 [0.99, 1.05], n = 8 pairs", "difference 0.0017 [0.00131, 0.00225], n = 10 pairs", "no ratio, n = 6". */
enum { SB_VERDICT_EFFECT = SB_VERDICT_TEXT + 64 };
void sb_verdict_effect_text(const sb_verdict *verdict, char text[SB_VERDICT_EFFECT]);

#endif

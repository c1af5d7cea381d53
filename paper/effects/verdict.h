/* The verdict about two conditions A and B of one recipe, from their final losses in one metric. The rules are in
 * docs/claims.md (Verdicts), which says each of them exactly; in short:
 *
 *   same bits      equal final weights and losses in every pair, and no start without a partner. A fact, not a test.
 *   equivalent     the 90 % interval of the effect lies inside the margin, and so do SB_VERDICT_ERRORS standard errors
 *                  around the effect: few starts cannot show a rare outlier, which would move the mean. At least
 *                  SB_VERDICT_EQUIVALENT starts. The margin is fixed beforehand (below).
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
 * one number (results.h).
 */
#pragma once

#include "core/status.h"
#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>

/* -- margins: ensemble.c -- */

/* The one-ulp ensemble, and the margin of equivalence that follows from it.
 *
 * Cells with ulp > 0 are trained like the cell of ulp 0 of their seed, except that one initial weight is larger by one
 * unit in the last place. They are not seeds and belong to no condition (arms.h). No comparison of hardware, library or
 * order of sums can be expected to differ less than their final losses, because each of these changes at least one
 * rounding.
 *
 * Margin: the 95th percentile of |log(loss i / loss j)| over all pairs of runs of one seed that differ in ulp alone
 * (the cell of ulp 0 is one of them), pooled over seeds, settings and targets of one recipe. So two runs whose
 * difference is one rounding lie within the margin of each other with a probability of 95 %, and two arms are called
 * equivalent when their systematic difference, the mean over seeds, is shown to be smaller than that. The margin is
 * the margin of a single run and is not divided by the root of the number of pairs: the interval that is compared with
 * it shrinks with that root by itself. For arms that differ by rounding alone the differences of pairs have a standard
 * deviation of about margin / 1.96; from 5 pairs on most such comparisons come out equivalent, with fewer none does.
 *
 * A margin is an estimate itself, of few seeds that spread unlike each other. Two things say how far it can be off:
 *
 *   its interval     95 %, of the logarithm of the margin: the interval of the mean (stats.h) of the jackknife's
 *                    pseudo-values over the seeds, each S m - (S - 1) m_i with m_i the log margin without seed i
 *                    (Tukey, Annals of Mathematical Statistics 29 (1958) 614). From SB_STATS_INTERVAL_RUNS seeds on.
 *   without one      the margins that the ensemble gives without one of its seeds. The least of them is the one that a
 *                    verdict of equivalence must hold for: too wide a margin is what makes it wrong.
 *
 *   without two      if the least margin without two of the seeds is below half of the margin of all seeds, the width
 *                    comes from one or two chaotic starts, and nothing is equivalent by it.
 *
 * By simulation (results/checks/statistics) the least is below the truth in about nine ensembles of ten, and conditions
 * that truly differ by a margin are called equivalent within it in at most 5 % of the cases; within the margin of all
 * seeds, in up to a quarter.
 */

enum { SB_ENSEMBLE_PAIRS = 20, SB_ENSEMBLE_SEEDS = 2 }; /* fewer make no margin */

/* No margin of an ensemble is wider than this ratio, unless a claim says otherwise (`relevant`): where roundings alone
 * move a loss by more, "within one rounding" says nothing that matters. */
#define SB_ENSEMBLE_RELEVANT 1.05

/* With fewer seeds a margin comes from one or two starts whatever they do. */
enum { SB_ENSEMBLE_SPREAD_SEEDS = 4 };

typedef struct sb_margin {
    double judged;      /* what equivalence is judged by: the least one, no wider than is relevant; a chosen margin
                           itself; NAN: none, or one that comes from one or two seeds */
    double log_ratio;   /* of all seeds; NAN: none */
    double least, most; /* without one of the seeds; a chosen margin itself; NAN: none */
    double without_two; /* the least without two of the seeds; NAN: a chosen margin, none, or seeds fewer than four */
    double low, high;   /* the interval of log_ratio; a chosen margin itself; NAN: none, or too few seeds */
                        /* high INFINITY: no limit below a factor of two */
    size_t n_pairs, n_seeds;
    char source[320]; /* where it came from, or why there is none */
} sb_margin;

/* The distance of two runs that differ only in ulp, and their seed, as its number in the ensemble. */
typedef struct sb_distance {
    double log_ratio; /* >= 0 */
    size_t seed;
} sb_distance;

/* The numbers of the margin of n > 0 distances of n_seeds seeds, each of which has one; they are sorted on the way. */
sb_status sb_margin_of(sb_distance *distance, size_t n, size_t n_seeds, sb_margin *margin);

/* The margin for cells of the same recipe as `like`, in one loss, from the ensemble in these results. That there is
 * none is SB_OK. */
sb_status sb_ensemble_margin(const sb_results *results, const sb_result *like, sb_metric metric, sb_margin *margin);

/* A chosen margin: ratios up to `ratio` > 1 and down to 1 / ratio count as equal. */
sb_margin sb_ensemble_chosen(double ratio, const char *source);

/* Judge by it, and by no more than that ratio above 1. */
void sb_ensemble_limit(sb_margin *margin, double relevant);

/* No margin, and why. */
sb_margin sb_ensemble_none(const char *reason);

/* -- samples: sample.c -- */

/* The seeds of two conditions, their values, and which seeds are in both. */

/* The runs of a condition, one for each seed, ascending by seed. */
typedef struct sb_sample {
    size_t n;
    const sb_result *const *cell;
    const char *name; /* of the condition, for remarks; NULL: "the first condition" or "the second" */
} sb_sample;

/* Counts of one condition. */
typedef struct sb_side {
    const char *name;             /* the sample's */
    size_t n;                     /* seeds */
    size_t n_alone;               /* seeds that the other condition lacks */
    size_t n_runs, n_diverged;    /* runs, replicates included */
    size_t n_zero;                /* seeds with a loss of 0 that did not diverge */
    size_t n_none;                /* seeds with a run that lacks this loss */
    size_t least_runs, most_runs; /* of a seed */
} sb_side;

/* Bits of the seeds that both conditions have. */
typedef struct sb_common {
    size_t n;            /* seeds in both */
    size_t n_same_bits;  /* equal weights and losses (results.h) */
    size_t n_weights;    /* equal weights */
    size_t n_contradict; /* equal weights, but losses differ by more than SB_CONTRADICTION: one table is wrong */
    double gap;          /* the largest difference of losses with equal weights */
} sb_common;
#define SB_CONTRADICTION 0.01

/* Values (results.h) of two conditions: all, and the values of the seeds in both. */
typedef struct sb_values {
    double *a, *b;                        /* [side[0].n], [side[1].n] */
    double *pair_a, *pair_b, *difference; /* [common.n]; 0 of two equal infinities */
    sb_side side[2];
    sb_common common;
} sb_values;

/* SB_E_MEMORY is the only failure. */
sb_status sb_values_take(sb_values *values, sb_sample a, sb_sample b, sb_metric metric);
void sb_values_free(sb_values *values);

/* The i-th ratio of a pair, in the order of the seeds. *of and *over: its own runs. */
double sb_sample_pair(sb_sample a, sb_sample b, sb_metric metric, size_t i, const sb_result **of,
                      const sb_result **over);

/* -- verdicts: verdict.c -- */

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
    bool conflict; /* the verdict on pairs, `of_pairs`, and that on all runs contradict each other */
    sb_verdict_word of_pairs;
    size_t n;        /* pairs; without pairs the starts of the smaller condition */
    sb_side side[2]; /* of A and of B */
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

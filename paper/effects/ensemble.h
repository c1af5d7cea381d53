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
 *                    verdict of equivalence must hold for (verdict.h): too wide a margin is what makes it wrong.
 *
 *   without two      if the least margin without two of the seeds is below half of the margin of all seeds, the width
 *                    comes from one or two chaotic starts, and nothing is equivalent by it.
 *
 * By simulation (results/checks/statistics) the least is below the truth in about nine ensembles of ten, and conditions
 * that truly differ by a margin are called equivalent within it in at most 5 % of the cases; within the margin of all
 * seeds, in up to a quarter.
 */
#ifndef SB_PAPER_EFFECTS_ENSEMBLE_H
#define SB_PAPER_EFFECTS_ENSEMBLE_H

#include "core/status.h"
#include "paper/results/results.h"

#include <stddef.h>

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

#endif

/* The one-ulp ensemble, and the margin of equivalence that follows from it.
 *
 * Cells with ulp > 0 are trained like the cell of ulp 0 of their seed, but for one start weight that is one unit in the
 * last place larger. They are no seeds: no arm holds them (arms.h). How far their final losses come apart is what no
 * comparison of hardware, library or order of sums can be asked to undercut, because any of them changes at least one
 * rounding.
 *
 * Margin: the 95th percentile of |log(loss i / loss j)| over all pairs of runs of one seed that differ in ulp alone
 * (the cell of ulp 0 is one of them), pooled over seeds, settings and targets of one recipe. So two runs whose
 * difference is one rounding lie within the margin of each other with a probability of 95 %, and two arms are called
 * equivalent when their systematic difference, the mean over seeds, is shown to be smaller than that. The margin is
 * that of a single run and is not divided by the root of the number of pairs: the interval that is held against it
 * shrinks with that root by itself. For arms that differ by rounding alone the differences of pairs have a standard deviation
 * of about margin / 1.96; from 5 pairs on most such comparisons come out equivalent, with fewer than 4 most stay
 * undetermined.
 *
 * A margin is an estimate itself. How much hangs on one seed is said by the margins that the ensemble gives without one
 * of its seeds, whichever: the least of them is what a verdict of equivalence must hold for as well (verdict.h).
 */
#ifndef SB_PAPER_STATISTICS_ENSEMBLE_H
#define SB_PAPER_STATISTICS_ENSEMBLE_H

#include "core/status.h"
#include "paper/results/results.h"

#include <stddef.h>

enum { SB_ENSEMBLE_PAIRS = 20, SB_ENSEMBLE_SEEDS = 2 }; /* fewer make no margin */

typedef struct sb_margin {
    double log_ratio;   /* NAN: none */
    double least, most; /* without one of the seeds; a chosen margin itself; NAN: none */
    size_t n_pairs, n_seeds;
    char source[320]; /* where it came from, or why there is none */
} sb_margin;

/* The margin for cells of the same recipe as `like`, in one loss, from the ensemble in these results. That there is
 * none is SB_OK. */
sb_status sb_ensemble_margin(const sb_results *results, const sb_result *like, sb_metric metric, sb_margin *margin);

/* A margin that somebody chose: ratios up to `ratio` > 1 and down to 1 / ratio count as equal. */
sb_margin sb_ensemble_chosen(double ratio, const char *source);

/* No margin, and why. */
sb_margin sb_ensemble_none(const char *reason);

#endif

/* Replicates: several runs of one start (seed) and condition, which differ in nothing that the condition is about.
 *
 *   draws      imitated atomics in another random order; the run with the smallest draw is the start's own run
 *   one ulp    a run with ulp > 0 is a replicate of its unmoved run, the one of ulp 0 that agrees with it in all else
 *              (of its own study; else of others, which must all have the same bits), and of the own run of every start with the same recipe, target, seed, final weights and losses. So the
 *              one-ulp runs of one backend count for another one that has the same bits.
 *
 * Two runs of one ulp and draw with the same weights are one and the same computation, and count once.
 *
 *     SB_TRY(sb_replicates_find(results));
 *     const double value = sb_result_value(cell, SB_METRIC_LAST);
 */
#pragma once

#include "core/status.h"
#include "paper/results/results.h"

#include <stdbool.h>

/* Fill `replicate` and `is_replicate` of all cells. The results own what the cells point into. SB_E_MEMORY only. */
sb_status sb_replicates_find(sb_results *results);

/* Runs of the start of this own run: its replicates and itself. */
size_t sb_result_runs(const sb_result *cell);

/* How many of them diverged. */
size_t sb_result_diverged(const sb_result *cell);

/* The value of the start: the mean of log(loss) over these runs, as a multiple of 2^-40, so that means that are equal on
 * paper are equal; INFINITY if one of them diverged, else -INFINITY if a loss is 0. NAN: one of them has no such loss. */
double sb_result_value(const sb_result *cell, sb_metric metric);

/* Equal final weights, and losses that differ by no more than the rounding of their own sums (SB_SAME_LOSS). */
#define SB_SAME_LOSS 1e-6
bool sb_result_same_bits(const sb_result *a, const sb_result *b);

/* The difference of their losses: the largest |a - b| / min(a, b) of loss_last and loss_mean; INFINITY if one diverged
 * and the other did not, or one loss is 0 and the other is not. */
double sb_result_loss_gap(const sb_result *a, const sb_result *b);

/* The starts of two conditions, their values, and which of them are partners. */
#ifndef SB_PAPER_EFFECTS_SAMPLE_H
#define SB_PAPER_EFFECTS_SAMPLE_H

#include "core/status.h"
#include "paper/results/results.h"

#include <stddef.h>

/* The own runs of the starts of a condition, ascending by seed, each seed once. */
typedef struct sb_sample {
    size_t n;
    const sb_result *const *cell;
} sb_sample;

/* What is said of one condition besides its numbers. */
typedef struct sb_side {
    size_t n;                     /* starts */
    size_t n_alone;               /* of them, those that the other condition lacks */
    size_t n_runs, n_diverged;    /* replicates and all */
    size_t n_zero;                /* starts with a loss of 0 that did not diverge */
    size_t n_none;                /* starts with a run that has no such loss */
    size_t least_runs, most_runs; /* of a start */
} sb_side;

/* What the starts in common say of bits. */
typedef struct sb_common {
    size_t n;             /* starts in common */
    size_t n_same_bits;   /* equal weights and losses (replicates.h) */
    size_t n_weights;     /* equal weights */
    size_t n_contradict;  /* of these, those whose losses differ by more than SB_CONTRADICTION: one table is wrong */
    double gap;           /* the largest such difference of all with equal weights */
} sb_common;
#define SB_CONTRADICTION 0.01

/* Values (replicates.h) of two conditions: all of each, and those of the partners. */
typedef struct sb_values {
    double *a, *b;                       /* [side[0].n], [side[1].n] */
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

#endif

/* The seeds of two conditions, their values, and which seeds are in both. */
#ifndef SB_PAPER_EFFECTS_SAMPLE_H
#define SB_PAPER_EFFECTS_SAMPLE_H

#include "core/status.h"
#include "paper/results/results.h"

#include <stddef.h>

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
    size_t n;             /* seeds in both */
    size_t n_same_bits;   /* equal weights and losses (replicates.h) */
    size_t n_weights;     /* equal weights */
    size_t n_contradict;  /* equal weights, but losses differ by more than SB_CONTRADICTION: one table is wrong */
    double gap;           /* the largest difference of losses with equal weights */
} sb_common;
#define SB_CONTRADICTION 0.01

/* Values (replicates.h) of two conditions: all, and the values of the seeds in both. */
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

/* How often the statistics are right, on values whose truth is known.
 *
 * For 5 to 12 runs and twelve distributions: how often each interval holds the truth (nominal 0.95), how often each test
 * rejects what is true (nominal 0.05, and never more is what it promises; exact tests of few values can only do so less
 * often), and how often a verdict is given: where it is false, and where it is right. Values come from the counter-based
 * generator, so that equal trials give equal rates.
 *
 *   normal            N(0, 1)
 *   skewed            exponential: skewness 2
 *   heavy-tailed      Student's t with 3 degrees of freedom
 *   two clusters      -1 or, with a probability of 0.6, 1, each with noise of 0.05
 *   strongly skewed   exp(N(0, 1)): skewness 6.2
 *   outliers          N(0, 1), plus 10 with a probability of one in ten, or plus 5 with one in six
 *
 * and the mirror images of the five that are not symmetric.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum sb_made {
    SB_MADE_NORMAL,
    SB_MADE_SKEWED,
    SB_MADE_HEAVY,
    SB_MADE_CLUSTERS,
    SB_MADE_STRONGLY,
    SB_MADE_RARE,
    SB_MADE_FREQUENT,
    SB_MADE_SKEWED_DOWN,
    SB_MADE_CLUSTERS_DOWN,
    SB_MADE_STRONGLY_DOWN,
    SB_MADE_RARE_DOWN,
    SB_MADE_FREQUENT_DOWN,
    SB_N_MADE
} sb_made;
extern const struct sb_made_shape {
    const char *name;
    double median; /* of values whose mean is 0 */
    int sign;      /* -1: a mirror image */
} sb_made_shape[SB_N_MADE];

/* n values of trial number `trial`, their mean taken away; stream: which of several samples of a trial. */
void sb_made_values(sb_made made, size_t trial, uint32_t stream, size_t n, double *x);

/* Margins are those of ensembles whose seeds spread alike or not; each truth is the margin of endlessly many seeds. */
enum { SB_N_MADE_SEEDS = 3 };
extern const struct sb_made_seeds {
    const char *name;
    double unlike; /* standard deviation of the logarithm of a seed's spread */
    double margin; /* 95th percentile of the distance of two of its runs */
} sb_made_seeds[SB_N_MADE_SEEDS];

/* One rate: how often `what` came in so many trials. */
typedef struct sb_rate {
    const char *kind, *name, *values; /* "interval", "test", "false", "given", "not used" or "not promised"; "mean";
                                         "normal" */
    const char *what;                 /* "holds the truth", "rejects the truth", or a verdict */
    size_t n;       /* values, pairs, values of each of two samples, seeds of an ensemble, or data sets of six starts */
    double nominal; /* NAN: none */
    double rate;
} sb_rate;

/* Called for each rate in their order; a status that is not SB_OK ends it. */
typedef sb_status sb_rate_taker(void *context, const sb_rate *rate);

/* All rates, in a fixed order. */
sb_status sb_simulate(size_t trials, sb_rate_taker *take, void *context);

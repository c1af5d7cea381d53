/* The list of a network's parameters: names, shapes, places and distribution of the initial weights. Initial weights,
 * gradients, optimizer state, checkpoints, logs, hashes and the gradient check all walk this list. */
#pragma once

#include "core/status.h"
#include "ops/real.h"

#include <stddef.h>
#include <stdint.h>

enum { SB_PARAMS_MAX = 256 };

/* The kind of a parameter, as optimizers distinguish it. A weight has at least two dimensions; scale and shift of a
 * normalization and biases have one. */
typedef enum sb_param_kind {
    SB_PARAM_WEIGHT,
    SB_PARAM_SCALE,
    SB_PARAM_SHIFT,
    SB_PARAM_BIAS,
    SB_N_PARAM_KINDS,
} sb_param_kind;

typedef struct sb_param {
    char name[48]; /* its path below /param in a run file: "lstm0/input/x0_w" */
    sb_param_kind kind;
    int rank;
    size_t dim[4];
    size_t n;      /* elements */
    size_t offset; /* of its first element in the block of all parameters */
    double sd;     /* initial weights are drawn from N(0, sd^2); if sd is 0: */
    double bound;  /* from U(-bound, bound); if that is 0, too: */
    double value;  /* all are equal to value */
    uint32_t stream; /* stream of the random numbers: the parameter's number in the list, unless the caller sets
                      * another */
} sb_param;

typedef struct sb_params {
    int n;
    size_t total; /* elements of all parameters */
    sb_param list[SB_PARAMS_MAX];
} sb_params;

/* Append a parameter and return its offset. Its kind is weight, for rank 1 bias; for a scale or shift the caller
 * changes the kind (sb_params_last). */
size_t sb_params_add(sb_params *params, double sd, int rank, const size_t *dim, const char *name_format, ...)
    __attribute__((format(printf, 5, 6)));

/* The parameter added last, so that the caller can set more of its members. */
static inline sb_param *sb_params_last(sb_params *params)
{
    return &params->list[params->n - 1];
}

/* Draw the initial weights into host_weight [total]. Element k of a parameter is sd * N(0,1) or bound * (2 U(0,1) - 1),
 * drawn at (seed, stream, index k) and rounded once to float. The same bits on every machine. */
void sb_params_draw(const sb_params *params, uint64_t seed, sb_real *host_weight);

/* Move one initial weight to the next larger float. The number `which` selects it, with equal probability, among all
 * weights that are not zero. Runs that differ in this weight alone show how far an outcome depends on chaos (Summers
 * and Dinneen, ICML 2021). */
void sb_params_nudge(const sb_params *params, uint64_t which, sb_real *host_weight);

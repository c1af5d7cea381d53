/* The one list of a network's parameters: names, shapes, places and start weights. Start weights, gradients, optimizer
 * state, checkpoints, logs, hashes and the gradient check all walk this list. */
#ifndef SB_NET_PARAMS_H
#define SB_NET_PARAMS_H

#include "core/status.h"
#include "ops/real.h"

#include <stddef.h>
#include <stdint.h>

enum { SB_PARAMS_MAX = 256 };

/* What a parameter is to an optimizer: of two dimensions or more, or of one: the scale or shift of a normalisation, or
 * a bias. */
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
    double sd;     /* start weights are N(0, sd^2); 0: */
    double bound;  /* U(-bound, bound); 0: */
    double value;  /* all this */
    uint32_t stream; /* of the random numbers: its number in the list, unless who adds it says another */
} sb_param;

typedef struct sb_params {
    int n;
    size_t total; /* elements of all parameters */
    sb_param list[SB_PARAMS_MAX];
} sb_params;

/* Append a parameter behind the last one and return its offset. It is a weight, of rank 1 a bias; who adds the scale or
 * shift of a normalisation says so in the list. */
size_t sb_params_add(sb_params *params, double sd, int rank, const size_t *dim, const char *name_format, ...)
    __attribute__((format(printf, 5, 6)));

/* The last one, for who adds it to say more of it. */
static inline sb_param *sb_params_last(sb_params *params)
{
    return &params->list[params->n - 1];
}

/* Start weights into host_weight [total]: element k of a parameter is sd * N(0,1) or bound * (2 U(0,1) - 1) drawn at
 * (seed, its stream, index k), rounded once to float. The same bits on every machine. */
void sb_params_draw(const sb_params *params, uint64_t seed, sb_real *host_weight);

/* Move one start weight to the next larger float: one that is not zero, chosen by the number `which` among all of them
 * alike. Runs that differ in this alone show how much of an outcome is chaos (Summers and Dinneen, ICML 2021). */
void sb_params_nudge(const sb_params *params, uint64_t which, sb_real *host_weight);

#endif

/* What an update works on: a stretch of parameters, one tensor or all of them, device memory of n elements each. */
#ifndef SB_OPS_OPTIMIZER_BLOCK_H
#define SB_OPS_OPTIMIZER_BLOCK_H

#include "core/optimizers.h"
#include "ops/real.h"

#include <stddef.h>

typedef struct sb_block {
    size_t n;
    sb_real *weight;
    const sb_real *grad;                        /* NULL where the update forms it itself */
    sb_real *state[SB_STATES_MAX_OF_OPTIMIZER]; /* in the order of the optimiser's row */
} sb_block;

#endif

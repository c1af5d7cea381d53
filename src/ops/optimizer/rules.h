/* The rules of all optimisers (core/optimizers.h), one include for each, and what is made of every one of them alike:
 *
 *     sb_ID_rates      the numbers of one update, all of them sb_real, formed on the host by sb_ID_rates_of
 *     sb_ID_element    the rule for one weight, its gradient and its states
 *     sb_ID_at         the same for element i of a block, whose gradient is g: what loops and kernels call
 */
#ifndef SB_OPS_OPTIMIZER_RULES_H
#define SB_OPS_OPTIMIZER_RULES_H

#include "ops/optimizer/block.h"

#include "ops/optimizer/adam.h"
#include "ops/optimizer/momentum_buffer.h"
#include "ops/optimizer/nesterov_buffer.h"
#include "ops/optimizer/nesterov.h"
#include "ops/optimizer/momentum.h"
#include "ops/optimizer/momentum_average.h"
#include "ops/optimizer/sgd.h"
#include "ops/optimizer/adamw.h"
#include "ops/optimizer/rmsprop.h"
#include "ops/optimizer/adagrad.h"

#define SB_OPTIMIZER_AT(A, id, ...)                                                                                    \
    SB_HEART void sb_##id##_at(const sb_block *b, const sb_##id##_rates *rates, long i, sb_real g)                     \
    {                                                                                                                  \
        sb_real w = b->weight[i], state[SB_STATES_MAX_OF_OPTIMIZER] = {0};                                             \
        if (SB_STATES_##id > 0) state[0] = b->state[0][i];                                                             \
        if (SB_STATES_##id > 1) state[1] = b->state[1][i];                                                             \
        sb_##id##_element(&w, g, state, *rates);                                                                       \
        b->weight[i] = w;                                                                                              \
        if (SB_STATES_##id > 0) b->state[0][i] = state[0];                                                             \
        if (SB_STATES_##id > 1) b->state[1][i] = state[1];                                                             \
    }
SB_OPTIMIZERS(SB_OPTIMIZER_AT, SB_NO_STATE, )

#endif

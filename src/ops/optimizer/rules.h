/* The rules of all optimizers (core/rows/optimizers.h), one include for each. Each rule has:
 *
 *     sb_ID_rates      the numbers of one update, all sb_real, computed on the host by sb_ID_rates_of
 *     sb_ID_element    the rule for one weight, its gradient and its states
 *     sb_ID_at         the same for element i of a block with gradient g; loops and kernels call it with
 *                      SB_GRADIENT_kind(block, i)
 *
 * A LAYERWISE rule has two steps; between them norms of whole tensors are computed. Its file also has
 *
 *     sb_ID_moments    the update of the states that precedes the norms
 *     sb_ID_direction  u of the ratio |w| / |u|, from these states
 *     sb_ID_trust_of   the numbers of the ratio (trust.h)
 *     sb_ID_element    the second step, with the rate from the ratio
 *
 * sb_ID_direction_at combines the first two: the first step of element i, and its direction.
 *
 * A QUASI_NEWTON rule treats all weights as one block; instead of sb_ID_element its file has
 *
 *     sb_ID_pair_at          the first step, for element i: stores the last step and the change of the gradient
 *     sb_ID_coefficients_of  the coefficients of the step, from the scalar products of the states
 *     sb_ID_at               the step, for element i
 */
#pragma once

#include "ops/optimizer/block.h"

#include "ops/optimizer/adagrad.h"
#include "ops/optimizer/adam.h"
#include "ops/optimizer/adamw.h"
#include "ops/optimizer/lamb.h"
#include "ops/optimizer/lamb_uncorrected.h"
#include "ops/optimizer/lars.h"
#include "ops/optimizer/lars_average.h"
#include "ops/optimizer/lars_nesterov.h"
#include "ops/optimizer/lbfgs.h"
#include "ops/optimizer/momentum.h"
#include "ops/optimizer/momentum_average.h"
#include "ops/optimizer/momentum_buffer.h"
#include "ops/optimizer/nesterov.h"
#include "ops/optimizer/nesterov_buffer.h"
#include "ops/optimizer/nvlamb.h"
#include "ops/optimizer/rmsprop.h"
#include "ops/optimizer/sgd.h"

/* The gradient of element i, by the divisor if there is one. Layer-wise rules divide it in their two steps. */
#define SB_GRADIENT_ELEMENTWISE(b, i)                          ((b)->divisor ? SB_DIVIDE((b)->grad[i], *(b)->divisor) : (b)->grad[i])
#define SB_GRADIENT_LAYERWISE(b, i)                            ((b)->grad[i])
#define SB_GRADIENT_QUASI_NEWTON(b, i)                         ((b)->grad[i])

#define SB_OPTIMIZER_AT(A, id, name, title, states, kind, ...) SB_AT_##kind(id)

#define SB_AT_ELEMENTWISE(id)                                                                                          \
    SB_HOST_DEVICE void sb_##id##_at(const sb_block *b, const sb_##id##_rates *rates, long i, sb_real g)               \
    {                                                                                                                  \
        sb_real w = b->weight[i], state[SB_STATES_MAX_OF_ELEMENT] = {0};                                               \
        SB_LOAD_STATES(id)                                                                                             \
        sb_##id##_element(&w, g, state, *rates);                                                                       \
        b->weight[i] = w;                                                                                              \
        SB_STORE_STATES(id)                                                                                            \
    }

#define SB_AT_LAYERWISE(id)                                                                                            \
    SB_HOST_DEVICE sb_real sb_##id##_direction_at(const sb_block *b, const sb_##id##_rates *rates, long i, sb_real g)  \
    {                                                                                                                  \
        sb_real w = b->weight[i], state[SB_STATES_MAX_OF_ELEMENT] = {0};                                               \
        if (b->divisor) g = SB_DIVIDE(g, *b->divisor);                                                                 \
        SB_LOAD_STATES(id)                                                                                             \
        sb_##id##_moments(w, g, state, *rates);                                                                        \
        SB_STORE_STATES(id)                                                                                            \
        return sb_##id##_direction(w, g, state, *rates);                                                               \
    }                                                                                                                  \
    SB_HOST_DEVICE void sb_##id##_at(const sb_block *b, const sb_##id##_rates *rates, long i, sb_real g)               \
    {                                                                                                                  \
        sb_real w = b->weight[i], state[SB_STATES_MAX_OF_ELEMENT] = {0};                                               \
        if (b->divisor) g = SB_DIVIDE(g, *b->divisor);                                                                 \
        SB_LOAD_STATES(id)                                                                                             \
        sb_##id##_element(&w, g, state, *rates, *b->rate);                                                             \
        b->weight[i] = w;                                                                                              \
        SB_STORE_STATES(id)                                                                                            \
    }

#define SB_AT_QUASI_NEWTON(id)

#define SB_LOAD_STATES(id)                                                                                             \
    if (SB_STATES_##id > 0) state[0] = b->state[0][i];                                                                 \
    if (SB_STATES_##id > 1) state[1] = b->state[1][i];
#define SB_STORE_STATES(id)                                                                                            \
    if (SB_STATES_##id > 0) b->state[0][i] = state[0];                                                                 \
    if (SB_STATES_##id > 1) b->state[1][i] = state[1];

SB_OPTIMIZERS(SB_OPTIMIZER_AT, SB_NO_STATE, )

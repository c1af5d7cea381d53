/* The arguments of an update: a range of parameters, one tensor or all of them, with device memory of n elements
 * each. */
#pragma once

#include "core/rows/optimizers.h"
#include "ops/order.h"

#include <stddef.h>

typedef struct sb_block {
    size_t n;
    sb_real *weight;
    const sb_real *grad;                        /* NULL if the update computes it itself */
    sb_real *state[SB_STATES_MAX_OF_OPTIMIZER]; /* in the order of the optimizer's row */

    double *partial; /* memory for partial sums: sb_block_partials(n) numbers for norms, SB_PRODUCTS_ID for each part
                      * (sb_block_parts) for products; NULL: elementwise */

    const sb_real *divisor; /* one number by which the gradient is first divided; NULL: 1 */

    /* Only for layer-wise rules, whose blocks are whole tensors. */
    double *norm;  /* three: |weight|^2 and |direction|^2 (ops->ID_norms), and their ratio (ops->trust) */
    sb_real *rate; /* one number: the learning rate times the ratio (ops->trust) */

    /* Only for quasi-Newton rules, whose block is all weights. */
    double *product;     /* [SB_PRODUCTS_ID]: scalar products of the states (ops->ID_products) */
    double *coefficient; /* [SB_COEFFICIENTS_ID]: coefficients of the step (ops->ID_coefficients) */
} sb_block;

/* Number of parts of SB_ORDER_BLOCK elements. */
static inline size_t sb_block_parts(size_t n)
{
    return (n + SB_ORDER_BLOCK - 1) / SB_ORDER_BLOCK;
}

static inline size_t sb_block_partials(size_t n)
{
    return 2 * sb_block_parts(n);
}

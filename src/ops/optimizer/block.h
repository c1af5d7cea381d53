/* What an update works on: a stretch of parameters, one tensor or all of them, device memory of n elements each. */
#ifndef SB_OPS_OPTIMIZER_BLOCK_H
#define SB_OPS_OPTIMIZER_BLOCK_H

#include "core/rows/optimizers.h"
#include "ops/order.h"

#include <stddef.h>

typedef struct sb_block {
    size_t n;
    sb_real *weight;
    const sb_real *grad;                        /* NULL where the update forms it itself */
    sb_real *state[SB_STATES_MAX_OF_OPTIMIZER]; /* in the order of the optimizer's row */

    double *partial; /* room in which backends form sums of whole blocks: sb_block_partials(n) numbers for norms,
                      * SB_PRODUCTS_ID for each part (sb_block_parts) for products; NULL: elementwise */

    /* Of layer-wise rules alone, whose blocks are whole tensors. */
    const sb_real *divisor; /* one number, by which the gradient is divided first; NULL: 1 */
    double *norm;           /* three: |weight|^2 and |direction|^2 (ops->ID_norms), and their ratio (ops->trust) */
    sb_real *rate;          /* one number: the learning rate times the ratio (ops->trust) */

    /* Of quasi-Newton rules alone, whose blocks are all weights. */
    double *product;     /* SB_PRODUCTS_ID: of the states with one another (ops->ID_products) */
    double *coefficient; /* SB_COEFFICIENTS_ID: what the step is made with (ops->ID_coefficients) */
} sb_block;

/* Parts of SB_ORDER_BLOCK elements. */
static inline size_t sb_block_parts(size_t n)
{
    return (n + SB_ORDER_BLOCK - 1) / SB_ORDER_BLOCK;
}

static inline size_t sb_block_partials(size_t n)
{
    return 2 * sb_block_parts(n);
}

#endif

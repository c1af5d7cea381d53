/* The products of a quasi-Newton rule by OpenBLAS, one after the other, each in the order of its own threads. */
#include "ops/library/gemm_openblas.h"
#include "ops/library/openblas.h"

static void lbfgs_products(sb_ops *ops, const sb_block *block)
{
    (void)ops;
#pragma omp single
    for (int k = 0; k < SB_PRODUCTS_lbfgs; k++) {
        const sb_lbfgs_factors of = sb_lbfgs_factors_of(k);
        block->product[k] = sb_dot(block->n, block->state[of.a], block->state[of.b]);
    }
}

void sb_update_openblas(sb_ops *ops)
{
    ops->lbfgs_products = lbfgs_products;
}

/* The rules of the optimisers as elementwise kernels, one for each row of core/optimizers.h; their CPU twins are in
 * update_native.c. */
#ifndef SB_OPS_KERNELS_UPDATE_H
#define SB_OPS_KERNELS_UPDATE_H

#include "ops/kernels/kernel.h"
#include "ops/optimizer/rules.h"

/* rates: device memory, for they change from update to update, and the launch does not. */
#define SB_UPDATE_KERNEL(A, id, ...)                                                                                   \
    typedef struct sb_##id##_args {                                                                                    \
        long n;                                                                                                        \
        sb_block block;                                                                                                \
        const sb_##id##_rates *rates;                                                                                  \
    } sb_##id##_args;                                                                                                  \
    SB_HEART void sb_##id##_each(const sb_##id##_args *k, long i)                                                      \
    {                                                                                                                  \
        sb_##id##_at(&k->block, k->rates, i, k->block.grad[i]);                                                        \
    }
SB_OPTIMIZERS(SB_UPDATE_KERNEL, SB_NO_STATE, )

#endif

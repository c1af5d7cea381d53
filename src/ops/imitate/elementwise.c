/* The elementwise operations and the optimizers once more, in a variant of real.h: unfused, with device functions, or
 * both. cmake/kernels.cmake compiles this for each instruction set and variant, SB_ISA being SET_VARIANT. */
#include "ops/optimizer/update_native.c"
#include "ops/point/loss_native.c"
#include "ops/point/lstm_native.c"

#include "ops/imitate/kernels.h"
#include "ops/imitate/tf32.h"

/* One sample's gradient and Adam in one pass. The products are rounded once, alone. */
static void learn_one(bool tf32, const sb_dense *layer, const sb_real *x, const sb_real *dy, const sb_block *weight,
                      const sb_block *bias, const sb_adam_rates *rates)
{
    const sb_adam_rates r = *rates;
    const sb_block w = *weight, b = *bias;
    const int in = layer->in;
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o++) {
        const sb_real d = tf32 ? sb_tf32_round(dy[o]) : dy[o];
        const long row = (long)o * in;
        for (int i = 0; i < in; i++) sb_adam_at(&w, &r, row + i, d * (tf32 ? sb_tf32_round(x[i]) : x[i]));
        sb_adam_at(&b, &r, o, dy[o]);
    }
}

static void dense_learn_one(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy,
                            const sb_block *weight, const sb_block *bias, const sb_adam_rates *rates)
{
    if (sb_imitates_any(ops, SB_IMITATED_TF32))
        learn_one(true, layer, x, dy, weight, bias, rates);
    else
        learn_one(false, layer, x, dy, weight, bias, rates);
}

void SB_NATIVE(sb_elementwise)(sb_ops *ops)
{
    SB_NATIVE(sb_lstm_native)(ops);
    SB_NATIVE(sb_loss_native)(ops);
    SB_NATIVE(sb_update_native)(ops);
    ops->dense_learn_one = dense_learn_one;
}

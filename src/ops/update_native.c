/* The rules of the optimisers, and the norm of the gradient, of the native backend. */
#include "ops/native.h"

#define UPDATE(A, id, ...)                                                                                             \
    static void update_##id(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                          \
    {                                                                                                                  \
        (void)ops;                                                                                                     \
        const sb_block b = *block;                                                                                     \
        const sb_##id##_rates r = *rates;                                                                              \
        _Pragma("omp for simd schedule(static)") for (long i = 0; i < (long)b.n; i++)                                  \
            sb_##id##_at(&b, &r, i, b.grad[i]);                                                                        \
    }
SB_OPTIMIZERS(UPDATE, SB_NO_STATE, )

/* n <= SB_ORDER_BLOCK */
static double block_norm2(size_t n, const sb_real *g)
{
    enum { LANES = SB_ORDER_LANES };
    double lane[LANES] = {0};
    size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (int l = 0; l < LANES; l++) lane[l] = fma((double)g[i + l], (double)g[i + l], lane[l]);
    for (size_t i = whole; i < n; i++) lane[i - whole] = fma((double)g[i], (double)g[i], lane[i - whole]);
    return sb_join_lanes(lane);
}

static void norm2(sb_ops *ops, size_t n, const sb_real *g, double *sum)
{
    (void)ops;
#pragma omp single
    {
        double total = 0;
        for (size_t i = 0; i < n; i += SB_ORDER_BLOCK)
            total += block_norm2(n - i < SB_ORDER_BLOCK ? n - i : SB_ORDER_BLOCK, g + i);
        *sum = total;
    }
}

void SB_NATIVE(sb_update_native)(sb_ops *ops)
{
#define FILL(A, id, ...) ops->id = update_##id;
    SB_OPTIMIZERS(FILL, SB_NO_STATE, )
    ops->norm2 = norm2;
}

void SB_NATIVE(sb_ops_native)(sb_ops *ops)
{
    SB_NATIVE(sb_conv_native)(ops);
    SB_NATIVE(sb_point_native)(ops);
    SB_NATIVE(sb_lstm_native)(ops);
    SB_NATIVE(sb_loss_native)(ops);
    SB_NATIVE(sb_dense_native)(ops);
    SB_NATIVE(sb_update_native)(ops);
}

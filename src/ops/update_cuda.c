/* The rules of the optimisers on the GPU backends, and the norm of the gradient. */
#include "ops/gpu.h"

#define UPDATE(A, id, ...)                                                                                             \
    static void update_##id(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                          \
    {                                                                                                                  \
        sb_gpu *gpu = sb_gpu_begin(ops, #id, NULL);                                                                    \
        const sb_##id##_rates *on_device = gpu->stage(gpu, rates, sizeof *rates);                                      \
        if (on_device) SB_GPU_EACH(gpu, sb_##id, block->n, .block = *block, .rates = on_device);                       \
    }
SB_OPTIMIZERS(UPDATE, SB_NO_STATE, )

static void norm2(sb_ops *ops, size_t n, const sb_real *g, double *sum)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "norm2", NULL);
    long blocks = (long)((n + SB_ORDER_BLOCK - 1) / SB_ORDER_BLOCK), lanes = blocks * SB_ORDER_LANES;
    double *lane = gpu->scratch(gpu, (size_t)(lanes + blocks) * sizeof *lane);
    if (!lane) return;
    SB_GPU_EACH(gpu, sb_norm_lanes, lanes, .g = g, .lane = lane, .size = (long)n);
    SB_GPU_EACH(gpu, sb_norm_join, blocks, .lane = lane, .sum = lane + lanes);
    SB_GPU_EACH(gpu, sb_norm_total, 1, .sum = lane + lanes, .norm2 = sum, .blocks = blocks);
}

void sb_update_cuda(sb_ops *ops)
{
#define FILL(A, id, ...) ops->id = update_##id;
    SB_OPTIMIZERS(FILL, SB_NO_STATE, )
    ops->norm2 = norm2;
}

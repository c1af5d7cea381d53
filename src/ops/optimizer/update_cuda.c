/* The rules of the optimizers on the GPU backends: what comes before the step (norms of tensors, products of
 * states), the step, and the norm of the gradient. */
#include "ops/cuda.h"

#define UPDATE(A, id, name, title, states, kind, ...)                                                                  \
    static void update_##id(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                          \
    {                                                                                                                  \
        sb_gpu *gpu = sb_gpu_begin(ops, #id, NULL);                                                                    \
        const sb_##id##_rates *on_device = gpu->stage(gpu, rates, sizeof *rates);                                      \
        if (on_device) SB_GPU_EACH(gpu, sb_##id, block->n, .block = *block, .rates = on_device);                       \
    }                                                                                                                  \
    BEFORE_##kind(id)

#define BEFORE_ELEMENTWISE(id)
#define BEFORE_QUASI_NEWTON(id)                                                                                        \
    static void id##_pair(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                            \
    {                                                                                                                  \
        sb_gpu *gpu = sb_gpu_begin(ops, #id "_pair", NULL);                                                            \
        const sb_##id##_rates *on_device = gpu->stage(gpu, rates, sizeof *rates);                                      \
        if (on_device) SB_GPU_EACH(gpu, sb_##id##_pair, block->n, .block = *block, .rates = on_device);                \
    }                                                                                                                  \
    static void id##_products(sb_ops *ops, const sb_block *block)                                                      \
    {                                                                                                                  \
        sb_gpu *gpu = sb_gpu_begin(ops, #id "_products", NULL);                                                        \
        const long blocks = (long)sb_block_parts(block->n), sums = blocks * SB_PRODUCTS_##id;                          \
        const long lanes = sums * SB_ORDER_LANES;                                                                      \
        double *lane = gpu->scratch(gpu, (size_t)lanes * sizeof *lane);                                                \
        if (!lane) return;                                                                                             \
        SB_GPU_EACH(gpu, sb_##id##_product_lanes, lanes, .block = *block, .lane = lane);                               \
        SB_GPU_EACH(gpu, sb_norm_join, sums, .lane = lane, .sum = block->partial);                                     \
        SB_GPU_EACH(gpu, sb_norm_total, SB_PRODUCTS_##id, .sum = block->partial, .norm2 = block->product,              \
                    .blocks = blocks);                                                                                 \
    }                                                                                                                  \
    static void id##_coefficients(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                    \
    {                                                                                                                  \
        sb_gpu *gpu = sb_gpu_begin(ops, #id "_coefficients", NULL);                                                    \
        const sb_##id##_rates *on_device = gpu->stage(gpu, rates, sizeof *rates);                                      \
        if (on_device)                                                                                                 \
            SB_GPU_EACH(gpu, sb_##id##_coefficients, 1, .product = block->product, .coefficient = block->coefficient,  \
                        .rates = on_device);                                                                           \
    }
#define BEFORE_LAYERWISE(id)                                                                                           \
    static void norms_##id(sb_ops *ops, const sb_block *block, const sb_##id##_rates *rates)                           \
    {                                                                                                                  \
        sb_gpu *gpu = sb_gpu_begin(ops, #id "_norms", NULL);                                                           \
        const sb_##id##_rates *on_device = gpu->stage(gpu, rates, sizeof *rates);                                      \
        const long sums = (long)sb_block_partials(block->n), lanes = sums * SB_ORDER_LANES;                            \
        double *lane = gpu->scratch(gpu, (size_t)lanes * sizeof *lane);                                                \
        if (!on_device || !lane) return;                                                                               \
        SB_GPU_EACH(gpu, sb_##id##_lanes, lanes / 2, .block = *block, .rates = on_device, .lane = lane);               \
        SB_GPU_EACH(gpu, sb_norm_join, sums, .lane = lane, .sum = block->partial);                                     \
        SB_GPU_EACH(gpu, sb_norm_total, 2, .sum = block->partial, .norm2 = block->norm, .blocks = sums / 2);           \
    }

SB_OPTIMIZERS(UPDATE, SB_NO_STATE, )

static void average(sb_ops *ops, size_t n, double share, const sb_real *x, sb_real *e)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "average", NULL);
    SB_GPU_EACH(gpu, sb_average, n, .x = x, .e = e, .share = (sb_real)share);
}

static void mutate(sb_ops *ops, size_t n, double scale, const sb_real *noise, const sb_real *x, sb_real *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "mutate", NULL);
    SB_GPU_EACH(gpu, sb_mutate, n, .noise = noise, .x = x, .y = y, .scale = (sb_real)scale);
}

static void trust(sb_ops *ops, const sb_block *block, const sb_trust *trust)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "trust", NULL);
    const sb_trust *on_device = gpu->stage(gpu, trust, sizeof *trust);
    if (on_device) SB_GPU_EACH(gpu, sb_trust_rate, 1, .norm = block->norm, .trust = on_device, .rate = block->rate);
}

static void gradient_divisor(sb_ops *ops, int n, const double *norm2, double limit, sb_real *divisor)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "gradient_divisor", NULL);
    SB_GPU_EACH(gpu, sb_gradient_divisor, 1, .norm2 = norm2, .tensors = n, .limit = limit, .divisor = divisor);
}

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
#define FILL(A, id, name, title, states, kind, ...)                                                                    \
    ops->id = update_##id;                                                                                             \
    FILL_##kind(id)
#define FILL_ELEMENTWISE(id)
#define FILL_LAYERWISE(id) ops->id##_norms = norms_##id;
#define FILL_QUASI_NEWTON(id)                                                                                          \
    ops->id##_pair = id##_pair;                                                                                        \
    ops->id##_products = id##_products;                                                                                \
    ops->id##_coefficients = id##_coefficients;
    SB_OPTIMIZERS(FILL, SB_NO_STATE, )
    ops->average = average;
    ops->mutate = mutate;
    ops->trust = trust;
    ops->gradient_divisor = gradient_divisor;
    ops->norm2 = norm2;
}

/* Attention of the GPU backends; the CPU twin is attention_native.c. */
#include "ops/cuda.h"

static size_t scratch_size(const sb_ops *ops, const sb_attention *attention, int context)
{
    (void)ops, (void)attention, (void)context;
    return 0;
}

/* A block for each tile of positions of each head, and for SB_ATTENTION_CHANNELS of its channels. */
static sb_grid grid_of(const sb_attention *a, const sb_tensor *x)
{
    return (sb_grid){(long)x->n * a->heads * sb_attention_tiles(x->w),
                     sb_blocks(a->width / a->heads, SB_ATTENTION_CHANNELS), 1};
}

static void attention_forward(sb_ops *ops, const sb_attention *attention, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "attention_forward", y);
    const sb_grid grid = grid_of(attention, x);
    const sb_attention_maps maps = {.attention = *attention, .x = x->x, .y = y->x, .context = x->w, .samples = x->n};
    SB_GPU_TILED(gpu, sb_attention_largest, ((sb_grid){grid.x, 1, 1}), &maps);
    SB_GPU_TILED(gpu, sb_attention_values, grid, &maps);
}

static void attention_backward(sb_ops *ops, const sb_attention *attention, const sb_tensor *x, const sb_tensor *y,
                               const sb_tensor *dy, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "attention_backward", y);
    const size_t n_rows = (size_t)x->n * attention->heads * x->w;
    const sb_grid grid = grid_of(attention, x);
    const sb_attention_maps maps = {.attention = *attention,
                                    .x = x->x,
                                    .dy = dy->x,
                                    .y = y->x,
                                    .dx = dx->x,
                                    .means = gpu->scratch(gpu, n_rows * sizeof *maps.means),
                                    .context = x->w,
                                    .samples = x->n};
    if (!maps.means) return;
    SB_GPU_EACH(gpu, sb_attention_means, n_rows, .maps = maps);
    SB_GPU_TILED(gpu, sb_attention_queries, grid, &maps);
    SB_GPU_TILED(gpu, sb_attention_keys, grid, &maps);
}

void sb_attention_cuda(sb_ops *ops)
{
    ops->attention_scratch_size = scratch_size;
    ops->attention_forward = attention_forward;
    ops->attention_backward = attention_backward;
}

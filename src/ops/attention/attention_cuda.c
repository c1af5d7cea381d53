/* Attention of the GPU backends; the CPU twin is attention_native.c. */
#include "ops/cuda.h"

static size_t scratch_size(const sb_ops *ops, const sb_attention *attention, int context)
{
    (void)ops, (void)attention, (void)context;
    return 0;
}

static void attention_forward(sb_ops *ops, const sb_attention *attention, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "attention_forward", y);
    const sb_attention_maps maps = {.attention = *attention, .x = x->x, .y = y->x, .context = x->w};
    SB_GPU_EACH(gpu, sb_attention_rows, (long)x->n * attention->heads * x->w, .maps = maps);
    SB_GPU_EACH(gpu, sb_attention_values, sb_tensor_size(y), .maps = maps);
}

static void attention_backward(sb_ops *ops, const sb_attention *attention, const sb_tensor *x, const sb_tensor *y,
                               const sb_tensor *dy, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "attention_backward", y);
    const size_t n_rows = (size_t)x->n * attention->heads * x->w;
    sb_attention_maps maps = {.attention = *attention, .x = x->x, .dy = dy->x, .y = y->x, .dx = dx->x, .context = x->w};
    maps.means = gpu->scratch(gpu, n_rows * sizeof *maps.means);
    if (!maps.means) return;
    SB_GPU_EACH(gpu, sb_attention_means, n_rows, .maps = maps);
    SB_GPU_EACH(gpu, sb_attention_gradients, sb_tensor_size(y), .maps = maps);
}

void sb_attention_cuda(sb_ops *ops)
{
    ops->attention_scratch_size = scratch_size;
    ops->attention_forward = attention_forward;
    ops->attention_backward = attention_backward;
}

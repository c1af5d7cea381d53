/* Layer norm and group norm of the GPU backends; the CPU twin is group_norm_native.c. */
#include "ops/cuda.h"

static void group_norm_forward(sb_ops *ops, const sb_group_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "group_norm_forward", x);
    const sb_group_norm_maps maps = {x->x, NULL, x->n, x->h, x->w};
    SB_GPU_EACH(gpu, sb_group_norm_sums, sb_group_norm_sets(norm, x->n, x->h * x->w), .norm = *norm, .maps = maps);
    SB_GPU_EACH(gpu, sb_group_norm_value, sb_tensor_size(x), .norm = *norm, .maps = maps, .to = y->x);
}

static void group_norm_backward(sb_ops *ops, const sb_group_norm *norm, const sb_tensor *x, const sb_tensor *dy,
                                sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "group_norm_backward", x);
    const sb_group_norm_maps maps = {x->x, dy->x, x->n, x->h, x->w};
    const size_t n_rows = (size_t)x->n * x->c * x->h;
    double *sums = gpu->scratch(gpu, 2 * n_rows * sizeof *sums);
    if (!sums) return;
    SB_GPU_EACH(gpu, sb_group_norm_sums, sb_group_norm_sets(norm, x->n, x->h * x->w), .norm = *norm, .maps = maps);
    SB_GPU_EACH(gpu, sb_group_norm_rows, n_rows, .norm = *norm, .maps = maps, .sums = sums);
    SB_GPU_EACH(gpu, sb_group_norm_parameters, norm->c, .norm = *norm, .sums = sums, .samples = x->n, .h = x->h);
    SB_GPU_EACH(gpu, sb_group_norm_value, sb_tensor_size(x), .norm = *norm, .maps = maps, .to = dx->x);
}

void sb_group_norm_cuda(sb_ops *ops)
{
    ops->group_norm_forward = group_norm_forward;
    ops->group_norm_backward = group_norm_backward;
}

/* Batch norm of the GPU backends, of all of them: cuDNN's states no order of its sums and knows no groups. The CPU twin
 * is norm_native.c. */
#include "ops/cuda.h"

static sb_norm_maps maps_of(const sb_tensor *x)
{
    return (sb_norm_maps){x->x, x->n, x->h, x->w};
}

static void norm_forward(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "norm_forward", x);
    const sb_norm_statistics_args args = {.norm = *norm, .maps = maps_of(x)};
    SB_GPU_TILED(gpu, sb_norm_statistics, ((sb_grid){(long)norm->groups * norm->c, 1, 1}), &args);
    SB_GPU_EACH(gpu, sb_norm_value, sb_tensor_size(x), .norm = *norm, .maps = maps_of(x), .y = y->x,
                .groups = norm->groups);
}

static void norm_backward(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "norm_backward", x);
    const size_t n = sb_tensor_size(x);
    const bool is_through = norm->activation != SB_ACTIVATION_linear;
    const sb_real *dz = is_through ? dx->x : dy->x;
    if (is_through) SB_GPU_EACH(gpu, sb_norm_through, n, .norm = *norm, .maps = maps_of(x), .dy = dy->x, .dz = dx->x);
    const sb_norm_gradients_args args = {.norm = *norm, .maps = maps_of(x), .dz = dz};
    SB_GPU_TILED(gpu, sb_norm_gradients, ((sb_grid){(long)norm->groups * norm->c, 1, 1}), &args);
    SB_GPU_EACH(gpu, sb_norm_input_gradient, n, .norm = *norm, .maps = maps_of(x), .dz = dz, .dx = dx->x);
    SB_GPU_EACH(gpu, sb_norm_parameter_gradients, norm->c, .norm = *norm);
}

static void norm_evaluate(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "norm_evaluate", x);
    SB_GPU_EACH(gpu, sb_norm_means, norm->c, .norm = *norm);
    SB_GPU_EACH(gpu, sb_norm_value, sb_tensor_size(x), .norm = *norm, .maps = maps_of(x), .y = y->x, .groups = 1);
}

void sb_norm_cuda(sb_ops *ops)
{
    ops->norm_forward = norm_forward;
    ops->norm_backward = norm_backward;
    ops->norm_evaluate = norm_evaluate;
}

/* Batch norm of the GPU backends, of all of them: cuDNN's states no order of its sums and knows no groups. The CPU twin
 * is norm_native.c. */
#include "ops/cuda.h"

static sb_norm_maps maps_of(const sb_tensor *x)
{
    return (sb_norm_maps){x->x, x->n, x->h, x->w};
}

/* Neighbors in a map that one element of the elementwise kernels takes. */
static int at_once(const sb_gpu *gpu, const sb_tensor *x)
{
    return gpu->forms.norms && x->h * x->w % 4 == 0 && sb_tensor_size(x) <= SB_EACH_MAX ? 4 : 1;
}

/* Memory for the sums of all rows, of a pass with n_sums sums of a row and channel; NULL after an error. */
static double *sums_of(sb_gpu *gpu, const sb_tensor *x, int n_sums)
{
    return gpu->scratch(gpu, (size_t)x->n * x->c * x->h * n_sums * sizeof(double));
}

static void sum_rows(sb_gpu *gpu, const sb_norm *norm, const sb_tensor *x, const sb_real *dy, sb_norm_pass pass,
                     double *sums)
{
    const sb_norm_row_sums_args rows = {.norm = *norm, .maps = maps_of(x), .dy = dy, .sums = sums, .pass = pass};
    const long n_rows = (long)x->n * x->c * x->h;
    SB_GPU_TILED(gpu, sb_norm_row_sums, ((sb_grid){sb_blocks(n_rows, sb_norm_rows_of_block(x->w)), 1, 1}), &rows);
    const sb_norm_chains_args chains = {*norm, sums, x->n, x->h, x->w, pass};
    const long blocks = sb_blocks(sb_norm_columns(norm, pass), SB_NORM_ACROSS);
    SB_GPU_TILED(gpu, sb_norm_chains, ((sb_grid){blocks, norm->groups, 1}), &chains);
}

static void statistics(sb_gpu *gpu, const sb_norm *norm, const sb_tensor *x)
{
    const sb_norm_statistics_args args = {.norm = *norm, .maps = maps_of(x)};
    double *sums = gpu->forms.norms ? sums_of(gpu, x, 1) : NULL;
    if (sums) {
        sum_rows(gpu, norm, x, NULL, SB_NORM_MEANS, sums);
        sum_rows(gpu, norm, x, NULL, SB_NORM_SQUARES, sums);
    } else {
        SB_GPU_TILED(gpu, sb_norm_statistics, ((sb_grid){(long)norm->groups * norm->c, 1, 1}), &args);
    }
}

static void norm_forward(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "norm_forward", x);
    const int n = at_once(gpu, x);
    statistics(gpu, norm, x);
    SB_GPU_EACH(gpu, sb_norm_value, sb_tensor_size(x) / (size_t)n, .norm = *norm, .maps = maps_of(x), .y = y->x,
                .groups = norm->groups, .at_once = n);
}

/* dz is formed where it is read, and never stored. */
static void gradients_of_rows(sb_gpu *gpu, const sb_norm *norm, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    const int n = at_once(gpu, x);
    double *sums = sums_of(gpu, x, 2);
    if (!sums) return;
    sum_rows(gpu, norm, x, dy->x, SB_NORM_GRADIENTS, sums);
    SB_GPU_EACH(gpu, sb_norm_input_gradient, sb_tensor_size(x) / (size_t)n, .norm = *norm, .maps = maps_of(x),
                .dy = dy->x, .dx = dx->x, .at_once = n);
}

static void gradients_of_channels(sb_gpu *gpu, const sb_norm *norm, const sb_tensor *x, const sb_tensor *dy,
                                  sb_tensor *dx)
{
    const size_t n = sb_tensor_size(x);
    const bool is_through = norm->activation != SB_ACTIVATION_linear;
    const sb_real *dz = is_through ? dx->x : dy->x;
    if (is_through) SB_GPU_EACH(gpu, sb_norm_through, n, .norm = *norm, .maps = maps_of(x), .dy = dy->x, .dz = dx->x);
    const sb_norm_gradients_args args = {.norm = *norm, .maps = maps_of(x), .dz = dz};
    SB_GPU_TILED(gpu, sb_norm_gradients, ((sb_grid){(long)norm->groups * norm->c, 1, 1}), &args);
    SB_GPU_EACH(gpu, sb_norm_input_gradient, n, .norm = *norm, .maps = maps_of(x), .dz = dz, .dx = dx->x, .at_once = 1);
}

static void norm_backward(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, const sb_tensor *dy, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "norm_backward", x);
    (gpu->forms.norms ? gradients_of_rows : gradients_of_channels)(gpu, norm, x, dy, dx);
    SB_GPU_EACH(gpu, sb_norm_parameter_gradients, norm->c, .norm = *norm);
}

static void norm_evaluate(sb_ops *ops, const sb_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "norm_evaluate", x);
    const int n = at_once(gpu, x);
    SB_GPU_EACH(gpu, sb_norm_means, norm->c, .norm = *norm);
    SB_GPU_EACH(gpu, sb_norm_value, sb_tensor_size(x) / (size_t)n, .norm = *norm, .maps = maps_of(x), .y = y->x,
                .groups = 1, .at_once = n);
}

void sb_norm_cuda(sb_ops *ops)
{
    ops->norm_forward = norm_forward;
    ops->norm_backward = norm_backward;
    ops->norm_evaluate = norm_evaluate;
}

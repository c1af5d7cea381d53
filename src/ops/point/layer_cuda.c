/* Activations, pools, dropout and the loss of classes of the GPU backends: kernels of our own in all of them, for neither
 * cuBLAS nor cuDNN states an order of its sums. The CPU twin is layer_native.c. */
#include "ops/cuda.h"

static void activation_forward(sb_ops *ops, sb_activation kind, sb_real alpha, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "activation_forward", x);
    SB_GPU_EACH(gpu, sb_activation_forward, sb_tensor_size(x), .x = x->x, .y = y->x, .alpha = alpha, .kind = kind);
}

static void activation_backward(sb_ops *ops, sb_activation kind, sb_real alpha, const sb_tensor *x, const sb_tensor *dy,
                                sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "activation_backward", x);
    SB_GPU_EACH(gpu, sb_activation_backward, sb_tensor_size(x), .x = x->x, .dy = dy->x, .dx = dx->x, .alpha = alpha,
                .kind = kind);
}

static void residual_forward(sb_ops *ops, const sb_tensor *x, const sb_tensor *f, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "residual_forward", x);
    SB_GPU_EACH(gpu, sb_sum, sb_tensor_size(x), .a = x->x, .b = f->x, .y = y->x);
}

static void residual_backward(sb_ops *ops, const sb_tensor *dy, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "residual_backward", dx);
    SB_GPU_EACH(gpu, sb_sum, sb_tensor_size(dx), .a = dy->x, .b = dx->x, .y = dx->x);
}

static void logit_scale(sb_ops *ops, sb_real scale, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "logit_scale", x);
    SB_GPU_EACH(gpu, sb_logit_scale, sb_tensor_size(x), .x = x->x, .y = y->x, .scale = scale);
}

static void max_pool_forward(sb_ops *ops, int window_h, int window_w, const sb_tensor *x, sb_tensor *y, uint8_t *choice)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "max_pool_forward", y);
    SB_GPU_EACH(gpu, sb_max_pool_forward, sb_tensor_size(y), .x = x->x, .y = y->x, .choice = choice, .h = y->h,
                .w = y->w, .in_h = x->h, .in_w = x->w, .window_h = window_h, .window_w = window_w);
}

static void max_pool_backward(sb_ops *ops, int window_h, int window_w, const sb_tensor *dy, const uint8_t *choice,
                              sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "max_pool_backward", dx);
    SB_GPU_EACH(gpu, sb_max_pool_backward, sb_tensor_size(dx), .dy = dy->x, .choice = choice, .dx = dx->x, .h = dx->h,
                .w = dx->w, .out_h = dy->h, .out_w = dy->w, .window_h = window_h, .window_w = window_w);
}

static void average_pool_forward(sb_ops *ops, int window_h, int window_w, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "average_pool_forward", y);
    SB_GPU_EACH(gpu, sb_average_pool_forward, sb_tensor_size(y), .x = x->x, .y = y->x,
                .factor = (sb_real)1 / (sb_real)(window_h * window_w), .h = y->h, .w = y->w, .in_h = x->h, .in_w = x->w,
                .window_h = window_h, .window_w = window_w);
}

static void average_pool_backward(sb_ops *ops, int window_h, int window_w, const sb_tensor *dy, sb_tensor *dx)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "average_pool_backward", dx);
    SB_GPU_EACH(gpu, sb_average_pool_backward, sb_tensor_size(dx), .dy = dy->x, .dx = dx->x,
                .factor = (sb_real)1 / (sb_real)(window_h * window_w), .h = dx->h, .w = dx->w, .out_h = dy->h,
                .out_w = dy->w, .window_h = window_h, .window_w = window_w);
}

static void dropout(sb_ops *ops, const sb_dropout *of, const sb_tensor *x, sb_tensor *y)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dropout", x);
    SB_GPU_EACH(gpu, sb_dropout, sb_tensor_size(x), .dropout = *of, .x = x->x, .y = y->x, .c = x->c,
                .pixels = x->h * x->w);
}

static void cross_entropy_forward(sb_ops *ops, const sb_tensor *z, const uint8_t *label, double smoothing, double *loss,
                                  double *entropy, uint8_t *predicted, double *total)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "cross_entropy_forward", z);
    SB_GPU_EACH(gpu, sb_cross_entropy_forward, z->n, .z = z->x, .label = label, .loss = loss, .entropy = entropy,
                .smoothing = smoothing, .predicted = predicted, .classes = (int)sb_tensor_sample(z));
    SB_GPU_EACH(gpu, sb_cross_entropy_total, 1, .label = label, .predicted = predicted, .loss = loss,
                .entropy = entropy, .total = total, .samples = z->n);
}

static void cross_entropy_backward(sb_ops *ops, const sb_tensor *z, const uint8_t *label, double smoothing,
                                   double factor, sb_tensor *dz)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "cross_entropy_backward", z);
    SB_GPU_EACH(gpu, sb_cross_entropy_backward, z->n, .z = z->x, .label = label, .dz = dz->x, .smoothing = smoothing,
                .factor = factor, .classes = (int)sb_tensor_sample(z));
}

void sb_layer_cuda(sb_ops *ops)
{
    ops->activation_forward = activation_forward;
    ops->activation_backward = activation_backward;
    ops->residual_forward = residual_forward;
    ops->residual_backward = residual_backward;
    ops->logit_scale = logit_scale;
    ops->max_pool_forward = max_pool_forward;
    ops->max_pool_backward = max_pool_backward;
    ops->average_pool_forward = average_pool_forward;
    ops->average_pool_backward = average_pool_backward;
    ops->dropout = dropout;
    ops->cross_entropy_forward = cross_entropy_forward;
    ops->cross_entropy_backward = cross_entropy_backward;
}

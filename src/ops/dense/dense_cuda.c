/* Dense layers of native-cuda, as written in order.h. */
#include "ops/cuda.h"

static size_t scratch_size(const sb_dense *layer, int n)
{
    (void)layer, (void)n;
    return 0;
}

static sb_gpu *begin(sb_ops *ops, const char *operation, const sb_dense *layer, int n)
{
    return sb_gpu_begin(ops, operation, &(sb_tensor){1, 1, layer->in, n, layer->out, NULL});
}

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_tensor *x, sb_tensor *y, bool relu)
{
    sb_gpu *gpu = begin(ops, "dense_forward", layer, x->n);
    SB_GPU_EACH(gpu, sb_dense_forward, (long)x->n * layer->out, .x = x->x, .weight = layer->weight, .bias = layer->bias,
                .y = y->x, .in = layer->in, .out = layer->out, .relu = relu);
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_tensor *dy, sb_tensor *dx)
{
    sb_gpu *gpu = begin(ops, "dense_data_gradient", layer, dy->n);
    SB_GPU_EACH(gpu, sb_dense_data_gradient, (long)dy->n * layer->in, .dy = dy->x, .weight = layer->weight, .dx = dx->x,
                .in = layer->in, .out = layer->out);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_tensor *x, const sb_tensor *dy)
{
    sb_gpu *gpu = begin(ops, "dense_weight_gradient", layer, x->n);
    SB_GPU_EACH(gpu, sb_dense_weight_gradient, (long)layer->out * layer->in, .x = x->x, .dy = dy->x,
                .dw = layer->weight_grad, .batch = x->n, .in = layer->in, .out = layer->out);
    if (layer->bias_grad)
        SB_GPU_EACH(gpu, sb_dense_bias_gradient, layer->out, .dy = dy->x, .db = layer->bias_grad, .batch = x->n);
}

static void dense_learn_one(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy,
                            const sb_block *weight, const sb_block *bias, const sb_adam_rates *rates)
{
    sb_gpu *gpu = begin(ops, "dense_learn_one", layer, 1);
    const sb_adam_rates *on_device = gpu->stage(gpu, rates, sizeof *rates);
    if (!on_device) return;
    SB_GPU_EACH(gpu, sb_dense_learn, (long)layer->out * layer->in, .block = *weight, .x = x, .dy = dy,
                .rates = on_device, .in = layer->in);
    SB_GPU_EACH(gpu, sb_dense_learn, layer->out, .block = *bias, .dy = dy, .rates = on_device, .in = 1);
}

void sb_dense_cuda(sb_ops *ops)
{
    ops->dense_scratch_size = scratch_size;
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
    ops->dense_learn_one = dense_learn_one;
}

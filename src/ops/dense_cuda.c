/* Dense layers of native-cuda, as written in order.h. */
#include "ops/gpu.h"

static size_t scratch_size(const sb_dense *layer)
{
    (void)layer;
    return 0;
}

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_real *x, sb_real *y, bool relu)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dense_forward", &(sb_tensor){1, 1, layer->in, layer->batch, layer->out, NULL});
    SB_GPU_EACH(gpu, sb_dense_forward, (long)layer->batch * layer->out, .x = x, .weight = layer->weight,
                .bias = layer->bias, .y = y, .in = layer->in, .out = layer->out, .relu = relu);
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_real *dy, sb_real *dx)
{
    sb_gpu *gpu =
        sb_gpu_begin(ops, "dense_data_gradient", &(sb_tensor){1, 1, layer->in, layer->batch, layer->out, NULL});
    SB_GPU_EACH(gpu, sb_dense_data_gradient, (long)layer->batch * layer->in, .dy = dy, .weight = layer->weight,
                .dx = dx, .in = layer->in, .out = layer->out);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy)
{
    sb_gpu *gpu =
        sb_gpu_begin(ops, "dense_weight_gradient", &(sb_tensor){1, 1, layer->in, layer->batch, layer->out, NULL});
    SB_GPU_EACH(gpu, sb_dense_weight_gradient, (long)layer->out * layer->in, .x = x, .dy = dy, .dw = layer->weight_grad,
                .batch = layer->batch, .in = layer->in, .out = layer->out);
    SB_GPU_EACH(gpu, sb_dense_bias_gradient, layer->out, .dy = dy, .db = layer->bias_grad, .batch = layer->batch);
}

static void dense_learn_one(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy,
                            const sb_block *weight, const sb_block *bias, const sb_adam_rates *rates)
{
    sb_gpu *gpu = sb_gpu_begin(ops, "dense_learn_one", &(sb_tensor){1, 1, layer->in, 1, layer->out, NULL});
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

void sb_ops_cuda(sb_ops *ops)
{
    sb_point_cuda(ops);
    sb_conv_cuda(ops);
    sb_dense_cuda(ops);
    sb_update_cuda(ops);
}

/* Dense layers as matrix products. */
#include "ops/gemm_openblas.h"
#include "ops/openblas.h"

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_real *x, sb_real *y, bool relu)
{
    (void)ops;
#pragma omp single
    sb_gemm(false, true, layer->batch, layer->out, layer->in, x, layer->in, layer->weight, layer->in, 0, y, layer->out);
#pragma omp for collapse(2) schedule(static)
    for (int b = 0; b < layer->batch; b++)
        for (int o = 0; o < layer->out; o++) {
            sb_real sum = y[(size_t)b * layer->out + o] + layer->bias[o];
            y[(size_t)b * layer->out + o] = relu ? sb_relu(sum) : sum;
        }
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_real *dy, sb_real *dx)
{
    (void)ops;
#pragma omp single
    sb_gemm(false, false, layer->batch, layer->in, layer->out, dy, layer->out, layer->weight, layer->in, 0, dx,
            layer->in);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy)
{
    (void)ops;
#pragma omp single
    sb_gemm(true, false, layer->out, layer->in, layer->batch, dy, layer->out, x, layer->in, 0, layer->weight_grad,
            layer->in);
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o++) {
        sb_real sum = 0;
        for (int b = 0; b < layer->batch; b++) sum += dy[(size_t)b * layer->out + o];
        layer->bias_grad[o] = sum;
    }
}

void sb_dense_openblas(sb_ops *ops)
{
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
}

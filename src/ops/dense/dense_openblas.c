/* Dense layers as matrix products. */
#include "ops/library/gemm_openblas.h"
#include "ops/library/openblas.h"

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_tensor *x, sb_tensor *y, bool relu)
{
    (void)ops;
#pragma omp single
    sb_gemm(false, true, x->n, layer->out, layer->in, x->x, layer->in, layer->weight, layer->in, 0, y->x, layer->out);
#pragma omp for collapse(2) schedule(static)
    for (int sample = 0; sample < x->n; sample++)
        for (int o = 0; o < layer->out; o++) {
            sb_real *to = &y->x[(size_t)sample * layer->out + o], sum = layer->bias ? *to + layer->bias[o] : *to;
            *to = relu ? sb_relu(sum) : sum;
        }
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_tensor *dy, sb_tensor *dx)
{
    (void)ops;
#pragma omp single
    sb_gemm(false, false, dy->n, layer->in, layer->out, dy->x, layer->out, layer->weight, layer->in, 0, dx->x,
            layer->in);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_tensor *x, const sb_tensor *dy)
{
    (void)ops;
#pragma omp single
    sb_gemm(true, false, layer->out, layer->in, dy->n, dy->x, layer->out, x->x, layer->in, 0, layer->weight_grad,
            layer->in);
    if (!layer->bias_grad) return;
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o++) {
        sb_real sum = 0;
        for (int sample = 0; sample < dy->n; sample++) sum += dy->x[(size_t)sample * layer->out + o];
        layer->bias_grad[o] = sum;
    }
}

void sb_dense_openblas(sb_ops *ops)
{
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
}

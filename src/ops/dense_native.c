/* Dense layers of the native backend. */
#include "ops/native.h"

static sb_real dot(const sb_real *w, const sb_real *x, int n)
{
    sb_real lane[SB_ORDER_LANES] = {0};
    int whole = n / SB_ORDER_LANES * SB_ORDER_LANES;
    for (int i = 0; i < whole; i += SB_ORDER_LANES)
        for (int l = 0; l < SB_ORDER_LANES; l++) lane[l] = SB_FMA(w[i + l], x[i + l], lane[l]);
    for (int i = whole; i < n; i++) lane[i - whole] = SB_FMA(w[i], x[i], lane[i - whole]);
    return sb_join(lane);
}

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_real *x, sb_real *y, bool relu)
{
    (void)ops;
#pragma omp for collapse(2) schedule(static)
    for (int b = 0; b < layer->batch; b++)
        for (int o = 0; o < layer->out; o++) {
            sb_real sum = dot(layer->weight + (size_t)o * layer->in, x + (size_t)b * layer->in, layer->in);
            sum += layer->bias[o];
            y[(size_t)b * layer->out + o] = relu ? sb_relu(sum) : sum;
        }
}

/* Blocks of inputs, so that a row of dx stays in registers while the chain over outputs runs. */
enum { BLOCK = 64 };

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_real *dy, sb_real *dx)
{
    (void)ops;
#pragma omp for collapse(2) schedule(static)
    for (int b = 0; b < layer->batch; b++)
        for (int first = 0; first < layer->in; first += BLOCK) {
            sb_real sum[BLOCK] = {0};
            int n = layer->in - first < BLOCK ? layer->in - first : BLOCK;
            for (int o = 0; o < layer->out; o++) {
                sb_real d = dy[(size_t)b * layer->out + o];
                const sb_real *w = layer->weight + (size_t)o * layer->in + first;
                for (int i = 0; i < n; i++) sum[i] = SB_FMA(w[i], d, sum[i]);
            }
            for (int i = 0; i < n; i++) dx[(size_t)b * layer->in + first + i] = sum[i];
        }
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_real *x, const sb_real *dy)
{
    (void)ops;
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o++) {
        sb_real *dw = layer->weight_grad + (size_t)o * layer->in, db = 0;
        for (int i = 0; i < layer->in; i++) dw[i] = 0;
        for (int b = 0; b < layer->batch; b++) {
            sb_real d = dy[(size_t)b * layer->out + o];
            const sb_real *x_b = x + (size_t)b * layer->in;
            for (int i = 0; i < layer->in; i++) dw[i] = SB_FMA(d, x_b[i], dw[i]);
            db += d;
        }
        layer->bias_grad[o] = db;
    }
}

void SB_NATIVE(sb_dense_native)(sb_ops *ops)
{
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
}

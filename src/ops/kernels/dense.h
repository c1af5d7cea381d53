/* Dense layers, one output per thread; the CPU twin is dense_native.c. */
#pragma once

#include "ops/kernels/kernel.h"
#include "ops/optimizer/rules.h"

/* y[b][o]; sum: y already holds the product, and only bias and relu are applied */
typedef struct sb_dense_forward_args {
    long n;
    const sb_real *x, *weight, *bias;
    sb_real *y;
    int in, out;
    bool relu, summed;
} sb_dense_forward_args;

SB_HOST_DEVICE void sb_dense_forward_each(const sb_dense_forward_args *k, long at)
{
    long b = at / k->out, o = at % k->out;
    sb_real sum = k->summed ? k->y[at] : 0;
    for (int i = 0; !k->summed && i < k->in; i++) sum = SB_FMA(k->x[b * k->in + i], k->weight[o * k->in + i], sum);
    if (k->bias) sum += k->bias[o];
    k->y[at] = k->relu ? sb_relu(sum) : sum;
}

/* dx[b][i] */
typedef struct sb_dense_data_gradient_args {
    long n;
    const sb_real *dy, *weight;
    sb_real *dx;
    int in, out;
} sb_dense_data_gradient_args;

SB_HOST_DEVICE void sb_dense_data_gradient_each(const sb_dense_data_gradient_args *k, long at)
{
    long b = at / k->in, i = at % k->in;
    sb_real sum = 0;
    for (int o = 0; o < k->out; o++) sum = SB_FMA(k->dy[b * k->out + o], k->weight[(long)o * k->in + i], sum);
    k->dx[at] = sum;
}

/* dw[o][i] */
typedef struct sb_dense_weight_gradient_args {
    long n;
    const sb_real *x, *dy;
    sb_real *dw;
    int batch, in, out;
} sb_dense_weight_gradient_args;

SB_HOST_DEVICE void sb_dense_weight_gradient_each(const sb_dense_weight_gradient_args *k, long at)
{
    long o = at / k->in, i = at % k->in;
    sb_real sum = 0;
    for (int b = 0; b < k->batch; b++) sum = SB_FMA(k->dy[(long)b * k->out + o], k->x[(long)b * k->in + i], sum);
    k->dw[at] = sum;
}

/* db[o] */
typedef struct sb_dense_bias_gradient_args {
    long n;
    const sb_real *dy;
    sb_real *db;
    int batch;
} sb_dense_bias_gradient_args;

SB_HOST_DEVICE void sb_dense_bias_gradient_each(const sb_dense_bias_gradient_args *k, long o)
{
    sb_real sum = 0;
    for (int b = 0; b < k->batch; b++) sum += k->dy[b * k->n + o];
    k->db[o] = sum;
}

/* One sample: element [o][i] of the outer product; Adam updates its weight at once. x NULL: the biases, in = 1. */
typedef struct sb_dense_learn_args {
    long n;
    sb_block block;
    const sb_real *x, *dy;
    const sb_adam_rates *rates;
    int in;
} sb_dense_learn_args;

SB_HOST_DEVICE void sb_dense_learn_each(const sb_dense_learn_args *k, long at)
{
    sb_real d = k->dy[at / k->in];
    sb_real g = k->x ? SB_FMA(d, k->x[at % k->in], 0) : 0 + d;
    sb_adam_at(&k->block, k->rates, at, g);
}

/* Kernels that sum: losses, biases, the norm. Each sum is a chain of order.h, walked by one thread; rows go to scratch
 * first, so that they can be summed side by side. CPU twins: loss_native.c, conv_native.c, adam_native.c. */
#ifndef SB_OPS_KERNELS_REDUCE_H
#define SB_OPS_KERNELS_REDUCE_H

#include "ops/kernels/kernel.h"

/* sum[i] of row i of [c][n][w]: over x, then colours */
typedef struct sb_loss_rows_args {
    long n; /* rows */
    const sb_real *p, *y;
    double *sum;
    int c, w;
} sb_loss_rows_args;

SB_HEART void sb_loss_rows_each(const sb_loss_rows_args *k, long i)
{
    double sum = 0;
    for (int x = 0; x < k->w; x++)
        for (int c = 0; c < k->c; c++) {
            long at = (c * k->n + i) * k->w + x;
            double d = k->p[at] - k->y[at];
            sum = fma(d, d, sum);
        }
    k->sum[i] = sum;
}

/* *loss = the sum of the rows / size */
typedef struct sb_loss_join_args {
    long n; /* 1 */
    const double *sum;
    double *loss, size;
    int rows;
} sb_loss_join_args;

SB_HEART void sb_loss_join_each(const sb_loss_join_args *k, long i)
{
    double sum = 0;
    for (int row = 0; row < k->rows; row++) sum += k->sum[row];
    k->loss[i] = sum / k->size;
}

typedef struct sb_loss_backward_args {
    long n;
    const sb_real *p, *y;
    sb_real *dp, scale;
    bool add;
} sb_loss_backward_args;

SB_HEART void sb_loss_backward_each(const sb_loss_backward_args *k, long i)
{
    k->dp[i] = SB_FMA(k->scale, k->p[i] - k->y[i], k->add ? k->dp[i] : 0);
}

/* sum[i] of row i = (channel, y), w numbers each */
typedef struct sb_bias_rows_args {
    long n; /* rows of all channels */
    const sb_real *dy;
    sb_real *sum;
    int w;
} sb_bias_rows_args;

SB_HEART void sb_bias_rows_each(const sb_bias_rows_args *k, long i)
{
    sb_real sum = 0;
    for (int x = 0; x < k->w; x++) sum += k->dy[i * k->w + x];
    k->sum[i] = sum;
}

/* total[i] += part[r][i], r ascending: channel i of biases (step_row 1, step h), or weights (step_row n, step 1) */
typedef struct sb_add_rows_args {
    long n;
    const sb_real *part;
    sb_real *total;
    long rows, step_row, step;
} sb_add_rows_args;

SB_HEART void sb_add_rows_each(const sb_add_rows_args *k, long i)
{
    sb_real total = k->total[i];
    for (long r = 0; r < k->rows; r++) total += k->part[r * k->step_row + i * k->step];
    k->total[i] = total;
}

/* lane[b * SB_ORDER_LANES + l]: the chain of lane l of block b */
typedef struct sb_norm_lanes_args {
    long n; /* SB_ORDER_LANES for each block */
    const sb_real *g;
    double *lane;
    long size;
} sb_norm_lanes_args;

SB_HEART void sb_norm_lanes_each(const sb_norm_lanes_args *k, long i)
{
    long first = i / SB_ORDER_LANES * SB_ORDER_BLOCK;
    long end = first + SB_ORDER_BLOCK < k->size ? first + SB_ORDER_BLOCK : k->size;
    double sum = 0;
    for (long at = first + i % SB_ORDER_LANES; at < end; at += SB_ORDER_LANES)
        sum = fma((double)k->g[at], (double)k->g[at], sum);
    k->lane[i] = sum;
}

/* sum[b] of block b */
typedef struct sb_norm_join_args {
    long n; /* blocks */
    const double *lane;
    double *sum;
} sb_norm_join_args;

SB_HEART void sb_norm_join_each(const sb_norm_join_args *k, long i)
{
    double lane[SB_ORDER_LANES];
    for (int l = 0; l < SB_ORDER_LANES; l++) lane[l] = k->lane[i * SB_ORDER_LANES + l];
    k->sum[i] = sb_join_lanes(lane);
}

typedef struct sb_norm_total_args {
    long n; /* 1 */
    const double *sum;
    double *norm2;
    long blocks;
} sb_norm_total_args;

SB_HEART void sb_norm_total_each(const sb_norm_total_args *k, long i)
{
    double total = 0;
    for (long b = 0; b < k->blocks; b++) total += k->sum[b];
    k->norm2[i] = total;
}

#endif

/* Kernels that sum: losses, biases, the norm. Each sum is a chain of order.h, computed by one thread; rows are summed
 * in parallel, and their sums added one after the other. CPU twins: loss_native.c, conv_native.c,
 * ops/optimizer/update_native.c. */
#pragma once

#include "ops/kernels/kernel.h"

/* Rows whose sums are formed in one step, by a thread each; thread 0 adds them up in the next. */
enum { SB_ROWS_ABREAST = 128 };

SB_HOST_DEVICE int sb_rows_steps(int rows)
{
    return (rows + SB_ROWS_ABREAST - 1) / SB_ROWS_ABREAST + 1;
}

/* *loss = sum((p - y)^2) / n_mean of tensors [samples][c][h][w], one block; rows are of all samples */
typedef struct sb_loss_forward_args {
    const sb_real *p, *y;
    double *loss, n_mean;
    int samples, c, h, w;
} sb_loss_forward_args;

enum { sb_loss_forward_threads = SB_ROWS_ABREAST, sb_loss_forward_resident = 1 };

typedef struct sb_loss_forward_shared {
    double row[2][SB_ROWS_ABREAST];
} sb_loss_forward_shared;

typedef struct sb_loss_forward_own {
    double total; /* of thread 0 */
} sb_loss_forward_own;

SB_HOST_DEVICE int sb_loss_forward_steps(const sb_loss_forward_args *k, sb_spot at)
{
    (void)at;
    return sb_rows_steps(k->samples * k->h);
}

/* The sum of one row of three colors, of whole fours: over x, then colors. The threads of a warp read rows of their
 * own, so that it is the number of their reads that takes time. */
SB_HOST_DEVICE double sb_loss_row_of_fours(const sb_loss_forward_args *k, long first, long plane)
{
    double sum = 0;
    SB_UNROLL_4
    for (int x = 0; x < k->w; x += 4) {
        sb_four p[3], y[3];
        for (int c = 0; c < 3; c++) {
            p[c] = *(const sb_four *)(k->p + first + c * plane + x);
            y[c] = *(const sb_four *)(k->y + first + c * plane + x);
        }
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) {
                double d = p[c].x[i] - y[c].x[i];
                sum = fma(d, d, sum);
            }
    }
    return sum;
}

/* The sum of one row: over x, then colors. */
SB_HOST_DEVICE double sb_loss_row(const sb_loss_forward_args *k, int row)
{
    const long plane = (long)k->h * k->w, first = row / k->h * k->c * plane + (long)(row % k->h) * k->w;
    if (k->c == 3 && k->w % 4 == 0) return sb_loss_row_of_fours(k, first, plane);
    double sum = 0;
    SB_UNROLL_4
    for (int x = 0; x < k->w; x++)
        for (int c = 0; c < k->c; c++) {
            long i = first + c * plane + x;
            double d = k->p[i] - k->y[i];
            sum = fma(d, d, sum);
        }
    return sum;
}

SB_HOST_DEVICE void sb_loss_forward_step(const sb_loss_forward_args *k, sb_spot at, int step,
                                         sb_loss_forward_shared *shared, sb_loss_forward_own *own)
{
    int first = step * SB_ROWS_ABREAST, before = first - SB_ROWS_ABREAST, rows = k->samples * k->h;
    if (first + at.thread < rows) shared->row[step % 2][at.thread] = sb_loss_row(k, first + at.thread);
    if (at.thread > 0) return;
    if (step == 0) own->total = 0;
    SB_UNROLL_16
    for (int r = 0; before >= 0 && r < SB_ROWS_ABREAST && before + r < rows; r++)
        own->total += shared->row[(step - 1) % 2][r];
    if (first >= rows) *k->loss = own->total / k->n_mean;
}

typedef struct sb_loss_backward_args {
    long n;
    const sb_real *p, *y;
    sb_real *dp, scale;
    bool add;
} sb_loss_backward_args;

SB_HOST_DEVICE void sb_loss_backward_each(const sb_loss_backward_args *k, long i)
{
    k->dp[i] = SB_FMA(k->scale, k->p[i] - k->y[i], k->add ? k->dp[i] : 0);
}

/* db[channel] += the sums of the rows of dy [samples][channels][h][w]; one block for each channel */
typedef struct sb_bias_gradient_args {
    const sb_real *dy;
    sb_real *db;
    int samples, channels, h, w;
} sb_bias_gradient_args;

enum { sb_bias_gradient_threads = SB_ROWS_ABREAST, sb_bias_gradient_resident = 8 };

typedef struct sb_bias_gradient_shared {
    sb_real row[2][SB_ROWS_ABREAST];
} sb_bias_gradient_shared;

typedef struct sb_bias_gradient_own {
    sb_real total; /* of thread 0 */
} sb_bias_gradient_own;

SB_HOST_DEVICE int sb_bias_gradient_steps(const sb_bias_gradient_args *k, sb_spot at)
{
    (void)at;
    return sb_rows_steps(k->samples * k->h);
}

/* The sum of one row; whole fours of it where they begin at multiples of four. */
SB_HOST_DEVICE sb_real sb_bias_row(const sb_real *dy, int w)
{
    const sb_four *four = (const sb_four *)dy;
    int n_fours = w % 4 == 0 ? w / 4 : 0;
    sb_real sum = 0;
    SB_UNROLL_4
    for (int i = 0; i < n_fours; i++) sum = (((sum + four[i].x[0]) + four[i].x[1]) + four[i].x[2]) + four[i].x[3];
    for (int x = 4 * n_fours; x < w; x++) sum += dy[x];
    return sum;
}

SB_HOST_DEVICE void sb_bias_gradient_step(const sb_bias_gradient_args *k, sb_spot at, int step,
                                          sb_bias_gradient_shared *shared, sb_bias_gradient_own *own)
{
    int first = step * SB_ROWS_ABREAST, before = first - SB_ROWS_ABREAST, rows = k->samples * k->h;
    int row = first + at.thread, map = row / k->h * k->channels + at.x;
    if (row < rows)
        shared->row[step % 2][at.thread] = sb_bias_row(k->dy + ((long)map * k->h + row % k->h) * k->w, k->w);
    if (at.thread > 0) return;
    if (step == 0) own->total = k->db[at.x];
    SB_UNROLL_16
    for (int r = 0; before >= 0 && r < SB_ROWS_ABREAST && before + r < rows; r++)
        own->total += shared->row[(step - 1) % 2][r];
    if (first >= rows) k->db[at.x] = own->total;
}

/* total[i] += part[r][i], r ascending */
typedef struct sb_add_rows_args {
    long n;
    const sb_real *part;
    sb_real *total;
    long rows;
} sb_add_rows_args;

SB_HOST_DEVICE void sb_add_rows_each(const sb_add_rows_args *k, long i)
{
    sb_real total = k->total[i];
    SB_UNROLL_16
    for (long r = 0; r < k->rows; r++) total += k->part[r * k->n + i];
    k->total[i] = total;
}

/* lane[b * SB_ORDER_LANES + l]: the chain of lane l of block b */
typedef struct sb_norm_lanes_args {
    long n; /* SB_ORDER_LANES for each block */
    const sb_real *g;
    double *lane;
    long size;
} sb_norm_lanes_args;

SB_HOST_DEVICE void sb_norm_lanes_each(const sb_norm_lanes_args *k, long i)
{
    long first = i / SB_ORDER_LANES * SB_ORDER_BLOCK;
    long end = first + SB_ORDER_BLOCK < k->size ? first + SB_ORDER_BLOCK : k->size;
    double sum = 0;
    SB_UNROLL_16
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

SB_HOST_DEVICE void sb_norm_join_each(const sb_norm_join_args *k, long i)
{
    double lane[SB_ORDER_LANES];
    for (int l = 0; l < SB_ORDER_LANES; l++) lane[l] = k->lane[i * SB_ORDER_LANES + l];
    k->sum[i] = sb_join_lanes(lane);
}

/* norm2[i]: the sums i, n + i, 2 n + i, ..., one for each block */
typedef struct sb_norm_total_args {
    long n; /* norms: 1 or 2 */
    const double *sum;
    double *norm2;
    long blocks;
} sb_norm_total_args;

SB_HOST_DEVICE void sb_norm_total_each(const sb_norm_total_args *k, long i)
{
    double total = 0;
    SB_UNROLL_16
    for (long b = 0; b < k->blocks; b++) total += k->sum[b * k->n + i];
    k->norm2[i] = total;
}

/* Kernels before and after the products of `direct`; the CPU twin is conv_direct.c. Also im2col and col2im for the
 * matrix products of cuBLAS; their CPU twin is conv_openblas.c. */
#pragma once

#include "ops/kernels/point.h"

/* [samples][channels][h >> shrink][w >> shrink] -> [channels][samples][h + 2 border][w + 2 border], upsampled if shrink
 * is 1. If a is not NULL, x is computed here as the errors of a and p (sb_error_forward). */
typedef struct sb_border_args {
    long n;
    sb_real *x, *to;
    const sb_real *a, *p; /* NULL, or the maps of which x is the errors; then x is not upsampled */
    int channels, samples, h, w, shrink, border;
} sb_border_args;

SB_HOST_DEVICE void sb_border_each(const sb_border_args *k, long i)
{
    int rows = k->h + 2 * k->border, columns = k->w + 2 * k->border, row = (int)i / columns;
    int map = row / rows, y = row % rows - k->border, x = (int)i % columns - k->border;
    int from = map % k->samples * k->channels + map / k->samples;
    int map_h = k->h >> k->shrink, map_w = k->w >> k->shrink, at = (y >> k->shrink) * map_w + (x >> k->shrink);
    bool inside = y >= 0 && y < k->h && x >= 0 && x < k->w;
    const sb_error_source source = sb_error_source_of(k->x, k->a, k->p, from, k->channels, map_h * map_w);
    k->to[i] = inside ? sb_error_number(source, at) : 0;
    if (k->a && inside) k->x[(long)from * map_h * map_w + at] = k->to[i];
}

/* The same with 32 threads to a row, so that few numbers need a division. */
typedef sb_border_args sb_border_rows_args; /* n: 32 for each row of all maps of `to` */

enum { SB_BORDER_ABREAST = 32 };

SB_HOST_DEVICE void sb_border_rows_each(const sb_border_rows_args *k, long i)
{
    int rows = k->h + 2 * k->border, columns = k->w + 2 * k->border, row = (int)i / SB_BORDER_ABREAST;
    int map = row / rows, y = row % rows - k->border;
    int from = map % k->samples * k->channels + map / k->samples;
    int map_w = k->w >> k->shrink, size = (k->h >> k->shrink) * map_w, first = (y >> k->shrink) * map_w;
    const sb_error_source source = sb_error_source_of(k->x, k->a, k->p, from, k->channels, size);
    sb_real *to = k->to + (long)row * columns, *errors = k->x + (long)from * size;
    bool is_row = y >= 0 && y < k->h;
    SB_UNROLL_4
    for (int column = (int)i % SB_BORDER_ABREAST; column < columns; column += SB_BORDER_ABREAST) {
        int x = column - k->border, at = first + (x >> k->shrink);
        bool inside = is_row && x >= 0 && x < k->w;
        sb_real value = inside ? sb_error_number(source, at) : 0;
        to[column] = value;
        if (k->a && inside) errors[at] = value;
    }
}

/* Forward: [out][in * 9] -> [in * 9][out]. */
typedef struct sb_pack_forward_args {
    long n;
    const sb_real *weight;
    sb_real *to;
    int in, out;
} sb_pack_forward_args;

SB_HOST_DEVICE void sb_pack_forward_each(const sb_pack_forward_args *k, long i)
{
    k->to[i] = k->weight[i % k->out * k->in * 9 + i / k->out];
}

/* Backward, turned by 180 degrees: [out][in][9] -> [out * 9][in]. */
typedef struct sb_pack_backward_args {
    long n;
    const sb_real *weight;
    sb_real *to;
    int in, out;
} sb_pack_backward_args;

SB_HOST_DEVICE void sb_pack_backward_each(const sb_pack_backward_args *k, long i)
{
    long row = i / k->in, input = i % k->in, o = row / 9, tap = row % 9;
    k->to[i] = k->weight[(o * k->in + input) * 9 + 8 - tap];
}

/* dx (maps of h x w, of all samples) += the 2x2 blocks of the gradient of the upsampled map */
typedef struct sb_add_blocks_args {
    long n;
    const sb_real *up;
    sb_real *dx;
    int h, w;
} sb_add_blocks_args;

SB_HOST_DEVICE void sb_add_blocks_each(const sb_add_blocks_args *k, long i)
{
    int row = (int)i / k->w, channel = row / k->h, y = row % k->h, x = (int)i % k->w;
    const sb_real *corner = k->up + ((long)channel * 2 * k->h + 2 * y) * 2 * k->w + 2 * x;
    k->dx[i] += (corner[0] + corner[1]) + (corner[2 * k->w] + corner[2 * k->w + 1]);
}

/* Rows of numbers from one matrix into another: to[row * to_pitch + column] = from[row * from_pitch + column] */
typedef struct sb_copy_rows_args {
    long n; /* rows * columns */
    const sb_real *from;
    sb_real *to;
    int columns, from_pitch, to_pitch;
} sb_copy_rows_args;

SB_HOST_DEVICE void sb_copy_rows_each(const sb_copy_rows_args *k, long i)
{
    const int row = (int)i / k->columns, column = (int)i % k->columns;
    k->to[(long)row * k->to_pitch + column] = k->from[(long)row * k->from_pitch + column];
}

/* y[sample][o][pixel] = bias[o], or 0 */
typedef struct sb_spread_bias_args {
    long n;
    const sb_real *bias;
    sb_real *y;
    int channels, pixels;
} sb_spread_bias_args;

SB_HOST_DEVICE void sb_spread_bias_each(const sb_spread_bias_args *k, long i)
{
    k->y[i] = k->bias ? k->bias[i / k->pixels % k->channels] : 0;
}

/* im2col of the maps of all samples, which count as channels: [channels][in_h >> shrink][in_w >> shrink] ->
 * [channels * taps][h w]; h x w: of the result; in_h x in_w: of the map that the taps see */
typedef struct sb_columns_args {
    long n;
    const sb_real *x;
    sb_real *to;
    int h, w, in_h, in_w, shrink, kernel, padding, stride, dilation;
} sb_columns_args;

SB_HOST_DEVICE void sb_columns_each(const sb_columns_args *k, long i)
{
    int taps = k->kernel * k->kernel;
    long row = i / ((long)k->h * k->w), channel = row / taps;
    int tap = (int)(row % taps), y = (int)(i / k->w % k->h) * k->stride + tap / k->kernel * k->dilation - k->padding;
    int x = (int)(i % k->w) * k->stride + tap % k->kernel * k->dilation - k->padding;
    bool inside = y >= 0 && y < k->in_h && x >= 0 && x < k->in_w;
    long at = (channel * (k->in_h >> k->shrink) + (y >> k->shrink)) * (k->in_w >> k->shrink) + (x >> k->shrink);
    k->to[i] = inside ? k->x[at] : 0;
}

/* col2im, the maps of all samples counting as channels: dx (in_h >> shrink x in_w >> shrink) += columns folded back */
typedef struct sb_fold_args {
    long n;
    const sb_real *columns;
    sb_real *dx;
    int h, w, in_h, in_w, shrink, kernel, padding, stride, dilation;
} sb_fold_args;

SB_HOST_DEVICE void sb_fold_each(const sb_fold_args *k, long i)
{
    int small_w = k->in_w >> k->shrink, small_h = k->in_h >> k->shrink, step = 1 << k->shrink;
    int taps = k->kernel * k->kernel;
    long channel = i / small_w / small_h, pixels = (long)k->h * k->w;
    int top = (int)(i / small_w % small_h) * step, left = (int)(i % small_w) * step;
    sb_real sum = k->dx[i];
    for (int part = 0; part < step * step; part++)
        for (int tap = 0; tap < taps; tap++) {
            int y = top + part / step - tap / k->kernel * k->dilation + k->padding;
            int x = left + part % step - tap % k->kernel * k->dilation + k->padding;
            if (y < 0 || x < 0 || y % k->stride || x % k->stride) continue;
            if (y / k->stride >= k->h || x / k->stride >= k->w) continue;
            sum += k->columns[(channel * taps + tap) * pixels + (long)(y / k->stride) * k->w + x / k->stride];
        }
    k->dx[i] = sum;
}

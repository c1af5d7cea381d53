/* Convolutions without padding, an element per thread; the CPU twin is conv_direct.c. x [samples][in][h+r][w+r], r =
 * kernel - 1; dy and y [samples][out][h][w]. */
#ifndef SB_OPS_KERNELS_SMALL_H
#define SB_OPS_KERNELS_SMALL_H

#include "ops/kernels/kernel.h"

typedef struct sb_small_conv {
    int samples, in, out, h, w, kernel;
} sb_small_conv;

/* y of element i; goes_on: y holds the chain of the terms before */
typedef struct sb_small_forward_args {
    long n;
    sb_small_conv conv;
    const sb_real *x, *weight, *bias; /* bias: NULL where there is none */
    sb_real *y;
    bool goes_on;
} sb_small_forward_args;

SB_HEART void sb_small_forward_each(const sb_small_forward_args *k, long i)
{
    const sb_small_conv *s = &k->conv;
    const int row = (int)i / s->w, left = (int)i % s->w, map = row / s->h, top = row % s->h, o = map % s->out;
    const int in_h = s->h + s->kernel - 1, in_w = s->w + s->kernel - 1;
    const sb_real *corner = k->x + ((long)(map / s->out) * s->in * in_h + top) * in_w + left;
    const sb_real *weight = k->weight + (long)o * s->in * s->kernel * s->kernel;
    sb_real sum = k->goes_on ? k->y[i] : k->bias ? k->bias[o] : 0;
    for (int c = 0; c < s->in; c++, corner += (long)in_h * in_w)
        for (int u = 0; u < s->kernel; u++)
            for (int v = 0; v < s->kernel; v++) sum = SB_FMA(corner[(long)u * in_w + v], *weight++, sum);
    k->y[i] = sum;
}

/* dx of element i: the taps of the turned kernel, row-major, that meet dy */
typedef struct sb_small_data_gradient_args {
    long n;
    sb_small_conv conv;
    const sb_real *dy, *weight;
    sb_real *dx;
    bool goes_on;
} sb_small_data_gradient_args;

SB_HEART void sb_small_data_gradient_each(const sb_small_data_gradient_args *k, long i)
{
    const sb_small_conv *s = &k->conv;
    const int reach = s->kernel - 1, in_h = s->h + reach, in_w = s->w + reach, taps = s->kernel * s->kernel;
    const int row = (int)i / in_w, x = (int)i % in_w, map = row / in_h, y = row % in_h, channel = map % s->in;
    const sb_real *dy = k->dy + (long)(map / s->in) * s->out * s->h * s->w;
    sb_real sum = k->goes_on ? k->dx[i] : 0;
    for (int o = 0; o < s->out; o++, dy += (long)s->h * s->w) {
        const sb_real *weight = k->weight + ((long)o * s->in + channel) * taps + taps - 1;
        for (int tap = 0; tap < taps; tap++) {
            const int from_y = y - reach + tap / s->kernel, from_x = x - reach + tap % s->kernel;
            if (from_y < 0 || from_y >= s->h || from_x < 0 || from_x >= s->w) continue;
            sum = SB_FMA(dy[(long)from_y * s->w + from_x], weight[-tap], sum);
        }
    }
    k->dx[i] = sum;
}

/* dw of element i += a frame: a chain over each row of a sample, whose sums are added one after the other */
typedef struct sb_small_weight_gradient_args {
    long n;
    sb_small_conv conv;
    const sb_real *x, *dy;
    sb_real *dw;
} sb_small_weight_gradient_args;

SB_HEART void sb_small_weight_gradient_each(const sb_small_weight_gradient_args *k, long i)
{
    const sb_small_conv *s = &k->conv;
    const int taps = s->kernel * s->kernel, tap = (int)i % taps, pair = (int)i / taps, c = pair % s->in;
    const int in_h = s->h + s->kernel - 1, in_w = s->w + s->kernel - 1;
    sb_real total = k->dw[i];
    for (int row = 0; row < s->samples * s->h; row++) {
        const int sample = row / s->h, y = row % s->h;
        const sb_real *dy = k->dy + (((long)sample * s->out + pair / s->in) * s->h + y) * s->w;
        const sb_real *x = k->x + (((long)sample * s->in + c) * in_h + y + tap / s->kernel) * in_w + tap % s->kernel;
        sb_real sum = 0;
        for (int at = 0; at < s->w; at++) sum = SB_FMA(dy[at], x[at], sum);
        total += sum;
    }
    k->dw[i] = total;
}

#endif

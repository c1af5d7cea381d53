/* Convolutions of any shape, an element per thread; the CPU twins are conv_direct.c and conv_plain.c. x
 * [samples][in][in_h][in_w]; dy and y [samples][out][h][w]; weight [out][in / groups][kernel][kernel]. */
#pragma once

#include "ops/kernels/kernel.h"

typedef struct sb_small_conv {
    int samples, in, out, h, w, in_h, in_w, kernel, padding, stride, dilation, groups;
} sb_small_conv;

/* y of element i; goes_on: y holds the chain of the earlier terms */
typedef struct sb_small_forward_args {
    long n;
    sb_small_conv conv;
    const sb_real *x, *weight, *bias; /* bias: NULL where there is none */
    sb_real *y;
    bool goes_on;
} sb_small_forward_args;

SB_HOST_DEVICE void sb_small_forward_each(const sb_small_forward_args *k, long i)
{
    const sb_small_conv *s = &k->conv;
    const int row = (int)i / s->w, map = row / s->h, o = map % s->out, in = s->in / s->groups;
    const int top = row % s->h * s->stride - s->padding, left = (int)i % s->w * s->stride - s->padding;
    const long first = (long)(map / s->out) * s->in + o / (s->out / s->groups) * in;
    const sb_real *x = k->x + first * s->in_h * s->in_w, *weight = k->weight + (long)o * in * s->kernel * s->kernel;
    sb_real sum = k->goes_on ? k->y[i] : k->bias ? k->bias[o] : 0;
    for (int c = 0; c < in; c++, x += (long)s->in_h * s->in_w)
        for (int u = 0; u < s->kernel; u++)
            for (int v = 0; v < s->kernel; v++, weight++) {
                const int at_y = top + u * s->dilation, at_x = left + v * s->dilation;
                if (at_y < 0 || at_y >= s->in_h || at_x < 0 || at_x >= s->in_w) continue;
                sum = SB_FMA(x[(long)at_y * s->in_w + at_x], *weight, sum);
            }
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

SB_HOST_DEVICE void sb_small_data_gradient_each(const sb_small_data_gradient_args *k, long i)
{
    const sb_small_conv *s = &k->conv;
    const int row = (int)i / s->in_w, map = row / s->in_h, channel = map % s->in, taps = s->kernel * s->kernel;
    const int y = row % s->in_h + s->padding, x = (int)i % s->in_w + s->padding;
    const int in = s->in / s->groups, out = s->out / s->groups, first = channel / in * out;
    const sb_real *dy = k->dy + ((long)(map / s->in) * s->out + first) * s->h * s->w;
    sb_real sum = k->goes_on ? k->dx[i] : 0;
    for (int o = first; o < first + out; o++, dy += (long)s->h * s->w) {
        const sb_real *weight = k->weight + ((long)o * in + channel % in) * taps;
        for (int tap = taps - 1; tap >= 0; tap--) {
            const int at_y = y - tap / s->kernel * s->dilation, at_x = x - tap % s->kernel * s->dilation;
            if (at_y < 0 || at_x < 0 || at_y % s->stride || at_x % s->stride) continue;
            if (at_y / s->stride >= s->h || at_x / s->stride >= s->w) continue;
            sum = SB_FMA(dy[(long)(at_y / s->stride) * s->w + at_x / s->stride], weight[tap], sum);
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

SB_HOST_DEVICE void sb_small_weight_gradient_each(const sb_small_weight_gradient_args *k, long i)
{
    const sb_small_conv *s = &k->conv;
    const int taps = s->kernel * s->kernel, tap = (int)i % taps, pair = (int)i / taps, in = s->in / s->groups;
    const int o = pair / in, c = o / (s->out / s->groups) * in + pair % in;
    const int down = tap / s->kernel * s->dilation - s->padding, right = tap % s->kernel * s->dilation - s->padding;
    sb_real total = k->dw[i];
    for (int row = 0; row < s->samples * s->h; row++) {
        const int sample = row / s->h, y = row % s->h, at_y = y * s->stride + down;
        const sb_real *dy = k->dy + (((long)sample * s->out + o) * s->h + y) * s->w;
        const sb_real *x = k->x + (((long)sample * s->in + c) * s->in_h + at_y) * s->in_w;
        sb_real sum = 0;
        for (int at = 0; at_y >= 0 && at_y < s->in_h && at < s->w; at++) {
            const int at_x = at * s->stride + right;
            if (at_x >= 0 && at_x < s->in_w) sum = SB_FMA(dy[at], x[at_x], sum);
        }
        total += sum;
    }
    k->dw[i] = total;
}

/* Convolutions written out by the formulas of ops/order.h, one output element at a time, on planes [c][h][w]. Each
 * function also gives the size of what it summed, the sum of |product|, for the tolerance of other orders. */
#pragma once

#include "ops/real.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* One convolution: `in` channels to `out`, the output h x w; upsampled: x is h/2 x w/2. */
typedef struct reference_conv {
    int in, out, h, w, kernel, padding;
    bool upsampled;
    const sb_real *weight; /* [out][in][kernel][kernel] */
} reference_conv;

static inline int reference_taps(const reference_conv *conv)
{
    return conv->kernel * conv->kernel;
}

/* x (through the upsampling) or dy at a place that may lie beyond it: false */
static inline bool reference_at(const reference_conv *conv, const sb_real *planes, int channel, int y, int x,
                                bool is_input, sb_real *value)
{
    const int more = is_input ? conv->kernel - 1 - 2 * conv->padding : 0;
    if (y < 0 || y >= conv->h + more || x < 0 || x >= conv->w + more) return false;
    int shrink = is_input && conv->upsampled ? 1 : 0, w = (conv->w + more) >> shrink, h = (conv->h + more) >> shrink;
    *value = planes[((size_t)channel * h + (y >> shrink)) * w + (x >> shrink)];
    return true;
}

/* y[o] at (y, x): continues the chain *sum over input channels and taps */
static inline void reference_forward(const reference_conv *conv, const sb_real *planes, int o, int y, int x,
                                     sb_real *sum, double *size)
{
    for (int i = 0; i < conv->in; i++)
        for (int tap = 0; tap < reference_taps(conv); tap++) {
            sb_real value, weight = conv->weight[((size_t)o * conv->in + i) * reference_taps(conv) + tap];
            const int from_y = y + tap / conv->kernel - conv->padding, from_x = x + tap % conv->kernel - conv->padding;
            if (!reference_at(conv, planes, i, from_y, from_x, true, &value)) continue;
            *sum = SB_FMA(value, weight, *sum);
            *size += fabs((double)value * (double)weight);
        }
}

/* gradient of input channel i at (y, x) of the map that the taps see (the upsampled one, where there is one): continues
 * the chain over outputs and the taps of the turned kernel */
static inline void reference_data_gradient(const reference_conv *conv, const sb_real *dy, int i, int y, int x,
                                           sb_real *sum, double *size)
{
    const int border = conv->kernel - 1 - conv->padding, last = reference_taps(conv) - 1;
    for (int o = 0; o < conv->out; o++)
        for (int tap = 0; tap <= last; tap++) {
            sb_real value, weight = conv->weight[((size_t)o * conv->in + i) * (last + 1) + last - tap];
            const int from_y = y + tap / conv->kernel - border, from_x = x + tap % conv->kernel - border;
            if (!reference_at(conv, dy, o, from_y, from_x, false, &value)) continue;
            *sum = SB_FMA(value, weight, *sum);
            *size += fabs((double)value * (double)weight);
        }
}

/* An upsampled term's gradient of the small map at (y, x). */
static inline sb_real reference_block_gradient(const reference_conv *conv, const sb_real *dy, int i, int y, int x,
                                               double *size)
{
    sb_real part[4] = {0};
    for (int k = 0; k < 4; k++) reference_data_gradient(conv, dy, i, 2 * y + k / 2, 2 * x + k % 2, &part[k], size);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* dw[o][i][tap] += one frame: a chain per row, the rows added one after the other */
static inline void reference_weight_gradient(const reference_conv *conv, const sb_real *x_planes, const sb_real *dy,
                                             int o, int i, int tap, sb_real *sum, double *size)
{
    for (int y = 0; y < conv->h; y++) {
        sb_real row = 0;
        for (int x = 0; x < conv->w; x++) {
            sb_real value, d;
            reference_at(conv, dy, o, y, x, false, &d);
            const int from_y = y + tap / conv->kernel - conv->padding, from_x = x + tap % conv->kernel - conv->padding;
            if (!reference_at(conv, x_planes, i, from_y, from_x, true, &value)) continue;
            row = SB_FMA(value, d, row);
            *size += fabs((double)value * (double)d);
        }
        *sum += row;
    }
}

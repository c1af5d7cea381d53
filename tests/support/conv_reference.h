/* Convolutions written out by the formulas of ops/order.h, one output element at a time, on planes [c][h][w]. Each
 * function also gives the size of what it summed, the sum of |product|, for the tolerance of other orders. */
#ifndef SB_TESTS_CONV_REFERENCE_H
#define SB_TESTS_CONV_REFERENCE_H

#include "ops/real.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* One convolution: `in` channels to `out`, the output h x w; upsampled: x is h/2 x w/2. */
typedef struct reference_conv {
    int in, out, h, w;
    bool upsampled;
    const sb_real *weight; /* [out][in][3][3] */
} reference_conv;

/* x (through the upsampling) or dy at a place that the zero padding may make zero */
static inline bool reference_at(const reference_conv *conv, const sb_real *planes, int channel, int y, int x,
                                bool through_upsampling, sb_real *value)
{
    if (y < 0 || y >= conv->h || x < 0 || x >= conv->w) return false;
    int shrink = through_upsampling && conv->upsampled ? 1 : 0, w = conv->w >> shrink, h = conv->h >> shrink;
    *value = planes[((size_t)channel * h + (y >> shrink)) * w + (x >> shrink)];
    return true;
}

/* y[o] at (y, x): continues the chain *sum over input channels and taps */
static inline void reference_forward(const reference_conv *conv, const sb_real *planes, int o, int y, int x,
                                     sb_real *sum, double *size)
{
    for (int i = 0; i < conv->in; i++)
        for (int tap = 0; tap < 9; tap++) {
            sb_real value, weight = conv->weight[((size_t)o * conv->in + i) * 9 + tap];
            if (!reference_at(conv, planes, i, y + tap / 3 - 1, x + tap % 3 - 1, true, &value)) continue;
            *sum = SB_FMA(value, weight, *sum);
            *size += fabs((double)value * (double)weight);
        }
}

/* gradient of input channel i at (y, x) of the map that the taps see (the upsampled one, where there is one): continues
 * the chain over outputs and the taps of the turned kernel */
static inline void reference_data_gradient(const reference_conv *conv, const sb_real *dy, int i, int y, int x,
                                           sb_real *sum, double *size)
{
    for (int o = 0; o < conv->out; o++)
        for (int tap = 0; tap < 9; tap++) {
            sb_real value, weight = conv->weight[((size_t)o * conv->in + i) * 9 + 8 - tap];
            if (!reference_at(conv, dy, o, y + tap / 3 - 1, x + tap % 3 - 1, false, &value)) continue;
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
            if (!reference_at(conv, x_planes, i, y + tap / 3 - 1, x + tap % 3 - 1, true, &value)) continue;
            row = SB_FMA(value, d, row);
            *size += fabs((double)value * (double)d);
        }
        *sum += row;
    }
}

#endif

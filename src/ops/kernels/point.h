/* Elementwise kernels; their CPU twins are in point_native.c and lstm_native.c. */
#pragma once

#include "ops/kernels/kernel.h"
#include "ops/kernels/pool.h"
#include "ops/point/image.h"

/* bytes [samples][pixels][c] -> planes [samples][c][pixels] */
typedef struct sb_frame_load_args {
    long n;
    const uint8_t *frame;
    sb_real *x;
    int c, pixels;
} sb_frame_load_args;

SB_HOST_DEVICE void sb_frame_load_each(const sb_frame_load_args *k, long i)
{
    int map = (int)i / k->pixels, pixel = (int)i % k->pixels, sample = map / k->c, channel = map % k->c;
    k->x[i] = (float)k->frame[(sample * k->pixels + pixel) * k->c + channel] / 255.0f;
}

/* Element i of images [samples][c][h][w]. */
typedef struct sb_image_load_args {
    long n;
    sb_image_store store;
    const sb_image_choice *choice;
    sb_real *x;
} sb_image_load_args;

/* Place i of a side with a reflected border; the edge is not repeated. */
SB_HOST_DEVICE int sb_image_reflect(int i, int side)
{
    return i < 0 ? -i : i >= side ? 2 * side - 2 - i : i;
}

SB_HOST_DEVICE void sb_image_load_each(const sb_image_load_args *k, long i)
{
    const sb_image_store *s = &k->store;
    int pixels = s->h * s->w, size = s->c * pixels, sample = (int)(i / size), element = (int)(i % size);
    int channel = element / pixels, y = element % pixels / s->w, x = element % s->w;
    const sb_image_choice *of = &k->choice[sample];
    int row = sb_image_reflect(y + of->y0, s->h),
        column = sb_image_reflect((of->flip ? s->w - 1 - x : x) + of->x0, s->w);
    int byte = s->bytes[(long)of->number * size + channel * pixels + row * s->w + column];
    sb_real value = s->table[(long)(s->per_element ? element : channel) * 256 + byte];
    int is_cut = x >= of->cut_x && x < of->cut_x + s->cutout && y >= of->cut_y && y < of->cut_y + s->cutout;
    if (s->has_contrast) value = of->contrast * value;
    if (s->has_brightness) value = value + of->brightness;
    k->x[i] = is_cut ? 0 : value;
}

typedef struct sb_error_forward_args {
    long n; /* of a and p; a sample of e has the other sign after it */
    const sb_real *a, *p;
    sb_real *e;
    long sample; /* elements of a sample of a */
} sb_error_forward_args;

/* The place of element i of a in e. */
SB_HOST_DEVICE long sb_error_place(long i, long sample)
{
    return i + (int)i / (int)sample * sample;
}

SB_HOST_DEVICE void sb_error_forward_each(const sb_error_forward_args *k, long i)
{
    long at = sb_error_place(i, k->sample);
    k->e[at] = sb_relu(k->a[i] - k->p[i]);
    k->e[at + k->sample] = sb_relu(k->p[i] - k->a[i]);
}

/* The source of a map of errors, one channel of one sample, that may not be computed yet: relu(more - less). If a is
 * NULL, the map exists, at `more`. e is [samples][channels][n]; a and p have half the number of channels. */
typedef struct sb_error_source {
    const sb_real *more, *less;
} sb_error_source;

SB_HOST_DEVICE sb_error_source sb_error_source_of(const sb_real *e, const sb_real *a, const sb_real *p, long map,
                                                  int channels, int n)
{
    if (!a) return (sb_error_source){e + map * n, NULL};
    int half = channels / 2, channel = (int)map % channels;
    long from = ((long)((int)map / channels) * half + channel % half) * n;
    return channel < half ? (sb_error_source){a + from, p + from} : (sb_error_source){p + from, a + from};
}

SB_HOST_DEVICE sb_real sb_error_number(sb_error_source of, int i)
{
    return of.less ? sb_relu(of.more[i] - of.less[i]) : of.more[i];
}

typedef struct sb_error_backward_args {
    long n;
    const sb_real *e, *de;
    sb_real *da, *dp; /* da: NULL where it is not needed */
    long sample;      /* as above */
} sb_error_backward_args;

SB_HOST_DEVICE void sb_error_backward_each(const sb_error_backward_args *k, long i)
{
    long positive = sb_error_place(i, k->sample), negative = positive + k->sample;
    sb_real above = k->e[positive] > 0 ? k->de[positive] : 0;
    sb_real below = k->e[negative] > 0 ? k->de[negative] : 0;
    k->dp[i] = below - above;
    if (k->da) k->da[i] = -(below - above);
}

/* One element of the small map, w wide. */
typedef struct sb_pool_forward_args {
    long n;
    const sb_real *y;
    sb_real *a;
    uint8_t *choice;
    int w;
} sb_pool_forward_args;

SB_HOST_DEVICE long sb_pool_corner(long i, int w)
{
    int row = (int)i / w, column = (int)i % w; /* of the maps of all channels and samples, one below the other */
    return (long)row * 4 * w + 2 * column;
}

SB_HOST_DEVICE void sb_pool_forward_each(const sb_pool_forward_args *k, long i)
{
    const sb_real *corner = k->y + sb_pool_corner(i, k->w);
    sb_real best = 0;
    int where = 4;
    for (int place = 0; place < 4; place++)
        sb_pool_place(corner[(place >> 1) * 2 * k->w + (place & 1)], place, &best, &where);
    k->a[i] = best;
    k->choice[i] = (uint8_t)where;
}

typedef struct sb_pool_backward_args {
    long n;
    const sb_real *da;
    const uint8_t *choice;
    sb_real *dy;
    int w;
} sb_pool_backward_args;

SB_HOST_DEVICE void sb_pool_backward_each(const sb_pool_backward_args *k, long i)
{
    sb_real *corner = k->dy + sb_pool_corner(i, k->w);
    for (int place = 0; place < 4; place++)
        corner[(place >> 1) * 2 * k->w + (place & 1)] = k->choice[i] == place ? k->da[i] : 0;
}

/* The function applied to the output of a convolution. */
typedef enum sb_nonlinearity { SB_LINEAR, SB_RECTIFIED, SB_CLIPPED } sb_nonlinearity;

SB_HOST_DEVICE sb_real sb_output_of(sb_nonlinearity nonlinearity, sb_real x)
{
    return nonlinearity == SB_CLIPPED ? sb_clip(x) : nonlinearity == SB_RECTIFIED ? sb_relu(x) : x;
}

typedef struct sb_output_forward_args {
    long n;
    sb_real *p;
    sb_nonlinearity nonlinearity;
} sb_output_forward_args;

SB_HOST_DEVICE void sb_output_forward_each(const sb_output_forward_args *k, long i)
{
    k->p[i] = sb_output_of(k->nonlinearity, k->p[i]);
}

/* dp times the derivative of the nonlinearity with the result p: 0 at p = 0 and, if clipped, at p = 1. */
SB_HOST_DEVICE sb_real sb_through_output(sb_real p, bool clip, sb_real dp)
{
    bool steep = p > 0 && (!clip || p < 1) && p < (sb_real)INFINITY;
    return steep ? dp : 0;
}

typedef struct sb_output_backward_args {
    long n;
    const sb_real *p;
    sb_real *dp;
    bool clip;
} sb_output_backward_args;

SB_HOST_DEVICE void sb_output_backward_each(const sb_output_backward_args *k, long i)
{
    k->dp[i] = sb_through_output(k->p[i], k->clip, k->dp[i]);
}

typedef struct sb_relu_backward_args {
    long n;
    const sb_real *y;
    sb_real *dy;
} sb_relu_backward_args;

SB_HOST_DEVICE void sb_relu_backward_each(const sb_relu_backward_args *k, long i)
{
    k->dy[i] = k->y[i] > 0 ? k->dy[i] : 0;
}

typedef struct sb_sum_args {
    long n;
    const sb_real *a, *b;
    sb_real *y;
} sb_sum_args;

SB_HOST_DEVICE void sb_sum_each(const sb_sum_args *k, long i)
{
    k->y[i] = k->a[i] + k->b[i];
}

typedef struct sb_average_args {
    long n;
    const sb_real *x;
    sb_real *e;
    sb_real share;
} sb_average_args;

SB_HOST_DEVICE void sb_average_each(const sb_average_args *k, long i)
{
    k->e[i] = SB_FMA(k->share, k->x[i] - k->e[i], k->e[i]);
}

typedef struct sb_mutate_args {
    long n;
    const sb_real *noise, *x;
    sb_real *y;
    sb_real scale;
} sb_mutate_args;

SB_HOST_DEVICE void sb_mutate_each(const sb_mutate_args *k, long i)
{
    k->y[i] = SB_FUSED(k->scale, k->noise[i], k->x[i]);
}

/* The cell: gates [samples][4][sample], peepholes [3][sample]. */
typedef struct sb_lstm_forward_args {
    long n; /* of all samples */
    sb_real *gates;
    const sb_real *peephole, *c_old;
    sb_real *c, *h;
    long sample; /* elements of a sample of c */
} sb_lstm_forward_args;

SB_HOST_DEVICE void sb_lstm_forward_each(const sb_lstm_forward_args *k, long i)
{
    long n = k->sample, before = (int)i / (int)n * n; /* elements of the samples before */
    sb_real *gate = k->gates + 3 * before + i;
    const sb_real *m = k->peephole + (i - before);
    sb_lstm_cell(&gate[0], &gate[n], &gate[2 * n], &gate[3 * n], m[0], m[n], m[2 * n], k->c_old[i], &k->c[i], &k->h[i]);
}

typedef struct sb_lstm_backward_args {
    long n; /* of one sample: the gradient of a peephole is a chain over the samples */
    sb_real *gates;
    const sb_real *peephole, *c_old, *c, *dh;
    sb_real *dc, *dpeephole;
    long samples;
} sb_lstm_backward_args;

SB_HOST_DEVICE void sb_lstm_backward_each(const sb_lstm_backward_args *k, long i)
{
    sb_real *dm = k->dpeephole + i;
    const sb_real *m = k->peephole + i;
    long n = k->n;
    for (long at = i; at < k->samples * n; at += n) {
        sb_real *gate = k->gates + 4 * (at - i) + i;
        sb_lstm_cell_backward(&gate[0], &gate[n], &gate[2 * n], &gate[3 * n], m[0], m[n], m[2 * n], k->c_old[at],
                              k->c[at], k->dh[at], &k->dc[at], &dm[0], &dm[n], &dm[2 * n]);
    }
}

/* Kernels of activations, pools, dropout and the loss of classes; the CPU twin is layer_native.c. */
#pragma once

#include "ops/kernels/kernel.h"
#include "ops/kernels/pool.h"
#include "ops/point/activation.h"
#include "ops/point/dropout.h"
#include "ops/point/softmax.h"

typedef struct sb_activation_forward_args {
    long n;
    const sb_real *x;
    sb_real *y, alpha;
    sb_activation kind;
} sb_activation_forward_args;

SB_HOST_DEVICE void sb_activation_forward_each(const sb_activation_forward_args *k, long i)
{
    k->y[i] = sb_activation_value(k->kind, k->x[i], k->alpha);
}

typedef struct sb_activation_backward_args {
    long n;
    const sb_real *x, *dy;
    sb_real *dx, alpha;
    sb_activation kind;
} sb_activation_backward_args;

SB_HOST_DEVICE void sb_activation_backward_each(const sb_activation_backward_args *k, long i)
{
    k->dx[i] = sb_activation_gradient(k->kind, k->x[i], k->dy[i], k->alpha);
}

typedef struct sb_logit_scale_args {
    long n;
    const sb_real *x;
    sb_real *y, scale;
} sb_logit_scale_args;

SB_HOST_DEVICE void sb_logit_scale_each(const sb_logit_scale_args *k, long i)
{
    k->y[i] = k->scale * k->x[i];
}

/* One element of y, h x w maps one below the other; x: in_h x in_w maps */
typedef struct sb_max_pool_forward_args {
    long n;
    const sb_real *x;
    sb_real *y;
    uint8_t *choice;
    int h, w, in_h, in_w, window_h, window_w;
} sb_max_pool_forward_args;

SB_HOST_DEVICE void sb_max_pool_forward_each(const sb_max_pool_forward_args *k, long i)
{
    int row = (int)i / k->w, column = (int)i % k->w, map = row / k->h;
    const sb_real *corner = k->x + ((long)map * k->in_h + row % k->h * k->window_h) * k->in_w + column * k->window_w;
    sb_real best = corner[0];
    int where = 0;
    for (int place = 1; place < k->window_h * k->window_w; place++)
        sb_pool_place(corner[(long)(place / k->window_w) * k->in_w + place % k->window_w], place, &best, &where);
    k->y[i] = best;
    k->choice[i] = (uint8_t)where;
}

/* One element of dx, h x w maps; dy: out_h x out_w maps */
typedef struct sb_max_pool_backward_args {
    long n;
    const sb_real *dy;
    const uint8_t *choice;
    sb_real *dx;
    int h, w, out_h, out_w, window_h, window_w;
} sb_max_pool_backward_args;

SB_HOST_DEVICE void sb_max_pool_backward_each(const sb_max_pool_backward_args *k, long i)
{
    int row = (int)i / k->w, x = (int)i % k->w, map = row / k->h, y = row % k->h;
    int to_y = y / k->window_h, to_x = x / k->window_w;
    bool inside = to_y < k->out_h && to_x < k->out_w;
    long from = ((long)map * k->out_h + to_y) * k->out_w + to_x;
    int place = y % k->window_h * k->window_w + x % k->window_w;
    k->dx[i] = inside && k->choice[from] == place ? k->dy[from] : 0;
}

/* One element of y or of dx, as of a max pool */
typedef struct sb_average_pool_forward_args {
    long n;
    const sb_real *x;
    sb_real *y, factor;
    int h, w, in_h, in_w, window_h, window_w;
} sb_average_pool_forward_args;

SB_HOST_DEVICE void sb_average_pool_forward_each(const sb_average_pool_forward_args *k, long i)
{
    int row = (int)i / k->w, column = (int)i % k->w, map = row / k->h;
    const sb_real *corner = k->x + ((long)map * k->in_h + row % k->h * k->window_h) * k->in_w + column * k->window_w;
    sb_real sum = corner[0];
    for (int place = 1; place < k->window_h * k->window_w; place++)
        sum += corner[(long)(place / k->window_w) * k->in_w + place % k->window_w];
    k->y[i] = sum * k->factor;
}

typedef struct sb_average_pool_backward_args {
    long n;
    const sb_real *dy;
    sb_real *dx, factor;
    int h, w, out_h, out_w, window_h, window_w;
} sb_average_pool_backward_args;

SB_HOST_DEVICE void sb_average_pool_backward_each(const sb_average_pool_backward_args *k, long i)
{
    int row = (int)i / k->w, map = row / k->h;
    int to_y = row % k->h / k->window_h, to_x = (int)i % k->w / k->window_w;
    bool inside = to_y < k->out_h && to_x < k->out_w;
    k->dx[i] = inside ? k->dy[((long)map * k->out_h + to_y) * k->out_w + to_x] * k->factor : 0;
}

/* One element of y, maps of `pixels` pixels */
typedef struct sb_dropout_args {
    long n;
    sb_dropout dropout;
    const sb_real *x;
    sb_real *y;
    int c, pixels;
} sb_dropout_args;

SB_HOST_DEVICE void sb_dropout_each(const sb_dropout_args *k, long i)
{
    const int map = (int)i / k->pixels, pixel = map / k->c * k->pixels + (int)i % k->pixels;
    const uint64_t place = k->dropout.first + (uint64_t)((long)pixel * k->c + map % k->c);
    const sb_dropout_words words = sb_dropout_words_of(&k->dropout, place / 4);
    const uint32_t *w = words.word;
    const int number = (int)(place % 4); /* chosen without an index, which would put the words into memory */
    const uint32_t word = number < 2 ? (number == 0 ? w[0] : w[1]) : (number == 2 ? w[2] : w[3]);
    k->y[i] = sb_dropout_value(&k->dropout, k->x[i], word);
}

/* One sample: n of them. */
typedef struct sb_cross_entropy_forward_args {
    long n;
    const sb_real *z;
    const uint8_t *label;
    double *loss, *entropy, smoothing;
    uint8_t *predicted;
    int classes;
} sb_cross_entropy_forward_args;

SB_HOST_DEVICE void sb_cross_entropy_forward_each(const sb_cross_entropy_forward_args *k, long i)
{
    const sb_real *z = k->z + i * k->classes;
    const sb_softmax s = sb_softmax_of(z, 1, k->classes);
    k->loss[i] = sb_softmax_loss(&s, z, 1, k->classes, k->label[i], k->smoothing, &k->entropy[i]);
    k->predicted[i] = (uint8_t)s.predicted;
}

/* One thread, for the sums are chains over the samples. */
typedef struct sb_cross_entropy_total_args {
    long n; /* 1 */
    const uint8_t *label, *predicted;
    const double *loss, *entropy;
    double *total;
    int samples;
} sb_cross_entropy_total_args;

SB_HOST_DEVICE void sb_cross_entropy_total_each(const sb_cross_entropy_total_args *k, long i)
{
    (void)i;
    sb_softmax_total(k->samples, k->label, k->loss, k->entropy, k->predicted, k->total);
}

/* One sample, for dz may be z. */
typedef struct sb_cross_entropy_backward_args {
    long n;
    const sb_real *z;
    const uint8_t *label;
    sb_real *dz;
    double smoothing, factor;
    int classes;
} sb_cross_entropy_backward_args;

SB_HOST_DEVICE void sb_cross_entropy_backward_each(const sb_cross_entropy_backward_args *k, long i)
{
    const sb_real *z = k->z + i * k->classes;
    const sb_softmax s = sb_softmax_of(z, 1, k->classes);
    SB_ROLL
    for (int c = 0; c < k->classes; c++)
        k->dz[i * k->classes + c] = sb_softmax_gradient(&s, z[c], k->classes, c, k->label[i], k->smoothing, k->factor);
}

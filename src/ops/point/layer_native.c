/* Activations, pools, dropout and the loss of classes of the native backend; tensors are [n][h][w][c]. */
#include "ops/native.h"
#include "ops/point/activation.h"
#include "ops/point/pool.h"

#include <assert.h>
#include <string.h>

/* ---- elementwise ---- */

#define VALUE(id, name)                                                                                                \
    case SB_ACTIVATION_##id: {                                                                                         \
        _Pragma("omp for simd schedule(static)") for (long i = 0; i < n; i++) to[i] =                                  \
            SB_ACTIVATION_VALUE(id)(from[i], alpha);                                                                   \
        break;                                                                                                         \
    }

static void activation_forward(sb_ops *ops, sb_activation kind, sb_real alpha, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
    const long n = (long)sb_tensor_size(x);
    const sb_real *from = x->x;
    sb_real *to = y->x;
    switch (kind) {
        SB_ACTIVATIONS(VALUE)
    case SB_N_ACTIVATIONS:
        assert(!"an activation");
    }
}

#define GRADIENT(id, name)                                                                                             \
    case SB_ACTIVATION_##id: {                                                                                         \
        _Pragma("omp for simd schedule(static)") for (long i = 0; i < n; i++) to[i] =                                  \
            SB_ACTIVATION_GRADIENT(id)(at[i], from[i], alpha);                                                         \
        break;                                                                                                         \
    }

static void activation_backward(sb_ops *ops, sb_activation kind, sb_real alpha, const sb_tensor *x, const sb_tensor *dy,
                                sb_tensor *dx)
{
    (void)ops;
    const long n = (long)sb_tensor_size(x);
    const sb_real *at = x->x, *from = dy->x;
    sb_real *to = dx->x;
    switch (kind) {
        SB_ACTIVATIONS(GRADIENT)
    case SB_N_ACTIVATIONS:
        assert(!"an activation");
    }
}

static void residual_forward(sb_ops *ops, const sb_tensor *x, const sb_tensor *f, sb_tensor *y)
{
    ops->sum(ops, sb_tensor_size(x), x->x, f->x, y->x);
}

static void residual_backward(sb_ops *ops, const sb_tensor *dy, sb_tensor *dx)
{
    residual_forward(ops, dy, dx, dx);
}

static void logit_scale(sb_ops *ops, sb_real scale, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
    const long n = (long)sb_tensor_size(x);
    const sb_real *from = x->x;
    sb_real *to = y->x;
#pragma omp for simd schedule(static)
    for (long i = 0; i < n; i++) to[i] = scale * from[i];
}

/* ---- max pools: of two by two, which networks have nearly everywhere, without loops ---- */

static void max_pool_forward(sb_ops *ops, int window_h, int window_w, const sb_tensor *x, sb_tensor *y, uint8_t *choice)
{
    (void)ops;
    assert(y->h == x->h / window_h && y->w == x->w / window_w && window_h * window_w <= 256);
    if (window_h == 2 && window_w == 2)
        sb_pool_windows(SB_POOL_LARGEST, 2, 2, x, y, choice);
    else
        sb_pool_windows(SB_POOL_LARGEST, window_h, window_w, x, y, choice);
}

static void max_pool_backward(sb_ops *ops, int window_h, int window_w, const sb_tensor *dy, const uint8_t *choice,
                              sb_tensor *dx)
{
    (void)ops;
    if (window_h == 2 && window_w == 2)
        sb_unpool_windows(2, 2, dy, choice, dx);
    else
        sb_unpool_windows(window_h, window_w, dy, choice, dx);
}

/* ---- average pools ---- */

static void average_pool_forward(sb_ops *ops, int window_h, int window_w, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
    const sb_real factor = (sb_real)1 / (sb_real)(window_h * window_w);
    const int n_c = x->c;
#pragma omp for schedule(static)
    for (int i = 0; i < y->n * y->h * y->w; i++) {
        const size_t row = (size_t)(i / y->w / y->h) * x->h + (size_t)(i / y->w % y->h) * window_h;
        const sb_real *corner = x->x + (row * x->w + (size_t)(i % y->w) * window_w) * n_c;
        sb_real *to = y->x + (size_t)i * n_c;
        memcpy(to, corner, (size_t)n_c * sizeof *to);
        for (int place = 1; place < window_h * window_w; place++) {
            const sb_real *from = corner + ((size_t)(place / window_w) * x->w + place % window_w) * n_c;
#pragma omp simd
            for (int c = 0; c < n_c; c++) to[c] += from[c];
        }
#pragma omp simd
        for (int c = 0; c < n_c; c++) to[c] *= factor;
    }
}

static void average_pool_backward(sb_ops *ops, int window_h, int window_w, const sb_tensor *dy, sb_tensor *dx)
{
    (void)ops;
    const sb_real factor = (sb_real)1 / (sb_real)(window_h * window_w);
    const int n_c = dx->c;
#pragma omp for schedule(static)
    for (int i = 0; i < dx->n * dx->h * dx->w; i++) {
        const int y = i / dx->w % dx->h / window_h, x = i % dx->w / window_w;
        const bool inside = y < dy->h && x < dy->w;
        const sb_real *from = dy->x + (((size_t)(i / dx->w / dx->h) * dy->h + y) * dy->w + x) * n_c;
        sb_real *to = dx->x + (size_t)i * n_c;
        for (int c = 0; c < n_c; c++) to[c] = inside ? from[c] * factor : 0;
    }
}

/* ---- dropout: four numbers at a time ---- */

static void dropout(sb_ops *ops, const sb_dropout *of, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
    const uint64_t end = of->first + sb_tensor_size(x);
    const sb_real *from = x->x;
    sb_real *to = y->x;
#pragma omp for schedule(static)
    for (uint64_t block = of->first / 4; block <= (end - 1) / 4; block++) {
        const sb_dropout_words words = sb_dropout_words_of(of, block);
        for (uint64_t k = 0; k < 4; k++) {
            const uint64_t place = 4 * block + k;
            if (place < of->first || place >= end) continue;
            to[place - of->first] = sb_dropout_value(of, from[place - of->first], words.word[k]);
        }
    }
}

/* ---- the loss of classes ---- */

static void cross_entropy_forward(sb_ops *ops, const sb_tensor *z, const uint8_t *label, double smoothing, double *loss,
                                  double *entropy, uint8_t *predicted, double *total)
{
    (void)ops;
    const int classes = (int)sb_tensor_sample(z);
#pragma omp for schedule(static)
    for (int n = 0; n < z->n; n++) {
        const sb_real *z_n = z->x + (size_t)n * classes;
        const sb_softmax s = sb_softmax_of(z_n, 1, classes);
        loss[n] = sb_softmax_loss(&s, z_n, 1, classes, label[n], smoothing, &entropy[n]);
        predicted[n] = (uint8_t)s.predicted;
    }
#pragma omp single
    sb_softmax_total(z->n, label, loss, entropy, predicted, total);
}

static void cross_entropy_backward(sb_ops *ops, const sb_tensor *z, const uint8_t *label, double smoothing,
                                   double factor, sb_tensor *dz)
{
    (void)ops;
    const int classes = (int)sb_tensor_sample(z);
#pragma omp for schedule(static)
    for (int n = 0; n < z->n; n++) {
        const size_t first = (size_t)n * classes;
        const sb_softmax s = sb_softmax_of(z->x + first, 1, classes);
#pragma omp simd
        for (int k = 0; k < classes; k++)
            dz->x[first + k] = sb_softmax_gradient(&s, z->x[first + k], classes, k, label[n], smoothing, factor);
    }
}

void SB_NATIVE(sb_layer_native)(sb_ops *ops)
{
    ops->activation_forward = activation_forward;
    ops->activation_backward = activation_backward;
    ops->residual_forward = residual_forward;
    ops->residual_backward = residual_backward;
    ops->logit_scale = logit_scale;
    ops->max_pool_forward = max_pool_forward;
    ops->max_pool_backward = max_pool_backward;
    ops->average_pool_forward = average_pool_forward;
    ops->average_pool_backward = average_pool_backward;
    ops->dropout = dropout;
    ops->cross_entropy_forward = cross_entropy_forward;
    ops->cross_entropy_backward = cross_entropy_backward;
}

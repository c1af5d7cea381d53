/* Text of the native backend: maps are [n][T][c]. */
#include "ops/native.h"

#include <string.h>

/* Channels of the gradient of a table that a thread sums at a time. */
enum { CHANNELS = 32 };

static void embedding_forward(sb_ops *ops, const sb_embedding *e, const uint8_t *tokens, sb_tensor *y)
{
    (void)ops;
    const int context = y->w, width = e->width;
#pragma omp for schedule(static)
    for (long i = 0; i < (long)y->n * context; i++) {
        const sb_real *row = e->table + (size_t)sb_token_input(tokens, context, i) * width;
        const sb_real *position = e->position + i % context * width;
        sb_real *to = y->x + i * width;
#pragma omp simd
        for (int c = 0; c < width; c++) to[c] = row[c] + position[c];
    }
}

/* dposition[t] of all channels. */
static void position_gradient(const sb_embedding *e, const sb_tensor *dy, int t)
{
    sb_real *to = e->position_grad + (size_t)t * e->width;
    for (int c = 0; c < e->width; c++) to[c] = 0;
    for (int sample = 0; sample < dy->n; sample++) {
        const sb_real *from = dy->x + ((size_t)sample * dy->w + t) * e->width;
#pragma omp simd
        for (int c = 0; c < e->width; c++) to[c] += from[c];
    }
}

/* Channels first .. first + n of dtable. */
static void table_gradient(const sb_embedding *e, const uint8_t *tokens, const sb_tensor *dy, int first, int n)
{
    sb_real sums[SB_VOCABULARY_MAX][CHANNELS];
    const int context = dy->w;
    for (int v = 0; !e->adds_to_table && v < e->vocabulary; v++)
        memset(e->table_grad + (size_t)v * e->width + first, 0, (size_t)n * sizeof(sb_real));
    for (long sample = 0; sample < dy->n; sample++) {
        memset(sums, 0, (size_t)e->vocabulary * sizeof *sums);
        for (long i = sample * context; i < (sample + 1) * context; i++) {
            sb_real *sum = sums[sb_token_input(tokens, context, i)];
#pragma omp simd
            for (int c = 0; c < n; c++) sum[c] += dy->x[i * e->width + first + c];
        }
        for (int v = 0; v < e->vocabulary; v++)
#pragma omp simd
            for (int c = 0; c < n; c++) e->table_grad[(size_t)v * e->width + first + c] += sums[v][c];
    }
}

static void embedding_backward(sb_ops *ops, const sb_embedding *e, const uint8_t *tokens, const sb_tensor *dy)
{
    (void)ops;
#pragma omp for schedule(static) nowait
    for (int t = 0; t < dy->w; t++) position_gradient(e, dy, t);
#pragma omp for schedule(static)
    for (int c = 0; c < e->width; c += CHANNELS)
        table_gradient(e, tokens, dy, c, e->width - c < CHANNELS ? e->width - c : CHANNELS);
}

static void token_loss_forward(sb_ops *ops, const sb_tensor *z, const uint8_t *tokens, double smoothing, double *loss,
                               double *entropy, uint8_t *predicted, double *total)
{
    (void)ops;
    const int context = z->w, vocabulary = z->c;
#pragma omp for schedule(static)
    for (long i = 0; i < (long)z->n * context; i++) {
        const sb_real *at = z->x + i * vocabulary;
        const sb_softmax s = sb_softmax_of(at, 1, vocabulary);
        loss[i] = sb_softmax_loss(&s, at, 1, vocabulary, sb_token_target(tokens, context, i), smoothing, &entropy[i]);
        predicted[i] = (uint8_t)s.predicted;
    }
#pragma omp single
    sb_token_total(z->n, context, tokens, loss, entropy, predicted, total);
}

static void token_loss_backward(sb_ops *ops, const sb_tensor *z, const uint8_t *tokens, double smoothing, double factor,
                                sb_tensor *dz)
{
    (void)ops;
    const int context = z->w, vocabulary = z->c;
#pragma omp for schedule(static)
    for (long i = 0; i < (long)z->n * context; i++) {
        const sb_real *at = z->x + i * vocabulary;
        const int target = sb_token_target(tokens, context, i);
        const sb_softmax s = sb_softmax_of(at, 1, vocabulary);
        for (int k = 0; k < vocabulary; k++)
            dz->x[i * vocabulary + k] = sb_softmax_gradient(&s, at[k], vocabulary, k, target, smoothing, factor);
    }
}

void SB_NATIVE(sb_token_native)(sb_ops *ops)
{
    ops->embedding_forward = embedding_forward;
    ops->embedding_backward = embedding_backward;
    ops->token_loss_forward = token_loss_forward;
    ops->token_loss_backward = token_loss_backward;
}

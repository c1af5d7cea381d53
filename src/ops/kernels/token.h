/* Kernels of texts, as written in ops/token/token.h; the CPU twin is token_native.c. Maps are planes [n][c][T]. */
#pragma once

#include "ops/kernels/kernel.h"
#include "ops/token/token.h"

/* One element of y */
typedef struct sb_embedding_forward_args {
    long n;
    sb_embedding embedding;
    const uint8_t *tokens;
    sb_real *y;
    int context;
} sb_embedding_forward_args;

SB_HOST_DEVICE void sb_embedding_forward_each(const sb_embedding_forward_args *k, long i)
{
    const int t = (int)i % k->context, map = (int)i / k->context;
    const int c = map % k->embedding.width, width = k->embedding.width;
    const int token = sb_token_input(k->tokens, k->context, (long)(map / width) * k->context + t);
    k->y[i] = k->embedding.table[token * width + c] + k->embedding.position[t * width + c];
}

/* One element of dtable, then of dposition: [vocabulary + T][width] */
typedef struct sb_embedding_backward_args {
    long n;
    sb_embedding embedding;
    const uint8_t *tokens;
    const sb_real *dy;
    int samples, context;
} sb_embedding_backward_args;

SB_HOST_DEVICE void sb_embedding_backward_each(const sb_embedding_backward_args *k, long i)
{
    const sb_embedding *e = &k->embedding;
    const int c = (int)i % e->width, v = (int)i / e->width, t = v - e->vocabulary;
    const bool is_table = v < e->vocabulary;
    sb_real total = is_table && e->adds_to_table ? e->table_grad[i] : 0;
    for (int sample = 0; sample < k->samples; sample++) {
        const sb_real *dy = k->dy + (long)(sample * e->width + c) * k->context;
        const uint8_t *tokens = k->tokens + (long)sample * (k->context + 1);
        sb_real sum = is_table ? 0 : dy[t];
        for (int at = 0; is_table && at < k->context; at++)
            if (tokens[at] == v) sum += dy[at];
        total += sum;
    }
    if (is_table)
        e->table_grad[i] = total;
    else
        e->position_grad[t * e->width + c] = total;
}

/* One position; logits z [n][vocabulary][T] */
typedef struct sb_token_loss_args {
    long n;
    const sb_real *z;
    const uint8_t *tokens;
    sb_real *dz; /* of the backward pass */
    double *loss, *entropy, smoothing, factor;
    uint8_t *predicted;
    int vocabulary, context;
} sb_token_loss_args;
typedef sb_token_loss_args sb_token_loss_forward_args;
typedef sb_token_loss_args sb_token_loss_backward_args;

SB_HOST_DEVICE long sb_token_logits(const sb_token_loss_args *k, long i)
{
    return i / k->context * k->vocabulary * k->context + i % k->context;
}

SB_HOST_DEVICE void sb_token_loss_forward_each(const sb_token_loss_forward_args *k, long i)
{
    const sb_real *z = k->z + sb_token_logits(k, i);
    const sb_softmax s = sb_softmax_of(z, k->context, k->vocabulary);
    k->loss[i] = sb_softmax_loss(&s, z, k->context, k->vocabulary, sb_token_target(k->tokens, k->context, i),
                                 k->smoothing, &k->entropy[i]);
    k->predicted[i] = (uint8_t)s.predicted;
}

SB_HOST_DEVICE void sb_token_loss_backward_each(const sb_token_loss_backward_args *k, long i)
{
    const long first = sb_token_logits(k, i);
    const int target = sb_token_target(k->tokens, k->context, i);
    const sb_softmax s = sb_softmax_of(k->z + first, k->context, k->vocabulary);
    SB_ROLL
    for (int v = 0; v < k->vocabulary; v++) {
        const long at = first + (long)v * k->context;
        k->dz[at] = sb_softmax_gradient(&s, k->z[at], k->vocabulary, v, target, k->smoothing, k->factor);
    }
}

/* One thread */
typedef struct sb_token_total_args {
    long n;
    const uint8_t *tokens, *predicted;
    const double *loss, *entropy;
    double *total;
    int samples, context;
} sb_token_total_args;

SB_HOST_DEVICE void sb_token_total_each(const sb_token_total_args *k, long i)
{
    (void)i;
    sb_token_total(k->samples, k->context, k->tokens, k->loss, k->entropy, k->predicted, k->total);
}

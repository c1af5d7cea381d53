/* Text: windows of tokens, their embedding, and the loss of predicting each next token.
 *
 * A window is T + 1 successive tokens, each less than the vocabulary. `tokens` is [n][T + 1] bytes of the device:
 * position t of sample s reads tokens[s][t], and its target is tokens[s][t + 1]. A map of a text has one row of T
 * pixels, a pixel for each position.
 *
 *     embedding   y[s][t] = table[token] + position[t]
 *       gradient  dposition[t]: chain of additions over the samples from 0
 *                 dtable[v]: for each sample: a chain of additions of dy over the positions with token v, from 0; the
 *                 sums of the samples are added to dtable, ascending, also where they are 0. dtable starts at 0; with
 *                 adds_to_table at its value
 *     loss        point/softmax.h at each position
 *                 total: sums over the positions of all samples, one after the other from 0; the sums of loss and of
 *                 entropy divided by T
 */
#pragma once

#include "ops/point/softmax.h"

#include <stdbool.h>

enum { SB_VOCABULARY_MAX = 256 };

typedef struct sb_embedding {
    int vocabulary, width;
    const sb_real *table;    /* [vocabulary][width] */
    const sb_real *position; /* [T][width] */
    sb_real *table_grad, *position_grad;
    bool adds_to_table; /* the table has other uses, whose gradient is in table_grad */
} sb_embedding;

/* The target of position i of all positions of a batch. */
SB_HOST_DEVICE int sb_token_target(const uint8_t *tokens, int context, long i)
{
    return tokens[i / context * (context + 1) + i % context + 1];
}

SB_HOST_DEVICE int sb_token_input(const uint8_t *tokens, int context, long i)
{
    return tokens[i / context * (context + 1) + i % context];
}

/* total[0], [1]: the sums of the losses and entropies of n samples over T; [2]: positions whose prediction is right. A
 * loss of NaN is never right: SB_NO_CLASS is a token, too. */
SB_HOST_DEVICE void sb_token_total(int n, int context, const uint8_t *tokens, const double *loss, const double *entropy,
                                   const uint8_t *predicted, double total[3])
{
    double sum = 0, plain = 0, right = 0;
    for (long i = 0; i < (long)n * context; i++) {
        sum += loss[i], plain += entropy[i];
        right += loss[i] == loss[i] && predicted[i] == sb_token_target(tokens, context, i);
    }
    total[0] = sum / context, total[1] = plain / context, total[2] = right;
}

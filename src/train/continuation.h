/* Text from a network that predicts the next token: the same text for the same seed wherever the logits have the same
 * bits (docs/specification.md, section 12).
 *
 *     SB_TRY(sb_continuation_open(&text, &setup.learner, &(sb_continuation_plan){.seed = 1, .temperature = 0.8}, token, n));
 *     SB_TRY(sb_continuation_next(&text, &next));       as often as tokens are wanted
 *     sb_continuation_close(&text);
 */
#pragma once

#include "train/learner.h"

typedef struct sb_continuation_plan {
    uint64_t seed;
    double temperature; /* 0: the token with the largest logit, of equal ones the first */
} sb_continuation_plan;

typedef struct sb_continuation {
    sb_learner *learner;
    sb_continuation_plan plan;
    uint8_t *token;   /* [context + 1]: the last tokens, then zeros */
    size_t n, n_done; /* tokens in it; tokens that were drawn */
    sb_real *planes, *logits; /* [vocabulary][context], on the device and on the host */
    double *share;            /* [vocabulary] */
} sb_continuation;

/* Open for a network with memory for one window, after a beginning of n > 0 tokens. The learner stays the caller's. On
 * failure nothing stays open. */
sb_status sb_continuation_open(sb_continuation *text, sb_learner *learner, const sb_continuation_plan *plan, const uint8_t *token,
                         size_t n);
void sb_continuation_close(sb_continuation *text); /* one of zeros, too */

/* Draw the next token. The network sees the last T tokens, or all if there are fewer; they begin at position 0. Token
 * number k = 0, 1, ... of vocabulary V has the logits l; with e_i = exp((l_i - max l) / temperature), each rounded to a
 * real, c_0 = e_0 and c_i = c_{i-1} + e_i in double, it is the first i with c_i > u c_{V-1}, where u is the uniform
 * number k of the stream SB_STREAM_SAMPLE. SB_E_DIFFERS: a logit is no number. */
sb_status sb_continuation_next(sb_continuation *text, uint8_t *token);

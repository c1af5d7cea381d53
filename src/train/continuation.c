#include "train/continuation.h"

#include "backend/backend.h"
#include "core/random.h"
#include "core/size.h"
#include "ops/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t context_of(const sb_continuation *text)
{
    return (size_t)text->learner->net->classes.n_targets;
}

static size_t vocabulary_of(const sb_continuation *text)
{
    return (size_t)text->learner->net->classes.n;
}

sb_status sb_continuation_open(sb_continuation *text, sb_learner *learner, const sb_continuation_plan *plan, const uint8_t *token,
                         size_t n)
{
    sb_ops *ops = learner->net->ops;
    *text = (sb_continuation){.learner = learner, .plan = *plan};
    const size_t context = context_of(text), vocabulary = vocabulary_of(text), size = context * vocabulary;
    text->token = sb_size_allocate(context + 1, 1);
    text->logits = sb_size_allocate(size, sizeof *text->logits);
    text->share = sb_size_allocate(vocabulary, sizeof *text->share);
    text->planes = ops->allocate(ops, size * sizeof *text->planes);
    if (!text->token || !text->logits || !text->share || !text->planes) {
        sb_continuation_close(text);
        return sb_fail(SB_E_MEMORY, "not enough memory for a window of %zu tokens", context);
    }
    text->n = n < context ? n : context;
    memcpy(text->token, token + n - text->n, text->n);
    return SB_OK;
}

void sb_continuation_close(sb_continuation *text)
{
    if (text->planes) text->learner->net->ops->release(text->learner->net->ops, text->planes);
    free(text->share);
    free(text->logits);
    free(text->token);
    *text = (sb_continuation){0};
}

static sb_status infer(sb_continuation *text)
{
    const sb_net *net = text->learner->net;
    sb_ops *ops = net->ops;
    const size_t n_bytes = context_of(text) * vocabulary_of(text) * sizeof *text->logits;
    SB_TRY(sb_learner_infer(text->learner, &(sb_window){.tokens = text->token, .n = 1}));
    sb_tensor logits = net->classes.logits;
    logits.n = 1;
    ops->map_store(ops, &logits, text->planes);
    return sb_ops_read(ops, text->logits, text->planes, n_bytes);
}

/* The first place with the largest logit at the last position; `vocabulary` if one is no number. */
static size_t find_largest(const sb_continuation *text, const sb_real *logit)
{
    const size_t context = context_of(text), vocabulary = vocabulary_of(text);
    size_t best = 0;
    for (size_t i = 0; i < vocabulary; i++) {
        if (!isfinite(logit[i * context])) return vocabulary;
        if (logit[i * context] > logit[best * context]) best = i;
    }
    return best;
}

static size_t draw(sb_continuation *text, const sb_real *logit, sb_real largest)
{
    const size_t context = context_of(text), vocabulary = vocabulary_of(text);
    const double u = sb_random_uniform(text->plan.seed, SB_STREAM_SAMPLE, text->n_done);
    double sum = 0;
    for (size_t i = 0; i < vocabulary; i++) {
        sum += sb_exp((sb_real)(((double)logit[i * context] - (double)largest) / text->plan.temperature));
        text->share[i] = sum;
    }
    size_t i = 0;
    while (i + 1 < vocabulary && !(text->share[i] > u * sum)) i++;
    return i;
}

static void add(sb_continuation *text, uint8_t token)
{
    if (text->n == context_of(text)) memmove(text->token, text->token + 1, --text->n);
    text->token[text->n++] = token;
    text->n_done++;
}

sb_status sb_continuation_next(sb_continuation *text, uint8_t *token)
{
    SB_TRY(infer(text));
    const sb_real *logit = text->logits + text->n - 1; /* [i][context] of the last position */
    size_t next = find_largest(text, logit);
    if (next == vocabulary_of(text))
        return sb_fail(SB_E_DIFFERS, "a logit of the network is no number: the training diverged");
    if (text->plan.temperature > 0) next = draw(text, logit, logit[next * context_of(text)]);
    *token = (uint8_t)next;
    add(text, *token);
    return SB_OK;
}

/* An optimizer on tensors of which nothing is computed, on the native backend, updated by a team of two.
 *
 *     subject s = {0};
 *     sb_params_add(&s.net.params, 0, 1, (size_t[]){3}, "w");
 *     open_subject(&s, "lars", &settings);
 *     ... weights in s.net.weight, a gradient in s.net.grad: update(&s, lr, 1);
 *     close_subject(&s);
 */
#pragma once

#include "support.h"

#include "backend/backend.h"
#include "train/optimizer.h"

/* What an optimizer sees of a network, of which nothing is computed. */
typedef struct subject {
    sb_net net;
    sb_optimizer optimizer;
} subject;

static void open_subject(subject *s, const char *rule, sb_settings *settings)
{
    sb_ops *ops;
    const sb_backend_options options = {.threads = 2, .isa = "auto", .arithmetic = "direct"};
    settings->optimizer = rule;
    if (sb_backend_open(&ops, "native", &options) != SB_OK) fail_msg("%s", sb_message());
    s->net.ops = ops;
    s->net.weight = ops->allocate(ops, s->net.params.total * sizeof(sb_real));
    s->net.grad = ops->allocate(ops, s->net.params.total * sizeof(sb_real));
    assert_true(s->net.weight && s->net.grad);
    if (sb_optimizer_open(&s->optimizer, &s->net, settings) != SB_OK) fail_msg("%s: %s", rule, sb_message());
    sb_optimizer_start(&s->optimizer);
}

static void close_subject(subject *s)
{
    sb_ops *ops = s->net.ops;
    sb_optimizer_close(&s->optimizer);
    ops->release(ops, s->net.weight), ops->release(ops, s->net.grad);
    sb_backend_close(ops);
}

static void update(subject *s, double lr, long number)
{
    const sb_rates rates = sb_optimizer_rates(&s->optimizer, lr, number);
#pragma omp parallel num_threads(2)
    sb_optimizer_update(&s->optimizer, &rates);
}

#include "train/optimizer.h"

#include <stdio.h>

/* ---- the rules, made of their rows ---- */

typedef struct rule {
    void (*rates)(const sb_settings *settings, double lr, long update, sb_rates *rates);
    void (*update)(sb_ops *ops, const sb_block *block, const sb_rates *rates);
    void (*update_host)(const sb_block *block, const sb_rates *rates);
    void (*update_one)(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy, const sb_block *weight,
                       const sb_block *bias, const sb_rates *rates); /* NULL: the rule has none */
} rule;

#define RULE(A, id, ...)                                                                                               \
    static void id##_rates(const sb_settings *settings, double lr, long update, sb_rates *rates)                       \
    {                                                                                                                  \
        rates->id = sb_##id##_rates_of(settings, lr, update);                                                          \
    }                                                                                                                  \
    static void id##_update(sb_ops *ops, const sb_block *block, const sb_rates *rates)                                 \
    {                                                                                                                  \
        ops->id(ops, block, &rates->id);                                                                               \
    }                                                                                                                  \
    static void id##_update_host(const sb_block *block, const sb_rates *rates)                                         \
    {                                                                                                                  \
        for (size_t i = 0; i < block->n; i++) sb_##id##_at(block, &rates->id, (long)i, block->grad[i]);                \
    }
SB_OPTIMIZERS(RULE, SB_NO_STATE, )

/* What may stand in the column `one`. */
static void one_dense_learn_one(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy,
                                const sb_block *weight, const sb_block *bias, const sb_rates *rates)
{
    ops->dense_learn_one(ops, layer, x, dy, weight, bias, &rates->adam);
}
#define one_NO_ONE                                     NULL

#define ROW(A, id, name, title, states, one, settings) {id##_rates, id##_update, id##_update_host, one_##one},
static const rule rules[SB_N_OPTIMIZERS] = {SB_OPTIMIZERS(ROW, SB_NO_STATE, )};

/* ---- an optimiser ---- */

static sb_ops *ops_of(const sb_optimizer *optimizer)
{
    return optimizer->net->ops; /* asked for each time: a trace or a profile may stand before the backend */
}

sb_status sb_optimizer_open(sb_optimizer *optimizer, sb_net *net, const sb_settings *settings)
{
    *optimizer = (sb_optimizer){0};
    const sb_optimizer_id id = sb_optimizer_find(settings->optimizer);
    if (id == SB_N_OPTIMIZERS)
        return sb_fail(SB_E_USAGE, "no optimizer '%.64s'; this program knows %s", settings->optimizer,
                       SB_OPTIMIZER_WORDS);
    sb_optimizer opened = {
        .id = id, .row = &sb_optimizers[id], .settings = sb_settings_resolved(settings), .net = net};
    const size_t n_states = (size_t)opened.row->n_states;
    if (n_states) {
        opened.memory = net->ops->allocate(net->ops, n_states * net->params.total * sizeof(sb_real));
        if (!opened.memory) return SB_E_MEMORY;
    }
    for (size_t k = 0; k < n_states; k++) opened.state[k] = opened.memory + k * net->params.total;
    *optimizer = opened;
    return SB_OK;
}

void sb_optimizer_close(sb_optimizer *optimizer)
{
    if (optimizer->memory) ops_of(optimizer)->release(ops_of(optimizer), optimizer->memory);
    *optimizer = (sb_optimizer){0};
}

void sb_optimizer_start(sb_optimizer *optimizer)
{
    sb_ops *ops = ops_of(optimizer);
    for (int k = 0; k < optimizer->row->n_states; k++)
        ops->zero(ops, optimizer->state[k], optimizer->net->params.total * sizeof(sb_real));
}

sb_rates sb_optimizer_rates(const sb_optimizer *optimizer, double lr, long update)
{
    sb_rates rates = {0};
    rules[optimizer->id].rates(&optimizer->settings, lr, update, &rates);
    return rates;
}

sb_block sb_optimizer_block(const sb_optimizer *optimizer, size_t offset, size_t n)
{
    const sb_net *net = optimizer->net;
    sb_block block = {.n = n, .weight = net->weight + offset, .grad = net->grad + offset};
    for (int k = 0; k < optimizer->row->n_states; k++) block.state[k] = optimizer->state[k] + offset;
    return block;
}

/* The rules so far know no tensors: every element alike, in one block. */
void sb_optimizer_update(const sb_optimizer *optimizer, const sb_rates *rates)
{
    const sb_block all = sb_optimizer_block(optimizer, 0, optimizer->net->params.total);
    rules[optimizer->id].update(ops_of(optimizer), &all, rates);
}

bool sb_optimizer_has_one(const sb_optimizer *optimizer)
{
    return rules[optimizer->id].update_one != NULL;
}

static sb_block block_at(const sb_optimizer *optimizer, const sb_real *weight, size_t n)
{
    sb_block block = sb_optimizer_block(optimizer, (size_t)(weight - optimizer->net->weight), n);
    block.grad = NULL;
    return block;
}

void sb_optimizer_update_one(const sb_optimizer *optimizer, const sb_rates *rates, const sb_dense *layer,
                             const sb_real *x, const sb_real *dy)
{
    const sb_block weight = block_at(optimizer, layer->weight, sb_dense_weights(layer));
    const sb_block bias = block_at(optimizer, layer->bias, (size_t)layer->out);
    rules[optimizer->id].update_one(ops_of(optimizer), layer, x, dy, &weight, &bias, rates);
}

void sb_optimizer_update_host(const sb_optimizer *optimizer, const sb_rates *rates, const sb_block *block)
{
    rules[optimizer->id].update_host(block, rates);
}

bool sb_optimizer_name(const sb_optimizer *optimizer, const void *memory, size_t n, char *text, size_t size)
{
    bool found = false;
    for (int k = 0; !found && k < optimizer->row->n_states; k++) {
        char what[64];
        snprintf(what, sizeof what, "%s's %s of ", optimizer->row->title, optimizer->row->state[k]);
        found = sb_net_name_block(optimizer->net, optimizer->state[k], what, memory, n, text, size);
    }
    return found;
}

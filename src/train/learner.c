#include "train/learner.h"

#include "backend/backend.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

sb_status sb_learner_open(sb_learner *learner, sb_net *net, const sb_settings *settings, sb_ranks *ranks)
{
    const bool is_fast = sb_setting_says(settings->reduce, "fast");
    const bool shared = sb_setting_says(settings->target, "shared");
    *learner = (sb_learner){.net = net, .settings = sb_settings_resolved(settings), .epoch_updates = 1};
    learner->target = shared ? SB_TARGET_SHARED : SB_TARGET_COPY;
    sb_status status = sb_exchange_open(&learner->exchange, ranks, net, is_fast);
    const sb_reduce_plan plan = {.n_shards = (int)settings->shards, .ranks = ranks, .exchange = learner->exchange};
    if (status == SB_OK) status = sb_reduce_open(&learner->reduce, net, &plan);
    if (status == SB_OK) status = sb_optimizer_open(&learner->optimizer, net, &learner->settings);
    if (status == SB_OK) status = sb_local_open(&learner->local, &learner->optimizer, &learner->settings, &plan);
    if (status == SB_OK) status = sb_schedule_check(&learner->settings);
    if (status == SB_OK) status = sb_average_open(&learner->average, net, &learner->settings);
    if (status != SB_OK) sb_learner_close(learner);
    return status;
}

void sb_learner_close(sb_learner *learner)
{
    sb_local_close(&learner->local);
    sb_average_close(&learner->average);
    sb_optimizer_close(&learner->optimizer);
    sb_reduce_close(&learner->reduce);
    sb_exchange_close(learner->exchange);
    sb_net_close(learner->net);
    *learner = (sb_learner){0};
}

sb_status sb_learner_start(sb_learner *learner, uint64_t seed, uint64_t ulp)
{
    SB_TRY(sb_net_start(learner->net, seed, ulp));
    sb_learner_restart(learner);
    return learner->net->ops->error(learner->net->ops);
}

void sb_learner_restart(sb_learner *learner)
{
    sb_optimizer_start(&learner->optimizer);
    sb_average_start(&learner->average);
}

/* ---- one update ---- */

double sb_learner_rate(const sb_learner *learner, long update)
{
    return sb_schedule_rate(&learner->settings, update, learner->epoch_updates);
}

typedef struct pass {
    const sb_optimizer *optimizer;
    const sb_rates *rates;
} pass;

static void update_dense(void *context, const sb_dense *layer, const sb_real *x, const sb_real *dy)
{
    const pass *p = context;
    sb_optimizer_update_one(p->optimizer, p->rates, layer, x, dy);
}

/* The gradient of the whole batch, shard by shard, and its norm. */
static void learn_batch(sb_learner *learner, const sb_window *shard)
{
    sb_net *net = learner->net;
    for (int s = 0; s < learner->reduce.n_shards; s++) {
        sb_window window = shard[s];
        sb_reduce_begin(&learner->reduce, s, &window);
        net->learn(net, &window, learner->target);
        sb_reduce_add(&learner->reduce, s);
    }
    sb_reduce_join(&learner->reduce);
    net->ops->norm2(net->ops, net->params.total, net->grad, net->norm2);
}

/* Samples of the whole batch, of which each rank has as many. */
static int samples_of(const sb_learner *learner, const sb_window *shard)
{
    int n = 0;
    for (int s = 0; s < learner->reduce.n_shards; s++) n += shard[s].n;
    return n * sb_ranks_size(learner->reduce.plan.ranks);
}

/* Whether gradients need not be whole at any time: one window of one sample, whose layers are updated as they are done. */
static bool is_one_pass(const sb_learner *learner, const sb_window *shard, sb_gradient gradient)
{
    return gradient == SB_GRADIENT_DROPPED && learner->reduce.plan.n_shards == 1 && shard->n == 1 &&
           learner->net->learn_one && sb_optimizer_has_one(&learner->optimizer);
}

/* loss[net->n_loss] of the batch, whose gradient is added up before one update. */
static sb_status update_at_once(sb_learner *learner, const sb_window *shard, double lr, long update, bool one_pass,
                                double *loss)
{
    const sb_rates rates = sb_optimizer_rates(&learner->optimizer, lr, update);
    pass in_one = {&learner->optimizer, &rates};
    sb_ops *ops = learner->net->ops;
    sb_backend_begin(ops, update);
#pragma omp parallel num_threads(sb_backend_threads(ops))
    {
        if (one_pass) {
            learner->net->learn_one(learner->net, shard, update_dense, &in_one);
        } else {
            learn_batch(learner, shard);
            sb_optimizer_update(&learner->optimizer, &rates);
            sb_average_update(&learner->average, update);
        }
    }
    return sb_reduce_losses(&learner->reduce, loss);
}

/* What an update gave, from loss[net->n_loss] of its batch and its gradient. */
static sb_status describe(const sb_learner *learner, const sb_window *shard, bool has_norm, const double *loss,
                          sb_step_result *result)
{
    sb_net *net = learner->net;
    double norm2 = NAN;
    if (has_norm) SB_TRY(sb_ops_read(net->ops, &norm2, net->norm2, sizeof norm2));
    *result = net->measure(loss, net->n_loss, samples_of(learner, shard));
    result->grad_norm = sqrt(norm2);
    return SB_OK;
}

sb_status sb_learner_update(sb_learner *learner, const sb_window *shard, long update, sb_gradient gradient,
                            sb_step_result *result)
{
    assert(shard->n > 0 && "an update has a loss term");
    assert(!sb_local_is_wanted(&learner->local) && "local steps have a function of their own");
    if (learner->optimizer.id == SB_NO_OPTIMIZER)
        return sb_fail(SB_E_USAGE, "--search %s finds weights without gradients", learner->settings.search);
    const bool one_pass = is_one_pass(learner, shard, gradient);
    double loss[SB_LOSS_MAX];
    SB_TRY(update_at_once(learner, shard, sb_learner_rate(learner, update), update, one_pass, loss));
    return describe(learner, shard, !one_pass, loss, result);
}

sb_status sb_learner_update_locally(sb_learner *learner, const sb_window *shard, long update, sb_step_result *result)
{
    double loss[SB_LOSS_MAX];
    assert(shard->n > 0 && "an update has a loss term");
    const double lr = sb_learner_rate(learner, update);
    SB_TRY(sb_local_update(&learner->local, shard, lr, update, learner->target, loss));
#pragma omp parallel num_threads(sb_backend_threads(learner->net->ops))
    sb_average_update(&learner->average, update);
    return describe(learner, shard, true, loss, result);
}

sb_status sb_learner_losses(sb_learner *learner, double *loss)
{
    sb_net *net = learner->net;
    return sb_ops_read(net->ops, loss, net->loss, (size_t)net->n_loss * sizeof *loss);
}

sb_status sb_learner_infer(sb_learner *learner, const sb_window *window)
{
    sb_net *net = learner->net;
    sb_backend_begin(net->ops, 0);
#pragma omp parallel num_threads(sb_backend_threads(net->ops))
    net->infer(net, window);
    return net->ops->error(net->ops);
}

/* ---- what it holds ---- */

sb_status sb_learner_host_block(const sb_learner *learner, const sb_real *block, const sb_real **host, void **to_free)
{
    sb_net *net = learner->net;
    *to_free = NULL, *host = block;
    if (net->ops->host_memory) return SB_OK;
    size_t n_bytes = net->params.total * sizeof(sb_real);
    *host = *to_free = malloc(n_bytes);
    if (!*host) return sb_fail(SB_E_MEMORY, "not enough memory to copy %.1f MiB from the device", n_bytes / 1048576.0);
    sb_status status = sb_ops_read(net->ops, *to_free, block, n_bytes);
    if (status == SB_OK) return SB_OK;
    free(*to_free);
    *to_free = NULL, *host = NULL;
    return status;
}

bool sb_learner_name(const sb_learner *learner, const void *memory, size_t n, char *text, size_t size)
{
    return sb_optimizer_name(&learner->optimizer, memory, n, text, size) ||
           sb_reduce_name(&learner->reduce, memory, n, text, size) ||
           sb_local_name(&learner->local, memory, n, text, size) || sb_net_name(learner->net, memory, n, text, size);
}

#include "train/local.h"

#include "backend/backend.h"

#include <stdio.h>

static sb_net *net_of(const sb_local *local)
{
    return local->optimizer->net;
}

/* ---- opening ---- */

static sb_status check(const sb_optimizer *optimizer)
{
    if (optimizer->row->kind == SB_QUASI_NEWTON)
        return sb_fail(SB_E_USAGE, "--optimizer %s takes one step of all images, so --sync-every does not go with it",
                       optimizer->row->name);
    if (optimizer->net->classes.n) return SB_OK;
    return sb_fail(SB_E_USAGE, "--sync-every is for networks that classify: mlp, lenet, layers, gpt, resnet9; not %s",
                   optimizer->net->model);
}

static sb_status open_blocks(sb_local *local, const sb_reduce_plan *plan)
{
    const sb_optimizer *optimizer = local->optimizer;
    const int n = 1 + optimizer->row->n_states;
    for (; local->n_blocks < n; local->n_blocks++) {
        const int k = local->n_blocks;
        sb_reduce_plan of = *plan;
        of.block = k == 0 ? optimizer->net->weight : optimizer->state[k - 1];
        of.what = k == 0 ? "weights" : optimizer->row->state[k - 1];
        SB_TRY(sb_reduce_open(&local->block[k], optimizer->net, &of));
    }
    return SB_OK;
}

static sb_status take_memory(sb_local *local)
{
    sb_net *net = net_of(local);
    const size_t n = net->params.total;
    local->memory = net->ops->allocate(net->ops, (size_t)(local->n_blocks + 1) * n * sizeof(sb_real));
    if (!local->memory) return SB_E_MEMORY;
    for (int k = 0; k < local->n_blocks; k++) local->start[k] = (sb_real *)local->memory + (size_t)k * n;
    local->spare = (sb_real *)local->memory + (size_t)local->n_blocks * n;
    return SB_OK;
}

sb_status sb_local_open(sb_local *local, const sb_optimizer *optimizer, const sb_settings *settings,
                        const sb_reduce_plan *plan)
{
    *local = (sb_local){0};
    if (settings->sync_every == 0) return SB_OK;
    SB_TRY(check(optimizer));
    local->n_steps = (int)settings->sync_every, local->optimizer = optimizer;
    sb_status status = open_blocks(local, plan);
    if (status == SB_OK) status = take_memory(local);
    if (status != SB_OK) sb_local_close(local);
    return status;
}

void sb_local_close(sb_local *local)
{
    if (local->memory) net_of(local)->ops->release(net_of(local)->ops, local->memory);
    for (int k = 0; k < local->n_blocks; k++) sb_reduce_close(&local->block[k]);
    *local = (sb_local){0};
}

bool sb_local_name(const sb_local *local, const void *memory, size_t n, char *text, size_t size)
{
    char what[64];
    for (int k = 0; k < local->n_blocks; k++) {
        const sb_reduce *block = &local->block[k];
        snprintf(what, sizeof what, "%s before the local steps of ", block->plan.what);
        if (sb_reduce_name(block, memory, n, text, size) ||
            sb_net_name_block(net_of(local), local->start[k], what, memory, n, text, size))
            return true;
    }
    return local->n_blocks &&
           sb_net_name_block(net_of(local), local->spare, "sum over all shards of ", memory, n, text, size);
}

/* ---- by a team ---- */

static void copy_blocks(const sb_local *local, bool to_start)
{
    sb_ops *ops = net_of(local)->ops;
    const size_t n_bytes = net_of(local)->params.total * sizeof(sb_real);
    for (int k = 0; k < local->n_blocks; k++) {
        sb_real *start = local->start[k], *block = local->block[k].plan.block;
        ops->copy(ops, to_start ? start : block, to_start ? block : start, n_bytes);
    }
}

/* A sum over all shards becomes their mean: a product with a power of two, so exact but for numbers that underflow. */
static void divide_block(const sb_local *local, sb_real *block)
{
    sb_ops *ops = net_of(local)->ops;
    const size_t n = net_of(local)->params.total;
    const int n_shards = local->block->plan.n_shards;
    if (n_shards == 1) return;
    ops->copy(ops, local->spare, block, n * sizeof *block);
    ops->zero(ops, block, n * sizeof *block);
    ops->average(ops, n, 1.0 / n_shards, local->spare, block);
}

/* After the last step of the last shard. */
static void average_shards(sb_local *local)
{
    sb_net *net = net_of(local);
    sb_ops *ops = net->ops;
    for (int k = 0; k < local->n_blocks; k++) {
        sb_reduce_join(&local->block[k]);
        divide_block(local, local->block[k].plan.block);
    }
    ops->mutate(ops, net->params.total, -1, net->weight, local->start[0], net->grad);
    ops->norm2(ops, net->params.total, net->grad, net->norm2);
}

/* ---- steps ---- */

/* Step h of a shard learns from its samples h n .. (h + 1) n - 1. */
static sb_window window_of_step(const sb_local *local, const sb_window *shard, int h)
{
    const size_t n = (size_t)(shard->n / local->n_steps), first = (size_t)h * n;
    sb_window window = *shard;
    window.n = window.n_batch = (int)n, window.first = (int)first;
    if (window.bytes) window.bytes += first * net_of(local)->classes.n_inputs;
    if (window.values) window.values += first * net_of(local)->classes.n_inputs;
    if (window.choice) window.choice += first;
    if (window.labels) window.labels += first;
    if (window.tokens) window.tokens += first * (net_of(local)->classes.n_inputs + 1);
    return window;
}

/* of: what the step lost is added to the losses of its shard. How many a network has it knows once it learned. */
static sb_status make_step(sb_local *local, const sb_window *window, double lr, long step, sb_target target, double *of)
{
    sb_net *net = net_of(local);
    double of_step[SB_LOSS_MAX];
    const sb_rates rates = sb_optimizer_rates(local->optimizer, lr, step);
#pragma omp parallel num_threads(sb_backend_threads(net->ops))
    {
        net->learn(net, window, target);
        sb_optimizer_update(local->optimizer, &rates);
    }
    SB_TRY(sb_ops_read(net->ops, of_step, net->loss, (size_t)net->n_loss * sizeof *of_step));
    for (int i = 0; i < net->n_loss; i++) of[window->shard * net->n_loss + i] += of_step[i];
    return SB_OK;
}

sb_status sb_local_update(sb_local *local, const sb_window *shard, double lr, long update, sb_target target,
                          double *loss)
{
    sb_net *net = net_of(local);
    const sb_reduce *weights = &local->block[0];
    const int n_threads = sb_backend_threads(net->ops);
    double of[SB_SHARDS_MAX * SB_LOSS_MAX] = {0};
    sb_backend_begin(net->ops, update);
#pragma omp parallel num_threads(n_threads)
    copy_blocks(local, true);
    for (int s = 0; s < weights->n_shards; s++) {
        for (int h = 0; h < local->n_steps; h++) {
            sb_window window = window_of_step(local, &shard[s], h);
            window.shard = weights->first + s;
            SB_TRY(make_step(local, &window, lr, (update - 1) * local->n_steps + h + 1, target, of));
        }
#pragma omp parallel num_threads(n_threads)
        {
            for (int k = 0; k < local->n_blocks; k++) sb_reduce_add(&local->block[k], s);
            if (s + 1 < weights->n_shards) copy_blocks(local, false);
        }
    }
#pragma omp parallel num_threads(n_threads)
    average_shards(local);
    for (int k = 0; k < local->n_blocks; k++) SB_TRY(local->block[k].status);
    return sb_reduce_join_losses(weights, of, loss);
}

#include "train/reduce/reduce.h"

#include <stdio.h>

static sb_ops *ops_of(const sb_reduce *reduce)
{
    return reduce->net->ops; /* asked for each time: a trace or a profile may stand before the backend */
}

static int levels_of(const sb_reduce *reduce)
{
    int n = 0;
    while (1 << n < reduce->n_shards) n++;
    return n;
}

static bool is_among_ranks(const sb_reduce *reduce)
{
    return reduce->plan.ranks != NULL;
}

static sb_status check_ranks(const sb_reduce *reduce)
{
    const int n_ranks = sb_ranks_size(reduce->plan.ranks);
    if (!is_among_ranks(reduce)) return SB_OK;
    if (reduce->plan.n_shards % n_ranks)
        return sb_fail(SB_E_USAGE,
                       "%d ranks do not share %d shard%s: choose --shards %d or a multiple of it, or fewer "
                       "ranks",
                       n_ranks, reduce->plan.n_shards, reduce->plan.n_shards == 1 ? "" : "s", n_ranks);
    return SB_OK;
}

sb_status sb_reduce_open(sb_reduce *reduce, sb_net *net, const sb_reduce_plan *plan)
{
    *reduce = (sb_reduce){0};
    const int n_ranks = sb_ranks_size(plan->ranks), n_shards = plan->n_shards / n_ranks;
    sb_reduce opened = {
        .net = net, .plan = *plan, .n_shards = n_shards, .first = n_shards * sb_ranks_rank(plan->ranks)};
    SB_TRY(check_ranks(&opened));
    if (!plan->block) opened.plan.block = net->grad, opened.plan.what = "gradient";
    const size_t total = net->params.total, n_levels = (size_t)levels_of(&opened);
    const size_t loss_bytes = (size_t)n_shards * SB_LOSS_MAX * sizeof(double);
    opened.end = total;
    if (n_levels > 0 || is_among_ranks(&opened)) {
        opened.memory = net->ops->allocate(net->ops, loss_bytes + n_levels * total * sizeof(sb_real));
        if (!opened.memory) return SB_E_MEMORY;
        opened.loss = opened.memory;
    }
    sb_real *numbers = (sb_real *)((char *)opened.memory + loss_bytes);
    for (size_t k = 0; k < n_levels; k++) opened.level[k] = numbers + k * total;
    *reduce = opened;
    return SB_OK;
}

void sb_reduce_close(sb_reduce *reduce)
{
    if (reduce->memory) ops_of(reduce)->release(ops_of(reduce), reduce->memory);
    *reduce = (sb_reduce){0};
}

/* By a team, like carrying in a binary counter: an odd number of shards so far is a sum that waits on level 0, ... The
 * numbers first .. end - 1 of the block become the sum; the level on which it waits is returned. */
static int carry(const sb_reduce *reduce, int shard, size_t first, size_t end)
{
    sb_ops *ops = ops_of(reduce);
    sb_real *block = reduce->plan.block + first;
    int level = 0;
    for (; shard >> level & 1; level++) ops->sum(ops, end - first, reduce->level[level] + first, block, block);
    return level;
}

void sb_reduce_add(sb_reduce *reduce, int shard)
{
    if (!reduce->memory) return;
    sb_net *net = reduce->net;
    sb_ops *ops = net->ops;
    const size_t n_loss = (size_t)net->n_loss;
    ops->copy(ops, reduce->loss + (size_t)shard * n_loss, net->loss, n_loss * sizeof *net->loss);
    const int level = carry(reduce, shard, 0, reduce->end);
    if (shard + 1 < reduce->n_shards)
        ops->copy(ops, reduce->level[level], reduce->plan.block, net->params.total * sizeof(sb_real));
}

/* ---- over ranks: thread 0 alone talks to the exchange ---- */

/* Of the last shard, by the team: what can be exchanged now is added and posted. */
static void take_learned(void *context, size_t first)
{
    sb_reduce *reduce = context;
    const size_t begin = sb_exchange_first_whole(reduce->plan.exchange, first), end = reduce->end;
    if (begin >= end) return;
    carry(reduce, reduce->n_shards - 1, begin, end);
#pragma omp barrier
#pragma omp master
    {
        reduce->end = begin;
        sb_exchange_post(reduce->plan.exchange, reduce->plan.block, begin);
    }
#pragma omp barrier
}

void sb_reduce_begin(sb_reduce *reduce, int shard, sb_window *window)
{
    window->shard = reduce->first + shard;
    if (!is_among_ranks(reduce) || shard + 1 < reduce->n_shards) return;
    window->learned = take_learned, window->learned_context = reduce;
}

void sb_reduce_join(sb_reduce *reduce)
{
    if (!is_among_ranks(reduce)) return;
#pragma omp barrier
#pragma omp master
    {
        reduce->status = sb_exchange_finish(reduce->plan.exchange, reduce->plan.block);
        reduce->end = reduce->net->params.total;
    }
#pragma omp barrier
}

/* ---- losses ---- */

sb_status sb_reduce_join_losses(const sb_reduce *reduce, double *of, double *loss)
{
    const int n_loss = reduce->net->n_loss, n_shards = reduce->plan.n_shards;
    SB_TRY(sb_ranks_gather(reduce->plan.ranks, of, (size_t)n_shards, (size_t)n_loss * sizeof *of));
    for (int apart = 1; apart < n_shards; apart *= 2)
        for (int s = 0; s < n_shards; s += 2 * apart)
            for (int i = 0; i < n_loss; i++) of[s * n_loss + i] += of[(s + apart) * n_loss + i];
    for (int i = 0; i < n_loss; i++) loss[i] = of[i];
    return SB_OK;
}

sb_status sb_reduce_losses(const sb_reduce *reduce, double *loss)
{
    const size_t n_loss = (size_t)reduce->net->n_loss, n = (size_t)reduce->n_shards * n_loss;
    double of[SB_SHARDS_MAX * SB_LOSS_MAX], *own = of + (size_t)reduce->first * n_loss;
    SB_TRY(reduce->status);
    SB_TRY(sb_ops_read(reduce->net->ops, own, reduce->memory ? reduce->loss : reduce->net->loss, n * sizeof *own));
    return sb_reduce_join_losses(reduce, of, loss);
}

bool sb_reduce_name(const sb_reduce *reduce, const void *memory, size_t n, char *text, size_t size)
{
    bool found = false;
    for (int k = 0; !found && k < levels_of(reduce); k++) {
        char what[64];
        snprintf(what, sizeof what, "%s over %d shard%s of ", reduce->plan.what, 1 << k, k == 0 ? "" : "s");
        found = sb_net_name_block(reduce->net, reduce->level[k], what, memory, n, text, size);
    }
    return found;
}

#include "train/reduce.h"

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

/* Numbers of this rank's slice of the gradient. */
static sb_slice slice_of(const sb_reduce *reduce)
{
    return sb_ranks_slice(reduce->plan.ranks, reduce->net->params.total, sb_ranks_rank(reduce->plan.ranks));
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
    if (reduce->net->ops->host_memory) return SB_OK;
    return sb_fail(SB_E_USAGE, "ranks exchange gradients that lie in the memory of the host, and those of this backend "
                               "do not: choose native or openblas");
}

sb_status sb_reduce_open(sb_reduce *reduce, sb_net *net, const sb_reduce_plan *plan)
{
    *reduce = (sb_reduce){0};
    const int n_ranks = sb_ranks_size(plan->ranks), n_shards = plan->n_shards / n_ranks;
    sb_reduce opened = {
        .net = net, .plan = *plan, .n_shards = n_shards, .first = n_shards * sb_ranks_rank(plan->ranks)};
    SB_TRY(check_ranks(&opened));
    if (!plan->block) opened.plan.block = net->grad, opened.plan.what = "gradient";
    const size_t total = net->params.total, n_pieces = is_among_ranks(&opened) ? (size_t)n_ranks : 0;
    const size_t loss_bytes = (size_t)n_shards * SB_LOSS_MAX * sizeof(double);
    const size_t n_levels = (size_t)levels_of(&opened), n_of_piece = slice_of(&opened).n;
    if (n_levels + n_pieces > 0) {
        const size_t n_numbers = n_levels * total + n_pieces * n_of_piece;
        opened.memory = net->ops->allocate(net->ops, loss_bytes + n_numbers * sizeof(sb_real));
        if (!opened.memory) return SB_E_MEMORY;
        opened.loss = opened.memory;
    }
    sb_real *numbers = (sb_real *)((char *)opened.memory + loss_bytes);
    for (size_t k = 0; k < n_levels; k++) opened.level[k] = numbers + k * total;
    for (size_t r = 0; r < n_pieces; r++) opened.piece[r] = numbers + n_levels * total + r * n_of_piece;
    *reduce = opened;
    return SB_OK;
}

void sb_reduce_close(sb_reduce *reduce)
{
    if (reduce->memory) ops_of(reduce)->release(ops_of(reduce), reduce->memory);
    *reduce = (sb_reduce){0};
}

/* Like carrying in a binary counter: an odd number of shards so far is a sum that waits on level 0, ... */
void sb_reduce_add(const sb_reduce *reduce, int shard)
{
    if (!reduce->memory) return;
    sb_net *net = reduce->net;
    sb_ops *ops = net->ops;
    const size_t n = net->params.total, n_loss = (size_t)net->n_loss;
    sb_real *block = reduce->plan.block;
    int level = 0;
    ops->copy(ops, reduce->loss + (size_t)shard * n_loss, net->loss, n_loss * sizeof *net->loss);
    for (; shard >> level & 1; level++) ops->sum(ops, n, reduce->level[level], block, block);
    if (shard + 1 < reduce->n_shards) ops->copy(ops, reduce->level[level], block, n * sizeof *block);
}

/* ---- over ranks ---- */

/* By a team: this rank's slice from the pieces, by the upper part of the tree. */
static void join_pieces(const sb_reduce *reduce)
{
    sb_net *net = reduce->net;
    const sb_slice slice = slice_of(reduce);
    const int n_ranks = sb_ranks_size(reduce->plan.ranks);
    sb_real *const *piece = reduce->piece;
    for (int apart = 1; apart < n_ranks; apart *= 2)
        for (int r = 0; r < n_ranks; r += 2 * apart) {
            sb_real *sum = 2 * apart == n_ranks ? reduce->plan.block + slice.first : piece[r];
            net->ops->sum(net->ops, slice.n, piece[r], piece[r + apart], sum);
        }
}

enum { BUCKET_BYTES = 25 << 20 };

/* The engine's sum, bucket by bucket from the end. */
static sb_status sum_buckets(const sb_reduce *reduce)
{
    const size_t bucket = BUCKET_BYTES / sizeof(sb_real);
    sb_status status = SB_OK;
    for (size_t end = reduce->net->params.total; status == SB_OK && end > 0;) {
        const size_t n = end < bucket ? end : bucket;
        end -= n;
        status = sb_ranks_sum(reduce->plan.ranks, reduce->plan.block + end, n, sizeof(sb_real));
    }
    return status;
}

/* Thread 0 alone talks to other ranks; the others wait for it at the barriers. */
void sb_reduce_join(sb_reduce *reduce)
{
    sb_ranks *ranks = reduce->plan.ranks;
    sb_real *block = reduce->plan.block;
    const size_t n = reduce->net->params.total;
    if (!is_among_ranks(reduce)) return;
#pragma omp barrier
#pragma omp master
    reduce->status =
        reduce->plan.is_fast ? sum_buckets(reduce) : sb_ranks_spread(ranks, block, n, sizeof *block, reduce->piece[0]);
#pragma omp barrier
    if (reduce->plan.is_fast || reduce->status != SB_OK) return;
    join_pieces(reduce);
#pragma omp barrier
#pragma omp master
    reduce->status = sb_ranks_gather(ranks, block, n, sizeof *block);
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

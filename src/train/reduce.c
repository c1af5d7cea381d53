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

sb_status sb_reduce_open(sb_reduce *reduce, sb_net *net, int n_shards)
{
    *reduce = (sb_reduce){0};
    sb_reduce opened = {.net = net, .n_shards = n_shards};
    const size_t loss_bytes = (size_t)n_shards * SB_LOSS_MAX * sizeof(double), total = net->params.total;
    const int n_levels = levels_of(&opened);
    if (n_levels > 0) {
        const size_t n_bytes = loss_bytes + (size_t)n_levels * total * sizeof(sb_real);
        opened.memory = net->ops->allocate(net->ops, n_bytes);
        if (!opened.memory) return SB_E_MEMORY;
        opened.loss = opened.memory;
    }
    for (int k = 0; k < n_levels; k++)
        opened.level[k] = (sb_real *)((char *)opened.memory + loss_bytes) + (size_t)k * total;
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
    if (reduce->n_shards == 1) return;
    sb_net *net = reduce->net;
    sb_ops *ops = net->ops;
    const size_t n = net->params.total, n_loss = (size_t)net->n_loss;
    int level = 0;
    ops->copy(ops, reduce->loss + (size_t)shard * n_loss, net->loss, n_loss * sizeof *net->loss);
    for (; shard >> level & 1; level++) ops->sum(ops, n, reduce->level[level], net->grad, net->grad);
    if (shard + 1 < reduce->n_shards) ops->copy(ops, reduce->level[level], net->grad, n * sizeof *net->grad);
}

sb_status sb_reduce_losses(const sb_reduce *reduce, double *loss)
{
    sb_net *net = reduce->net;
    const int n_loss = net->n_loss, n_shards = reduce->n_shards;
    if (n_shards == 1) return sb_ops_read(net->ops, loss, net->loss, (size_t)n_loss * sizeof *loss);
    double of[SB_SHARDS_MAX * SB_LOSS_MAX];
    SB_TRY(sb_ops_read(net->ops, of, reduce->loss, (size_t)(n_shards * n_loss) * sizeof *of));
    for (int apart = 1; apart < n_shards; apart *= 2)
        for (int s = 0; s < n_shards; s += 2 * apart)
            for (int i = 0; i < n_loss; i++) of[s * n_loss + i] += of[(s + apart) * n_loss + i];
    for (int i = 0; i < n_loss; i++) loss[i] = of[i];
    return SB_OK;
}

bool sb_reduce_name(const sb_reduce *reduce, const void *memory, size_t n, char *text, size_t size)
{
    bool found = false;
    for (int k = 0; !found && k < levels_of(reduce); k++) {
        char what[40];
        snprintf(what, sizeof what, "gradient over %d shard%s of ", 1 << k, k == 0 ? "" : "s");
        found = sb_net_name_block(reduce->net, reduce->level[k], what, memory, n, text, size);
    }
    return found;
}

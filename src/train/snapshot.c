#include "train/snapshot.h"

static void add_piece(sb_snapshot *snapshot, void *live, size_t n_bytes)
{
    snapshot->piece[snapshot->n].live = live;
    snapshot->piece[snapshot->n++].n_bytes = n_bytes;
}

static void list_pieces(sb_snapshot *snapshot, const sb_learner *learner, sb_snapshot_part part)
{
    sb_net *net = learner->net;
    const size_t n_bytes = net->params.total * sizeof(sb_real);
    if (part == SB_SNAPSHOT_LEARNED) {
        add_piece(snapshot, net->weight, n_bytes);
        for (int k = 0; k < learner->optimizer.row->n_states; k++)
            add_piece(snapshot, learner->optimizer.state[k], n_bytes);
    } else {
        for (int i = 0; i < net->n_states; i++) {
            const sb_tensor *tensor = &net->state[i].tensor;
            add_piece(snapshot, tensor->x, sb_tensor_size(tensor) * sizeof(sb_real));
        }
    }
}

/* Pieces begin where a line of the cache does. */
static size_t room_for(size_t n_bytes)
{
    return (n_bytes + 63) / 64 * 64;
}

sb_status sb_snapshot_open(sb_snapshot *snapshot, const sb_learner *learner, sb_snapshot_part part)
{
    size_t total = 0;
    *snapshot = (sb_snapshot){.ops = learner->net->ops};
    list_pieces(snapshot, learner, part);
    for (int i = 0; i < snapshot->n; i++) total += room_for(snapshot->piece[i].n_bytes);
    if (!total) return SB_OK;
    char *memory = snapshot->ops->allocate(snapshot->ops, total);
    if (!memory) return sb_fail(SB_E_MEMORY, "not enough memory for a copy of %.1f MiB", (double)total / 1048576);
    snapshot->memory = memory;
    for (int i = 0; i < snapshot->n; i++) {
        snapshot->piece[i].copy = memory;
        memory += room_for(snapshot->piece[i].n_bytes);
    }
    return SB_OK;
}

void sb_snapshot_close(sb_snapshot *snapshot)
{
    if (snapshot->memory) snapshot->ops->release(snapshot->ops, snapshot->memory);
    *snapshot = (sb_snapshot){0};
}

void sb_snapshot_take(sb_snapshot *snapshot)
{
    for (int i = 0; i < snapshot->n; i++)
        snapshot->ops->copy(snapshot->ops, snapshot->piece[i].copy, snapshot->piece[i].live,
                            snapshot->piece[i].n_bytes);
}

void sb_snapshot_restore(const sb_snapshot *snapshot)
{
    for (int i = 0; i < snapshot->n; i++)
        snapshot->ops->copy(snapshot->ops, snapshot->piece[i].live, snapshot->piece[i].copy,
                            snapshot->piece[i].n_bytes);
}

#include "train/reduce/share.h"

#include <stdlib.h>

/* A block where the engine can reach it. */
typedef struct reach {
    void *host;
    void *copy; /* the memory of it, where it is one */
} reach;

static sb_status reach_block(reach *r, sb_ops *ops, void *block, size_t n_bytes)
{
    *r = (reach){.host = block};
    if (ops->host_memory) return SB_OK;
    r->host = r->copy = malloc(n_bytes ? n_bytes : 1);
    if (!r->copy)
        return sb_fail(SB_E_MEMORY, "not enough memory to share %.1f MiB of a device", (double)n_bytes / 1048576.0);
    return sb_ops_read(ops, r->copy, block, n_bytes);
}

/* Frees the copy, also after a failure. */
static sb_status bring_back(reach *r, sb_status status, sb_ops *ops, void *block, size_t n_bytes)
{
    if (r->copy && status == SB_OK) {
        ops->to_device(ops, block, r->copy, n_bytes);
        status = ops->error(ops);
    }
    free(r->copy);
    return status;
}

sb_status sb_share_block(sb_ranks *ranks, int from, sb_ops *ops, void *block, size_t n_bytes)
{
    reach r;
    if (!ranks) return SB_OK;
    sb_status status = reach_block(&r, ops, block, n_bytes);
    if (status == SB_OK) status = sb_ranks_share(ranks, from, r.host, n_bytes);
    return bring_back(&r, status, ops, block, n_bytes);
}

sb_status sb_share_slices(sb_ranks *ranks, sb_ops *ops, void *block, size_t n, size_t each)
{
    reach r;
    if (!ranks) return SB_OK;
    sb_status status = reach_block(&r, ops, block, n * each);
    if (status == SB_OK) status = sb_ranks_gather(ranks, r.host, n, each);
    return bring_back(&r, status, ops, block, n * each);
}

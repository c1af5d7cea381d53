/* The exchange of a block that lies on GPUs by NCCL, from one to the other on their streams: slices are sent and received,
 * and the device adds them by the operation that adds shards. The host puts all buckets on the stream, and then waits as it
 * does for an engine (rank/ranks.h), so that a rank that is lost ends NCCL, too. */
#include "train/reduce/exchange_parts.h"

#include "backend/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- whether it can be ---- */

/* Of a rank: where its device is, and its NCCL. */
typedef struct ground {
    char place[32], version[16]; /* "": no GPU, no NCCL */
} ground;

/* Every rank comes to the same, with the words of it in `why`. */
static bool allows_nccl(const sb_exchange *x, const ground *of, char *why, size_t size)
{
    for (int r = 0; r < sb_ranks_size(x->ranks); r++) {
        if (!*of[r].place) return snprintf(why, size, "rank %d has no GPU", r), false;
        for (int q = 0; q < r; q++)
            if (strcmp(of[q].place, of[r].place) == 0 && sb_ranks_share_host(x->ranks, q, r))
                return snprintf(why, size, "ranks %d and %d share a GPU", q, r), false;
    }
    for (int r = 0; r < sb_ranks_size(x->ranks); r++) {
        if (!*of[r].version) return snprintf(why, size, "rank %d finds none", r), false;
        if (strcmp(of[r].version, of[0].version) != 0)
            return snprintf(why, size, "rank 0 has %s, rank %d %s", of[0].version, r, of[r].version), false;
    }
    return true;
}

/* ---- waiting ---- */

typedef struct watch {
    const sb_exchange *x;
    bool until_done; /* not only put on the stream */
} watch;

static sb_status look(void *context, bool *ended)
{
    const watch *w = context;
    SB_TRY(sb_nccl_is_settled(w->x->nccl, ended));
    if (*ended && w->until_done) *ended = sb_gpu_is_idle(w->x->net->ops);
    return SB_OK;
}

static sb_status wait_for(const sb_exchange *x, size_t n_bytes, bool until_done)
{
    return sb_ranks_wait(x->ranks, n_bytes, look, &(watch){x, until_done});
}

/* ---- opening ---- */

/* Its sum is a ring's, which repeats its bits with as many ranks, unless someone has said otherwise. */
static void choose_order(void)
{
    setenv("NCCL_ALGO", "Ring", 0);
    setenv("NCCL_NVLS_ENABLE", "0", 0);
}

static sb_status meet(sb_exchange *x)
{
    char id[SB_NCCL_ID] = "";
    const int rank = sb_ranks_rank(x->ranks);
    if (x->is_fast) choose_order();
    SB_TRY(sb_ranks_agree(x->ranks, rank == 0 ? sb_nccl_make_id(x->nccl, id) : SB_OK));
    SB_TRY(sb_ranks_share(x->ranks, 0, id, sizeof id));
    SB_TRY(sb_nccl_meet(x->nccl, id, rank, sb_ranks_size(x->ranks)));
    return wait_for(x, 0, false);
}

sb_status sb_exchange_open_nccl(sb_exchange *x)
{
    ground of[SB_RANKS_MAX] = {0}, *own = &of[sb_ranks_rank(x->ranks)];
    char why[96];
    snprintf(own->place, sizeof own->place, "%s", sb_gpu_of(x->net->ops)->place);
    if (*own->place && sb_nccl_open_library(&x->nccl) == SB_OK)
        snprintf(own->version, sizeof own->version, "%s", sb_nccl_version(x->nccl));
    SB_TRY(sb_ranks_collect(x->ranks, of, sizeof *of));
    if (allows_nccl(x, of, why, sizeof why)) {
        snprintf(x->nccl_words, sizeof x->nccl_words, "%s", sb_nccl_version(x->nccl));
        return meet(x);
    }
    snprintf(x->nccl_words, sizeof x->nccl_words, "not used: %s", why);
    sb_exchange_close_nccl(x);
    return SB_OK;
}

void sb_exchange_close_nccl(sb_exchange *x)
{
    sb_nccl_close(x->nccl);
    x->nccl = NULL;
}

/* ---- exchanging ---- */

static sb_nccl_part part_of(sb_real *x, sb_slice slice)
{
    return (sb_nccl_part){x + slice.first, slice.n * sizeof *x};
}

/* Slice q of the bucket to rank q; of every rank's this one's, a piece each. */
static sb_status spread(const sb_exchange *x, sb_real *bucket, size_t n)
{
    sb_nccl_part send[SB_RANKS_MAX], receive[SB_RANKS_MAX];
    const size_t n_own = sb_ranks_slice(x->ranks, n, sb_ranks_rank(x->ranks)).n;
    for (int r = 0; r < sb_ranks_size(x->ranks); r++) {
        send[r] = part_of(bucket, sb_ranks_slice(x->ranks, n, r));
        receive[r] = part_of(x->piece, (sb_slice){(size_t)r * n_own, n_own});
    }
    SB_TRY(sb_nccl_swap(x->nccl, send, receive, sb_gpu_of(x->net->ops)->stream));
    return wait_for(x, (n - n_own) * sizeof *bucket, false);
}

/* This rank's slice to all others; theirs are received where they belong. */
static sb_status gather(const sb_exchange *x, sb_real *bucket, size_t n, bool is_last)
{
    sb_nccl_part send[SB_RANKS_MAX] = {0}, receive[SB_RANKS_MAX] = {0};
    const int rank = sb_ranks_rank(x->ranks), n_ranks = sb_ranks_size(x->ranks);
    const sb_slice own = sb_ranks_slice(x->ranks, n, rank);
    for (int r = 0; r < n_ranks; r++)
        if (r != rank) send[r] = part_of(bucket, own), receive[r] = part_of(bucket, sb_ranks_slice(x->ranks, n, r));
    SB_TRY(sb_nccl_swap(x->nccl, send, receive, sb_gpu_of(x->net->ops)->stream));
    return wait_for(x, own.n * (size_t)(n_ranks - 1) * sizeof *bucket, is_last);
}

static sb_status exchange_ordered(const sb_exchange *x, sb_real *bucket, size_t n, bool is_last)
{
    const sb_slice own = sb_ranks_slice(x->ranks, n, sb_ranks_rank(x->ranks));
    SB_TRY(spread(x, bucket, n));
    sb_exchange_join_pieces(x, bucket + own.first, own.n);
    sb_gpu_issue(x->net->ops);
    return gather(x, bucket, n, is_last);
}

static sb_status exchange_fast(const sb_exchange *x, sb_real *bucket, size_t n, bool is_last)
{
    const size_t n_ranks = (size_t)sb_ranks_size(x->ranks);
    SB_TRY(sb_nccl_sum(x->nccl, bucket, n, sb_gpu_of(x->net->ops)->stream));
    return wait_for(x, 2 * n * sizeof *bucket / n_ranks * (n_ranks - 1), is_last); /* as a ring does */
}

static sb_status exchange_buckets(const sb_exchange *x, sb_real *block)
{
    for (size_t end = x->total, first; end > 0; end = first) {
        first = sb_exchange_bucket_before(end);
        const bool is_last = first == 0;
        SB_TRY(x->is_fast ? exchange_fast(x, block + first, end - first, is_last)
                          : exchange_ordered(x, block + first, end - first, is_last));
    }
    return SB_OK;
}

/* What went wrong before is told before other ranks wait for it. After a failure NCCL is given up at once, for the device
 * would not come to an end of what was put on its stream. */
sb_status sb_exchange_by_nccl(sb_exchange *x, sb_real *block)
{
    sb_ops *ops = x->net->ops;
    SB_TRY(ops->error(ops));
    const sb_status status = exchange_buckets(x, block);
    if (status != SB_OK) sb_exchange_close_nccl(x);
    return status == SB_OK ? ops->error(ops) : status;
}

/* What exchange.c (memory of the host), exchange_staged.c and exchange_nccl.c (memory of a device) share. */
#ifndef SB_TRAIN_EXCHANGE_PARTS_H
#define SB_TRAIN_EXCHANGE_PARTS_H

#include "ops/library/nccl.h"
#include "train/reduce/exchange.h"

#include <pthread.h>

struct sb_exchange {
    sb_ranks *ranks;
    sb_net *net;
    bool is_fast;
    size_t total;
    sb_real *piece; /* device: of one bucket, this rank's slice as each rank has it */

    /* of a device, where no thread runs: all buckets are exchanged by the one that finishes */
    sb_nccl *nccl;        /* NULL: through the host */
    char nccl_words[128]; /* its version, or why it is not used */
    sb_real *host_bucket, *host_piece;

    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t changed;
    sb_real *block;      /* NULL: nothing was posted */
    size_t posted, done; /* block[posted ..] is there, block[done ..] is exchanged; both total at first */
    bool is_busy;   /* a bucket is under way */
    bool finishes;  /* what is left is exchanged by the thread that waits for it */
    bool closes;
    sb_status status;  /* of the block; after a failure the rest of it is left alone */
    char message[512]; /* its sentence */
    sb_exchange_times times;
};

static inline bool sb_exchange_is_of_device(const sb_exchange *x)
{
    return !x->net->ops->host_memory;
}

/* Where the bucket begins that ends at `end`. */
static inline size_t sb_exchange_bucket_before(size_t end)
{
    return end < SB_EXCHANGE_BUCKET ? 0 : end - SB_EXCHANGE_BUCKET;
}

/* Numbers of the largest bucket, and of this rank's slice of it as all ranks have it. */
static inline size_t sb_exchange_largest(const sb_exchange *x)
{
    return x->total < SB_EXCHANGE_BUCKET ? x->total : SB_EXCHANGE_BUCKET;
}

static inline size_t sb_exchange_pieces(const sb_exchange *x)
{
    return (size_t)sb_ranks_size(x->ranks) * sb_ranks_slice(x->ranks, sb_exchange_largest(x), 0).n;
}

/* slice[n] = the sum of the pieces, by the upper part of the tree of shards: rank r has the sum of a subtree. */
void sb_exchange_join_pieces(const sb_exchange *exchange, sb_real *slice, size_t n);

/* -- of a device -- */

/* On failure too the memory is released by the close. */
sb_status sb_exchange_open_staged(sb_exchange *exchange);
void sb_exchange_close_staged(sb_exchange *exchange);

/* Where all ranks have a GPU of their own and the same NCCL they meet; else exchange->nccl is NULL, which is no failure. */
sb_status sb_exchange_open_nccl(sb_exchange *exchange);
void sb_exchange_close_nccl(sb_exchange *exchange);

/* All of a block becomes the sum over the ranks. After a failure NCCL is closed. */
sb_status sb_exchange_staged(const sb_exchange *exchange, sb_real *block);
sb_status sb_exchange_by_nccl(sb_exchange *exchange, sb_real *block);

#endif

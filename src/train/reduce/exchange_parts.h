/* Shared by exchange.c (host memory), exchange_staged.c and exchange_nccl.c (device memory). */
#pragma once

#include "ops/library/nccl.h"
#include "train/reduce/exchange.h"

#include <pthread.h>

struct sb_exchange {
    sb_ranks *ranks;
    sb_net *net;
    bool is_fast;
    size_t total;
    sb_real *piece; /* device: this rank's slice of one bucket, as received from each rank */

    /* for device memory, without the thread: the caller of sb_exchange_finish exchanges all buckets */
    sb_nccl *nccl;        /* NULL: through the host */
    char nccl_words[128]; /* its version, or why it is not used */
    sb_real *host_bucket, *host_piece;

    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex; /* of the members below */
    pthread_cond_t changed;
    sb_real *block;      /* NULL: nothing was posted */
    size_t posted, done; /* block[posted ..] is this rank's sum, block[done ..] is exchanged; both start at total */
    bool is_busy;   /* a bucket is under way */
    bool finishes;  /* the waiting thread exchanges the remaining buckets */
    bool closes;
    sb_status status;  /* of the block; after a failure the remaining buckets are not exchanged */
    char message[512]; /* of status */
    sb_exchange_times times;
};

static inline bool sb_exchange_is_of_device(const sb_exchange *x)
{
    return !x->net->ops->host_memory;
}

/* The first element of the bucket that ends at `end`. */
static inline size_t sb_exchange_bucket_before(size_t end)
{
    return end < SB_EXCHANGE_BUCKET ? 0 : end - SB_EXCHANGE_BUCKET;
}

/* largest: numbers in the largest bucket. pieces: numbers in this rank's slice of it, times the number of ranks. */
static inline size_t sb_exchange_largest(const sb_exchange *x)
{
    return x->total < SB_EXCHANGE_BUCKET ? x->total : SB_EXCHANGE_BUCKET;
}

static inline size_t sb_exchange_pieces(const sb_exchange *x)
{
    return (size_t)sb_ranks_size(x->ranks) * sb_ranks_slice(x->ranks, sb_exchange_largest(x), 0).n;
}

/* slice[n] = the sum of the pieces of all ranks, by the upper part of the tree of shards; each rank's piece is the sum
 * of a subtree. */
void sb_exchange_join_pieces(const sb_exchange *exchange, sb_real *slice, size_t n);

/* -- device memory -- */

/* The close releases the memory, also after a failed open. */
sb_status sb_exchange_open_staged(sb_exchange *exchange);
void sb_exchange_close_staged(sb_exchange *exchange);

/* Connect the ranks by NCCL if each has its own GPU and all have the same version of NCCL. Else exchange->nccl is NULL,
 * which is not a failure. */
sb_status sb_exchange_open_nccl(sb_exchange *exchange);
void sb_exchange_close_nccl(sb_exchange *exchange);

/* Replace the block by the sum over the ranks. After a failure NCCL is closed. */
sb_status sb_exchange_staged(const sb_exchange *exchange, sb_real *block);
sb_status sb_exchange_by_nccl(sb_exchange *exchange, sb_real *block);

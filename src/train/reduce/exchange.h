/* The exchange of a block between ranks: the gradient, or the weights and states after local steps. The block is
 * divided into buckets, from its end. A separate thread exchanges each bucket as soon as this rank's sum of it is
 * complete: the gradients of the last layers are sent while the backward pass still forms the first layers' gradients.
 * When the pass has ended, the thread that waits exchanges the remaining buckets itself, if its team has no other
 * thread. The size of buckets and the time at which they are posted change no bit of the ordered sum, which is formed
 * for each element alone.
 *
 *     SB_TRY(sb_exchange_open(&exchange, ranks, net, is_fast));
 *     sb_exchange_post(exchange, block, first);          block[first ..] is this rank's sum; returns at once
 *     ...
 *     SB_TRY(sb_exchange_finish(exchange, block));       the whole block is the sum over all ranks
 *     sb_exchange_close(exchange);
 *
 * An ordered exchange: each rank sends slice q of its bucket to rank q, which adds the pieces in the tree of shards
 * (reduce.h); then each rank sends its sum to all. A fast exchange uses the engine's own sum.
 *
 * For a backend with device memory the exchange begins in sb_exchange_finish, on the thread that calls it, and the
 * ordered sums are formed on the device. Buckets go through host memory (exchange_staged.c), or from GPU to GPU if each
 * rank has its own GPU and NCCL is available (exchange_nccl.c).
 */
#pragma once

#include "net/net.h"
#include "rank/ranks.h"

enum { SB_EXCHANGE_BUCKET = 1 << 20 }; /* numbers; a network with fewer has one bucket */

typedef struct sb_exchange sb_exchange;

/* Open an exchange for blocks with as many numbers as the network has weights, in the memory of its backend. Ranks and
 * network stay the caller's and must outlive it. If ranks is NULL, *exchange is NULL. Every function accepts NULL: the
 * block is already the sum. */
sb_status sb_exchange_open(sb_exchange **exchange, sb_ranks *ranks, sb_net *net, bool is_fast);
void sb_exchange_close(sb_exchange *exchange); /* no exchange may be under way */

/* The first element of the first bucket that is wholly in block[first ..]. The end of the block if no bucket is, or if
 * the exchange can only begin with the whole block. */
size_t sb_exchange_first_whole(const sb_exchange *exchange, size_t first);

/* Tell the exchange that block[first ..] is this rank's sum; it begins to exchange the complete buckets. That memory
 * and the ranks must not be used until sb_exchange_finish. Called by one thread, for one block at a time, each time
 * with a smaller `first`. */
void sb_exchange_post(sb_exchange *exchange, sb_real *block, size_t first);

/* The whole block is this rank's sum: wait until it is the sum over all ranks, on every rank. Returns the first
 * failure, with its message; the block is then undefined. */
sb_status sb_exchange_finish(sb_exchange *exchange, sb_real *block);

/* For device memory: NCCL's version, "2.27.3", or why it is not used, "not used: rank 1 finds none". For host memory
 * "". */
const char *sb_exchange_nccl(const sb_exchange *exchange);

/* Times since the last call, in seconds. For device memory all three are equal, because the thread that exchanges also
 * waits. */
typedef struct sb_exchange_times {
    double seconds;  /* duration of the exchanges, with the addition of pieces */
    double of_ranks; /* the part of `seconds` that sb_rank_cost counts: without the addition */
    double waited;   /* time in which learning waited in sb_exchange_finish */
} sb_exchange_times;

sb_exchange_times sb_exchange_take_times(sb_exchange *exchange);

/* The exchange of a block between ranks: of the gradient, or of what local steps have made of the weights. The block is cut
 * into buckets, from its end, and each is exchanged as soon as this rank's sum of it is there, by a thread next to the team:
 * the last layers' gradients travel while the backward pass goes on to the first ones. What is not begun when the pass ends is
 * exchanged by the thread that waits for it, if that is a team of its own. Where buckets end, and when they are posted, changes
 * no bit of the ordered sum: it is formed for each element alone.
 *
 *     SB_TRY(sb_exchange_open(&exchange, ranks, net, is_fast));
 *     sb_exchange_post(exchange, block, first);          from `first` to the end it is this rank's sum; at once
 *     ...
 *     SB_TRY(sb_exchange_finish(exchange, block));       all of it is the sum over all ranks
 *     sb_exchange_close(exchange);
 *
 * Of each bucket, ordered: slice q of every rank's goes to rank q, which joins the pieces in the tree of shards
 * (reduce.h); then the slices go to all. Fast: the engine's own sum.
 *
 * Of a backend whose memory is a device's nothing is begun before sb_exchange_finish, whose thread then does all of it, with
 * the sums of the written order on the device: each bucket through memory of the host (exchange_staged.c), or, where each
 * rank has a GPU of its own and NCCL is there, from GPU to GPU (exchange_nccl.c).
 */
#ifndef SB_TRAIN_EXCHANGE_H
#define SB_TRAIN_EXCHANGE_H

#include "net/net.h"
#include "rank/ranks.h"

enum { SB_EXCHANGE_BUCKET = 1 << 20 }; /* numbers; a network with fewer has one bucket */

typedef struct sb_exchange sb_exchange;

/* For blocks of as many numbers as the network has weights, in the memory of its backend. Ranks and network stay the
 * caller's and outlive it. NULL ranks: *exchange is NULL, which every function takes: the block is the sum already. */
sb_status sb_exchange_open(sb_exchange **exchange, sb_ranks *ranks, sb_net *net, bool is_fast);
void sb_exchange_close(sb_exchange *exchange); /* nothing is under way */

/* The first element of the first bucket that lies in block[first ..] whole; the end of the block if none does,
 * or if nothing can be exchanged before all of it is there. */
size_t sb_exchange_first_whole(const sb_exchange *exchange, size_t first);

/* This rank's sum is in block[first ..], which is the exchange's until sb_exchange_finish: it begins with the buckets that
 * are whole. Between a post and the finish the ranks are the exchange's, too. Called by one thread; of one block at a time,
 * each time with a smaller `first`. */
void sb_exchange_post(sb_exchange *exchange, sb_real *block, size_t first);

/* The rest is there, too: wait until all of the block is the sum over the ranks, on each of them. What went wrong is
 * returned, with its sentence. */
sb_status sb_exchange_finish(sb_exchange *exchange, sb_real *block);

/* Of memory of a device: NCCL's version, "2.27.3", or why it is not used, "not used: rank 1 finds none". Else "". */
const char *sb_exchange_nccl(const sb_exchange *exchange);

/* Since the last call, in seconds. Of a device all three are the same: its thread does nothing else meanwhile. */
typedef struct sb_exchange_times {
    double seconds;  /* its exchanges took, with the adding of pieces */
    double of_ranks; /* of these are in sb_rank_cost, too: without the adding */
    double waited;   /* learning stood still in sb_exchange_finish */
} sb_exchange_times;

sb_exchange_times sb_exchange_take_times(sb_exchange *exchange);

#endif

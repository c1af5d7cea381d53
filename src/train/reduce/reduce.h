/* The reduction: the gradient of a batch from its shards' gradients, joined in a binary tree, level by level (0 + 1),
 * (2 + 3), ..., ((0 + 1) + (2 + 3)), ... Each + is one rounding in the number type of the gradient, of losses one
 * in double. A sum waits on its level until its neighbour is there, so that a gradient a level is all the memory it
 * takes, and one shard takes none.
 *
 * Ranks have neighbouring shards, so that each has the sum of a subtree, and the exchange between ranks (exchange.h) joins
 * those by the upper part of the tree. Of what the last shard's backward pass has formed it begins with while the pass
 * goes on.
 *
 *     SB_TRY(sb_reduce_open(&reduce, net, &plan));
 *     ... in a team, for shard = 0 .. reduce.n_shards - 1:
 *             sb_reduce_begin(&reduce, shard, &window); net->learn(net, &window, ...); sb_reduce_add(&reduce, shard);
 *     ... in the team: sb_reduce_join(&reduce);
 *     SB_TRY(sb_reduce_losses(&reduce, loss));
 *     sb_reduce_close(&reduce);
 */
#ifndef SB_TRAIN_REDUCE_H
#define SB_TRAIN_REDUCE_H

#include "data/shards.h"
#include "train/reduce/exchange.h"

enum { SB_REDUCE_LEVELS = 4 }; /* below the root of SB_SHARDS_MAX shards */

typedef struct sb_reduce_plan {
    int n_shards;          /* of the batch: a power of two up to SB_SHARDS_MAX, divided by the number of ranks */
    sb_ranks *ranks;       /* NULL: one process */
    sb_exchange *exchange; /* between them; the caller's; NULL: the same */
    sb_real *block;        /* device: what is summed, as many numbers as the network has weights; NULL: its gradient */
    const char *what;      /* the name of that */
} sb_reduce_plan;

typedef struct sb_reduce {
    sb_net *net;
    sb_reduce_plan plan;
    int n_shards, first;              /* of this rank; the number of its first one in the batch */
    sb_real *level[SB_REDUCE_LEVELS]; /* device: on level k the sum over 2^k shards that waits */
    double *loss;                     /* device: [n_shards][net->n_loss] */
    void *memory;                     /* of both */
    size_t end;                       /* of the last shard only the numbers before it are not added yet */
    sb_status status;                 /* of the last join, for the thread that opened it */
} sb_reduce;

/* For gradients and losses of a network, which stays the caller's and must outlive it. SB_E_USAGE: the ranks do not
 * divide the shards. On failure nothing stays open. */
sb_status sb_reduce_open(sb_reduce *reduce, sb_net *net, const sb_reduce_plan *plan);
void sb_reduce_close(sb_reduce *reduce); /* one of zeros, too */

/* Before a shard is learned from, 0, 1, ... of this rank's, in order: of the last one among ranks the window's `learned`
 * hands its gradient to the exchange as it is formed. For gradients alone, not for another block. */
void sb_reduce_begin(sb_reduce *reduce, int shard, sb_window *window);

/* By a team: take the gradient and the losses that the network has learned from a shard, 0, 1, ... of this rank's, in
 * order. After the last one net->grad, or the block that the plan names, is the sum over them. */
void sb_reduce_add(sb_reduce *reduce, int shard);

/* By a team, its thread 0 being the one that opened the ranks: net->grad becomes the sum over all ranks. What went wrong
 * is returned by sb_reduce_losses. */
void sb_reduce_join(sb_reduce *reduce);

/* Losses of the whole batch to the host: loss[net->n_loss]. */
sb_status sb_reduce_losses(const sb_reduce *reduce, double *loss);

/* The same of losses that the host has: of[plan.n_shards][net->n_loss], this rank's shards at their places. It
 * is the call's afterwards. */
sb_status sb_reduce_join_losses(const sb_reduce *reduce, double *of, double *loss);

/* Elements of a waiting sum by name, "gradient over 2 shards of encoder/w". False: they are none. */
bool sb_reduce_name(const sb_reduce *reduce, const void *memory, size_t n, char *text, size_t size);

#endif

/* The reduction: the gradient of a batch from its shards' gradients, joined in a binary tree, level by level (0 + 1),
 * (2 + 3), ..., ((0 + 1) + (2 + 3)), ... Each + is one rounding, in the number type of the gradient; losses are added
 * in double. A sum is kept on its level until its neighbor is complete, so the reduction needs memory for one gradient
 * a level, and none for one shard.
 *
 * Each rank has neighboring shards and forms the sum of a subtree. The exchange between ranks (exchange.h) adds these
 * sums by the upper part of the tree. It begins with finished parts of the gradient while the last shard's backward
 * pass still runs.
 *
 *     SB_TRY(sb_reduce_open(&reduce, net, &plan));
 *     ... in a team, for shard = 0 .. reduce.n_shards - 1:
 *             sb_reduce_begin(&reduce, shard, &window); net->learn(net, &window, ...); sb_reduce_add(&reduce, shard);
 *     ... in the team: sb_reduce_join(&reduce);
 *     SB_TRY(sb_reduce_losses(&reduce, loss));
 *     sb_reduce_close(&reduce);
 */
#pragma once

#include "data/shards.h"
#include "train/reduce/exchange.h"

enum { SB_REDUCE_LEVELS = 4 }; /* below the root of SB_SHARDS_MAX shards */

typedef struct sb_reduce_plan {
    int n_shards;          /* shards of the batch: a power of two up to SB_SHARDS_MAX and a multiple of the number of
                            * ranks */
    sb_ranks *ranks;       /* NULL: one process */
    sb_exchange *exchange; /* between the ranks; the caller's; NULL: one process */
    sb_real *block;        /* device: the numbers to add, as many as the network has weights; NULL: the network's
                            * gradient */
    const char *what;      /* name of the block, in messages */
} sb_reduce_plan;

typedef struct sb_reduce {
    sb_net *net;
    sb_reduce_plan plan;
    int n_shards, first;              /* shards of this rank; the number of its first shard in the batch */
    sb_real *level[SB_REDUCE_LEVELS]; /* device: on level k the sum over 2^k shards that is kept */
    double *loss;                     /* device: [n_shards][net->n_loss] */
    void *memory;                     /* of level and loss */
    size_t end;                       /* the last shard's numbers from `end` on are already added */
    sb_status status;                 /* of the last join; returned by sb_reduce_losses */
} sb_reduce;

/* Open the reduction of gradients and losses of a network, which stays the caller's and must outlive it. SB_E_USAGE:
 * the number of shards is not a multiple of the number of ranks. On failure nothing stays open. */
sb_status sb_reduce_open(sb_reduce *reduce, sb_net *net, const sb_reduce_plan *plan);
void sb_reduce_close(sb_reduce *reduce); /* one of zeros, too */

/* Call before learning from each shard of this rank, 0, 1, ... in order. Sets window->shard. For the last shard, if
 * there are several ranks, it also sets window->learned so that the gradient goes to the exchange while it is formed.
 * Only for gradients, not for another block. */
void sb_reduce_begin(sb_reduce *reduce, int shard, sb_window *window);

/* By a team: add the gradient and the losses of a shard of this rank, 0, 1, ... in order. After the last shard
 * net->grad, or the block of the plan, is the sum over this rank's shards. */
void sb_reduce_add(sb_reduce *reduce, int shard);

/* By a team whose thread 0 opened the ranks: net->grad becomes the sum over all ranks. sb_reduce_losses returns a
 * failure. */
void sb_reduce_join(sb_reduce *reduce);

/* Copy the losses of the whole batch to the host: loss[net->n_loss]. Also returns a failure of sb_reduce_join. */
sb_status sb_reduce_losses(const sb_reduce *reduce, double *loss);

/* The same for losses in host memory: of[plan.n_shards][net->n_loss], with this rank's shards at their places.
 * Overwrites `of`. */
sb_status sb_reduce_join_losses(const sb_reduce *reduce, double *of, double *loss);

/* Name of elements of a kept sum, "gradient over 2 shards of encoder/w". False: the memory is not of a kept sum. */
bool sb_reduce_name(const sb_reduce *reduce, const void *memory, size_t n, char *text, size_t size);

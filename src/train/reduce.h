/* The reduction: the gradient of a batch from those of its shards, joined in a binary tree, level by level (0 + 1),
 * (2 + 3), ..., ((0 + 1) + (2 + 3)), ... Each + is one rounding in the number type of the gradient, that of losses one
 * in double. A sum waits on its level until its neighbour is there, so that a gradient a level is all the memory it
 * takes, and one shard takes none.
 *
 *     SB_TRY(sb_reduce_open(&reduce, net, n_shards));
 *     ... in a team, for shard = 0 .. n_shards - 1: net->learn(...); sb_reduce_add(&reduce, shard);
 *     SB_TRY(sb_reduce_losses(&reduce, loss));
 *     sb_reduce_close(&reduce);
 */
#ifndef SB_TRAIN_REDUCE_H
#define SB_TRAIN_REDUCE_H

#include "train/shards.h"

enum { SB_REDUCE_LEVELS = 4 }; /* below the root of SB_SHARDS_MAX shards */

typedef struct sb_reduce {
    sb_net *net;
    int n_shards;
    sb_real *level[SB_REDUCE_LEVELS]; /* device: on level k the sum over 2^k shards that waits */
    double *loss;                     /* device: [n_shards][net->n_loss] */
    void *memory;                     /* of all of them */
} sb_reduce;

/* For gradients and losses of a network, which stays the caller's and must outlive it; n_shards is a power of two up to
 * SB_SHARDS_MAX. On failure nothing stays open. */
sb_status sb_reduce_open(sb_reduce *reduce, sb_net *net, int n_shards);
void sb_reduce_close(sb_reduce *reduce); /* one of zeros, too */

/* By a team: take the gradient and the losses that the network has learned from a shard, 0, 1, ... in order. After the
 * last one net->grad is the sum over all. */
void sb_reduce_add(const sb_reduce *reduce, int shard);

/* Losses of the whole batch to the host: loss[net->n_loss]. */
sb_status sb_reduce_losses(const sb_reduce *reduce, double *loss);

/* Elements of a waiting sum by name, "gradient over 2 shards of encoder/w". False: they are none. */
bool sb_reduce_name(const sb_reduce *reduce, const void *memory, size_t n, char *text, size_t size);

#endif

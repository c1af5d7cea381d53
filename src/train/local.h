/* Local SGD (arXiv 1805.09767): each shard of a batch makes --sync-every updates of its own, one after the other. These
 * local steps each take an equal part of the shard's samples. Then weights and optimizer states are averaged over the
 * shards. Ranks exchange weights and states once, whatever the number of steps.
 *
 *     w_s = w,  v_s = v                                    for every shard s = 0 .. S-1
 *     w_s, v_s = rule(w_s, v_s, gradient of step h)        h = 0 .. H-1; of the mean over N / (S H) samples
 *     w = (w_0 + ... + w_(S-1)) / S,  v in the same way    in the tree of shards (reduce.h); S is a power of two
 *
 * The steps of all shards begin from the same weights, so the bits do not depend on which rank computes which shard.
 * All steps use the learning rate of the update; rules that count updates count steps. Norm and hash of the gradient
 * are computed from the change w(before) - w(after) instead. One shard is plain training with batches of N / H samples.
 * Each shard has its own running values of batch norm, which are not averaged.
 *
 *     SB_TRY(sb_local_open(&local, &optimizer, &settings, &plan));
 *     SB_TRY(sb_local_update(&local, shard, lr, update, target, loss));
 *     sb_local_close(&local);
 */
#pragma once

#include "train/optimizer.h"
#include "train/reduce/reduce.h"

/* Weights, and the states of the optimizer. */
enum { SB_LOCAL_BLOCKS = 1 + SB_STATES_MAX_OF_OPTIMIZER };

typedef struct sb_local {
    int n_steps; /* steps of each shard between averages; 0: no local steps */
    const sb_optimizer *optimizer;
    int n_blocks;
    sb_reduce block[SB_LOCAL_BLOCKS]; /* the weights first */
    sb_real *start[SB_LOCAL_BLOCKS];  /* device: each block before the update */
    sb_real *spare;                   /* device: room for one */
    void *memory;                     /* of all of them */
} sb_local;

/* Open local steps for an optimizer and its network, if the settings ask for them. The optimizer stays the caller's,
 * outlives this object and must not move. SB_E_USAGE: the rule takes one step of all weights (lbfgs), or the network
 * does not classify. On failure nothing stays open. */
sb_status sb_local_open(sb_local *local, const sb_optimizer *optimizer, const sb_settings *settings,
                        const sb_reduce_plan *plan);
void sb_local_close(sb_local *local); /* one of zeros, too */

static inline bool sb_local_is_wanted(const sb_local *local)
{
    return local->n_steps > 0;
}

/* Update number `update` = 1, 2, ... from a window for each shard of this rank, at the rate lr. Starts and ends teams of
 * threads itself. loss[net->n_loss]: the losses of all samples of the batch, each computed with the weights before the
 * step that used it. */
sb_status sb_local_update(sb_local *local, const sb_window *shard, double lr, long update, sb_target target,
                          double *loss);

/* Name of elements in the memory of local steps, "weights over 2 shards of conv1/w". False: the memory is not of local
 * steps. */
bool sb_local_name(const sb_local *local, const void *memory, size_t n, char *text, size_t size);

/* Local SGD (arXiv 1805.09767): each shard of a batch makes --sync-every updates of its own, its local steps, each from as
 * many of its samples, one after the other; then the weights, and what the optimizer keeps, are averaged over the shards.
 * What is exchanged is the weights and each state, once, however many steps that are.
 *
 *     w_s = w,  v_s = v                                    for every shard s = 0 .. S-1
 *     w_s, v_s = rule(w_s, v_s, gradient of step h)        h = 0 .. H-1; of the mean over N / (S H) samples
 *     w = (w_0 + ... + w_(S-1)) / S,  v in the same way           in the tree of shards (reduce.h); S is a power of two
 *
 * The steps of all shards begin from the same weights, so that the bits do not depend on who makes which. The learning
 * rate is the update's in all steps; rules that count their updates count steps. What stands for the gradient afterwards,
 * in its norm and its hash, is the change w(before) - w(after). One shard is plain training with batches of N / H samples.
 * Running values of batch norm belong to groups, and these to shards, so that they are not averaged.
 *
 *     SB_TRY(sb_local_open(&local, &optimizer, &settings, &plan));
 *     SB_TRY(sb_local_update(&local, shard, lr, update, target, loss));
 *     sb_local_close(&local);
 */
#ifndef SB_TRAIN_LOCAL_H
#define SB_TRAIN_LOCAL_H

#include "train/optimizer.h"
#include "train/reduce/reduce.h"

/* Weights, and the states of the optimizer. */
enum { SB_LOCAL_BLOCKS = 1 + SB_STATES_MAX_OF_OPTIMIZER };

typedef struct sb_local {
    int n_steps; /* of each shard between averages; 0: not wanted */
    const sb_optimizer *optimizer;
    int n_blocks;
    sb_reduce block[SB_LOCAL_BLOCKS]; /* the weights first */
    sb_real *start[SB_LOCAL_BLOCKS];  /* device: each block as the update found it */
    sb_real *spare;                   /* device: room for one */
    void *memory;                     /* of all of them */
} sb_local;

/* For the network of an optimizer, which stays the caller's, outlives it and does not move; nothing where the settings do not ask for
 * local steps. SB_E_USAGE: the rule takes one step of all weights (lbfgs), or the network does not classify. On failure
 * nothing stays open. */
sb_status sb_local_open(sb_local *local, const sb_optimizer *optimizer, const sb_settings *settings,
                        const sb_reduce_plan *plan);
void sb_local_close(sb_local *local); /* one of zeros, too */

static inline bool sb_local_is_wanted(const sb_local *local)
{
    return local->n_steps > 0;
}

/* Update number `update` = 1, 2, ... from a window for each shard of this rank, at the rate lr. Starts and ends teams of
 * threads itself. loss[net->n_loss]: those of all samples of the batch, each by the weights that learned from it. */
sb_status sb_local_update(sb_local *local, const sb_window *shard, double lr, long update, sb_target target,
                          double *loss);

/* Elements of the memory of local steps by name, "weights over 2 shards of conv1/w". False: they are none. */
bool sb_local_name(const sb_local *local, const void *memory, size_t n, char *text, size_t size);

#endif

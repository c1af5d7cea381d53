/* A network with the reduction of its gradients, its optimizer and its learning rate schedule, and one update of them.
 * Code that trains, repeats, traces or times updates uses a trainer of this object (trainer.h).
 *
 *     sb_learner learner;
 *     SB_TRY(sb_learner_open(&learner, net, settings, NULL));
 *     SB_TRY(sb_learner_start(&learner, seed, 0));
 *     SB_TRY(sb_learner_update(&learner, batch.shard, 1, SB_GRADIENT_KEPT, &result));
 *     SB_TRY(sb_learner_link(&learner, sb_batch_hash(&batch), &link));
 *     sb_learner_close(&learner);
 */
#pragma once

#include "core/hash.h"
#include "core/sketch.h"
#include "train/average.h"
#include "train/local.h"
#include "train/optimizer.h"
#include "train/reduce/reduce.h"
#include "train/schedule.h"

typedef struct sb_learner {
    sb_net *net;
    sb_exchange *exchange; /* between ranks; NULL: one process */
    sb_reduce reduce;
    sb_optimizer optimizer;
    sb_average average;   /* of the weights, where the settings ask for one */
    sb_local local;       /* local steps of shards, where the settings ask for them */
    sb_settings settings; /* none of them auto */
    sb_target target;
    long epoch_updates; /* updates in one pass over the data: the schedule's epoch */
} sb_learner;

/* Set up shards, optimizer, schedule and target from the settings. The learner owns the network from here on; on
 * failure it closes the network, too. epoch_updates is 1; the caller may change it. SB_E_USAGE: the settings name an
 * unknown optimizer or schedule, or a warm-up that does not end before its schedule.
 *
 * ranks: NULL where it is alone. Each rank learns from its shards; the sum of the gradients is exchanged in each
 * update, so all have the same weights. The ranks must outlive the learner. */
sb_status sb_learner_open(sb_learner *learner, sb_net *net, const sb_settings *settings, sb_ranks *ranks);
void sb_learner_close(sb_learner *learner); /* one of zeros, too */

/* Draw the weights from a seed (sb_net_start) and set all states to their start values. */
sb_status sb_learner_start(sb_learner *learner, uint64_t seed, uint64_t ulp);

/* After the weights were set by other means: set the optimizer's states to zero and the average to the weights. */
void sb_learner_restart(sb_learner *learner);

/* Whether a step must keep the gradient. Where it need not, a network may learn faster, with the same bits. */
typedef enum sb_gradient { SB_GRADIENT_DROPPED, SB_GRADIENT_KEPT } sb_gradient;

/* The learning rate of update number `update` = 1, 2, ... */
double sb_learner_rate(const sb_learner *learner, long update);

/* Update number `update` = 1, 2, ... on a batch: forward and backward of the window of each shard of this rank in turn,
 * reduction, update. Starts and ends the team of threads itself. A trainer (trainer.h) chooses the right function for
 * any settings. SB_E_USAGE: the settings ask for training without gradients. */
sb_status sb_learner_update(sb_learner *learner, const sb_window *shard, long update, sb_gradient gradient,
                            sb_step_result *result);

/* The same by local steps of each shard and their average (local.h), for settings that have them. */
sb_status sb_learner_update_locally(sb_learner *learner, const sb_window *shard, long update, sb_step_result *result);

/* Forward and loss without backward, by a team, with the weights of training (not their average). */
sb_status sb_learner_infer(sb_learner *learner, const sb_window *window);

/* Copy the losses of the window inferred last to the host: loss[net->n_loss]. */
sb_status sb_learner_losses(sb_learner *learner, double *loss);

/* A block of parameters or of an optimizer's state on the host: *host is the device memory itself if the host can read
 * it, with *to_free NULL; else a copy, which the caller frees by *to_free. On failure, also of the device, *host and
 * *to_free are NULL. */
sb_status sb_learner_host_block(const sb_learner *learner, const sb_real *block, const sb_real **host, void **to_free);

/* Name of the n elements at `memory`: parameters, gradients, states of the optimizer, maps of the network. False: no
 * name. */
bool sb_learner_name(const sb_learner *learner, const void *memory, size_t n, char *text, size_t size);

/* -- hashes: learner_hash.c -- */

/* One entry of the hash chain: hashes of the batch, and of the gradient, optimizer state and weights after the
 * update. */
typedef struct sb_link {
    sb_hash batch, weights, optimizer, gradient;
} sb_link;

/* The hash of all weights, in the order of the parameter list: what `samebits step` prints. */
sb_status sb_learner_weights_hash(const sb_learner *learner, sb_hash *hash);

/* The hash of the optimizer's states in their order, and the hash of all carried states as planes [c][h][w], in the
 * network's order. */
sb_status sb_learner_optimizer_hash(const sb_learner *learner, sb_hash *hash);
sb_status sb_learner_state_hash(const sb_learner *learner, sb_hash *hash);

/* The entry of the chain after an update; batch: the hash of its batch (sb_batch_hash). */
sb_status sb_learner_link(const sb_learner *learner, sb_hash batch, sb_link *link);

/* The sketch of all weights, in the order of the parameter list. */
sb_status sb_learner_weights_sketch(const sb_learner *learner, double sketch[SB_SKETCH_BUCKETS]);

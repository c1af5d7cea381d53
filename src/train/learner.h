/* What learns: a network, the reduction of its gradients, its optimizer and learning rate schedule, and one update of
 * them. What trains, repeats, traces or times updates does it through a trainer of this object (trainer.h).
 *
 *     sb_learner learner;
 *     SB_TRY(sb_learner_open(&learner, net, settings));
 *     SB_TRY(sb_learner_start(&learner, seed, 0));
 *     SB_TRY(sb_learner_update(&learner, batch.shard, 1, SB_GRADIENT_KEPT, &result));
 *     SB_TRY(sb_learner_link(&learner, sb_batch_hash(&batch), &link));
 *     sb_learner_close(&learner);
 */
#ifndef SB_TRAIN_LEARNER_H
#define SB_TRAIN_LEARNER_H

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
    sb_local local;       /* local steps of shards, in the same way */
    sb_settings settings; /* none of them auto */
    sb_target target;
    long epoch_updates; /* that one pass over the data gives: what a schedule counts its epochs by */
} sb_learner;

/* The settings' shards, optimizer, schedule and target for a network, which is the learner's from here on, also on
 * failure: then nothing stays open. An epoch counts as one update. SB_E_USAGE: the settings name an optimizer or a
 * schedule that there is not, or a warm-up that does not end before its schedule. */
sb_status sb_learner_open(sb_learner *learner, sb_net *net, const sb_settings *settings);

/* The same, one of several ranks, which all learn the same from their shards; they must outlive it. Updates are then
 * exchanges. */
sb_status sb_learner_open_among(sb_learner *learner, sb_net *net, const sb_settings *settings, sb_ranks *ranks);
void sb_learner_close(sb_learner *learner); /* one of zeros, too */

/* Weights from a seed (sb_net_start), all states as they start. */
sb_status sb_learner_start(sb_learner *learner, uint64_t seed, uint64_t ulp);

/* After weights that came another way: states of the optimizer zero, the average equal to them. */
void sb_learner_restart(sb_learner *learner);

/* Whether a step must keep the gradient. Where it need not, a network may learn faster, with the same bits. */
typedef enum sb_gradient { SB_GRADIENT_DROPPED, SB_GRADIENT_KEPT } sb_gradient;

/* The learning rate of update number `update` = 1, 2, ... */
double sb_learner_rate(const sb_learner *learner, long update);

/* Update number `update` = 1, 2, ... on a batch, a window for each shard of this rank: forward and backward of one
 * after the other, reduce, update. Starts and ends the team of threads itself. A trainer (trainer.h)
 * finds the right function for any settings. SB_E_USAGE: the settings search without gradients. */
sb_status sb_learner_update(sb_learner *learner, const sb_window *shard, long update, sb_gradient gradient,
                            sb_step_result *result);

/* The same by local steps of each shard and their average (local.h), for settings that have them. */
sb_status sb_learner_update_locally(sb_learner *learner, const sb_window *shard, long update, sb_step_result *result);

/* Forward and loss alone, by a team, with the weights of training. */
sb_status sb_learner_infer(sb_learner *learner, const sb_window *window);

/* Losses of the window last inferred from to the host: loss[net->n_loss]. */
sb_status sb_learner_losses(sb_learner *learner, double *loss);

/* A block of parameters or of an optimizer's state on the host: the device memory itself where the host can read it,
 * else a copy that *to_free holds, the caller's. On failure, of the device too, *host and *to_free are NULL. */
sb_status sb_learner_host_block(const sb_learner *learner, const sb_real *block, const sb_real **host, void **to_free);

/* What lies in memory, by name: parameters, gradients, states of the optimizer, maps of the network. */
bool sb_learner_name(const sb_learner *learner, const void *memory, size_t n, char *text, size_t size);

/* -- hashes: learner_hash.c -- */

/* One link of the hash chain: what went in, and what came out. */
typedef struct sb_link {
    sb_hash batch, weights, optimizer, gradient;
} sb_link;

/* The hash of all weights, in the order of the parameter list: what `samebits step` prints. */
sb_status sb_learner_weights_hash(const sb_learner *learner, sb_hash *hash);

/* The hash of the optimizer's states one after the other, and the hash of all carried state as planes [c][h][w], in the
 * networks' order. */
sb_status sb_learner_optimizer_hash(const sb_learner *learner, sb_hash *hash);
sb_status sb_learner_state_hash(const sb_learner *learner, sb_hash *hash);

/* The link of the chain after a step; batch: what the step learned from, by sb_batch_hash. */
sb_status sb_learner_link(const sb_learner *learner, sb_hash batch, sb_link *link);

/* The sketch of all weights, in the order of the parameter list. */
sb_status sb_learner_weights_sketch(const sb_learner *learner, double sketch[SB_SKETCH_BUCKETS]);

#endif

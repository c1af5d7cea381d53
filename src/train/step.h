/* THE training step: forward, backward, one step of Adam. */
#ifndef SB_TRAIN_STEP_H
#define SB_TRAIN_STEP_H

#include "core/hash.h"
#include "core/sketch.h"
#include "net/net.h"

typedef struct sb_adam {
    double alpha, beta1, beta2, epsilon;
} sb_adam;
#define SB_ADAM_DEFAULT                                                                                                \
    {                                                                                                                  \
        .alpha = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8                                                   \
    }

/* The rates of update `update` = 1, 2, ... */
sb_adam_rates sb_adam_rates_of(const sb_adam *adam, long update);

typedef struct sb_step_result {
    double loss_last; /* of the window's last frame, before the update: what the study logged */
    double loss_mean; /* over the window */
    double grad_norm; /* NaN where the gradient was not kept */
} sb_step_result;

/* One link of the hash chain: what went in, and what came out. */
typedef struct sb_link {
    sb_hash batch, weights, optimiser, gradient;
} sb_link;

/* Whether a step must leave the gradient behind. Where it need not, a network may learn faster, with the same bits. */
typedef enum sb_gradient { SB_GRADIENT_DROPPED, SB_GRADIENT_KEPT } sb_gradient;

/* Update number `update` = 1, 2, ... of net on a window. Starts and ends the team of threads itself. */
sb_status sb_step_learn(sb_net *net, const sb_window *window, sb_target target, const sb_adam *adam, long update,
                        sb_gradient gradient, sb_step_result *result);

/* Losses of the last window to the host: loss[net->n_loss]. */
sb_status sb_step_losses(sb_net *net, double *loss);

/* Forward and loss alone, by a team. */
sb_status sb_step_infer(sb_net *net, const sb_window *window);

/* The hash of all weights, in the order of the parameter list: what `samebits step` prints. */
sb_status sb_step_weights_hash(sb_net *net, sb_hash *hash);

/* The hash of both moments of the optimiser, and that of all carried state as planes [c][h][w], in the networks' order. */
sb_status sb_step_optimiser_hash(sb_net *net, sb_hash *hash);
sb_status sb_step_state_hash(sb_net *net, sb_hash *hash);

/* The link of the chain after a step; batch: the bytes the step learned from. */
sb_status sb_step_link(sb_net *net, const void *batch, size_t n_bytes, sb_link *link);

/* The sketch of all weights, in the order of the parameter list. */
sb_status sb_step_weights_sketch(sb_net *net, double sketch[SB_SKETCH_BUCKETS]);

/* A block of parameters (weight, grad, moment1, moment2) on the host: the device memory itself where the host can read
 * it, else a copy that *to_free holds, the caller's. On failure, of the device too, *host and *to_free are NULL. */
sb_status sb_step_host_block(sb_net *net, const sb_real *block, const sb_real **host, void **to_free);

#endif

/* The optimizer of a network: its rule, a row of core/rows/optimizers.h, and the states that it keeps of the weights.
 *
 *     sb_optimizer optimizer;
 *     SB_TRY(sb_optimizer_open(&optimizer, net, settings));
 *     sb_optimizer_start(&optimizer);
 *     sb_rates rates = sb_optimizer_rates(&optimizer, lr, update);
 *     ... in a team: sb_optimizer_update(&optimizer, &rates);
 *     sb_optimizer_close(&optimizer);
 */
#ifndef SB_TRAIN_OPTIMIZER_H
#define SB_TRAIN_OPTIMIZER_H

#include "core/rows/setting.h"
#include "net/net.h"

typedef struct sb_optimizer {
    sb_optimizer_id id;
    const sb_optimizer_row *row;
    sb_settings settings; /* resolved */
    double n_summed;      /* samples over which gradients are summed; 0: they are means */
    sb_net *net;
    sb_real *state[SB_STATES_MAX_OF_OPTIMIZER]; /* device: params.total elements each; NULL after row->n_states */
    sb_real *memory;                            /* of all of them */
    /* Of layer-wise rules; device. */
    double *norm;            /* three for each tensor (ops/optimizer/block.h) */
    double *grad_norm2;      /* one for each tensor */
    double *partial;         /* of the largest tensor */
    sb_real *rate, *divisor; /* one for each tensor; one */
    double *product;         /* of quasi-Newton rules; device: products, coefficients, partial sums */
} sb_optimizer;

/* The numbers of one update for tensors of one kind. */
typedef struct sb_tensor_rates {
    union {
#define SB_RATES(A, id, ...) sb_##id##_rates id;
        SB_OPTIMIZERS(SB_RATES, SB_NO_STATE, )
#undef SB_RATES
    };
    sb_trust trust; /* of layer-wise rules */
} sb_tensor_rates;

/* The numbers of one update, by the kind of a tensor. Of an elementwise rule they differ only by the factors of the
 * settings lr_by_kind and decay_by_kind. */
typedef struct sb_rates {
    sb_tensor_rates of[SB_N_PARAM_KINDS];
} sb_rates;

/* The optimizer that the settings name, or where they search without gradients none, on the backend of the network;
 * which stays the caller's and must outlive it. SB_E_USAGE: there is none of that name, or its limits are no two
 * numbers. On failure nothing stays open. */
sb_status sb_optimizer_open(sb_optimizer *optimizer, sb_net *net, const sb_settings *settings);
void sb_optimizer_close(sb_optimizer *optimizer); /* one of zeros, too */

/* All states zero. */
void sb_optimizer_start(sb_optimizer *optimizer);

/* Of update number `update` = 1, 2, ... */
sb_rates sb_optimizer_rates(const sb_optimizer *optimizer, double lr, long update);

/* n elements of all blocks, from `offset` of the parameter list. */
sb_block sb_optimizer_block(const sb_optimizer *optimizer, size_t offset, size_t n);

/* Of a layer-wise rule, what the last update was made with, of each tensor in the order of the parameter list. */
typedef struct sb_tensor_norms {
    double weight, direction, ratio; /* |w| before it, |u| and the ratio (ops/optimizer/trust.h) */
} sb_tensor_norms;
bool sb_optimizer_has_norms(const sb_optimizer *optimizer);
sb_status sb_optimizer_read_norms(const sb_optimizer *optimizer, sb_tensor_norms *norms);

/* By a team: all weights from net->grad. */
void sb_optimizer_update(const sb_optimizer *optimizer, const sb_rates *rates);

/* By a team: the weights of one layer from the input and the gradient of the output of a single sample. Only where
 * sb_optimizer_has_one. */
bool sb_optimizer_has_one(const sb_optimizer *optimizer);
void sb_optimizer_update_one(const sb_optimizer *optimizer, const sb_rates *rates, const sb_dense *layer,
                             const sb_real *x, const sb_real *dy);

/* The rule by the host, on host memory; of one that is not elementwise with all that a block of it has. */
void sb_optimizer_update_host(const sb_optimizer *optimizer, const sb_tensor_rates *rates, const sb_block *block);

/* Elements of a state by name, "Adam's m of conv_a1/w". False: they are none. */
bool sb_optimizer_name(const sb_optimizer *optimizer, const void *memory, size_t n, char *text, size_t size);

#endif

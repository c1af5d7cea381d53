/* The optimizer of a network: its rule, a row of core/rows/optimizers.h, and its states for the weights.
 *
 *     sb_optimizer optimizer;
 *     SB_TRY(sb_optimizer_open(&optimizer, net, settings));
 *     sb_optimizer_start(&optimizer);
 *     sb_rates rates = sb_optimizer_rates(&optimizer, lr, update);
 *     ... in a team: sb_optimizer_update(&optimizer, &rates);
 *     sb_optimizer_close(&optimizer);
 */
#pragma once

#include "core/rows/setting.h"
#include "net/net.h"

typedef struct sb_optimizer {
    sb_optimizer_id id;
    const sb_optimizer_row *row;
    sb_settings settings; /* resolved */
    double n_summed;      /* number of samples over which gradients are summed; 0: gradients are means */
    sb_net *net;
    sb_real *state[SB_STATES_MAX_OF_OPTIMIZER]; /* device: params.total elements each; NULL after row->n_states */
    sb_real *memory;                            /* of all of them */
    /* For layer-wise rules; device memory. */
    double *norm;            /* three for each tensor (ops/optimizer/block.h) */
    double *grad_norm2;      /* one for each tensor */
    double *partial;         /* partial sums, enough for the largest tensor */
    sb_real *rate, *divisor; /* rate: one for each tensor; divisor: one number */
    double *product;         /* for quasi-Newton rules; device: products, coefficients, partial sums */
} sb_optimizer;

/* The numbers of one update for tensors of one kind. */
typedef struct sb_tensor_rates {
    union {
#define SB_RATES(A, id, ...) sb_##id##_rates id;
        SB_OPTIMIZERS(SB_RATES, SB_NO_STATE, )
#undef SB_RATES
    };
    sb_trust trust; /* for layer-wise rules */
} sb_tensor_rates;

/* The numbers of one update for each kind of tensor. For an elementwise rule, kinds differ only by the factors of the
 * settings lr_by_kind and decay_by_kind. */
typedef struct sb_rates {
    sb_tensor_rates of[SB_N_PARAM_KINDS];
} sb_rates;

/* Open the optimizer that the settings name, on the network's backend; for training without gradients, none. The
 * network stays the caller's and must outlive it. SB_E_USAGE: the optimizer is unknown, or its limits are not two
 * numbers. On failure nothing stays open. */
sb_status sb_optimizer_open(sb_optimizer *optimizer, sb_net *net, const sb_settings *settings);
void sb_optimizer_close(sb_optimizer *optimizer); /* one of zeros, too */

/* Set all states to zero. */
void sb_optimizer_start(sb_optimizer *optimizer);

/* The numbers of update number `update` = 1, 2, ... */
sb_rates sb_optimizer_rates(const sb_optimizer *optimizer, double lr, long update);

/* Pointers to weights, gradient and states of n elements, from `offset` in the parameter list. */
sb_block sb_optimizer_block(const sb_optimizer *optimizer, size_t offset, size_t n);

/* Norms and ratios of a layer-wise rule in the last update, for each tensor in the order of the parameter list. */
typedef struct sb_tensor_norms {
    double weight, direction, ratio; /* |w| before the update, |u|, and the trust ratio (ops/optimizer/trust.h) */
} sb_tensor_norms;
bool sb_optimizer_has_norms(const sb_optimizer *optimizer);
sb_status sb_optimizer_read_norms(const sb_optimizer *optimizer, sb_tensor_norms *norms);

/* By a team: update all weights by net->grad. */
void sb_optimizer_update(const sb_optimizer *optimizer, const sb_rates *rates);

/* By a team: update the weights of one layer from the input x and the output's gradient dy of a single sample. Only if
 * sb_optimizer_has_one. */
bool sb_optimizer_has_one(const sb_optimizer *optimizer);
void sb_optimizer_update_one(const sb_optimizer *optimizer, const sb_rates *rates, const sb_dense *layer,
                             const sb_real *x, const sb_real *dy);

/* Apply the rule on the host, to host memory. For a rule that is not elementwise, `block` needs all its members. */
void sb_optimizer_update_host(const sb_optimizer *optimizer, const sb_tensor_rates *rates, const sb_block *block);

/* Name of elements of a state, "Adam's m of conv_a1/w". False: the memory is not of a state. */
bool sb_optimizer_name(const sb_optimizer *optimizer, const void *memory, size_t n, char *text, size_t size);

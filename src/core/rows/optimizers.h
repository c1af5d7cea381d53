/* The optimizers, declared once: what the trainer can update weights with, and what a matrix file may name.
 *
 *     ROW(A, id, name, title, states, kind, one, settings)
 *
 * A         handed through
 * id        ops/optimizer/ID.h has the rule for one element; loops, kernels, hashes, paths and traces are made of it
 * title     how a sentence names it
 * states    S(m) S(v): what it keeps of each weight, zero at first; /NAME/m of a run file, one tensor a parameter
 * kind      ELEMENTWISE: each weight for itself. LAYERWISE: the learning rate of each tensor is adapted by norms of the
 *           whole tensor (ops/optimizer/trust.h); then ID.h says what of, and the rule is done tensor by tensor.
 *           QUASI_NEWTON: the step of each weight goes by products of whole gradients and steps; then all weights are
 *           one block
 * one       dense_learn_one: an operation of ops/slots.h that forms a gradient and applies the rule in one pass, with
 *           the same bits; NO_ONE: none
 * settings  the keys of the settings that not all optimizers have, this one among them (core/rows/setting.h), with \0
 *           between them, and with =DEFAULT where the default of the setting is auto; lr=DEFAULT where it is not the
 *           default of all. With :DEFAULT run files say `without` of a run with the default, as they did before the
 *           optimizer had the setting
 */
#pragma once

/* clang-format off */
#define SB_OPTIMIZERS(ROW, S, A)                                                                                       \
    ROW(A, adam, "adam", "Adam", S(m) S(v), ELEMENTWISE, dense_learn_one, "beta1:0.9\0beta2:0.999\0eps:1e-8")          \
    ROW(A, momentum_buffer, "momentum-buffer", "momentum", S(v), ELEMENTWISE, NO_ONE, "momentum\0weight_decay=0")      \
    ROW(A, nesterov_buffer, "nesterov-buffer", "Nesterov", S(v), ELEMENTWISE, NO_ONE, "momentum\0weight_decay=0")      \
    ROW(A, nesterov, "nesterov", "Nesterov", S(v), ELEMENTWISE, NO_ONE, "momentum\0weight_decay=0")                    \
    ROW(A, momentum, "momentum", "momentum", S(v), ELEMENTWISE, NO_ONE, "momentum\0weight_decay=0")                    \
    ROW(A, momentum_average, "momentum-average", "momentum", S(v), ELEMENTWISE, NO_ONE, "momentum\0weight_decay=0")    \
    ROW(A, sgd, "sgd", "SGD", , ELEMENTWISE, NO_ONE, "weight_decay=0")                                                 \
    ROW(A, adamw, "adamw", "AdamW", S(m) S(v), ELEMENTWISE, NO_ONE,                                                    \
        "beta1=0.9\0beta2=0.999\0eps=1e-8\0weight_decay=0.01\0max_norm=0")                                                   \
    ROW(A, rmsprop, "rmsprop", "RMSprop", S(v), ELEMENTWISE, NO_ONE, "beta2=0.99\0eps=1e-8\0weight_decay=0")           \
    ROW(A, adagrad, "adagrad", "Adagrad", S(v), ELEMENTWISE, NO_ONE, "eps=1e-10\0weight_decay=0")                      \
    ROW(A, lars, "lars", "LARS", S(v), LAYERWISE, NO_ONE, "momentum\0eta=0.001\0eps=0\0weight_decay=1e-4")             \
    ROW(A, lars_nesterov, "lars-nesterov", "LARS", S(v), LAYERWISE, NO_ONE,                                            \
        "momentum\0eta=0.001\0eps=0\0weight_decay=1e-4")                                                               \
    ROW(A, lars_average, "lars-average", "LARS", S(v), LAYERWISE, NO_ONE, "beta1=0.9\0weight_decay=0.01\0phi")         \
    ROW(A, lamb, "lamb", "LAMB", S(m) S(v), LAYERWISE, NO_ONE,                                                         \
        "beta1=0.9\0beta2=0.999\0eps=1e-6\0weight_decay=0.01\0phi")                                                    \
    ROW(A, lamb_uncorrected, "lamb-uncorrected", "LAMB", S(m) S(v), LAYERWISE, NO_ONE,                                 \
        "beta1=0.9\0beta2=0.999\0eps=1e-6\0weight_decay=0.01\0phi")                                                    \
    ROW(A, nvlamb, "nvlamb", "NVLAMB", S(m) S(v), LAYERWISE, NO_ONE,                                                   \
        "beta1=0.9\0beta2=0.999\0eps=1e-6\0weight_decay=0.01\0phi\0max_norm=1")                                        \
    ROW(A, lbfgs, "lbfgs", "L-BFGS", S(g) SB_TEN_STATES(S, y) SB_TEN_STATES(S, s), QUASI_NEWTON, NO_ONE,               \
        "lr=1\0weight_decay=0")

#define SB_TEN_STATES(S, x) S(x##1) S(x##2) S(x##3) S(x##4) S(x##5) S(x##6) S(x##7) S(x##8) S(x##9) S(x##10)
/* clang-format on */

#define SB_NO_STATE(name)

/* "adam|...": the words of the option and of the matrix key. */
#define SB_OPTIMIZER_WORD(A, id, name, ...) "|" name
#define SB_OPTIMIZER_WORDS                  (&(SB_OPTIMIZERS(SB_OPTIMIZER_WORD, SB_NO_STATE, ))[1])

/* SB_OPTIMIZER_adam, and SB_STATES_adam: how many states it keeps. */
typedef enum sb_optimizer_id {
#define SB_OPTIMIZER_ID(A, id, ...) SB_OPTIMIZER_##id,
    SB_OPTIMIZERS(SB_OPTIMIZER_ID, SB_NO_STATE, )
#undef SB_OPTIMIZER_ID
    SB_N_OPTIMIZERS,
    SB_NO_OPTIMIZER = SB_N_OPTIMIZERS, /* "none": weights are not found by gradients */
} sb_optimizer_id;

enum {
    SB_STATES_MAX_OF_OPTIMIZER = 21,
    SB_STATES_MAX_OF_ELEMENT = 2, /* of the rules for one weight */
#define SB_ONE_STATE(name)                                   +1
#define SB_OPTIMIZER_STATES(A, id, name, title, states, ...) SB_STATES_##id = 0 states,
    SB_OPTIMIZERS(SB_OPTIMIZER_STATES, SB_ONE_STATE, )
#undef SB_OPTIMIZER_STATES
#undef SB_ONE_STATE
};

enum { SB_OPTIMIZER_GROUP = 40 };

typedef enum sb_optimizer_kind { SB_ELEMENTWISE, SB_LAYERWISE, SB_QUASI_NEWTON } sb_optimizer_kind;

typedef struct sb_optimizer_row {
    const char *name, *title;
    sb_optimizer_kind kind;
    int n_states;
    const char *state[SB_STATES_MAX_OF_OPTIMIZER + 1]; /* ended by NULL */
} sb_optimizer_row;

extern const sb_optimizer_row sb_optimizers[SB_N_OPTIMIZERS + 1]; /* the last one keeps nothing: SB_NO_OPTIMIZER */

/* SB_N_OPTIMIZERS if there is none of that name, as "none" is no optimizer. */
sb_optimizer_id sb_optimizer_find(const char *name);

/* Where a run file keeps a state: "adam/m". */
void sb_optimizer_group(sb_optimizer_id id, int state, char group[SB_OPTIMIZER_GROUP]);

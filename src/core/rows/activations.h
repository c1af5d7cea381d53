/* The activation functions, declared once: what a layer can end with, and what a matrix file or a list of layers may
 * name. Their formulas and gradients are ops/point/activation.h.
 *
 *     ROW(id, name)
 */
#pragma once

/* clang-format off */
#define SB_ACTIVATIONS(ROW)                                                                                            \
    ROW(linear, "linear")                                                                                              \
    ROW(relu, "relu")                                                                                                  \
    ROW(sigmoid, "sigmoid")                                                                                            \
    ROW(tanh, "tanh")                                                                                                  \
    ROW(celu, "celu")                                                                                                  \
    ROW(gelu, "gelu")                                                                                                  \
    ROW(silu, "silu")                                                                                                  \
    ROW(gelu_tanh, "gelutanh")
/* clang-format on */

#define SB_ACTIVATION_ID(id, name) SB_ACTIVATION_##id,
typedef enum sb_activation { SB_ACTIVATIONS(SB_ACTIVATION_ID) SB_N_ACTIVATIONS } sb_activation;

extern const char *const sb_activation_name[SB_N_ACTIVATIONS];

/* SB_N_ACTIVATIONS if there is none of that name. */
sb_activation sb_activation_find(const char *name);

/* "linear|relu|...": the words of an option or of a key. */
#define SB_ACTIVATION_WORD(id, name) "|" name
#define SB_ACTIVATION_WORDS          (&(SB_ACTIVATIONS(SB_ACTIVATION_WORD))[1])

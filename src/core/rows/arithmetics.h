/* The arithmetics of the backends in a written order, declared once: the words of --arithmetic, what `info` says of
 * them, and which rules of a GPU each imitates on the CPU (docs/imitations.md).
 *
 *     ROW(id, name, rules, settings, summary)
 *
 * rules     what it changes of `direct`, as bits. Code asks for a bit, never for a name
 * settings  the keys of the settings that only some arithmetics have, this one among them (core/rows/setting.h), with
 *           \0 between them
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_arithmetic_rule {
    SB_IMITATED_ATOMICS = 1 << 0,   /* the terms of a sum in an order drawn anew for each operation */
    SB_IMITATED_TF32 = 1 << 1,      /* factors of products rounded to TF32 */
    SB_IMITATED_FLUSH = 1 << 2,     /* subnormal numbers are zero, as inputs and as results */
    SB_IMITATED_FUNCTIONS = 1 << 3, /* exp, tanh, division and square root as far off as CUDA says of its own */
    SB_IMITATED_UNFUSED = 1 << 4,   /* a product is rounded before it is added */
    SB_IMITATED_TIES = 1 << 5,      /* of equal largest numbers pooling takes the last */
    SB_IMITATED_ALL = (1 << 6) - 1,
    SB_RULE_WINOGRAD = 1 << 6, /* Winograd's algorithm */
    SB_RULE_TINY = 1 << 7,     /* tiny results are zero (ops/order.h) */
} sb_arithmetic_rule;

/* clang-format off */
#define SB_ARITHMETICS(ROW)                                                                                            \
    ROW(direct, "direct", 0, "", "the plain sums")                                                                     \
    ROW(winograd, "winograd", SB_RULE_WINOGRAD, "",                                                                    \
        "Winograd's algorithm in wide layers, a quarter of their multiplications")                                     \
    ROW(winograd_flush, "winograd-flush", SB_RULE_WINOGRAD | SB_RULE_TINY, "",                                         \
        "winograd with results below 2^-63 as zeros, which leaves few subnormal numbers")                              \
    ROW(imitate_atomics, "imitate-atomics", SB_IMITATED_ATOMICS, "draw",                                               \
        "direct with the terms of each sum in an order drawn anew")                                                    \
    ROW(imitate_tf32, "imitate-tf32", SB_IMITATED_TF32, "",                                                            \
        "direct with the factors of products rounded to TF32")                                                         \
    ROW(imitate_flush, "imitate-flush", SB_IMITATED_FLUSH, "", "direct with subnormal numbers as zeros")               \
    ROW(imitate_functions, "imitate-functions", SB_IMITATED_FUNCTIONS, "",                                             \
        "direct with the errors of CUDA's exp, tanh, division and square root")                                        \
    ROW(imitate_unfused, "imitate-unfused", SB_IMITATED_UNFUSED, "",                                                   \
        "direct with products rounded before they are added")                                                          \
    ROW(imitate_ties, "imitate-ties", SB_IMITATED_TIES, "",                                                            \
        "direct with pooling that takes the last of equal numbers")                                                    \
    ROW(imitate_gpu, "imitate-gpu", SB_IMITATED_ALL, "draw", "all of these imitations at once")
/* clang-format on */

/* "direct|winograd|...": the words of the option and of the matrix key. */
#define SB_ARITHMETIC_WORD(id, name, rules, settings, summary) "|" name
#define SB_ARITHMETIC_WORDS                                    (&(SB_ARITHMETICS(SB_ARITHMETIC_WORD))[1])

typedef struct sb_arithmetic {
    const char *name, *summary;
    unsigned rules; /* bits of sb_arithmetic_rule */
} sb_arithmetic;

/* The table, ended by a row without a name. */
extern const sb_arithmetic sb_arithmetics[];

/* NULL if there is none of that name; NULL itself is direct. */
const sb_arithmetic *sb_arithmetic_find(const char *name);

/* The rules of that arithmetic, all and those of a GPU; 0 for a name that is none. */
unsigned sb_arithmetic_rules(const char *name);
unsigned sb_arithmetic_imitated(const char *name);

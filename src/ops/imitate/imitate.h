/* Imitations: the CPU computes by single rules of a GPU. The imitations of core/rows/arithmetics.h change native's
 * `direct` sums. docs/imitations.md describes the rule, the source and the limits of each.
 *
 *     SB_NATIVE(sb_ops_native)(ops);                     the slots of `direct`
 *     sb_imitation_open(ops, &imitates, fill)            the slots that the imitations change
 *
 * An imitation has the same bits with any number of threads and any instruction set, as order.h requires of every
 * arithmetic. Only float32.
 */
#pragma once

#include "core/rows/arithmetics.h"
#include "ops/context.h"

typedef struct sb_imitates {
    unsigned set;        /* bits of sb_arithmetic_rule */
    uint64_t seed, draw; /* random orders are drawn from these numbers */
} sb_imitates;

struct sb_imitation {
    sb_imitates of;
    void *orders; /* of the current operation */
    size_t room;  /* bytes of orders */
    bool lost;    /* there was not enough memory */
};

/* Fills the slots that the imitations of `set` change, with kernels of one instruction set. */
typedef void sb_imitation_fill(sb_ops *ops, unsigned set);

/* Fill ops; its context owns the imitation, which sb_imitation_close frees. SB_E_MEMORY. SB_E_MISSING: this CPU cannot
 * flush subnormal numbers, which ops/subnormal.h does afterwards. */
sb_status sb_imitation_open(sb_ops *ops, const sb_imitates *of, sb_imitation_fill *fill);
void sb_imitation_close(sb_imitation *imitation); /* NULL does nothing */

static inline bool sb_imitates_any(const sb_ops *ops, unsigned bits)
{
    return (sb_context_of(ops)->imitation->of.set & bits) != 0;
}

/* The place of a term in a sum whose terms are in several stretches of memory. */
typedef struct sb_place {
    int32_t stretch, k;
} sb_place;

/* Orders of the sums of one operation. first and place: the order of the terms of all stretches together, as indices
 * and as places. second: an order of n_second other indices. They are ascending or, if atomics are imitated, permuted
 * by Philox with the key (seed, draw, update, number of the operation). NULL: not enough memory; the operation returns,
 * and ops->error reports it. */
typedef struct sb_orders {
    const uint32_t *first, *second;
    const sb_place *place;
    uint32_t n_first;
} sb_orders;

/* Called by all threads of the team; the result is valid until the next operation draws. */
sb_orders sb_imitation_draw(sb_ops *ops, int n_stretches, const int *n_k, int n_second);

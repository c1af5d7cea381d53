/* What a GPU does otherwise, done by the CPU: the imitations of core/rows/arithmetics.h on top of native's plain sums.
 * docs/imitations.md says what each stands for, with its source, and what it leaves out.
 *
 *     SB_NATIVE(sb_ops_native)(ops);                     the slots of `direct`
 *     sb_imitation_open(ops, &imitates, fill)            those that an imitation changes
 *
 * An imitation computes the bits that its definition has on any number of threads and with any instruction set, as
 * order.h asks of every arithmetic. float32 alone.
 */
#ifndef SB_OPS_IMITATE_IMITATE_H
#define SB_OPS_IMITATE_IMITATE_H

#include "core/rows/arithmetics.h"
#include "ops/context.h"

typedef struct sb_imitates {
    unsigned set;        /* bits of sb_imitated */
    uint64_t seed, draw; /* what the orders are drawn from */
} sb_imitates;

struct sb_imitation {
    sb_imitates of;
    sb_ops inner; /* flush: the slots that are called in its mode */
    void *orders; /* of the operation in work */
    size_t room;  /* bytes of it */
    bool lost;    /* memory was short */
};

/* The slots that the imitations of `set` change, from kernels of one instruction set. */
typedef void sb_imitation_fill(sb_ops *ops, unsigned set);

/* Fill ops, whose context then owns what they need. SB_E_MEMORY; SB_E_MISSING: this CPU cannot flush. */
sb_status sb_imitation_open(sb_ops *ops, const sb_imitates *of, sb_imitation_fill *fill);
void sb_imitation_close(sb_imitation *imitation); /* NULL is fine */

/* Every slot with subnormal numbers as zeros, in the mode of whichever thread calls it, which is restored. */
bool sb_flush_available(void);
void sb_flush_fill(sb_ops *ops);

static inline bool sb_imitates_any(const sb_ops *ops, unsigned bits)
{
    return (sb_context_of(ops)->imitation->of.set & bits) != 0;
}

/* A term of a sum whose terms lie in several stretches. */
typedef struct sb_place {
    int32_t stretch, k;
} sb_place;

/* The orders of one operation, as written, or, where atomics are imitated, permuted by Philox keyed by (seed, draw,
 * update, number of the operation): of the terms of some stretches together, as indices and as places, and of another
 * n_second indices. NULL where memory was short: the operation returns, and ops->error says so. */
typedef struct sb_orders {
    const uint32_t *first, *second;
    const sb_place *place;
    uint32_t n_first;
} sb_orders;

/* By all threads of the team; valid until the next operation draws. */
sb_orders sb_imitation_draw(sb_ops *ops, int n_stretches, const int *n_k, int n_second);

#endif

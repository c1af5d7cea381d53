/* Causal self-attention of several heads (Vaswani et al., arXiv 1706.03762): each position reads itself and the
 * positions before it.
 *
 * x has one row of T pixels, a pixel for each position, and 3 width channels: queries q, keys k, values v, each of
 * `heads` heads of d = width / heads channels. y has width channels, head after head. For each sample and head, with
 * a = 1 / sqrt(d) rounded to the number type and j <= i:
 *
 *     z_ij = a (chain over d of q_i k_j, from 0)
 *     m_i = max over j of z_ij, of NaNs none        e_ij = e^(z_ij - m_i)
 *     l_i = sum over j of e_ij                      r_i = 1 / l_i
 *     y_i = r_i (chain over j, ascending, of e_ij v_j, from 0)
 *
 *     p_ij = e_ij r_i                               dp_ij = chain over d of dy_i v_j, from 0
 *     D_i = sum over d of dy_i y_i                  s_ij = p_ij (dp_ij - D_i)
 *     dq_i = a (chain over j <= i, ascending, of s_ij k_j, from 0)
 *     dk_j = a (chain over i >= j, ascending, of s_ij q_i, from 0)
 *     dv_j = chain over i >= j, ascending, of p_ij dy_i, from 0
 *
 * The two sums: SB_ORDER_LANES chains from 0, term k in chain k mod SB_ORDER_LANES, joined by halves (order.h); terms
 * of l are added, products of D by fma. Chains over i and j end with + 0, so that a zero has no sign. Then terms of j > i
 * may be added, too, with e_ij, p_ij and s_ij of 0. Nothing of T x T numbers is kept: the backward pass forms z again,
 * from m and r. The same bits are promised for
 * finite numbers: how far NaN and infinity spread may differ. */
#pragma once

#include "ops/order.h"

#include <stddef.h>

typedef struct sb_attention {
    int heads, width;
    sb_real *statistics; /* sb_attention_size bytes of device memory, kept until the backward pass */
    void *scratch;       /* ops->attention_scratch_size bytes, used within one operation */
} sb_attention;

/* Of position i of a head: statistics[(sample heads + head) T + i]. */
typedef struct sb_attention_row {
    sb_real largest, inverse; /* m, r */
} sb_attention_row;

static inline size_t sb_attention_size(const sb_attention *attention, int n, int context)
{
    return (size_t)n * attention->heads * context * sizeof(sb_attention_row);
}

SB_HOST_DEVICE sb_real sb_attention_factor(int depth)
{
    return (sb_real)(1 / sqrt((double)depth));
}

/* e_ij from the chain over d. */
SB_HOST_DEVICE sb_real sb_attention_term(sb_real chain, sb_real factor, sb_real largest)
{
    return sb_exp(factor * chain - largest);
}

/* Add the lanes by halves. Overwrites them. */
SB_HOST_DEVICE sb_real sb_attention_join(sb_real lane[SB_ORDER_LANES])
{
    for (int half = SB_ORDER_LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++) lane[l] += lane[l + half];
    return lane[0];
}

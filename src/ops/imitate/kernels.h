/* Kernels of the imitations: one function for each file and instruction set, which fills slots, and the tile of chains
 * that they share. */
#pragma once

#include "ops/imitate/imitate.h"
#include "ops/kernel_native.h"
#include "ops/native.h"

/* As SB_KERNEL (kernel_native.h), starting from 0, over the terms of all stretches in the given order: place[i], i < n,
 * is the i-th term of the sum. fused: one rounding a term; else the product is rounded first. */
void SB_NATIVE(sb_ordered_kernel)(bool fused, int n_rows, int n_vecs, const sb_stretch *stretch, uint32_t n,
                                  const sb_place *place, sb_real *c, ptrdiff_t c_row);

/* Each fills the slots that `set` changes. */
void SB_NATIVE(sb_conv_imitated)(sb_ops *ops, unsigned set);
void SB_NATIVE(sb_dense_imitated)(sb_ops *ops, unsigned set);
void SB_NATIVE(sb_point_imitated)(sb_ops *ops, unsigned set);

/* Fills all slots of the set, and the elementwise operations of a variant. */
sb_imitation_fill SB_NATIVE(sb_ops_imitated);

/* Fills the elementwise operations and the optimizers of a variant (elementwise.c). */
void SB_NATIVE(sb_elementwise)(sb_ops *ops);

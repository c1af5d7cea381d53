/* The imitations' own kernels, one fill function per file and instruction set, and the tile of chains they share. */
#ifndef SB_OPS_IMITATE_KERNELS_H
#define SB_OPS_IMITATE_KERNELS_H

#include "ops/imitate/imitate.h"
#include "ops/kernel_native.h"
#include "ops/native.h"

/* As SB_KERNEL (kernel_native.h), from 0, over the places of all stretches together in any order: place i < n is term
 * i of the stretches one after the other. fused: each term one rounding; else its product is rounded first. */
void SB_NATIVE(sb_ordered_kernel)(bool fused, int n_rows, int n_vecs, const sb_stretch *stretch, uint32_t n,
                                  const sb_place *place, sb_real *c, ptrdiff_t c_row);

/* Each fills the slots that `set` changes. */
void SB_NATIVE(sb_conv_imitated)(sb_ops *ops, unsigned set);
void SB_NATIVE(sb_dense_imitated)(sb_ops *ops, unsigned set);
void SB_NATIVE(sb_point_imitated)(sb_ops *ops, unsigned set);

/* All of them, and the elementwise operations of a variant. */
sb_imitation_fill SB_NATIVE(sb_ops_imitated);

/* The elementwise operations and the optimizers in a variant (elementwise.c). */
void SB_NATIVE(sb_elementwise)(sb_ops *ops);

#endif

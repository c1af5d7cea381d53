/* The one inner loop of the native backend: a tile of chains. */
#ifndef SB_OPS_KERNEL_NATIVE_H
#define SB_OPS_KERNEL_NATIVE_H

#include "ops/simd.h"

#include <stddef.h>
#include <stdint.h>

/* For each row m < n_rows (1 .. SB_TILE_ROWS) and column j < n_vecs * SB_LANES (n_vecs 1 .. SB_TILE_VECS):
 *     tile[m][j] = chain over k < n_k of  a[m * a_row + a_offset[k]] * b[k * b_row + j],  starting at tile[m][j]
 * tile is [n_rows][n_vecs * SB_LANES], packed. */
void SB_NATIVE(sb_kernel)(int n_rows, int n_vecs, int n_k, const sb_real *a, ptrdiff_t a_row, const int32_t *a_offset,
                          const sb_real *b, ptrdiff_t b_row, sb_real *tile);

#endif

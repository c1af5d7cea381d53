/* The products of `winograd`, one for each of the 36 elements of the domain (z). Rows begin at multiples of four
 * numbers (sb_domain_pitch), so that four numbers are copied at once. The padding of a row is read; its results are
 * stored in padding, which is never used.
 *
 * forward product   c[z][m][t] = a chain over the parts in their order and channels k of a[z][k][m] * b[z][k][t];
 *                   or += : the chain that c holds goes on
 * weight product    c[z][m][j] += a chain over frames and tiles t of a[z][m][t] * b[z][j][t]; c's rows are not filled
 *                   up
 *
 * A chunk of the chain is in shared memory while the next chunks are being copied. domain_product_body.h
 * holds the forward product, once for each size of tile below; domain_weight_product.h the other.
 */
#pragma once

#include "ops/kernels/domain.h"
#include "ops/kernels/product.h"

typedef struct sb_domain_part {
    const sb_real *a, *b;
    int n_k;  /* channels */
    int skip; /* 1: of an upsampled map, points of zeros are left out */
} sb_domain_part;

typedef struct sb_domain_product_args {
    sb_domain_part part[SB_PRODUCT_PARTS];
    sb_real *c;
    int n_parts, m, n; /* n: tiles */
    int adds;          /* 1: += */
} sb_domain_product_args;

typedef struct sb_domain_weight_product_args {
    const sb_real *a[SB_PRODUCT_FRAMES], *b[SB_PRODUCT_FRAMES];
    sb_real *c;
    int n_frames, m, n, tiles;
    int skip; /* as above */
} sb_domain_weight_product_args;

/* The point that blocks z compute where the points that an upsampled map leaves out come last: those blocks are short and
 * fill the end of a launch. */
SB_HOST_DEVICE int sb_domain_point(int z)
{
    enum { SIDE = 6, KEPT = SIDE - 1, LEFT_OUT = 2 /* row and column, see SB_WINOGRAD_SKIPS */ };
    int row = z / KEPT, column = z % KEPT, last = z - SB_POINTS_KEPT; /* last: along the row, then down the column */
    if (last < 0) return SIDE * (row + (row >= LEFT_OUT)) + column + (column >= LEFT_OUT);
    if (last < SIDE) return SIDE * LEFT_OUT + last;
    last -= SIDE;
    return SIDE * (last + (last >= LEFT_OUT)) + LEFT_OUT;
}

/* The published size has 300, 80 and 20 tiles. Tall tiles reuse most; flat ones give more blocks; narrow ones
 * waste less where there are few tiles. Chosen by counting instructions, blocks and waves on an H200, not measured.
 * Tiles that are named by their rows and columns have 8x8 results a thread, or 8x4 where there are few tiles: a device
 * loads half as many numbers for each of them. No device has run these yet. domain_tiles.h chooses. */
#define SB_BODY     domain_tall
#define SB_CHUNK    16
#define SB_STAGES   3
#define SB_RESIDENT 3
#define SB_M        64
#define SB_N        80
#define SB_M_EACH   8
#define SB_N_EACH   4
#define SB_STRAIGHT 0
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_flat
#define SB_CHUNK    16
#define SB_STAGES   3
#define SB_RESIDENT 5
#define SB_M        32
#define SB_N        80
#define SB_M_EACH   4
#define SB_N_EACH   4
#define SB_STRAIGHT 0
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_narrow
#define SB_CHUNK    16
#define SB_STAGES   4
#define SB_RESIDENT 7
#define SB_M        64
#define SB_N        24
#define SB_M_EACH   4
#define SB_N_EACH   4
#define SB_STRAIGHT 0
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_128x128
#define SB_CHUNK    8
#define SB_STAGES   4
#define SB_RESIDENT 2
#define SB_M        128
#define SB_N        128
#define SB_M_EACH   8
#define SB_N_EACH   8
#define SB_STRAIGHT 1
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_64x128
#define SB_CHUNK    16
#define SB_STAGES   4
#define SB_RESIDENT 3
#define SB_M        64
#define SB_N        128
#define SB_M_EACH   8
#define SB_N_EACH   8
#define SB_STRAIGHT 1
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_64x64
#define SB_CHUNK    16
#define SB_STAGES   4
#define SB_RESIDENT 6
#define SB_M        64
#define SB_N        64
#define SB_M_EACH   8
#define SB_N_EACH   8
#define SB_STRAIGHT 1
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_96x80
#define SB_CHUNK    16
#define SB_STAGES   4
#define SB_RESIDENT 3
#define SB_M        96
#define SB_N        80
#define SB_M_EACH   8
#define SB_N_EACH   8
#define SB_STRAIGHT 1
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_48x80
#define SB_CHUNK    16
#define SB_STAGES   4
#define SB_RESIDENT 6
#define SB_M        48
#define SB_N        80
#define SB_M_EACH   8
#define SB_N_EACH   8
#define SB_STRAIGHT 1
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_128x24
#define SB_CHUNK    16
#define SB_STAGES   4
#define SB_RESIDENT 5
#define SB_M        128
#define SB_N        24
#define SB_M_EACH   8
#define SB_N_EACH   4
#define SB_STRAIGHT 1
#include "ops/kernels/domain_product_body.h"

#define SB_BODY     domain_64x32
#define SB_CHUNK    16
#define SB_STAGES   4
#define SB_RESIDENT 8
#define SB_M        64
#define SB_N        32
#define SB_M_EACH   8
#define SB_N_EACH   4
#define SB_STRAIGHT 1
#include "ops/kernels/domain_product_body.h"

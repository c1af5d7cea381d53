/* The products of convolutions: every output one chain of order.h in one register, outputs in tiles.
 *
 * forward product   c[z][m][j] = start[m], then a chain over the parts in their order and k of
 *                   a[z][k][m] * b[z][offset(k) + place(j)]
 *   `direct`        k = (channel, tap), b: padded maps [channels][h+2][w+2], j = pixels of h x w, z = 1
 *   `winograd`      k = channel, b: points [36][channels][tiles], j = tiles, z = points
 *
 * weight product    c[z][m][j] += for each frame: a[z][m][k] * b[z][j][k]
 *   `direct`        for each row of the map a chain over its pixels k from 0; the sums of the rows are added one after
 *                   the other; a: padded dy, b: padded x, j = (channel, tap)
 *   `winograd`      one chain that goes on from c over tiles k of all frames; a: M, b: V, j = channels, z = points
 *
 * A step fetches the next chunk of k into registers, works on the last one, and puts the fetched one into the other
 * half of the shared memory: one wait per chunk, loads in flight under the arithmetic. product_body.h holds the code,
 * once for each form and size of tile below.
 */
#ifndef SB_OPS_KERNELS_PRODUCT_H
#define SB_OPS_KERNELS_PRODUCT_H

#include "ops/kernels/kernel.h"
#include "ops/winograd.h"

enum { SB_PRODUCT_PARTS = 3, SB_PRODUCT_FRAMES = 4 };

typedef struct sb_product_part {
    const sb_real *a, *b;
    long n_k;  /* length of the chain */
    long skip; /* 1: of an upsampled map, points of zeros are left out */
} sb_product_part;

typedef struct sb_product_args {
    sb_product_part part[SB_PRODUCT_PARTS];
    const sb_real *start; /* [m] or NULL: 0 */
    sb_real *c;           /* [z][m][n] */
    int n_parts, m, n;
    int w;      /* pixels of a row of the map */
    long plane; /* elements of one channel of b */
} sb_product_args;

typedef struct sb_weight_product_args {
    const sb_real *a[SB_PRODUCT_FRAMES], *b[SB_PRODUCT_FRAMES];
    sb_real *c;    /* [z][m][n] */
    sb_real *rows; /* direct: not NULL: block z stores the sums of row z, [h][m][n], and adds nothing */
    int n_frames, m, n;
    int h, w; /* direct: size of the map; winograd: 1, tiles */
    int skip; /* as above */
} sb_weight_product_args;

/* Large tiles reuse most; medium ones give more blocks; thin ones waste less where there are few outputs. One thread
 * per column, so that a thread fetches from one place. */
#define SB_BODY   large
#define SB_TAPS   9
#define SB_CHUNK  9
#define SB_M      64
#define SB_N      128
#define SB_M_EACH 8
#define SB_N_EACH 8
#include "ops/kernels/product_body.h"

#define SB_BODY   medium
#define SB_TAPS   9
#define SB_CHUNK  9
#define SB_M      32
#define SB_N      64
#define SB_M_EACH 8
#define SB_N_EACH 4
#include "ops/kernels/product_body.h"

#define SB_BODY   thin
#define SB_TAPS   9
#define SB_CHUNK  9
#define SB_M      16
#define SB_N      64
#define SB_M_EACH 4
#define SB_N_EACH 4
#include "ops/kernels/product_body.h"

#define SB_BODY   points_large
#define SB_TAPS   1
#define SB_CHUNK  8
#define SB_M      64
#define SB_N      128
#define SB_M_EACH 8
#define SB_N_EACH 8
#include "ops/kernels/product_body.h"

#define SB_BODY   points
#define SB_TAPS   1
#define SB_CHUNK  8
#define SB_M      32
#define SB_N      64
#define SB_M_EACH 8
#define SB_N_EACH 4
#include "ops/kernels/product_body.h"

#define SB_BODY   weights
#define SB_TAPS   9
#define SB_CHUNK  8
#define SB_M      64
#define SB_N      64
#define SB_M_EACH 8
#define SB_N_EACH 4
#include "ops/kernels/weight_product_body.h"

#define SB_BODY   weights_thin
#define SB_TAPS   9
#define SB_CHUNK  8
#define SB_M      16
#define SB_N      64
#define SB_M_EACH 4
#define SB_N_EACH 4
#include "ops/kernels/weight_product_body.h"

#define SB_BODY   weights_points
#define SB_TAPS   1
#define SB_CHUNK  8
#define SB_M      64
#define SB_N      64
#define SB_M_EACH 8
#define SB_N_EACH 4
#include "ops/kernels/weight_product_body.h"

#endif

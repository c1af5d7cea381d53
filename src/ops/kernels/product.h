/* The products of `direct`: every output one chain of order.h in one register, outputs in tiles. The products of
 * `winograd` are in domain_product.h.
 *
 * forward product   c[m][j] = start[m], then a chain over the parts in their order and k = (channel, tap) of
 *                   a[k][m] * b[offset(k) + place(j)]; b: padded maps [channels][samples][h+2][w+2], j = pixels
 *                   of h x w of all samples, where c is [sample][m][pixel]
 * weight product    c[m][j] += for each frame and each row of the map: a chain over its pixels k from 0 of a[m][k] *
 *                   b[j][k]; the sums of the rows are added one after the other; a: padded dy, b: padded x,
 *                   j = (channel, tap)
 *
 * A chunk of k is in shared memory while the next chunks are copied there: by asynchronous copies or, if they must be
 * transposed, through registers. product_body.h and weight_product_body.h hold the code, once for each size of tile
 * below.
 */
#pragma once

#include "ops/kernels/kernel.h"

enum { SB_PRODUCT_PARTS = 3, SB_PRODUCT_FRAMES = 20 };

typedef struct sb_product_part {
    const sb_real *a, *b;
    int n_k; /* length of the chain */
} sb_product_part;

typedef struct sb_product_args {
    sb_product_part part[SB_PRODUCT_PARTS];
    const sb_real *start; /* [m] or NULL: 0 */
    sb_real *c;           /* [samples][m][h * w] */
    int n_parts, m, n;    /* n: samples * h * w */
    int h, w;             /* of a map */
    int channel;          /* elements of b from one channel to the next */
} sb_product_args;

typedef struct sb_weight_product_args {
    const sb_real *a[SB_PRODUCT_FRAMES], *b[SB_PRODUCT_FRAMES];
    sb_real *c;    /* [m][n] */
    sb_real *rows; /* not NULL: each block stores the sums of one row, [frames][h][m][n], and adds nothing */
    int n_frames, m, n; /* each sample of a batch counts as a frame */
    int h, w;           /* of the map */
    int channel;        /* elements of a and of b from one channel to the next */
} sb_weight_product_args;

/* Large tiles reuse most; medium ones give more blocks; thin ones waste less where there are few outputs. One thread
 * per column, so that a thread fetches from one place. */
#define SB_BODY     large
#define SB_CHUNK    9
#define SB_STAGES   3
#define SB_RESIDENT 3
#define SB_M        64
#define SB_N        128
#define SB_M_EACH   8
#define SB_N_EACH   8
#include "ops/kernels/product_body.h"

#define SB_BODY     medium
#define SB_CHUNK    9
#define SB_STAGES   3
#define SB_RESIDENT 8
#define SB_M        32
#define SB_N        64
#define SB_M_EACH   8
#define SB_N_EACH   4
#include "ops/kernels/product_body.h"

#define SB_BODY     thin
#define SB_CHUNK    9
#define SB_STAGES   3
#define SB_RESIDENT 8
#define SB_M        16
#define SB_N        64
#define SB_M_EACH   4
#define SB_N_EACH   4
#include "ops/kernels/product_body.h"

#define SB_BODY     weights
#define SB_CHUNK    8
#define SB_STAGES   2
#define SB_RESIDENT 3
#define SB_M        64
#define SB_N        64
#define SB_M_EACH   8
#define SB_N_EACH   4
#include "ops/kernels/weight_product_body.h"

#define SB_BODY     weights_thin
#define SB_CHUNK    8
#define SB_STAGES   2
#define SB_RESIDENT 8
#define SB_M        16
#define SB_N        64
#define SB_M_EACH   4
#define SB_N_EACH   4
#include "ops/kernels/weight_product_body.h"

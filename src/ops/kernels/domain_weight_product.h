/* The weight product of `winograd` (see domain_product.h). All wide layers of the published network have a multiple of
 * 48 channels, so a tile is 48 x 48, 6 x 6 to a thread; their maps have a multiple of 20 tiles, so that is a chunk.
 * A row of shared memory has five fours, so rows that threads read at the same time are in different banks. */
#pragma once

#include "ops/kernels/domain_product.h"

enum {
    SB_DOMAIN_WEIGHT_SIDE = 48,
    SB_DOMAIN_WEIGHT_EACH = 6,
    SB_DOMAIN_WEIGHT_ACROSS = SB_DOMAIN_WEIGHT_SIDE / SB_DOMAIN_WEIGHT_EACH,
    SB_DOMAIN_WEIGHT_FOURS = 5,
    SB_DOMAIN_WEIGHT_CHUNK = 4 * SB_DOMAIN_WEIGHT_FOURS,
    SB_DOMAIN_WEIGHT_STAGES = 3,
    sb_product_weights_domain_threads = SB_DOMAIN_WEIGHT_ACROSS * SB_DOMAIN_WEIGHT_ACROSS,
    sb_product_weights_domain_resident = 6
};

typedef sb_domain_weight_product_args sb_product_weights_domain_args;

typedef struct sb_domain_weight_operand {
    sb_four row[SB_DOMAIN_WEIGHT_SIDE][SB_DOMAIN_WEIGHT_FOURS];
} sb_domain_weight_operand;

typedef struct sb_product_weights_domain_shared {
    sb_domain_weight_operand a[SB_DOMAIN_WEIGHT_STAGES], b[SB_DOMAIN_WEIGHT_STAGES];
} sb_product_weights_domain_shared;

typedef struct sb_product_weights_domain_own {
    sb_real sum[SB_DOMAIN_WEIGHT_EACH][SB_DOMAIN_WEIGHT_EACH];
    int frame, k; /* of the next chunk to fetch */
    int work_k;   /* of the next chunk to work on */
} sb_product_weights_domain_own;

/* Step 0 begins the first copies; each further one works on a chunk. */
SB_HOST_DEVICE int sb_product_weights_domain_steps(const sb_domain_weight_product_args *p, sb_spot at)
{
    if (p->skip && SB_WINOGRAD_SKIPS(at.z)) return 0;
    return p->n_frames * ((p->tiles + SB_DOMAIN_WEIGHT_CHUNK - 1) / SB_DOMAIN_WEIGHT_CHUNK) + 1;
}

/* A chunk from tile k on of the rows of an operand, of which the first `left` exist. */
SB_HOST_DEVICE void sb_domain_weight_copy(int thread, const sb_real *from, int left, int pitch, int k,
                                          sb_domain_weight_operand *to)
{
    enum { FOURS = SB_DOMAIN_WEIGHT_FOURS, ALL = SB_DOMAIN_WEIGHT_SIDE * FOURS };
    SB_UNROLL
    for (int first = 0; first < ALL; first += sb_product_weights_domain_threads) {
        int e = first + thread, row = e / FOURS, four = e % FOURS;
        if (e < ALL && row < left && k + 4 * four < pitch)
            SB_COPY_BEGIN(&to->row[row][four], (const sb_four *)(from + (size_t)row * pitch + k) + four);
    }
}

SB_HOST_DEVICE void sb_domain_weight_fetch(const sb_domain_weight_product_args *p, sb_spot at, int stage,
                                           sb_product_weights_domain_shared *shared, sb_product_weights_domain_own *own)
{
    int pitch = sb_domain_pitch(p->tiles), m = at.y * SB_DOMAIN_WEIGHT_SIDE, n = at.x * SB_DOMAIN_WEIGHT_SIDE;
    if (own->frame < p->n_frames) {
        const sb_real *a = p->a[own->frame] + ((size_t)at.z * p->m + m) * pitch;
        const sb_real *b = p->b[own->frame] + ((size_t)at.z * p->n + n) * pitch;
        sb_domain_weight_copy(at.thread, a, p->m - m, pitch, own->k, &shared->a[stage]);
        sb_domain_weight_copy(at.thread, b, p->n - n, pitch, own->k, &shared->b[stage]);
        own->k += SB_DOMAIN_WEIGHT_CHUNK;
        if (own->k >= p->tiles) own->k = 0, own->frame++;
    }
    SB_COPY_CLOSE();
}

SB_HOST_DEVICE int sb_domain_weight_row(int thread, int i)
{
    return sb_thread_row(thread, SB_DOMAIN_WEIGHT_ACROSS) + i * SB_DOMAIN_WEIGHT_ACROSS;
}

SB_HOST_DEVICE int sb_domain_weight_column(int thread, int j)
{
    return sb_thread_column(thread, SB_DOMAIN_WEIGHT_ACROSS) + j * SB_DOMAIN_WEIGHT_ACROSS;
}

/* sum = chain over the first n_k tiles of a four */
SB_HOST_DEVICE void sb_domain_weight_work(int thread, int n_k, int four, const sb_domain_weight_operand *a,
                                          const sb_domain_weight_operand *b,
                                          sb_real sum[SB_DOMAIN_WEIGHT_EACH][SB_DOMAIN_WEIGHT_EACH])
{
    sb_four own_a[SB_DOMAIN_WEIGHT_EACH], own_b[SB_DOMAIN_WEIGHT_EACH];
    SB_UNROLL
    for (int i = 0; i < SB_DOMAIN_WEIGHT_EACH; i++) own_a[i] = a->row[sb_domain_weight_row(thread, i)][four];
    SB_UNROLL
    for (int j = 0; j < SB_DOMAIN_WEIGHT_EACH; j++) own_b[j] = b->row[sb_domain_weight_column(thread, j)][four];
    SB_UNROLL
    for (int k = 0; k < 4; k++) {
        if (k >= n_k) break;
        SB_UNROLL
        for (int i = 0; i < SB_DOMAIN_WEIGHT_EACH; i++) {
            SB_UNROLL
            for (int j = 0; j < SB_DOMAIN_WEIGHT_EACH; j++) sum[i][j] = SB_FMA(own_a[i].x[k], own_b[j].x[k], sum[i][j]);
        }
    }
}

/* Whole fours have a separate path without conditions between their terms. */
SB_HOST_DEVICE void sb_domain_weight_chunk(int thread, int n_k, const sb_domain_weight_operand *a,
                                           const sb_domain_weight_operand *b, sb_product_weights_domain_own *own)
{
    SB_ROLL
    for (int four = 0; 4 * four < n_k; four++) {
        int left = n_k - 4 * four;
        if (left < 4)
            sb_domain_weight_work(thread, left, four, a, b, own->sum);
        else
            sb_domain_weight_work(thread, 4, four, a, b, own->sum);
    }
}

/* The place in c of element (i, j) of this thread; NULL outside. */
SB_HOST_DEVICE sb_real *sb_domain_weight_element(const sb_domain_weight_product_args *p, sb_spot at, int i, int j)
{
    int m = at.y * SB_DOMAIN_WEIGHT_SIDE + sb_domain_weight_row(at.thread, i);
    int n = at.x * SB_DOMAIN_WEIGHT_SIDE + sb_domain_weight_column(at.thread, j);
    return m < p->m && n < p->n ? p->c + ((size_t)at.z * p->m + m) * p->n + n : NULL;
}

SB_HOST_DEVICE void sb_domain_weight_begin(const sb_domain_weight_product_args *p, sb_spot at,
                                           sb_product_weights_domain_shared *shared, sb_product_weights_domain_own *own)
{
    own->frame = own->k = own->work_k = 0;
    for (int stage = 0; stage < SB_DOMAIN_WEIGHT_STAGES - 1; stage++) sb_domain_weight_fetch(p, at, stage, shared, own);
    SB_UNROLL
    for (int i = 0; i < SB_DOMAIN_WEIGHT_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_DOMAIN_WEIGHT_EACH; j++) {
            const sb_real *before = sb_domain_weight_element(p, at, i, j);
            own->sum[i][j] = before ? *before : 0;
        }
    }
}

SB_HOST_DEVICE void sb_domain_weight_store(const sb_domain_weight_product_args *p, sb_spot at,
                                           const sb_product_weights_domain_own *own)
{
    SB_UNROLL
    for (int i = 0; i < SB_DOMAIN_WEIGHT_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_DOMAIN_WEIGHT_EACH; j++) {
            sb_real *to = sb_domain_weight_element(p, at, i, j);
            if (to) *to = own->sum[i][j];
        }
    }
}

/* Step s works on chunk s - 1 and fetches into the stage that was worked on in the step before. */
SB_HOST_DEVICE void sb_product_weights_domain_step(const sb_domain_weight_product_args *p, sb_spot at, int step,
                                                   sb_product_weights_domain_shared *shared,
                                                   sb_product_weights_domain_own *own)
{
    enum { STAGES = SB_DOMAIN_WEIGHT_STAGES, CHUNK = SB_DOMAIN_WEIGHT_CHUNK };
    if (step == 0) {
        sb_domain_weight_begin(p, at, shared, own);
    } else {
        int stage = (step - 1) % STAGES, left = p->tiles - own->work_k;
        sb_domain_weight_fetch(p, at, (step + STAGES - 2) % STAGES, shared, own);
        sb_domain_weight_chunk(at.thread, left < CHUNK ? left : CHUNK, &shared->a[stage], &shared->b[stage], own);
        own->work_k = left <= CHUNK ? 0 : own->work_k + CHUNK;
    }
    if (step + 1 == sb_product_weights_domain_steps(p, at)) sb_domain_weight_store(p, at, own);
    SB_COPY_WAIT(STAGES - 2);
}

/* The same product with other tiles, chosen by domain_tiles.h. 8x8 results a thread suit numbers of channels that are
 * powers of two. No device has run these yet. */
#define SB_BODY     weights_128x64
#define SB_FOURS    4
#define SB_STAGES   3
#define SB_RESIDENT 3
#define SB_M        128
#define SB_N        64
#define SB_M_EACH   8
#define SB_N_EACH   8
#include "ops/kernels/domain_weight_product_body.h"

#define SB_BODY     weights_64x64
#define SB_FOURS    4
#define SB_STAGES   3
#define SB_RESIDENT 6
#define SB_M        64
#define SB_N        64
#define SB_M_EACH   8
#define SB_N_EACH   8
#include "ops/kernels/domain_weight_product_body.h"

#define SB_BODY     weights_48x48
#define SB_FOURS    5
#define SB_STAGES   3
#define SB_RESIDENT 8
#define SB_M        48
#define SB_N        48
#define SB_M_EACH   6
#define SB_N_EACH   6
#include "ops/kernels/domain_weight_product_body.h"

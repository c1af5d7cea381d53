/* One weight product (see product.h): SB_BODY names it, the rest are the sizes of its tile. No include guard. */
#define SB_JOIN_(name, part) sb_product_##name##_##part
#define SB_JOIN(name, part)  SB_JOIN_(name, part)
#define SB_NAME(part)        SB_JOIN(SB_BODY, part)
#include "ops/kernels/tile.h"

enum {
    SB_NAME(a_fetches) = SB_CHUNK * SB_M / SB_NAME(threads),
    SB_NAME(b_fetches) = SB_CHUNK * SB_N / SB_NAME(threads)
};

typedef sb_weight_product_args SB_NAME(args);

typedef struct SB_NAME(own) {
    sb_real sum[SB_M_EACH][SB_N_EACH];
    sb_real total[SB_M_EACH][SB_N_EACH];                  /* of the rows */
    sb_real a[SB_NAME(a_fetches)], b[SB_NAME(b_fetches)]; /* loaded for shared memory */
    int a_place[SB_NAME(a_fetches)], b_place[SB_NAME(b_fetches)];
    int frame, y, x; /* of the next chunk */
    int n_k;         /* length of the last chunk */
    int row_ends;    /* the last chunk is the end of a row */
} SB_NAME(own);

/* Chunks of one row, and rows of this block. */
SB_HOST_DEVICE int SB_NAME(chunks)(const sb_weight_product_args *p)
{
    return (p->w + SB_CHUNK - 1) / SB_CHUNK;
}

SB_HOST_DEVICE int SB_NAME(steps)(const sb_weight_product_args *p, sb_spot at)
{
    (void)at;
    return (p->rows ? 1 : p->n_frames * p->h) * SB_NAME(chunks)(p) + 1;
}

/* The first element of row or column `index` of an operand, seen from pixel 0. */
SB_HOST_DEVICE int SB_NAME(a_start)(const sb_weight_product_args *p, int m)
{
    return m * p->channel + p->w + 3;
}

SB_HOST_DEVICE int SB_NAME(b_start)(const sb_weight_product_args *p, int j)
{
    int channel = j / 9, tap = j % 9;
    return channel * p->channel + tap / 3 * (p->w + 2) + tap % 3;
}

/* Number of blocks for a row of the map. The rows follow each other in x, which takes 2^31 blocks: z would end at
 * 65535, which 20 frames of a tall video exceed. */
SB_HOST_DEVICE int SB_NAME(blocks_of_row)(const sb_weight_product_args *p)
{
    return (p->n + SB_N - 1) / SB_N;
}

/* The first column of c that is this block's. */
SB_HOST_DEVICE int SB_NAME(first_column)(const sb_weight_product_args *p, sb_spot at)
{
    return at.x % SB_NAME(blocks_of_row)(p) * SB_N;
}

SB_HOST_DEVICE void SB_NAME(begin)(const sb_weight_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    int map_row = at.x / SB_NAME(blocks_of_row)(p); /* 0 if rows are not summed separately */
    own->frame = map_row / p->h, own->y = map_row % p->h;
    own->x = own->n_k = own->row_ends = 0;
    SB_UNROLL
    for (int j = 0; j < SB_NAME(a_fetches); j++) {
        int m = at.y * SB_M + (at.thread + j * SB_NAME(threads)) / SB_CHUNK;
        own->a_place[j] = SB_NAME(a_start)(p, m < p->m ? m : 0);
    }
    SB_UNROLL
    for (int j = 0; j < SB_NAME(b_fetches); j++) {
        int column = SB_NAME(first_column)(p, at) + (at.thread + j * SB_NAME(threads)) / SB_CHUNK;
        own->b_place[j] = SB_NAME(b_start)(p, column < p->n ? column : 0);
    }
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        int m = at.y * SB_M + SB_NAME(row)(at.thread, i);
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) {
            int column = SB_NAME(first_column)(p, at) + SB_NAME(column)(at.thread, j);
            bool goes_on = !p->rows && m < p->m && column < p->n;
            own->total[i][j] = goes_on ? p->c[(size_t)m * p->n + column] : 0;
            own->sum[i][j] = 0;
        }
    }
}

/* The next chunk from device memory to registers. Neighbouring threads fetch along k. */
SB_HOST_DEVICE int SB_NAME(fetch)(const sb_weight_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    int left = p->w - own->x, n_k = left < SB_CHUNK ? left : SB_CHUNK, kk = at.thread % SB_CHUNK;
    size_t from = (size_t)own->y * (p->w + 2) + own->x + kk;
    const sb_real *a = p->a[own->frame] + from, *b = p->b[own->frame] + from;
    SB_UNROLL
    for (int j = 0; j < SB_NAME(a_fetches); j++) own->a[j] = kk < n_k ? a[own->a_place[j]] : 0;
    SB_UNROLL
    for (int j = 0; j < SB_NAME(b_fetches); j++) own->b[j] = kk < n_k ? b[own->b_place[j]] : 0;
    own->x += SB_CHUNK;
    return n_k;
}

SB_HOST_DEVICE void SB_NAME(put)(int thread, int half, const SB_NAME(own) * own, SB_NAME(shared) * shared)
{
    int kk = thread % SB_CHUNK;
    SB_UNROLL
    for (int j = 0; j < SB_NAME(a_fetches); j++)
        shared->a[half][kk][(thread + j * SB_NAME(threads)) / SB_CHUNK] = own->a[j];
    SB_UNROLL
    for (int j = 0; j < SB_NAME(b_fetches); j++)
        shared->b[half][kk][(thread + j * SB_NAME(threads)) / SB_CHUNK] = own->b[j];
}

/* Add the row's sums to the total and set them to 0 */
SB_HOST_DEVICE void SB_NAME(end_row)(SB_NAME(own) * own)
{
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) {
            own->total[i][j] += own->sum[i][j];
            own->sum[i][j] = 0;
        }
    }
}

SB_HOST_DEVICE void SB_NAME(store)(const sb_weight_product_args *p, sb_spot at, const SB_NAME(own) * own)
{
    sb_real *c = p->rows ? p->rows : p->c;
    size_t map_row = (size_t)(at.x / SB_NAME(blocks_of_row)(p));
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        int m = at.y * SB_M + SB_NAME(row)(at.thread, i);
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) {
            int column = SB_NAME(first_column)(p, at) + SB_NAME(column)(at.thread, j);
            if (m < p->m && column < p->n) c[(map_row * p->m + m) * p->n + column] = own->total[i][j];
        }
    }
}

SB_HOST_DEVICE void SB_NAME(step)(const sb_weight_product_args *p, sb_spot at, int step, SB_NAME(shared) * shared,
                                  SB_NAME(own) * own)
{
    if (step == 0) SB_NAME(begin)(p, at, own);
    bool last = step + 1 == SB_NAME(steps)(p, at);
    int n_k = last ? 0 : SB_NAME(fetch)(p, at, own);
    if (step > 0) SB_NAME(work)(at.thread, (step - 1) & 1, own->n_k, shared, own->sum);
    if (step > 0 && own->row_ends) SB_NAME(end_row)(own);
    own->n_k = n_k;
    own->row_ends = own->x >= p->w;
    if (own->row_ends) {
        own->x = 0;
        if (++own->y >= p->h && !p->rows) own->y = 0, own->frame++;
    }
    if (last)
        SB_NAME(store)(p, at, own);
    else
        SB_NAME(put)(at.thread, step & 1, own, shared);
}

#undef SB_NAME
#undef SB_JOIN
#undef SB_JOIN_
#undef SB_BODY
#undef SB_CHUNK
#undef SB_STAGES
#undef SB_RESIDENT
#undef SB_M
#undef SB_N
#undef SB_M_EACH
#undef SB_N_EACH

/* One forward product (see product.h): SB_BODY names it, the rest are the sizes of its tile. A chunk is the nine taps
 * of one channel. No include guard. */
#define SB_JOIN_(name, part) sb_product_##name##_##part
#define SB_JOIN(name, part)  SB_JOIN_(name, part)
#define SB_NAME(part)        SB_JOIN(SB_BODY, part)
#include "ops/kernels/tile.h"

enum { SB_NAME(fetches) = (SB_CHUNK * SB_M + SB_N - 1) / SB_N };
static_assert(SB_NAME(threads) == SB_N && SB_CHUNK == 9, "a thread fetches one column, of one channel");

typedef sb_product_args SB_NAME(args);

typedef struct SB_NAME(own) {
    sb_real sum[SB_M_EACH][SB_N_EACH];
    int place;            /* of this thread's column in b */
    int part, left;       /* to fetch: terms of this part; 0 after the last */
    const sb_real *a, *b; /* of the next chunk to fetch */
} SB_NAME(own);

/* Step 0 begins the first copies; each further one works on a chunk. */
SB_HOST_DEVICE int SB_NAME(steps)(const sb_product_args *p, sb_spot at)
{
    int chunks = 0;
    (void)at;
    for (int part = 0; part < p->n_parts; part++) chunks += p->part[part].n_k / SB_CHUNK;
    return chunks + 1;
}

SB_HOST_DEVICE void SB_NAME(open)(const sb_product_args *p, SB_NAME(own) * own)
{
    own->left = 0;
    if (++own->part >= p->n_parts) return;
    const sb_product_part *part = &p->part[own->part];
    own->left = part->n_k, own->a = part->a, own->b = part->b + own->place;
}

SB_HOST_DEVICE void SB_NAME(fetch)(const sb_product_args *p, sb_spot at, int stage, SB_NAME(shared) * shared,
                             SB_NAME(own) * own)
{
    if (own->left > 0) {
        SB_UNROLL
        for (int j = 0; j < SB_NAME(fetches); j++) {
            int e = at.thread + j * SB_N, k = e / SB_M, m = at.y * SB_M + e % SB_M;
            if (k < SB_CHUNK && m < p->m) SB_COPY_BEGIN(&shared->a[stage][k][e % SB_M], own->a + (size_t)k * p->m + m);
        }
        SB_UNROLL
        for (int tap = 0; tap < SB_CHUNK; tap++)
            SB_COPY_BEGIN(&shared->b[stage][tap][at.thread], own->b + tap / 3 * (p->w + 2) + tap % 3);
        own->left -= SB_CHUNK;
        own->a += (size_t)SB_CHUNK * p->m, own->b += p->channel;
        if (own->left == 0) SB_NAME(open)(p, own);
    }
    SB_COPY_CLOSE();
}

SB_HOST_DEVICE void SB_NAME(begin)(const sb_product_args *p, sb_spot at, SB_NAME(shared) * shared, SB_NAME(own) * own)
{
    int column = at.x * SB_N + at.thread;
    if (column >= p->n) column = 0; /* fetched like any other, but not stored */
    int row = column / p->w; /* of the maps of all samples; each before it has two rows of border more */
    own->place = (row + row / p->h * 2) * (p->w + 2) + column % p->w;
    own->part = -1;
    SB_NAME(open)(p, own);
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        int m = at.y * SB_M + SB_NAME(row)(at.thread, i);
        sb_real start = p->start && m < p->m ? p->start[m] : 0;
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) own->sum[i][j] = start;
    }
    SB_ROLL
    for (int stage = 0; stage < SB_STAGES - 1; stage++) SB_NAME(fetch)(p, at, stage, shared, own);
}

SB_HOST_DEVICE void SB_NAME(store)(const sb_product_args *p, sb_spot at, const SB_NAME(own) * own)
{
    int pixels = p->h * p->w;
    SB_UNROLL
    for (int j = 0; j < SB_N_EACH; j++) {
        int column = at.x * SB_N + SB_NAME(column)(at.thread, j), sample = column / pixels;
        sb_real *to = p->c + (size_t)sample * (p->m - 1) * pixels + column; /* of row 0 */
        SB_UNROLL
        for (int i = 0; i < SB_M_EACH; i++) {
            int m = at.y * SB_M + SB_NAME(row)(at.thread, i);
            if (m < p->m && column < p->n) to[(size_t)m * pixels] = own->sum[i][j];
        }
    }
}

/* Step s computes chunk s - 1 and copies a later chunk into the stage of the previous step. */
SB_HOST_DEVICE void SB_NAME(step)(const sb_product_args *p, sb_spot at, int step, SB_NAME(shared) * shared,
                            SB_NAME(own) * own)
{
    if (step == 0) {
        SB_NAME(begin)(p, at, shared, own);
    } else {
        SB_NAME(fetch)(p, at, (step + SB_STAGES - 2) % SB_STAGES, shared, own);
        SB_NAME(work)(at.thread, (step - 1) % SB_STAGES, SB_CHUNK, shared, own->sum);
    }
    if (step + 1 == SB_NAME(steps)(p, at)) SB_NAME(store)(p, at, own);
    SB_COPY_WAIT(SB_STAGES - 2);
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

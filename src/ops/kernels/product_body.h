/* One forward product (see product.h): SB_BODY names it, SB_TAPS is 9 or 1, the rest are the sizes of its tile. No
 * include guard. */
#define SB_JOIN_(name, part) sb_product_##name##_##part
#define SB_JOIN(name, part)  SB_JOIN_(name, part)
#define SB_NAME(part)        SB_JOIN(SB_BODY, part)
#include "ops/kernels/tile.h"

enum { SB_NAME(fetches) = (SB_CHUNK * SB_M + SB_N - 1) / SB_N };
#ifdef __cplusplus
static_assert(SB_NAME(threads) == SB_N, "a thread fetches one column");
#else
_Static_assert(SB_NAME(threads) == SB_N, "a thread fetches one column");
#endif

typedef sb_product_args SB_NAME(args);

typedef struct SB_NAME(own) {
    sb_real sum[SB_M_EACH][SB_N_EACH];
    sb_real a[SB_NAME(fetches)], b[SB_CHUNK]; /* on their way to shared memory */
    int place;                                /* of this thread's column in b */
    int part, k;                              /* of the next chunk */
    int n_k;                                  /* length of the last chunk */
} SB_NAME(own);

SB_HEART int SB_NAME(length)(const sb_product_args *p, sb_spot at, int part)
{
    return p->part[part].skip && SB_WINOGRAD_SKIPS(at.z) ? 0 : (int)p->part[part].n_k;
}

SB_HEART int SB_NAME(steps)(const sb_product_args *p, sb_spot at)
{
    int chunks = 0;
    for (int part = 0; part < p->n_parts; part++) chunks += (SB_NAME(length)(p, at, part) + SB_CHUNK - 1) / SB_CHUNK;
    return chunks + 1;
}

SB_HEART void SB_NAME(begin)(const sb_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    int column = at.x * SB_N + at.thread;
    if (column >= p->n) column = 0; /* fetched like any other, stored by nobody */
    own->place = SB_TAPS == 9 ? column / p->w * (p->w + 2) + column % p->w : column;
    own->part = own->k = own->n_k = 0;
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        int m = at.y * SB_M + SB_NAME(row)(at.thread, i);
        sb_real start = p->start && m < p->m ? p->start[m] : 0;
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) own->sum[i][j] = start;
    }
}

/* The next chunk from device memory to registers. Its length is uniform over the block. */
SB_HEART int SB_NAME(fetch)(const sb_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    while (own->k >= SB_NAME(length)(p, at, own->part)) own->part++, own->k = 0;
    const sb_product_part *part = &p->part[own->part];
    int left = (int)part->n_k - own->k, n_k = left < SB_CHUNK ? left : SB_CHUNK;
    const sb_real *a = part->a + ((size_t)at.z * part->n_k + own->k) * p->m;
    const sb_real *b = part->b + ((size_t)at.z * (part->n_k / SB_TAPS) + own->k / SB_TAPS) * p->plane + own->place;
    SB_UNROLL
    for (int j = 0; j < SB_NAME(fetches); j++) {
        int e = at.thread + j * SB_N, k = e / SB_M, m = at.y * SB_M + e % SB_M;
        own->a[j] = k < n_k && m < p->m ? a[(size_t)k * p->m + m] : 0;
    }
    SB_UNROLL
    for (int k = 0; k < SB_CHUNK; k++) {
        size_t offset = SB_TAPS == 9 ? (size_t)(k / 3 * (p->w + 2) + k % 3) : (size_t)k * p->plane;
        own->b[k] = k < n_k ? b[offset] : 0;
    }
    own->k += SB_CHUNK;
    return n_k;
}

SB_HEART void SB_NAME(put)(int thread, int half, const SB_NAME(own) * own, SB_NAME(shared) * shared)
{
    SB_UNROLL
    for (int j = 0; j < SB_NAME(fetches); j++) {
        int e = thread + j * SB_N;
        if (e < SB_CHUNK * SB_M) shared->a[half][e / SB_M][e % SB_M] = own->a[j];
    }
    SB_UNROLL
    for (int k = 0; k < SB_CHUNK; k++) shared->b[half][k][thread] = own->b[k];
}

SB_HEART void SB_NAME(store)(const sb_product_args *p, sb_spot at, const SB_NAME(own) * own)
{
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        int m = at.y * SB_M + SB_NAME(row)(at.thread, i);
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) {
            int column = at.x * SB_N + SB_NAME(column)(at.thread, j);
            if (m < p->m && column < p->n) p->c[((size_t)at.z * p->m + m) * p->n + column] = own->sum[i][j];
        }
    }
}

SB_HEART void SB_NAME(step)(const sb_product_args *p, sb_spot at, int step, SB_NAME(shared) * shared,
                            SB_NAME(own) * own)
{
    if (step == 0) SB_NAME(begin)(p, at, own);
    bool last = step + 1 == SB_NAME(steps)(p, at);
    int n_k = last ? 0 : SB_NAME(fetch)(p, at, own);
    if (step > 0) SB_NAME(work)(at.thread, (step - 1) & 1, own->n_k, shared, own->sum);
    own->n_k = n_k;
    if (last)
        SB_NAME(store)(p, at, own);
    else
        SB_NAME(put)(at.thread, step & 1, own, shared);
}

#undef SB_NAME
#undef SB_JOIN
#undef SB_JOIN_
#undef SB_BODY
#undef SB_TAPS
#undef SB_CHUNK
#undef SB_M
#undef SB_N
#undef SB_M_EACH
#undef SB_N_EACH

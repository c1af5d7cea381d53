/* One weight product of `winograd` (see domain_weight_product.h): SB_BODY names it, the rest are the sizes of its tile; a
 * thread has SB_M_EACH rows and SB_N_EACH columns. A chunk has SB_FOURS fours of tiles. A row of shared memory has five
 * fours, so rows that threads read at the same time are in different banks. No include guard. */
#define SB_JOIN_(name, part) sb_product_##name##_##part
#define SB_JOIN(name, part)  SB_JOIN_(name, part)
#define SB_NAME(part)        SB_JOIN(SB_BODY, part)

enum {
    SB_NAME(m) = SB_M,
    SB_NAME(n) = SB_N,
    SB_NAME(across) = SB_N / SB_N_EACH,
    SB_NAME(down) = SB_M / SB_M_EACH,
    SB_NAME(threads) = SB_NAME(across) * SB_NAME(down),
    SB_NAME(resident) = SB_RESIDENT,
    SB_NAME(chunk) = 4 * SB_FOURS,
    SB_NAME(pitch) = 5,                             /* fours from one row to the next in shared memory */
    SB_NAME(abreast) = SB_NAME(threads) / SB_FOURS, /* rows that all threads fetch at once */
    SB_NAME(fetching) = SB_NAME(abreast) * SB_FOURS /* threads that fetch */
};

static_assert(SB_FOURS <= SB_NAME(pitch), "a chunk fits into a row of shared memory");

typedef sb_domain_weight_product_args SB_NAME(args);

typedef struct SB_NAME(shared) {
    sb_four a[SB_STAGES][SB_M * SB_NAME(pitch)];
    sb_four b[SB_STAGES][SB_N * SB_NAME(pitch)];
} SB_NAME(shared);

typedef struct SB_NAME(own) {
    sb_real sum[SB_M_EACH][SB_N_EACH];
    const sb_real *a, *b;       /* to fetch from: the first of this thread's */
    int frame;                  /* of the next chunk to fetch */
    int left_to_fetch, to_work; /* tiles of a frame that are left */
} SB_NAME(own);

/* Step 0 begins the first copies; each further one works on a chunk. */
SB_HOST_DEVICE int SB_NAME(steps)(const sb_domain_weight_product_args *p, sb_spot at)
{
    if (p->skip && SB_WINOGRAD_SKIPS(at.z)) return 0;
    return p->n_frames * ((p->tiles + SB_NAME(chunk) - 1) / SB_NAME(chunk)) + 1;
}

/* To the first chunk of the frame that comes next. */
SB_HOST_DEVICE void SB_NAME(open)(const sb_domain_weight_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    int pitch = sb_domain_pitch(p->tiles), row = at.thread / SB_FOURS, four = at.thread % SB_FOURS;
    size_t a_row = (size_t)at.z * p->m + at.y * SB_M + row, b_row = (size_t)at.z * p->n + at.x * SB_N + row;
    own->left_to_fetch = 0;
    if (own->frame >= p->n_frames) return;
    own->left_to_fetch = p->tiles;
    own->a = p->a[own->frame] + a_row * pitch + 4 * four;
    own->b = p->b[own->frame] + b_row * pitch + 4 * four;
}

/* The rows of an operand that are below n_rows, of `height` rows of a tile. is_whole: all are. */
SB_HOST_DEVICE void SB_NAME(copy)(int thread, int height, int n_rows, bool is_whole, const sb_real *from, int pitch,
                                  sb_four *to)
{
    to += thread / SB_FOURS * SB_NAME(pitch) + thread % SB_FOURS;
    SB_UNROLL
    for (int first = 0; first < height; first += SB_NAME(abreast)) {
        int row = first + thread / SB_FOURS;
        if ((is_whole || row < n_rows) && (first + SB_NAME(abreast) <= height || row < height))
            SB_COPY_BEGIN(&to[first * SB_NAME(pitch)], (const sb_four *)(from + (size_t)first * pitch));
    }
}

SB_HOST_DEVICE void SB_NAME(copy_both)(const sb_domain_weight_product_args *p, sb_spot at, int stage, bool is_whole,
                                       SB_NAME(shared) * shared, const SB_NAME(own) * own)
{
    int pitch = sb_domain_pitch(p->tiles);
    SB_LATE(pitch);
    SB_NAME(copy)(at.thread, SB_M, p->m - at.y * SB_M, is_whole, own->a, pitch, shared->a[stage]);
    SB_NAME(copy)(at.thread, SB_N, p->n - at.x * SB_N, is_whole, own->b, pitch, shared->b[stage]);
}

/* Do all results of the tile exist? */
SB_HOST_DEVICE bool SB_NAME(is_inside)(const sb_domain_weight_product_args *p, sb_spot at)
{
    return (at.y + 1) * SB_M <= p->m && (at.x + 1) * SB_N <= p->n;
}

/* Chunks that are whole in all directions have a separate path without conditions. */
SB_HOST_DEVICE void SB_NAME(fetch)(const sb_domain_weight_product_args *p, sb_spot at, int stage,
                                   SB_NAME(shared) * shared, SB_NAME(own) * own)
{
    int left = own->left_to_fetch;
    bool fetches = at.thread < SB_NAME(fetching);
    if (fetches && SB_NAME(is_inside)(p, at) && left >= SB_NAME(chunk))
        SB_NAME(copy_both)(p, at, stage, true, shared, own);
    else if (fetches && 4 * (at.thread % SB_FOURS) < left)
        SB_NAME(copy_both)(p, at, stage, false, shared, own);
    SB_COPY_CLOSE();
    if (left > SB_NAME(chunk)) {
        own->left_to_fetch -= SB_NAME(chunk);
        own->a += SB_NAME(chunk), own->b += SB_NAME(chunk);
    } else {
        own->frame++;
        SB_NAME(open)(p, at, own);
    }
}

SB_HOST_DEVICE int SB_NAME(row)(int thread)
{
    return sb_thread_row(thread, SB_NAME(across));
}

SB_HOST_DEVICE int SB_NAME(column)(int thread)
{
    return sb_thread_column(thread, SB_NAME(across));
}

/* sum = chain over the tiles of a four; a, b: this four of this thread's first row and column. Half of the rows at a time,
 * so that the numbers of the rest need no registers yet. */
SB_HOST_DEVICE void SB_NAME(add)(const sb_four *a, const sb_four *b, sb_real sum[SB_M_EACH][SB_N_EACH])
{
    enum { HALF = SB_M_EACH / 2 };
    sb_four own_b[SB_N_EACH];
    SB_UNROLL
    for (int j = 0; j < SB_N_EACH; j++) own_b[j] = b[j * SB_NAME(across) * SB_NAME(pitch)];
    SB_UNROLL
    for (int first = 0; first < SB_M_EACH; first += HALF) {
        sb_four own_a[HALF];
        SB_UNROLL
        for (int i = 0; i < HALF; i++) own_a[i] = a[(first + i) * SB_NAME(down) * SB_NAME(pitch)];
        SB_UNROLL
        for (int k = 0; k < 4; k++) {
            SB_UNROLL
            for (int i = 0; i < HALF; i++) {
                SB_UNROLL
                for (int j = 0; j < SB_N_EACH; j++)
                    sum[first + i][j] = SB_FMA(own_a[i].x[k], own_b[j].x[k], sum[first + i][j]);
            }
        }
    }
}

/* The same with tile k of a four alone. */
SB_HOST_DEVICE void SB_NAME(add_one)(int k, const sb_four *a, const sb_four *b, sb_real sum[SB_M_EACH][SB_N_EACH])
{
    sb_real own_a[SB_M_EACH], own_b[SB_N_EACH];
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) own_a[i] = a[i * SB_NAME(down) * SB_NAME(pitch)].x[k];
    SB_UNROLL
    for (int j = 0; j < SB_N_EACH; j++) own_b[j] = b[j * SB_NAME(across) * SB_NAME(pitch)].x[k];
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) sum[i][j] = SB_FMA(own_a[i], own_b[j], sum[i][j]);
    }
}

/* sum = chain over n_k tiles of a chunk */
SB_HOST_DEVICE void SB_NAME(work)(int thread, int n_k, const sb_four *a, const sb_four *b,
                                  sb_real sum[SB_M_EACH][SB_N_EACH])
{
    a += SB_NAME(row)(thread) * SB_NAME(pitch), b += SB_NAME(column)(thread) * SB_NAME(pitch);
    SB_ROLL
    for (; n_k >= 4; n_k -= 4) SB_NAME(add)(a++, b++, sum);
    SB_ROLL
    for (int k = 0; k < n_k; k++) SB_NAME(add_one)(k, a, b, sum);
}

/* A row of this thread's results in c, from its first column on. */
typedef struct SB_NAME(results) {
    sb_real *c;
    int m, n;
} SB_NAME(results);

SB_HOST_DEVICE SB_NAME(results) SB_NAME(results_of)(const sb_domain_weight_product_args *p, sb_spot at)
{
    SB_NAME(results) results;
    SB_LATE(at.thread);
    results.m = at.y * SB_M + SB_NAME(row)(at.thread), results.n = at.x * SB_N + SB_NAME(column)(at.thread);
    results.c = p->c + ((size_t)at.z * p->m + results.m) * p->n + results.n;
    return results;
}

/* To the next row. */
SB_HOST_DEVICE void SB_NAME(go_down)(const sb_domain_weight_product_args *p, SB_NAME(results) * results)
{
    SB_LATE(results->m);
    SB_LATE(results->n);
    results->m += SB_NAME(down), results->c += (size_t)SB_NAME(down) * p->n;
}

SB_HOST_DEVICE bool SB_NAME(exists)(const sb_domain_weight_product_args *p, const SB_NAME(results) * results, int j)
{
    return results->m < p->m && results->n + j * SB_NAME(across) < p->n;
}

/* is_inside: all results of the tile exist. */
SB_HOST_DEVICE void SB_NAME(load)(const sb_domain_weight_product_args *p, sb_spot at, bool is_inside,
                                  SB_NAME(own) * own)
{
    SB_NAME(results) results = SB_NAME(results_of)(p, at);
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++)
            own->sum[i][j] = is_inside || SB_NAME(exists)(p, &results, j) ? results.c[j * SB_NAME(across)] : 0;
        SB_NAME(go_down)(p, &results);
    }
}

SB_HOST_DEVICE void SB_NAME(store)(const sb_domain_weight_product_args *p, sb_spot at, bool is_inside,
                                   const SB_NAME(own) * own)
{
    SB_NAME(results) results = SB_NAME(results_of)(p, at);
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++)
            if (is_inside || SB_NAME(exists)(p, &results, j)) results.c[j * SB_NAME(across)] = own->sum[i][j];
        SB_NAME(go_down)(p, &results);
    }
}

SB_HOST_DEVICE void SB_NAME(begin)(const sb_domain_weight_product_args *p, sb_spot at, SB_NAME(shared) * shared,
                                   SB_NAME(own) * own)
{
    own->a = own->b = NULL;
    own->frame = 0, own->to_work = p->tiles;
    SB_NAME(open)(p, at, own);
    SB_ROLL
    for (int stage = 0; stage < SB_STAGES - 1; stage++) SB_NAME(fetch)(p, at, stage, shared, own);
    if (SB_NAME(is_inside)(p, at))
        SB_NAME(load)(p, at, true, own);
    else
        SB_NAME(load)(p, at, false, own);
}

/* Step s works on chunk s - 1 and fetches into the stage that was worked on in the step before. */
SB_HOST_DEVICE void SB_NAME(step)(const sb_domain_weight_product_args *p, sb_spot at, int step,
                                  SB_NAME(shared) * shared, SB_NAME(own) * own)
{
    bool is_last = step + 1 == SB_NAME(steps)(p, at);
    if (step == 0) {
        SB_NAME(begin)(p, at, shared, own);
    } else {
        int stage = (step - 1) % SB_STAGES, left = own->to_work, n_k = left < SB_NAME(chunk) ? left : SB_NAME(chunk);
        SB_NAME(fetch)(p, at, (step + SB_STAGES - 2) % SB_STAGES, shared, own);
        SB_NAME(work)(at.thread, n_k, shared->a[stage], shared->b[stage], own->sum);
        own->to_work = left == n_k ? p->tiles : left - n_k;
    }
    if (is_last && SB_NAME(is_inside)(p, at))
        SB_NAME(store)(p, at, true, own);
    else if (is_last)
        SB_NAME(store)(p, at, false, own);
    SB_COPY_WAIT(SB_STAGES - 2);
}

#undef SB_NAME
#undef SB_JOIN
#undef SB_JOIN_
#undef SB_BODY
#undef SB_FOURS
#undef SB_STAGES
#undef SB_RESIDENT
#undef SB_M
#undef SB_N
#undef SB_M_EACH
#undef SB_N_EACH

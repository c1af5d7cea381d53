/* One forward product of `winograd` (see domain_product.h): SB_BODY names it, the rest are the sizes of its tile; a
 * thread has SB_M_EACH rows and SB_N_EACH columns, both in fours. SB_STRAIGHT: 1: whole chunks are copied without
 * conditions, and the points that an upsampled map leaves out come last; 0: as in the kernels that an H200 was measured
 * with, whose loop over a chunk loaded each term when it was added. No include guard. */
#define SB_JOIN_(name, part) sb_product_##name##_##part
#define SB_JOIN(name, part)  SB_JOIN_(name, part)
#define SB_NAME(part)        SB_JOIN(SB_BODY, part)

enum {
    SB_NAME(m) = SB_M,
    SB_NAME(n) = SB_N,
    SB_NAME(across) = SB_N / SB_N_EACH,
    SB_NAME(down) = SB_M / SB_M_EACH,
    SB_NAME(threads) = SB_NAME(across) * SB_NAME(down),
    SB_NAME(resident) = SB_RESIDENT
};

typedef sb_domain_product_args SB_NAME(args);

typedef struct SB_NAME(shared) {
    sb_four a[SB_STAGES][SB_CHUNK * (SB_M / 4)];
    sb_four b[SB_STAGES][SB_CHUNK * (SB_N / 4)];
} SB_NAME(shared);

static_assert(SB_NAME(threads) % (SB_N / 4) == 0 && SB_NAME(threads) % (SB_M / 4) == 0,
              "a thread fetches from one column of each operand");

/* A chunk of the chain: the next `left` terms of a part; after the last part 0. */
typedef struct SB_NAME(place) {
    int part, left;
} SB_NAME(place);

typedef struct SB_NAME(own) {
    sb_real sum[SB_M_EACH][SB_N_EACH];
    SB_NAME(place) to_fetch, to_work;
    const sb_real *a, *b; /* to fetch from: the first of this thread's */
} SB_NAME(own);

SB_HOST_DEVICE int SB_NAME(length)(const sb_domain_product_args *p, sb_spot at, int part)
{
    return p->part[part].skip && SB_WINOGRAD_SKIPS(at.z) ? 0 : p->part[part].n_k;
}

/* Step 0 begins the first copies; each further one works on a chunk. */
SB_HOST_DEVICE int SB_NAME(steps)(const sb_domain_product_args *p, sb_spot at)
{
    int chunks = 0;
    if (SB_STRAIGHT) at.z = sb_domain_point(at.z);
    for (int part = 0; part < p->n_parts; part++) chunks += (SB_NAME(length)(p, at, part) + SB_CHUNK - 1) / SB_CHUNK;
    return chunks + 1;
}

/* To the next part that has terms, from the end of one. */
SB_HOST_DEVICE void SB_NAME(open)(const sb_domain_product_args *p, sb_spot at, SB_NAME(place) * place)
{
    place->left = 0;
    while (place->left == 0 && ++place->part < p->n_parts) place->left = SB_NAME(length)(p, at, place->part);
}

/* The first of the four columns of an operand that this thread fetches. */
SB_HOST_DEVICE int SB_NAME(a_column)(sb_spot at)
{
    return at.y * SB_M + at.thread % (SB_M / 4) * 4;
}

SB_HOST_DEVICE int SB_NAME(b_column)(sb_spot at)
{
    return at.x * SB_N + at.thread % (SB_N / 4) * 4;
}

/* A column that exists: fetched for one that does not, where no condition shall leave it out. */
SB_HOST_DEVICE int SB_NAME(existing)(int column, int pitch)
{
    return SB_STRAIGHT && column >= pitch ? 0 : column;
}

SB_HOST_DEVICE void SB_NAME(open_to_fetch)(const sb_domain_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    SB_NAME(open)(p, at, &own->to_fetch);
    if (own->to_fetch.left == 0) return;
    const sb_domain_part *part = &p->part[own->to_fetch.part];
    int a_pitch = sb_domain_pitch(p->m), b_pitch = sb_domain_pitch(p->n);
    size_t a_row = (size_t)at.z * part->n_k + at.thread / (SB_M / 4);
    size_t b_row = (size_t)at.z * part->n_k + at.thread / (SB_N / 4);
    own->a = part->a + a_row * a_pitch + SB_NAME(existing)(SB_NAME(a_column)(at), a_pitch);
    own->b = part->b + b_row * b_pitch + SB_NAME(existing)(SB_NAME(b_column)(at), b_pitch);
}

/* Rows below n_k of an operand `width` fours wide, at most a chunk. is_whole: n_k is a chunk or more. */
SB_HOST_DEVICE void SB_NAME(copy)(int thread, int n_k, bool is_whole, int width, const sb_real *from, int pitch,
                                  sb_four *to)
{
    int step = SB_NAME(threads) / width;
    SB_UNROLL
    for (int j = 0; j * step < SB_CHUNK; j++) {
        int k = thread / width + j * step;
        if ((is_whole || k < n_k) && ((j + 1) * step <= SB_CHUNK || k < SB_CHUNK))
            SB_COPY_BEGIN(&to[thread + j * SB_NAME(threads)], (const sb_four *)(from + (size_t)(j * step) * pitch));
    }
}

SB_HOST_DEVICE void SB_NAME(copy_both)(const sb_domain_product_args *p, sb_spot at, int stage, bool is_whole,
                                       SB_NAME(shared) * shared, const SB_NAME(own) * own)
{
    int left = own->to_fetch.left, a_pitch = sb_domain_pitch(p->m), b_pitch = sb_domain_pitch(p->n);
    if (SB_STRAIGHT) {
        SB_LATE(a_pitch);
        SB_LATE(b_pitch);
    }
    bool a_exists = SB_STRAIGHT || SB_NAME(a_column)(at) < a_pitch;
    bool b_exists = SB_STRAIGHT || SB_NAME(b_column)(at) < b_pitch;
    SB_NAME(copy)(at.thread, a_exists ? left : 0, is_whole, SB_M / 4, own->a, a_pitch, shared->a[stage]);
    SB_NAME(copy)(at.thread, b_exists ? left : 0, is_whole, SB_N / 4, own->b, b_pitch, shared->b[stage]);
}

SB_HOST_DEVICE void SB_NAME(fetch)(const sb_domain_product_args *p, sb_spot at, int stage, SB_NAME(shared) * shared,
                                   SB_NAME(own) * own)
{
    int left = own->to_fetch.left;
    if (SB_STRAIGHT && left >= SB_CHUNK)
        SB_NAME(copy_both)(p, at, stage, true, shared, own);
    else
        SB_NAME(copy_both)(p, at, stage, false, shared, own);
    SB_COPY_CLOSE();
    if (left > SB_CHUNK) {
        own->to_fetch.left -= SB_CHUNK;
        own->a += (size_t)SB_CHUNK * sb_domain_pitch(p->m), own->b += (size_t)SB_CHUNK * sb_domain_pitch(p->n);
    } else if (left > 0) {
        SB_NAME(open_to_fetch)(p, at, own);
    }
}

SB_HOST_DEVICE int SB_NAME(row)(int thread, int i)
{
    return sb_thread_row(thread, SB_NAME(across)) + i * SB_NAME(down);
}

/* What one k of a chunk multiplies, in registers. */
typedef struct SB_NAME(terms) {
    sb_four a[SB_M_EACH / 4], b[SB_N_EACH / 4];
} SB_NAME(terms);

/* a, b: row k of the chunk in shared memory, from this thread's first four on */
SB_HOST_DEVICE SB_NAME(terms) SB_NAME(terms_of)(const sb_four *a, const sb_four *b)
{
    SB_NAME(terms) terms;
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH / 4; i++) terms.a[i] = a[i * SB_NAME(down)];
    SB_UNROLL
    for (int j = 0; j < SB_N_EACH / 4; j++) terms.b[j] = b[j * SB_NAME(across)];
    return terms;
}

SB_HOST_DEVICE void SB_NAME(add)(const SB_NAME(terms) * terms, sb_real sum[SB_M_EACH][SB_N_EACH])
{
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++)
            sum[i][j] = SB_FMA(terms->a[i / 4].x[i % 4], terms->b[j / 4].x[j % 4], sum[i][j]);
    }
}

/* Whole chunks have a separate path, where the terms of the next k are loaded before those of this one are added. Its
 * code has no more than 512 multiplications, so that it stays in the nearest cache of instructions. */
SB_HOST_DEVICE void SB_NAME(work)(int thread, int n_k, const sb_four *a, const sb_four *b,
                                  sb_real sum[SB_M_EACH][SB_N_EACH])
{
    enum { MOST = 512 / (SB_M_EACH * SB_N_EACH), AT_ONCE = MOST < SB_CHUNK ? MOST : SB_CHUNK };
    a += SB_NAME(row)(thread, 0), b += sb_thread_column(thread, SB_NAME(across));
    if (n_k < SB_CHUNK) {
        SB_ROLL
        for (int k = 0; k < n_k; k++) {
            const SB_NAME(terms) now = SB_NAME(terms_of)(a + k * (SB_M / 4), b + k * (SB_N / 4));
            SB_NAME(add)(&now, sum);
        }
        return;
    }
    SB_NAME(terms) terms = SB_NAME(terms_of)(a, b);
    SB_UNROLL_BY(AT_ONCE)
    for (int k = 0; k < SB_CHUNK; k++) {
        const SB_NAME(terms) now = terms;
        if (k + 1 < SB_CHUNK) terms = SB_NAME(terms_of)(a + (k + 1) * (SB_M / 4), b + (k + 1) * (SB_N / 4));
        SB_NAME(add)(&now, sum);
    }
}

/* This thread's first result in c. */
typedef struct SB_NAME(corner) {
    sb_real *c;
    int m, column, pitch;
} SB_NAME(corner);

SB_HOST_DEVICE SB_NAME(corner) SB_NAME(corner_of)(const sb_domain_product_args *p, sb_spot at)
{
    SB_NAME(corner) corner = {.pitch = sb_domain_pitch(p->n)};
    SB_LATE(at.thread);
    SB_LATE(corner.pitch);
    corner.m = at.y * SB_M + 4 * SB_NAME(row)(at.thread, 0);
    corner.column = at.x * SB_N + 4 * sb_thread_column(at.thread, SB_NAME(across));
    corner.c = p->c + ((size_t)at.z * p->m + corner.m) * corner.pitch + corner.column;
    return corner;
}

/* The results of row i and the four columns from j on in c; NULL outside. */
SB_HOST_DEVICE sb_four *SB_NAME(results)(const SB_NAME(corner) * corner, int n_rows, int i, int j)
{
    int row = i / 4 * 4 * SB_NAME(down) + i % 4, column = j * SB_NAME(across);
    if (corner->m + row >= n_rows || corner->column + column >= corner->pitch) return NULL;
    return (sb_four *)(corner->c + (size_t)row * corner->pitch + column);
}

SB_HOST_DEVICE void SB_NAME(store)(const sb_domain_product_args *p, sb_spot at, const SB_NAME(own) * own)
{
    const SB_NAME(corner) corner = SB_NAME(corner_of)(p, at);
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j += 4) {
            sb_four *to = SB_NAME(results)(&corner, p->m, i, j);
            if (to) *to = (sb_four){{own->sum[i][j], own->sum[i][j + 1], own->sum[i][j + 2], own->sum[i][j + 3]}};
        }
    }
}

/* The chains go on from what `store` left. */
SB_HOST_DEVICE void SB_NAME(load)(const sb_domain_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    const SB_NAME(corner) corner = SB_NAME(corner_of)(p, at);
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j += 4) {
            const sb_four *from = SB_NAME(results)(&corner, p->m, i, j);
            if (!from) continue;
            const sb_four row = *from;
            SB_UNROLL
            for (int e = 0; e < 4; e++) own->sum[i][j + e] = row.x[e];
        }
    }
}

SB_HOST_DEVICE void SB_NAME(begin)(const sb_domain_product_args *p, sb_spot at, SB_NAME(shared) * shared,
                                   SB_NAME(own) * own)
{
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < SB_N_EACH; j++) own->sum[i][j] = 0;
    }
    if (p->adds) SB_NAME(load)(p, at, own);
    own->a = own->b = NULL;
    own->to_fetch.part = own->to_work.part = -1;
    SB_NAME(open)(p, at, &own->to_work);
    SB_NAME(open_to_fetch)(p, at, own);
    SB_ROLL
    for (int stage = 0; stage < SB_STAGES - 1; stage++) SB_NAME(fetch)(p, at, stage, shared, own);
}

/* Step s computes chunk s - 1 and copies a later chunk into the stage of the previous step. */
SB_HOST_DEVICE void SB_NAME(step)(const sb_domain_product_args *p, sb_spot at, int step, SB_NAME(shared) * shared,
                                  SB_NAME(own) * own)
{
    if (SB_STRAIGHT) at.z = sb_domain_point(at.z);
    if (step == 0) {
        SB_NAME(begin)(p, at, shared, own);
    } else {
        int stage = (step - 1) % SB_STAGES, left = own->to_work.left;
        SB_NAME(fetch)(p, at, (step + SB_STAGES - 2) % SB_STAGES, shared, own);
        SB_NAME(work)(at.thread, left, shared->a[stage], shared->b[stage], own->sum);
        if (left > SB_CHUNK)
            own->to_work.left -= SB_CHUNK;
        else
            SB_NAME(open)(p, at, &own->to_work);
    }
    if (own->to_work.left == 0) SB_NAME(store)(p, at, own);
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
#undef SB_STRAIGHT

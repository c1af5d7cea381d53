/* One forward product of `winograd` (see domain_product.h): SB_BODY names it, the rest are the sizes of its tile; a
 * thread has SB_M_EACH rows, in fours, and four columns. No include guard. */
#define SB_JOIN_(name, part) sb_product_##name##_##part
#define SB_JOIN(name, part)  SB_JOIN_(name, part)
#define SB_NAME(part)        SB_JOIN(SB_BODY, part)

enum {
    SB_NAME(across) = SB_N / 4,
    SB_NAME(down) = SB_M / SB_M_EACH,
    SB_NAME(threads) = SB_NAME(across) * SB_NAME(down),
    SB_NAME(resident) = SB_RESIDENT
};

typedef sb_domain_product_args SB_NAME(args);

typedef struct SB_NAME(shared) {
    sb_four a[SB_STAGES][SB_CHUNK * (SB_M / 4)];
    sb_four b[SB_STAGES][SB_CHUNK * (SB_N / 4)];
} SB_NAME(shared);

static_assert(SB_NAME(threads) % SB_NAME(across) == 0 && SB_NAME(threads) % (SB_M / 4) == 0,
              "a thread fetches from one column of each operand");

/* A chunk of the chain: the next `left` terms of a part; after the last part 0. */
typedef struct SB_NAME(place) {
    int part, left;
} SB_NAME(place);

typedef struct SB_NAME(own) {
    sb_real sum[SB_M_EACH][4];
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
    for (int part = 0; part < p->n_parts; part++) chunks += (SB_NAME(length)(p, at, part) + SB_CHUNK - 1) / SB_CHUNK;
    return chunks + 1;
}

/* To the next part that has terms, from the end of one. */
SB_HOST_DEVICE void SB_NAME(open)(const sb_domain_product_args *p, sb_spot at, SB_NAME(place) * place)
{
    place->left = 0;
    while (place->left == 0 && ++place->part < p->n_parts) place->left = SB_NAME(length)(p, at, place->part);
}

SB_HOST_DEVICE void SB_NAME(open_to_fetch)(const sb_domain_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    SB_NAME(open)(p, at, &own->to_fetch);
    if (own->to_fetch.left == 0) return;
    const sb_domain_part *part = &p->part[own->to_fetch.part];
    int a_pitch = sb_domain_pitch(p->m), b_pitch = sb_domain_pitch(p->n);
    size_t a_row = (size_t)at.z * part->n_k + at.thread / (SB_M / 4);
    size_t b_row = (size_t)at.z * part->n_k + at.thread / (SB_N / 4);
    own->a = part->a + a_row * a_pitch + at.y * SB_M + at.thread % (SB_M / 4) * 4;
    own->b = part->b + b_row * b_pitch + at.x * SB_N + at.thread % (SB_N / 4) * 4;
}

/* Rows below n_k of an operand `width` fours wide, at most a chunk. */
SB_HOST_DEVICE void SB_NAME(copy)(int thread, int n_k, int width, const sb_real *from, int pitch, sb_four *to)
{
    int step = SB_NAME(threads) / width;
    SB_UNROLL
    for (int j = 0; j * step < SB_CHUNK; j++) {
        int k = thread / width + j * step;
        if (k < n_k && k < SB_CHUNK)
            SB_COPY_BEGIN(&to[thread + j * SB_NAME(threads)], (const sb_four *)(from + (size_t)(j * step) * pitch));
    }
}

SB_HOST_DEVICE void SB_NAME(fetch)(const sb_domain_product_args *p, sb_spot at, int stage, SB_NAME(shared) * shared,
                                   SB_NAME(own) * own)
{
    int left = own->to_fetch.left, a_pitch = sb_domain_pitch(p->m), b_pitch = sb_domain_pitch(p->n);
    bool a_exists = at.y * SB_M + at.thread % (SB_M / 4) * 4 < a_pitch;
    bool b_exists = at.x * SB_N + at.thread % (SB_N / 4) * 4 < b_pitch;
    SB_NAME(copy)(at.thread, a_exists ? left : 0, SB_M / 4, own->a, a_pitch, shared->a[stage]);
    SB_NAME(copy)(at.thread, b_exists ? left : 0, SB_N / 4, own->b, b_pitch, shared->b[stage]);
    SB_COPY_CLOSE();
    if (left > SB_CHUNK) {
        own->to_fetch.left -= SB_CHUNK;
        own->a += (size_t)SB_CHUNK * a_pitch, own->b += (size_t)SB_CHUNK * b_pitch;
    } else if (left > 0) {
        SB_NAME(open_to_fetch)(p, at, own);
    }
}

SB_HOST_DEVICE int SB_NAME(row)(int thread, int i)
{
    return sb_thread_row(thread, SB_NAME(across)) + i * SB_NAME(down);
}

/* sum = chain over one k of the chunk; a, b: its rows in shared memory, from this thread's first four on */
SB_HOST_DEVICE void SB_NAME(term)(const sb_four *a, const sb_four *b, sb_real sum[SB_M_EACH][4])
{
    sb_four own_a[SB_M_EACH / 4], own_b = *b;
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH / 4; i++) own_a[i] = a[i * SB_NAME(down)];
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < 4; j++) sum[i][j] = SB_FMA(own_a[i / 4].x[i % 4], own_b.x[j], sum[i][j]);
    }
}

/* Whole chunks have a separate path, so that loads of one k overlap with the arithmetic of another. */
SB_HOST_DEVICE void SB_NAME(work)(int thread, int n_k, const sb_four *a, const sb_four *b, sb_real sum[SB_M_EACH][4])
{
    a += SB_NAME(row)(thread, 0), b += sb_thread_column(thread, SB_NAME(across));
    if (n_k < SB_CHUNK) {
        SB_ROLL
        for (int k = 0; k < n_k; k++) SB_NAME(term)(a + k * (SB_M / 4), b + k * (SB_N / 4), sum);
    } else {
        SB_UNROLL
        for (int k = 0; k < SB_CHUNK; k++) SB_NAME(term)(a + k * (SB_M / 4), b + k * (SB_N / 4), sum);
    }
}

SB_HOST_DEVICE void SB_NAME(store)(const sb_domain_product_args *p, sb_spot at, const SB_NAME(own) * own)
{
    int pitch = sb_domain_pitch(p->n);
    int column = at.x * SB_N + 4 * sb_thread_column(at.thread, SB_NAME(across));
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        int m = at.y * SB_M + 4 * SB_NAME(row)(at.thread, i / 4) + i % 4;
        sb_four row = {{own->sum[i][0], own->sum[i][1], own->sum[i][2], own->sum[i][3]}};
        if (m < p->m && column < pitch) *(sb_four *)(p->c + ((size_t)at.z * p->m + m) * pitch + column) = row;
    }
}

/* The chains go on from what `store` left. */
SB_HOST_DEVICE void SB_NAME(load)(const sb_domain_product_args *p, sb_spot at, SB_NAME(own) * own)
{
    int pitch = sb_domain_pitch(p->n);
    int column = at.x * SB_N + 4 * sb_thread_column(at.thread, SB_NAME(across));
    if (column >= pitch) return;
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i += 4) {
        int m = at.y * SB_M + 4 * SB_NAME(row)(at.thread, i / 4);
        const sb_four *from = (const sb_four *)(p->c + ((size_t)at.z * p->m + m) * pitch + column);
        SB_UNROLL
        for (int e = 0; e < 4; e++, from += pitch / 4) {
            if (m + e >= p->m) break;
            const sb_four row = *from;
            SB_UNROLL
            for (int j = 0; j < 4; j++) own->sum[i + e][j] = row.x[j];
        }
    }
}

SB_HOST_DEVICE void SB_NAME(begin)(const sb_domain_product_args *p, sb_spot at, SB_NAME(shared) * shared,
                                   SB_NAME(own) * own)
{
    SB_UNROLL
    for (int i = 0; i < SB_M_EACH; i++) {
        SB_UNROLL
        for (int j = 0; j < 4; j++) own->sum[i][j] = 0;
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

/* Hashes of tensors of others, by any strides. */
#include "core/hash.h"
#include "core/little_endian.h"
#include "core/size.h"
#include "core/status.h"

#include "samebits.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 65536, SAMPLES_MOST = 4096 };

static const struct {
    uint8_t bytes, parts; /* of an element; numbers that it is made of */
    uint8_t mantissa;     /* bits, of floating point; 0: no such number */
} dtypes[SB_N_DTYPES] = {
    [SB_F32] = {4, 1, 23}, [SB_F64] = {8, 1, 52}, [SB_F16] = {2, 1, 10},    [SB_BF16] = {2, 1, 7},
    [SB_F8_E4M3] = {1, 1}, [SB_F8_E5M2] = {1, 1}, [SB_I8] = {1, 1},         [SB_I16] = {2, 1},
    [SB_I32] = {4, 1},     [SB_I64] = {8, 1},     [SB_U8] = {1, 1},         [SB_U16] = {2, 1},
    [SB_U32] = {4, 1},     [SB_U64] = {8, 1},     [SB_BOOL] = {1, 1},       [SB_C64] = {8, 2, 23},
    [SB_C128] = {16, 2, 52},
};

/* A view without dimensions of size 1, and with those joined that lie dense in one another. */
typedef struct walk {
    const uint8_t *data;
    size_t bytes; /* of an element */
    int n_dims;
    int64_t shape[SB_DIMS_MAX], stride[SB_DIMS_MAX]; /* strides in bytes */
    size_t n;                                        /* elements */
} walk;

/* strides of a dense row-major tensor where the view has none */
static void strides_of(const sb_view *view, int64_t stride[SB_DIMS_MAX])
{
    int64_t dense = 1;
    for (int i = view->n_dims - 1; i >= 0; i--) {
        stride[i] = view->strides ? view->strides[i] : dense;
        dense *= view->shape[i];
    }
}

static bool begin(walk *w, const sb_view *view)
{
    int64_t stride[SB_DIMS_MAX];
    *w = (walk){.data = view->data, .n = 1};
    if (view->n_dims < 0 || view->n_dims > SB_DIMS_MAX || (unsigned)view->dtype >= SB_N_DTYPES) {
        (void)sb_fail(SB_E_USAGE, "a tensor of %d dimensions and data type %d: at most %d dimensions, and a data type of "
                      "samebits.h", view->n_dims, (int)view->dtype, SB_DIMS_MAX);
        return false;
    }
    w->bytes = dtypes[view->dtype].bytes;
    for (int i = 0; i < view->n_dims; i++)
        if (view->shape[i] < 0 || !sb_size_multiply(w->n, (size_t)view->shape[i], &w->n)) {
            (void)sb_fail(SB_E_USAGE, "a tensor of size %lld in dimension %d", (long long)view->shape[i], i);
            return false;
        }
    if (w->n == 0) return true;
    if (!view->data) {
        (void)sb_fail(SB_E_USAGE, "a tensor of %zu elements without memory", w->n);
        return false;
    }
    strides_of(view, stride);
    for (int i = 0; i < view->n_dims; i++) {
        const int64_t step = stride[i] * (int64_t)w->bytes;
        if (view->shape[i] == 1) continue;
        const int last = w->n_dims - 1;
        if (last >= 0 && w->stride[last] == step * view->shape[i]) {
            w->shape[last] *= view->shape[i];
            w->stride[last] = step;
        } else {
            w->shape[w->n_dims] = view->shape[i];
            w->stride[w->n_dims++] = step;
        }
    }
    return true;
}

static bool is_dense(const walk *w)
{
    return w->n_dims == 0 || (w->n_dims == 1 && w->stride[0] == (int64_t)w->bytes);
}

/* Where one is in a tensor whose elements are taken in row-major order. */
typedef struct place {
    int64_t index[SB_DIMS_MAX];
    const uint8_t *at;
} place;

static void step(const walk *w, place *p)
{
    for (int i = w->n_dims - 2; i >= 0; i--) {
        p->at += w->stride[i];
        if (++p->index[i] < w->shape[i]) return;
        p->at -= w->stride[i] * w->shape[i];
        p->index[i] = 0;
    }
}

#define COPY_RUN(type)                                                                                                 \
    for (int64_t k = 0; k < n; k++, from += stride) memcpy(to + k * (int64_t)sizeof(type), from, sizeof(type))

/* n elements, `stride` bytes from one to the next */
static void copy_run(uint8_t *to, const uint8_t *from, int64_t stride, int64_t n, size_t bytes)
{
    typedef struct sixteen {
        uint64_t half[2];
    } sixteen;
    if (stride == (int64_t)bytes) {
        memcpy(to, from, (size_t)n * bytes);
        return;
    }
    switch (bytes) {
    case 1: COPY_RUN(uint8_t); break;
    case 2: COPY_RUN(uint16_t); break;
    case 4: COPY_RUN(uint32_t); break;
    case 8: COPY_RUN(uint64_t); break;
    default: COPY_RUN(sixteen);
    }
}

/* The next `n` elements, dense; p moves on. */
static void gather(const walk *w, place *p, size_t n, uint8_t *to)
{
    const int last = w->n_dims - 1;
    while (n) {
        const int64_t left = w->shape[last] - p->index[last], take = (int64_t)n < left ? (int64_t)n : left;
        copy_run(to, p->at + w->stride[last] * p->index[last], w->stride[last], take, w->bytes);
        to += (size_t)take * w->bytes;
        n -= (size_t)take;
        p->index[last] += take;
        if (p->index[last] < w->shape[last]) return;
        p->index[last] = 0;
        step(w, p);
    }
}

/* -0.0 becomes 0.0, each NaN the quiet one without a sign; n numbers of `bytes` bytes in place */
static void make_canonical(uint8_t *at, size_t n, size_t bytes, unsigned mantissa)
{
    const uint64_t one = 1, sign = one << (8 * bytes - 1), top = sign | (sign - 1);
    const uint64_t infinity = (sign - 1) & ~((one << mantissa) - 1), quiet = infinity | one << (mantissa - 1);
    for (size_t i = 0; i < n; i++, at += bytes) {
        uint64_t x = 0;
        for (size_t k = 0; k < bytes; k++) x |= (uint64_t)at[k] << (8 * k);
        if ((x & (sign - 1)) > infinity)
            x = quiet;
        else if ((x & top) == sign)
            x = 0;
        for (size_t k = 0; k < bytes; k++) at[k] = (uint8_t)(x >> (8 * k));
    }
}

typedef struct pieces { /* what becomes of the pieces of 64 KiB */
    sb_dtype dtype;
    bool canonical;
    uint8_t buffer[PIECE];
} pieces;

/* A piece's bytes in the buffer, or where they lie; elements with their least significant byte first. */
static sb_hash hash_piece(pieces *s, const uint8_t *at, size_t n_bytes)
{
    const size_t part = dtypes[s->dtype].bytes / dtypes[s->dtype].parts;
    const bool changes = s->canonical && dtypes[s->dtype].mantissa;
    if (!changes) return sb_hash_of(at, n_bytes / part, part);
    if (at != s->buffer) memcpy(s->buffer, at, n_bytes);
    sb_little_endian_turn(s->buffer, n_bytes / part, part);
    make_canonical(s->buffer, n_bytes / part, part, dtypes[s->dtype].mantissa);
    return sb_hash_of(s->buffer, n_bytes, 1);
}

static sb_hash next_piece(const walk *w, place *p, pieces *s, size_t n)
{
    if (is_dense(w)) {
        const uint8_t *at = p->at;
        p->at += n * w->bytes;
        return hash_piece(s, at, n * w->bytes);
    }
    gather(w, p, n, s->buffer);
    return hash_piece(s, s->buffer, n * w->bytes);
}

static sb_hash hash_view(const sb_view *view, bool canonical)
{
    const sb_hash none = {{0}};
    walk w;
    pieces s; /* not zeroed: 64 KiB for each small tensor would be most of the time */
    s.dtype = view->dtype, s.canonical = canonical;
    if (!begin(&w, view)) return none;
    place p = {.at = w.data};
    const size_t most = PIECE / w.bytes;
    if (w.n <= most) return next_piece(&w, &p, &s, w.n);
    sb_hasher *all = sb_hasher_begin();
    if (!all) return none;
    for (size_t left = w.n; left;) {
        const size_t n = left < most ? left : most;
        const sb_hash hash = next_piece(&w, &p, &s, n);
        sb_hasher_add(all, hash.byte, sizeof hash.byte, 1);
        left -= n;
    }
    return sb_hasher_end(all);
}

sb_hash sb_view_hash(const sb_view *view)
{
    return hash_view(view, false);
}

sb_hash sb_numbers_hash(const void *number, sb_dtype dtype, size_t n)
{
    const int64_t size = (int64_t)n;
    const sb_view view = {number, dtype, 1, &size, NULL};
    return hash_view(&view, false);
}

sb_hash sb_view_canonical(const sb_view *view)
{
    return hash_view(view, true);
}

sb_hash sb_hash_list(const sb_hash *hash, size_t n)
{
    return sb_hash_of(hash, n * sizeof *hash, 1);
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(sb_hash));
}

sb_hash sb_view_samples(const sb_view *view)
{
    const sb_hash none = {{0}};
    sb_hash hash[SAMPLES_MOST];
    int64_t stride[SB_DIMS_MAX];
    walk w;
    if (!begin(&w, view) || view->n_dims == 0 || view->shape[0] > SAMPLES_MOST) return none;
    strides_of(view, stride);
    for (int64_t i = 0; i < view->shape[0]; i++) {
        const sb_view sample = {(const uint8_t *)view->data + i * stride[0] * (int64_t)w.bytes, view->dtype,
                                view->n_dims - 1, view->shape + 1, stride + 1};
        hash[i] = sb_view_hash(&sample);
    }
    qsort(hash, (size_t)view->shape[0], sizeof *hash, compare);
    return sb_hash_list(hash, (size_t)view->shape[0]);
}

/* Attention of the native backend, as written in attention.h. Threads share the heads of all samples. A thread packs
 * the keys and values of a head once; then it takes BLOCK queries at a time, whose scores it has in memory. All sums
 * over channels or positions are tiles of the micro-kernel. */
#include "core/arena.h"
#include "ops/context.h"
#include "ops/kernel_native.h"
#include "ops/native.h"

#include <omp.h>
#include <string.h>

/* Queries whose scores are in memory at a time: whole tiles of them. */
enum { BLOCK = 60 / SB_TILE_ROWS * SB_TILE_ROWS };

/* Memory of a thread, for a head of `depth` channels at T positions. columns: T in whole tiles; channels: depth in whole
 * vectors. */
typedef struct space {
    int columns, channels;
    sb_real *keys_turned, *values_turned;     /* [depth][columns] */
    sb_real *keys, *values;                   /* [T][channels], zeros after a row's numbers */
    sb_real *queries, *gradients, *sums;      /* [BLOCK][channels] */
    sb_real *scores, *products;               /* [BLOCK][columns]: z, then e or p; dp, then s */
    sb_real *keys_gradient, *values_gradient; /* [T][channels] */
} space;

/* A head of a sample: rows of x, y, dy and dx. */
typedef struct head {
    const sb_real *q, *k, *v, *dy;
    sb_real *y, *dq, *dk, *dv;
    sb_attention_row *row;
    int context, depth;
    ptrdiff_t x_row, y_row;
    sb_real factor;
} head;

/* ---- memory ---- */

static void lay_out(space *s, sb_arena *arena, int context, int depth)
{
    s->columns = (context + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS * SB_TILE_COLUMNS;
    s->channels = sb_whole_vectors(depth);
    const size_t turned = (size_t)depth * s->columns * sizeof(sb_real);
    const size_t packed = (size_t)context * s->channels * sizeof(sb_real);
    const size_t scores = (size_t)BLOCK * s->columns * sizeof(sb_real);
    const size_t block = (size_t)BLOCK * s->channels * sizeof(sb_real);
    s->keys_turned = sb_arena_take(arena, turned), s->values_turned = sb_arena_take(arena, turned);
    s->keys = sb_arena_take(arena, packed), s->values = sb_arena_take(arena, packed);
    s->queries = sb_arena_take(arena, block), s->gradients = sb_arena_take(arena, block);
    s->sums = sb_arena_take(arena, block);
    s->scores = sb_arena_take(arena, scores), s->products = sb_arena_take(arena, scores);
    s->keys_gradient = sb_arena_take(arena, packed), s->values_gradient = sb_arena_take(arena, packed);
}

static size_t size_of_thread(int context, int depth)
{
    space s;
    sb_arena arena = {0};
    lay_out(&s, &arena, context, depth);
    return (arena.used + SB_ARENA_ALIGN - 1) / SB_ARENA_ALIGN * SB_ARENA_ALIGN;
}

static size_t scratch_size(const sb_ops *ops, const sb_attention *attention, int context)
{
    return (size_t)sb_context_of(ops)->threads * size_of_thread(context, attention->width / attention->heads);
}

/* This thread's part of the scratch. */
static space space_of(const sb_attention *attention, int context)
{
    space s;
    const int depth = attention->width / attention->heads;
    const size_t size = size_of_thread(context, depth);
    sb_arena arena = {.base = (char *)attention->scratch + (size_t)omp_get_thread_num() * size, .size = size};
    lay_out(&s, &arena, context, depth);
    return s;
}

/* to[n][channels] = rows of a head, zeros after their numbers. */
static void pack(const sb_real *from, ptrdiff_t row, int n, int depth, int channels, sb_real *to)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < depth; c += SB_LANES)
            sb_vec_store(to + (size_t)i * channels + c, sb_vec_load_n(from + i * row + c, sb_lanes_at(c, depth)));
}

/* to[depth][columns] = rows of a head, turned. */
static void turn(const sb_real *from, ptrdiff_t row, int n, int depth, int columns, sb_real *to)
{
    for (int i = 0; i < n; i += SB_LANES)
        for (int c = 0; c < depth; c += SB_LANES)
            sb_vec_turn(from + i * row + c, (size_t)row, sb_lanes_at(i, n), sb_lanes_at(c, depth),
                        to + (size_t)c * columns + i, (size_t)columns, SB_LANES);
}

/* ---- products, of n queries from `first` on ---- */

/* to[n][columns] = chains over the channels of rows a, a head's, and turned[depth][columns], up to the last position
 * that each tile of rows reads. */
static void multiply_rows(const sb_real *a, ptrdiff_t a_row, const sb_real *turned, const space *s, int depth,
                          int first, int n, sb_real *to)
{
    for (int tile = 0; tile < sb_tiles_of(n); tile++) {
        const int m = sb_tile_begin(n, tile), end = sb_tile_begin(n, tile + 1);
        for (int j = 0; j < first + end; j += SB_TILE_COLUMNS) {
            const int vecs = (first + end - j + SB_LANES - 1) / SB_LANES;
            const sb_stretch stretch = {depth, a + m * a_row, a_row, 1, NULL, turned + j, s->columns};
            SB_KERNEL(end - m, vecs < SB_TILE_VECS ? vecs : SB_TILE_VECS, 1, &stretch, SB_FROM_ZERO,
                      to + (size_t)m * s->columns + j, s->columns);
        }
    }
}

/* sums[n][channels] = chains over the positions j of scores[n][columns] and b[T][channels]. */
static void add_positions(const sb_real *scores, const sb_real *b, const space *s, int first, int n)
{
    for (int tile = 0; tile < sb_tiles_of(n); tile++) {
        const int m = sb_tile_begin(n, tile), end = sb_tile_begin(n, tile + 1);
        const sb_real *a = scores + (size_t)m * s->columns;
        for (int c = 0; c < s->channels; c += SB_TILE_COLUMNS) {
            const int vecs = (s->channels - c) / SB_LANES;
            const sb_stretch stretch = {first + end, a, s->columns, 1, NULL, b + c, s->channels};
            SB_KERNEL(end - m, vecs < SB_TILE_VECS ? vecs : SB_TILE_VECS, 1, &stretch, SB_FROM_ZERO,
                      s->sums + (size_t)m * s->channels + c, s->channels);
        }
    }
}

/* The chains over the queries of to[T][channels] go on: of scores[n][columns], turned, and b[n][channels]. Queries
 * before a tile of keys have no part in it. */
static void add_queries(const sb_real *scores, const sb_real *b, const space *s, int first, int n, sb_real *to)
{
    for (int tile = 0; tile < sb_tiles_of(first + n); tile++) {
        const int j = sb_tile_begin(first + n, tile), end = sb_tile_begin(first + n, tile + 1);
        const int skip = j > first ? j - first : 0;
        const sb_real *a = scores + (size_t)skip * s->columns + j;
        for (int c = 0; c < s->channels; c += SB_TILE_COLUMNS) {
            const int vecs = (s->channels - c) / SB_LANES;
            const sb_stretch stretch = {n - skip,   a, 1, s->columns, NULL, b + (size_t)skip * s->channels + c,
                                        s->channels};
            SB_KERNEL(end - j, vecs < SB_TILE_VECS ? vecs : SB_TILE_VECS, 1, &stretch, SB_GO_ON,
                      to + (size_t)j * s->channels + c, s->channels);
        }
    }
}

/* n rows of a head = factor times chains over positions, rows of memory. */
static void put_rows(const sb_real *from, int channels, sb_real factor, int n, int depth, sb_real *to, ptrdiff_t row)
{
    for (int i = 0; i < n; i++)
#pragma omp simd
        for (int c = 0; c < depth; c++) to[i * row + c] = factor * (from[i * channels + c] + 0);
}

/* ---- rows of scores ---- */

/* Lanes side by side; the last ones without a lane of their own. */
static sb_real largest_of(const sb_real *z, int n, sb_real factor)
{
    sb_real lane[SB_ORDER_LANES], largest = -INFINITY;
    int j = 0;
    for (int l = 0; l < SB_ORDER_LANES; l++) lane[l] = -INFINITY;
    for (; j + SB_ORDER_LANES <= n; j += SB_ORDER_LANES)
        for (int l = 0; l < SB_ORDER_LANES; l++) lane[l] = factor * z[j + l] > lane[l] ? factor * z[j + l] : lane[l];
    for (int l = 0; j + l < n; l++) lane[l] = factor * z[j + l] > lane[l] ? factor * z[j + l] : lane[l];
    for (int l = 0; l < SB_ORDER_LANES; l++) largest = lane[l] > largest ? lane[l] : largest;
    return largest;
}

static sb_real sum_of(const sb_real *e, int n)
{
    sb_real lane[SB_ORDER_LANES] = {0};
    int j = 0;
    for (; j + SB_ORDER_LANES <= n; j += SB_ORDER_LANES)
        for (int l = 0; l < SB_ORDER_LANES; l++) lane[l] += e[j + l];
    for (int l = 0; j + l < n; l++) lane[l] += e[j + l];
    return sb_attention_join(lane);
}

static sb_real product_of(const sb_real *a, const sb_real *b, int n)
{
    sb_real lane[SB_ORDER_LANES] = {0};
    int c = 0;
    for (; c + SB_ORDER_LANES <= n; c += SB_ORDER_LANES)
        for (int l = 0; l < SB_ORDER_LANES; l++) lane[l] = SB_FMA(a[c + l], b[c + l], lane[l]);
    for (int l = 0; c + l < n; l++) lane[l] = SB_FMA(a[c + l], b[c + l], lane[l]);
    return sb_attention_join(lane);
}

/* z -> e of positions 0 .. i, and zeros up to `end`. */
static void exponents(const head *h, int i, int end, sb_real *z)
{
    const sb_real factor = h->factor, largest = h->row[i].largest;
#pragma omp simd
    for (int j = 0; j <= i; j++) z[j] = sb_attention_term(z[j], factor, largest);
    memset(z + i + 1, 0, (size_t)(end - i - 1) * sizeof *z);
}

/* p and s of query i: scores has e, products dp. */
static void row_gradient(const head *h, int i, int end, sb_real *scores, sb_real *products)
{
    const sb_real inverse = h->row[i].inverse;
    const sb_real mean = product_of(h->dy + i * h->y_row, h->y + i * h->y_row, h->depth);
    exponents(h, i, end, scores);
#pragma omp simd
    for (int j = 0; j <= i; j++) {
        scores[j] = scores[j] * inverse;
        products[j] = scores[j] * (products[j] - mean);
    }
    memset(products + i + 1, 0, (size_t)(end - i - 1) * sizeof *products);
}

/* ---- blocks of queries ---- */

static void forward_block(const head *h, const space *s, int first, int n)
{
    multiply_rows(h->q + first * h->x_row, h->x_row, s->keys_turned, s, h->depth, first, n, s->scores);
    for (int m = 0; m < n; m++) {
        sb_real *z = s->scores + (size_t)m * s->columns;
        sb_attention_row *row = &h->row[first + m];
        row->largest = largest_of(z, first + m + 1, h->factor);
        exponents(h, first + m, first + n, z);
        row->inverse = SB_DIVIDE((sb_real)1, sum_of(z, first + m + 1));
    }
    add_positions(s->scores, s->values, s, first, n);
    for (int m = 0; m < n; m++)
        put_rows(s->sums + (size_t)m * s->channels, 0, h->row[first + m].inverse, 1, h->depth,
                 h->y + (first + m) * h->y_row, 0);
}

static void backward_block(const head *h, const space *s, int first, int n)
{
    const sb_real *q = h->q + first * h->x_row, *dy = h->dy + first * h->y_row;
    multiply_rows(q, h->x_row, s->keys_turned, s, h->depth, first, n, s->scores);
    multiply_rows(dy, h->y_row, s->values_turned, s, h->depth, first, n, s->products);
    for (int m = 0; m < n; m++)
        row_gradient(h, first + m, first + n, s->scores + (size_t)m * s->columns, s->products + (size_t)m * s->columns);
    add_positions(s->products, s->keys, s, first, n);
    put_rows(s->sums, s->channels, h->factor, n, h->depth, h->dq + first * h->x_row, h->x_row);
    pack(q, h->x_row, n, h->depth, s->channels, s->queries);
    pack(dy, h->y_row, n, h->depth, s->channels, s->gradients);
    add_queries(s->products, s->queries, s, first, n, s->keys_gradient);
    add_queries(s->scores, s->gradients, s, first, n, s->values_gradient);
}

/* ---- the operations ---- */

/* Head number i of all samples. dy, dx: NULL in the forward pass. */
static head head_of(const sb_attention *a, const sb_tensor *x, const sb_tensor *y, const sb_tensor *dy,
                    const sb_tensor *dx, long i)
{
    const int depth = a->width / a->heads, context = x->w, width = a->width;
    const size_t at = (size_t)(i % a->heads) * depth, position = (size_t)(i / a->heads) * context;
    const sb_real *q = x->x + position * x->c + at;
    head h = {.q = q,
              .k = q + width,
              .v = q + 2 * width,
              .y = y->x + position * width + at,
              .row = (sb_attention_row *)a->statistics + (size_t)i * context,
              .context = context,
              .depth = depth,
              .x_row = x->c,
              .y_row = width,
              .factor = sb_attention_factor(depth)};
    if (dy) h.dy = dy->x + position * width + at;
    if (dx) h.dq = dx->x + position * x->c + at, h.dk = h.dq + width, h.dv = h.dq + 2 * width;
    return h;
}

static void attention_forward(sb_ops *ops, const sb_attention *attention, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
    const space s = space_of(attention, x->w);
#pragma omp for schedule(static)
    for (long i = 0; i < (long)x->n * attention->heads; i++) {
        const head h = head_of(attention, x, y, NULL, NULL, i);
        turn(h.k, h.x_row, h.context, h.depth, s.columns, s.keys_turned);
        pack(h.v, h.x_row, h.context, h.depth, s.channels, s.values);
        for (int first = 0; first < h.context; first += BLOCK)
            forward_block(&h, &s, first, h.context - first < BLOCK ? h.context - first : BLOCK);
    }
}

static void attention_backward(sb_ops *ops, const sb_attention *attention, const sb_tensor *x, const sb_tensor *y,
                               const sb_tensor *dy, sb_tensor *dx)
{
    (void)ops;
    const space s = space_of(attention, x->w);
    const size_t n_bytes = (size_t)x->w * s.channels * sizeof(sb_real);
#pragma omp for schedule(static)
    for (long i = 0; i < (long)x->n * attention->heads; i++) {
        const head h = head_of(attention, x, y, dy, dx, i);
        turn(h.k, h.x_row, h.context, h.depth, s.columns, s.keys_turned);
        turn(h.v, h.x_row, h.context, h.depth, s.columns, s.values_turned);
        pack(h.k, h.x_row, h.context, h.depth, s.channels, s.keys);
        memset(s.keys_gradient, 0, n_bytes), memset(s.values_gradient, 0, n_bytes);
        for (int first = 0; first < h.context; first += BLOCK)
            backward_block(&h, &s, first, h.context - first < BLOCK ? h.context - first : BLOCK);
        put_rows(s.keys_gradient, s.channels, h.factor, h.context, h.depth, h.dk, h.x_row);
        put_rows(s.values_gradient, s.channels, 1, h.context, h.depth, h.dv, h.x_row);
    }
}

void SB_NATIVE(sb_attention_native)(sb_ops *ops)
{
    ops->attention_scratch_size = scratch_size;
    ops->attention_forward = attention_forward;
    ops->attention_backward = attention_backward;
}

/* Kernels of attention, forward, as written in ops/attention/attention.h; the CPU twin is attention_native.c. Maps are
 * planes [n][c][T]. */
#pragma once

#include "ops/kernels/attention_tile.h"

/* ---- the largest score of each row: a block takes a tile of queries ---- */

typedef sb_attention_maps sb_attention_largest_args;

enum { sb_attention_largest_threads = SB_ATTENTION_THREADS, sb_attention_largest_resident = SB_ATTENTION_RESIDENT };
enum { SB_ATTENTION_ABREAST = SB_ATTENTION_TILE / SB_ATTENTION_EACH }; /* threads of a query */

typedef struct sb_attention_largest_shared {
    sb_attention_chunk chunk;
    sb_real largest[SB_ATTENTION_TILE][SB_ATTENTION_ABREAST + 1];
} sb_attention_largest_shared;

typedef struct sb_attention_largest_own {
    sb_attention_walk walk;
    sb_real z[SB_ATTENTION_EACH], largest;
} sb_attention_largest_own;

SB_HOST_DEVICE int sb_attention_largest_steps(const sb_attention_largest_args *k, sb_spot at)
{
    return sb_attention_steps(k, sb_attention_tile_of(k, at) + 1);
}

/* The next unit: of the queries of the block and the keys of a tile. */
SB_HOST_DEVICE void sb_attention_fetch_keys(const sb_attention_maps *k, sb_spot at, int step,
                                            const sb_attention_walk *walk, sb_attention_chunk *chunk)
{
    if (step >= walk->units) return;
    sb_attention_fetch(walk, at.thread, step % 2, k->context, walk->head.q, walk->tile * SB_ATTENTION_TILE,
                       walk->head.k, walk->next.tile * SB_ATTENTION_TILE, chunk);
}

/* The number of keys, from a thread's first of the last unit's tile on, that are not after the thread's query; may be
 * negative. */
SB_HOST_DEVICE int sb_attention_n_keys(const sb_attention_walk *walk, int thread)
{
    const int queries = walk->tile * SB_ATTENTION_TILE, keys = walk->last.tile * SB_ATTENTION_TILE;
    return queries + sb_attention_query(thread) + 1 - keys - sb_attention_key(thread);
}

SB_HOST_DEVICE void sb_attention_keep_largest(const sb_attention_maps *k, sb_spot at,
                                              const sb_attention_largest_shared *shared, const sb_attention_walk *walk)
{
    const int i = walk->tile * SB_ATTENTION_TILE + at.thread;
    sb_real largest = -INFINITY;
    if (at.thread >= SB_ATTENTION_TILE || i >= k->context) return;
    for (int t = 0; t < SB_ATTENTION_ABREAST; t++)
        largest = shared->largest[at.thread][t] > largest ? shared->largest[at.thread][t] : largest;
    walk->head.row[i].largest = largest;
}

SB_HOST_DEVICE void sb_attention_largest_step(const sb_attention_largest_args *k, sb_spot at, int step,
                                              sb_attention_largest_shared *shared, sb_attention_largest_own *own)
{
    sb_attention_walk *walk = &own->walk;
    if (step == 0)
        *walk = sb_attention_begin(k, at, sb_attention_tile_of(k, at) + 1), own->largest = -INFINITY;
    else
        sb_attention_advance(walk);
    sb_attention_fetch_keys(k, at, step, walk, &shared->chunk);
    if (step == 0) return;
    if (step > walk->units) {
        sb_attention_keep_largest(k, at, shared, walk);
        return;
    }
    sb_attention_multiply(walk, at.thread, 1 - step % 2, &shared->chunk, own->z);
    if (!sb_attention_ends(walk)) return;
    const int n = sb_attention_n_keys(walk, at.thread);
    SB_UNROLL
    for (int e = 0; e < SB_ATTENTION_EACH; e++) {
        const sb_real z = walk->head.factor * own->z[e];
        own->largest = e < n && z > own->largest ? z : own->largest;
    }
    shared->largest[sb_attention_query(at.thread)][at.thread % SB_ATTENTION_ABREAST] = own->largest;
}

/* ---- y, and the inverse of each row's sum: a block takes a tile of queries and some channels ---- */

typedef sb_attention_maps sb_attention_values_args;

enum { sb_attention_values_threads = SB_ATTENTION_THREADS, sb_attention_values_resident = SB_ATTENTION_RESIDENT };
enum { SB_ATTENTION_LANES = SB_ORDER_LANES / SB_ATTENTION_ABREAST }; /* lanes of a thread, all of one query */

typedef struct sb_attention_values_shared {
    sb_attention_chunk chunk;
    sb_attention_scores terms;
    sb_attention_vectors values;
    sb_real lane[SB_ATTENTION_TILE][SB_ORDER_LANES + 1];
} sb_attention_values_shared;

typedef struct sb_attention_values_own {
    sb_attention_walk walk;
    sb_real z[SB_ATTENTION_EACH], largest, lane[SB_ATTENTION_LANES], sum[SB_ATTENTION_SUMS];
} sb_attention_values_own;

SB_HOST_DEVICE int sb_attention_values_steps(const sb_attention_values_args *k, sb_spot at)
{
    return sb_attention_steps(k, sb_attention_tile_of(k, at) + 1) + 1;
}

SB_HOST_DEVICE void sb_attention_begin_values(const sb_attention_values_args *k, sb_spot at,
                                              sb_attention_values_own *own)
{
    own->walk = sb_attention_begin(k, at, sb_attention_tile_of(k, at) + 1);
    const int i = own->walk.tile * SB_ATTENTION_TILE + sb_attention_query(at.thread);
    own->largest = i < k->context ? own->walk.head.row[i].largest : 0;
    SB_UNROLL
    for (int c = 0; c < SB_ATTENTION_SUMS; c++) own->sum[c] = 0;
    SB_UNROLL
    for (int l = 0; l < SB_ATTENTION_LANES; l++) own->lane[l] = 0;
}

/* The terms of a tile, and its values. */
SB_HOST_DEVICE void sb_attention_put_terms(const sb_attention_values_args *k, sb_spot at,
                                           sb_attention_values_shared *shared, const sb_attention_values_own *own)
{
    const sb_attention_walk *walk = &own->walk;
    const int n = sb_attention_n_keys(walk, at.thread);
    SB_UNROLL
    for (int e = 0; e < SB_ATTENTION_EACH; e++)
        shared->terms.x[sb_attention_query(at.thread)][sb_attention_key(at.thread) + e] =
            e < n ? sb_attention_term(own->z[e], walk->head.factor, own->largest) : 0;
    sb_attention_fetch_vectors(walk, at.thread, k->context, walk->head.v, walk->last.tile * SB_ATTENTION_TILE,
                               &shared->values);
}

SB_HOST_DEVICE void sb_attention_add_terms(sb_spot at, const sb_attention_values_shared *shared,
                                           sb_attention_values_own *own)
{
    const sb_real *terms = shared->terms.x[sb_attention_query(at.thread)];
    for (int j = 0; j < SB_ATTENTION_TILE; j += SB_ORDER_LANES) {
        SB_UNROLL
        for (int l = 0; l < SB_ATTENTION_LANES; l++)
            own->lane[l] += terms[j + at.thread % SB_ATTENTION_ABREAST * SB_ATTENTION_LANES + l];
    }
    SB_UNROLL_4
    for (int j = 0; j < SB_ATTENTION_TILE; j++)
        sb_attention_add(at.thread, shared->terms.x[sb_attention_position(at.thread)][j], shared->values.x[j],
                         own->sum);
}

SB_HOST_DEVICE void sb_attention_put_lanes(sb_spot at, sb_attention_values_shared *shared,
                                           const sb_attention_values_own *own)
{
    const int first = at.thread % SB_ATTENTION_ABREAST * SB_ATTENTION_LANES;
    SB_UNROLL
    for (int l = 0; l < SB_ATTENTION_LANES; l++) shared->lane[sb_attention_query(at.thread)][first + l] = own->lane[l];
}

SB_HOST_DEVICE void sb_attention_end_values(const sb_attention_values_args *k, sb_spot at,
                                            const sb_attention_values_shared *shared,
                                            const sb_attention_values_own *own)
{
    const int position = sb_attention_position(at.thread), i = own->walk.tile * SB_ATTENTION_TILE + position;
    sb_real lane[SB_ORDER_LANES];
    if (i >= k->context) return;
    SB_UNROLL
    for (int l = 0; l < SB_ORDER_LANES; l++) lane[l] = shared->lane[position][l];
    const sb_real inverse = SB_DIVIDE((sb_real)1, sb_attention_join(lane));
    if (at.y == 0 && at.thread < SB_ATTENTION_TILE) own->walk.head.row[i].inverse = inverse;
    sb_attention_store(&own->walk, at.thread, k->context, inverse, own->sum, k->y + own->walk.head.y);
}

SB_HOST_DEVICE void sb_attention_values_step(const sb_attention_values_args *k, sb_spot at, int step,
                                             sb_attention_values_shared *shared, sb_attention_values_own *own)
{
    sb_attention_walk *walk = &own->walk;
    if (step == 0)
        sb_attention_begin_values(k, at, own);
    else
        sb_attention_advance(walk);
    sb_attention_fetch_keys(k, at, step, walk, &shared->chunk);
    if (step == walk->units + 2) {
        sb_attention_end_values(k, at, shared, own);
        return;
    }
    if (sb_attention_adds(walk, step)) sb_attention_add_terms(at, shared, own);
    if (step == walk->units + 1) sb_attention_put_lanes(at, shared, own);
    if (step == 0 || step > walk->units) return;
    sb_attention_multiply(walk, at.thread, 1 - step % 2, &shared->chunk, own->z);
    if (sb_attention_ends(walk)) sb_attention_put_terms(k, at, shared, own);
}

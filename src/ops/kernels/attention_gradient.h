/* Kernels of attention, backward, as written in ops/attention/attention.h; the CPU twin is attention_native.c. */
#pragma once

#include "ops/kernels/attention_tile.h"

/* D of one row */
typedef struct sb_attention_means_args {
    long n;
    sb_attention_maps maps;
} sb_attention_means_args;

SB_HOST_DEVICE void sb_attention_means_each(const sb_attention_means_args *k, long at)
{
    const int context = k->maps.context;
    const sb_attention_head h = sb_attention_head_of(&k->maps, (int)at / context);
    const long first = h.y + at % context;
    sb_real lane[SB_ORDER_LANES] = {0};
    for (int c = 0; c < h.depth; c += SB_ORDER_LANES) {
        SB_UNROLL
        for (int l = 0; l < SB_ORDER_LANES; l++) {
            const long place = first + (long)(c + l) * context;
            if (c + l < h.depth) lane[l] = SB_FMA(k->maps.dy[place], k->maps.y[place], lane[l]);
        }
    }
    k->maps.means[at] = sb_attention_join(lane);
}

/* ---- p and s of a tile ---- */

/* Chunks of q and k, of dy and v. */
typedef struct sb_attention_chunks_of_two {
    sb_attention_chunk score, gradient;
} sb_attention_chunks_of_two;

/* A thread's chains of q k and of dy v. */
typedef struct sb_attention_chains {
    sb_real z[SB_ATTENTION_EACH], dp[SB_ATTENTION_EACH];
} sb_attention_chains;

/* The next unit, of tiles number `queries` and `keys`. */
SB_HOST_DEVICE void sb_attention_fetch_two(const sb_attention_maps *k, sb_spot at, int step, int queries, int keys,
                                           const sb_attention_walk *walk, sb_attention_chunks_of_two *chunks)
{
    const sb_attention_head *h = &walk->head;
    const int first_i = queries * SB_ATTENTION_TILE, first_j = keys * SB_ATTENTION_TILE, context = k->context;
    if (step >= walk->units) return;
    sb_attention_fetch(walk, at.thread, step % 2, context, h->q, first_i, h->k, first_j, &chunks->score);
    sb_attention_fetch(walk, at.thread, step % 2, context, k->dy + h->y, first_i, h->v, first_j, &chunks->gradient);
}

SB_HOST_DEVICE void sb_attention_multiply_two(const sb_attention_walk *walk, sb_spot at, int step,
                                              const sb_attention_chunks_of_two *chunks, sb_attention_chains *chains)
{
    sb_attention_multiply(walk, at.thread, 1 - step % 2, &chunks->score, chains->z);
    sb_attention_multiply(walk, at.thread, 1 - step % 2, &chunks->gradient, chains->dp);
}

/* Of tiles number `queries` and `keys`; p may be NULL. */
SB_HOST_DEVICE void sb_attention_put_scores(const sb_attention_maps *k, sb_spot at, int queries, int keys,
                                            const sb_attention_walk *walk, const sb_attention_chains *chains,
                                            sb_attention_scores *p, sb_attention_scores *s)
{
    const int query = sb_attention_query(at.thread), key = sb_attention_key(at.thread);
    const int i = queries * SB_ATTENTION_TILE + query, j = keys * SB_ATTENTION_TILE + key;
    const bool is_there = i < k->context;
    const sb_attention_row zeros = {0, 0}, row = is_there ? walk->head.row[i] : zeros;
    const long first = walk->head.row - (sb_attention_row *)k->attention.statistics;
    const sb_real mean = is_there ? k->means[first + i] : 0;
    SB_UNROLL
    for (int e = 0; e < SB_ATTENTION_EACH; e++) {
        const bool counts = is_there && j + e <= i;
        const sb_real share = sb_attention_term(chains->z[e], walk->head.factor, row.largest) * row.inverse;
        if (p) p->x[query][key + e] = counts ? share : 0;
        s->x[query][key + e] = counts ? share * (chains->dp[e] - mean) : 0;
    }
}

/* ---- dq: a block takes a tile of queries and some channels ---- */

typedef sb_attention_maps sb_attention_queries_args;

enum { sb_attention_queries_threads = SB_ATTENTION_THREADS, sb_attention_queries_resident = SB_ATTENTION_RESIDENT };

typedef struct sb_attention_queries_shared {
    sb_attention_chunks_of_two chunks;
    sb_attention_scores s;
    sb_attention_vectors keys;
} sb_attention_queries_shared;

typedef struct sb_attention_queries_own {
    sb_attention_walk walk;
    sb_attention_chains chains;
    sb_real sum[SB_ATTENTION_SUMS];
} sb_attention_queries_own;

SB_HOST_DEVICE int sb_attention_queries_steps(const sb_attention_queries_args *k, sb_spot at)
{
    return sb_attention_steps(k, sb_attention_tile_of(k, at) + 1);
}

SB_HOST_DEVICE void sb_attention_begin_queries(const sb_attention_queries_args *k, sb_spot at,
                                               sb_attention_queries_own *own)
{
    own->walk = sb_attention_begin(k, at, sb_attention_tile_of(k, at) + 1);
    SB_UNROLL
    for (int c = 0; c < SB_ATTENTION_SUMS; c++) own->sum[c] = 0;
}

SB_HOST_DEVICE void sb_attention_queries_step(const sb_attention_queries_args *k, sb_spot at, int step,
                                              sb_attention_queries_shared *shared, sb_attention_queries_own *own)
{
    sb_attention_walk *walk = &own->walk;
    const int context = k->context;
    if (step == 0)
        sb_attention_begin_queries(k, at, own);
    else
        sb_attention_advance(walk);
    sb_attention_fetch_two(k, at, step, walk->tile, walk->next.tile, walk, &shared->chunks);
    if (sb_attention_adds(walk, step)) {
        SB_UNROLL_4
        for (int j = 0; j < SB_ATTENTION_TILE; j++)
            sb_attention_add(at.thread, shared->s.x[sb_attention_position(at.thread)][j], shared->keys.x[j], own->sum);
    }
    if (step > walk->units)
        sb_attention_store(walk, at.thread, context, walk->head.factor, own->sum, k->dx + walk->head.x);
    if (step == 0 || step > walk->units) return;
    sb_attention_multiply_two(walk, at, step, &shared->chunks, &own->chains);
    if (!sb_attention_ends(walk)) return;
    const int tile = walk->last.tile;
    sb_attention_put_scores(k, at, walk->tile, tile, walk, &own->chains, NULL, &shared->s);
    sb_attention_fetch_vectors(walk, at.thread, context, walk->head.k, tile * SB_ATTENTION_TILE, &shared->keys);
}

/* ---- dk and dv: a block takes a tile of keys and some channels ---- */

typedef sb_attention_maps sb_attention_keys_args;

enum { sb_attention_keys_threads = SB_ATTENTION_THREADS, sb_attention_keys_resident = SB_ATTENTION_RESIDENT };

typedef struct sb_attention_keys_shared {
    sb_attention_chunks_of_two chunks;
    sb_attention_scores p, s;
    sb_attention_vectors queries, gradients;
} sb_attention_keys_shared;

typedef struct sb_attention_keys_own {
    sb_attention_walk walk;
    sb_attention_chains chains;
    sb_real dk[SB_ATTENTION_SUMS], dv[SB_ATTENTION_SUMS];
} sb_attention_keys_own;

/* The tiles of queries that read the block's keys: its own and all after it. */
SB_HOST_DEVICE int sb_attention_readers(const sb_attention_keys_args *k, sb_spot at)
{
    return sb_attention_tiles(k->context) - sb_attention_tile_of(k, at);
}

SB_HOST_DEVICE int sb_attention_keys_steps(const sb_attention_keys_args *k, sb_spot at)
{
    return sb_attention_steps(k, sb_attention_readers(k, at));
}

SB_HOST_DEVICE void sb_attention_begin_keys(const sb_attention_keys_args *k, sb_spot at, sb_attention_keys_own *own)
{
    own->walk = sb_attention_begin(k, at, sb_attention_readers(k, at));
    SB_UNROLL
    for (int c = 0; c < SB_ATTENTION_SUMS; c++) own->dk[c] = own->dv[c] = 0;
}

SB_HOST_DEVICE void sb_attention_add_queries(sb_spot at, const sb_attention_keys_shared *shared,
                                             sb_attention_keys_own *own)
{
    const int position = sb_attention_position(at.thread);
    SB_UNROLL_4
    for (int i = 0; i < SB_ATTENTION_TILE; i++) {
        sb_attention_add(at.thread, shared->s.x[i][position], shared->queries.x[i], own->dk);
        sb_attention_add(at.thread, shared->p.x[i][position], shared->gradients.x[i], own->dv);
    }
}

SB_HOST_DEVICE void sb_attention_end_keys(const sb_attention_keys_args *k, sb_spot at, const sb_attention_keys_own *own)
{
    const sb_attention_walk *walk = &own->walk;
    const int context = k->context;
    const long part = (long)k->attention.width * context;
    sb_real *to = k->dx + walk->head.x;
    sb_attention_store(walk, at.thread, context, walk->head.factor, own->dk, to + part);
    sb_attention_store(walk, at.thread, context, 1, own->dv, to + 2 * part);
}

SB_HOST_DEVICE void sb_attention_keys_step(const sb_attention_keys_args *k, sb_spot at, int step,
                                           sb_attention_keys_shared *shared, sb_attention_keys_own *own)
{
    sb_attention_walk *walk = &own->walk;
    const int context = k->context;
    if (step == 0)
        sb_attention_begin_keys(k, at, own);
    else
        sb_attention_advance(walk);
    sb_attention_fetch_two(k, at, step, walk->tile + walk->next.tile, walk->tile, walk, &shared->chunks);
    if (sb_attention_adds(walk, step)) sb_attention_add_queries(at, shared, own);
    if (step > walk->units) sb_attention_end_keys(k, at, own);
    if (step == 0 || step > walk->units) return;
    sb_attention_multiply_two(walk, at, step, &shared->chunks, &own->chains);
    if (!sb_attention_ends(walk)) return;
    const int tile = walk->tile + walk->last.tile, first = tile * SB_ATTENTION_TILE;
    sb_attention_put_scores(k, at, tile, walk->tile, walk, &own->chains, &shared->p, &shared->s);
    sb_attention_fetch_vectors(walk, at.thread, context, walk->head.q, first, &shared->queries);
    sb_attention_fetch_vectors(walk, at.thread, context, k->dy + walk->head.y, first, &shared->gradients);
}

/* Tiles of scores, for the kernels of attention: a block takes SB_ATTENTION_TILE queries and as many keys at a time. It
 * forms their chains over the channels from chunks in shared memory, keeps e, p or s of the tile there, and adds products
 * of these with rows of SB_ATTENTION_CHANNELS channels to sums in registers. So a chain over the channels is formed once
 * for all channels of a result.
 *
 * The work of a block is a list of units, each a chunk of a tile, the tiles one after the other. Step s copies unit s to
 * shared memory and computes unit s - 1, each in the stage that its number's last bit names. The step after the one that
 * computes the last unit of a tile adds the tile to the sums. There are at least two chunks in a tile, so that no step
 * writes a tile of scores that another thread still adds. */
#pragma once

#include "ops/attention/attention.h"
#include "ops/kernels/kernel.h"

enum {
    SB_ATTENTION_TILE = 32,
    SB_ATTENTION_CHUNK = 16,    /* channels */
    SB_ATTENTION_CHANNELS = 64, /* of the sums of a block */
    SB_ATTENTION_THREADS = 256,
    SB_ATTENTION_RESIDENT = 2,
    SB_ATTENTION_EACH = 4, /* scores of a thread: keys next to each other, of one query */
    SB_ATTENTION_SUMS = SB_ATTENTION_TILE * SB_ATTENTION_CHANNELS / SB_ATTENTION_THREADS,
};

/* x [n][3 width][T]; y, dy [n][width][T]; dx as x. */
typedef struct sb_attention_maps {
    sb_attention attention;
    const sb_real *x, *dy;
    sb_real *y, *dx, *means; /* means: D of each row */
    int context, samples;
} sb_attention_maps;

/* A head of a sample: channel 0 of q, k, v and of y; channels have the distance T. */
typedef struct sb_attention_head {
    const sb_real *q, *k, *v;
    sb_attention_row *row;
    long y; /* the first element in y, dy */
    long x; /* the first element of q in x, dx */
    int depth;
    sb_real factor;
} sb_attention_head;

SB_HOST_DEVICE sb_attention_head sb_attention_head_of(const sb_attention_maps *maps, int number)
{
    const sb_attention *a = &maps->attention;
    const int depth = a->width / a->heads, sample = number / a->heads, head = number % a->heads, width = a->width;
    const long x = ((long)sample * 3 * width + (long)head * depth) * maps->context;
    const long y = ((long)sample * width + (long)head * depth) * maps->context, part = (long)width * maps->context;
    const sb_attention_head h = {maps->x + x,
                                 maps->x + x + part,
                                 maps->x + x + 2 * part,
                                 (sb_attention_row *)a->statistics + (long)number * maps->context,
                                 y,
                                 x,
                                 depth,
                                 sb_attention_factor(depth)};
    return h;
}

/* ---- the list of units ---- */

/* Of the positions of a head. */
SB_HOST_DEVICE int sb_attention_tiles(int context)
{
    return (int)((unsigned)(context + SB_ATTENTION_TILE - 1) / SB_ATTENTION_TILE);
}

SB_HOST_DEVICE int sb_attention_chunks(const sb_attention_maps *maps)
{
    const int depth = maps->attention.width / maps->attention.heads;
    const int chunks = (depth + SB_ATTENTION_CHUNK - 1) / SB_ATTENTION_CHUNK;
    return chunks < 2 ? 2 : chunks;
}

/* The tile of positions that a block's result has. */
SB_HOST_DEVICE int sb_attention_tile_of(const sb_attention_maps *maps, sb_spot at)
{
    return at.x % sb_attention_tiles(maps->context);
}

/* The steps of a block that takes n tiles, the one that adds the last tile included. */
SB_HOST_DEVICE int sb_attention_steps(const sb_attention_maps *maps, int n_tiles)
{
    return n_tiles * sb_attention_chunks(maps) + 2;
}

/* A unit: a chunk of a tile of the block's list. */
typedef struct sb_attention_unit {
    int tile, chunk;
} sb_attention_unit;

typedef struct sb_attention_walk {
    sb_attention_head head;
    int tile, channel;            /* of the block's result: its tile of positions, its first channel */
    int chunks, units;            /* of a tile; of all tiles */
    sb_attention_unit next, last; /* that this step copies and computes */
} sb_attention_walk;

/* Grid: x is number * tiles + tile, y the block of channels. */
SB_HOST_DEVICE sb_attention_walk sb_attention_begin(const sb_attention_maps *maps, sb_spot at, int n_tiles)
{
    const int chunks = sb_attention_chunks(maps), tiles = sb_attention_tiles(maps->context);
    const sb_attention_walk walk = {sb_attention_head_of(maps, at.x / tiles),
                                    sb_attention_tile_of(maps, at),
                                    at.y * SB_ATTENTION_CHANNELS,
                                    chunks,
                                    n_tiles * chunks,
                                    {0, 0},
                                    {0, 0}};
    return walk;
}

/* At the beginning of every step but the first. */
SB_HOST_DEVICE void sb_attention_advance(sb_attention_walk *walk)
{
    walk->last = walk->next;
    if (++walk->next.chunk == walk->chunks) walk->next.chunk = 0, walk->next.tile++;
}

/* Does this step compute the last unit of a tile? */
SB_HOST_DEVICE bool sb_attention_ends(const sb_attention_walk *walk)
{
    return walk->last.chunk + 1 == walk->chunks;
}

/* Does it add the tile before? */
SB_HOST_DEVICE bool sb_attention_adds(const sb_attention_walk *walk, int step)
{
    return step > 1 && walk->last.chunk == 0;
}

/* ---- products of a tile ---- */

/* Two stages of chunks of two maps: [channel][position]. */
typedef struct sb_attention_chunk {
    alignas(16) sb_real a[2][SB_ATTENTION_CHUNK][SB_ATTENTION_TILE];
    alignas(16) sb_real b[2][SB_ATTENTION_CHUNK][SB_ATTENTION_TILE];
} sb_attention_chunk;

/* The next unit's channels, of positions first_a .. of one map of the head and first_b .. of another; zeros where there is
 * none. */
SB_HOST_DEVICE void sb_attention_fetch(const sb_attention_walk *walk, int thread, int stage, int context,
                                       const sb_real *a, int first_a, const sb_real *b, int first_b,
                                       sb_attention_chunk *chunk)
{
    SB_UNROLL
    for (int n = 0; n < SB_ATTENTION_CHUNK * SB_ATTENTION_TILE / SB_ATTENTION_THREADS; n++) {
        const int e = n * SB_ATTENTION_THREADS + thread, c = e / SB_ATTENTION_TILE, i = e % SB_ATTENTION_TILE;
        const int channel = walk->next.chunk * SB_ATTENTION_CHUNK + c;
        const bool is_there = channel < walk->head.depth;
        const long row = (long)channel * context;
        chunk->a[stage][c][i] = is_there && first_a + i < context ? a[row + first_a + i] : 0;
        chunk->b[stage][c][i] = is_there && first_b + i < context ? b[row + first_b + i] : 0;
    }
}

/* The query and the first key of a thread in its tile. */
SB_HOST_DEVICE int sb_attention_query(int thread)
{
    return thread / (SB_ATTENTION_TILE / SB_ATTENTION_EACH);
}

SB_HOST_DEVICE int sb_attention_key(int thread)
{
    return thread % (SB_ATTENTION_TILE / SB_ATTENTION_EACH) * SB_ATTENTION_EACH;
}

/* The chains of a thread's scores go on, by the channels of the last unit; at the first of a tile they begin. */
SB_HOST_DEVICE void sb_attention_multiply(const sb_attention_walk *walk, int thread, int stage,
                                          const sb_attention_chunk *chunk, sb_real sum[SB_ATTENTION_EACH])
{
    const int left = walk->head.depth - walk->last.chunk * SB_ATTENTION_CHUNK;
    const int n = left < SB_ATTENTION_CHUNK ? left : SB_ATTENTION_CHUNK;
    SB_UNROLL
    for (int e = 0; e < SB_ATTENTION_EACH; e++) sum[e] = walk->last.chunk == 0 ? 0 : sum[e];
    SB_UNROLL_16
    for (int c = 0; c < n; c++) {
        const sb_real a = chunk->a[stage][c][sb_attention_query(thread)];
        const sb_four b = *(const sb_four *)&chunk->b[stage][c][sb_attention_key(thread)];
        SB_UNROLL
        for (int e = 0; e < SB_ATTENTION_EACH; e++) sum[e] = SB_FMA(a, b.x[e], sum[e]);
    }
}

/* ---- sums over a tile ---- */

/* Scores of a tile: [query][key]. */
typedef struct sb_attention_scores {
    sb_real x[SB_ATTENTION_TILE][SB_ATTENTION_TILE + 1];
} sb_attention_scores;

/* The channels of positions: [position][channel]. */
typedef struct sb_attention_vectors {
    alignas(16) sb_real x[SB_ATTENTION_TILE][SB_ATTENTION_CHANNELS + 4];
} sb_attention_vectors;

/* Of positions first .. of a map of the head, from the block's first channel on; zeros where there is none. */
SB_HOST_DEVICE void sb_attention_fetch_vectors(const sb_attention_walk *walk, int thread, int context,
                                               const sb_real *map, int first, sb_attention_vectors *to)
{
    SB_UNROLL
    for (int n = 0; n < SB_ATTENTION_TILE * SB_ATTENTION_CHANNELS / SB_ATTENTION_THREADS; n++) {
        const int e = n * SB_ATTENTION_THREADS + thread, c = e / SB_ATTENTION_TILE, i = e % SB_ATTENTION_TILE;
        const int channel = walk->channel + c;
        const bool is_there = channel < walk->head.depth && first + i < context;
        to->x[i][c] = is_there ? map[(long)channel * context + first + i] : 0;
    }
}

/* The position of a thread's sums in its tile, and the first of its channels. */
SB_HOST_DEVICE int sb_attention_position(int thread)
{
    return thread % SB_ATTENTION_TILE;
}

SB_HOST_DEVICE int sb_attention_channel(int thread)
{
    return thread / SB_ATTENTION_TILE * SB_ATTENTION_SUMS;
}

/* sum[c] = chain with score times row[c] */
SB_HOST_DEVICE void sb_attention_add(int thread, sb_real score, const sb_real row[], sb_real sum[SB_ATTENTION_SUMS])
{
    SB_UNROLL
    for (int c = 0; c < SB_ATTENTION_SUMS; c += 4) {
        const sb_four four = *(const sb_four *)&row[sb_attention_channel(thread) + c];
        SB_UNROLL
        for (int e = 0; e < 4; e++) sum[c + e] = SB_FMA(score, four.x[e], sum[c + e]);
    }
}

/* A thread's sums, times a factor, into a map of the head. */
SB_HOST_DEVICE void sb_attention_store(const sb_attention_walk *walk, int thread, int context, sb_real factor,
                                       const sb_real sum[SB_ATTENTION_SUMS], sb_real *map)
{
    const int i = walk->tile * SB_ATTENTION_TILE + sb_attention_position(thread);
    const int channel = walk->channel + sb_attention_channel(thread);
    SB_UNROLL
    for (int c = 0; c < SB_ATTENTION_SUMS; c++)
        if (i < context && channel + c < walk->head.depth)
            map[(long)(channel + c) * context + i] = factor * (sum[c] + 0);
}

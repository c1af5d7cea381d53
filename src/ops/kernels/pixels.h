/* The forward product of product.h where outputs are few: a thread keeps two neighboring pixels of three outputs in
 * registers, so that a device has many warps, and each has six chains. A block has a tile of one map, and its warps share
 * the tile: some take further outputs, the others further rows.
 *
 * For each channel, shared memory has the tile's rows of b with their border, and the nine weights of each output. All
 * threads of a warp read the same weights. Chunks of three channels are copied while earlier chunks are computed.
 * Operands, packed weights and chains are those of product.h. */
#pragma once

#include "ops/kernels/product.h"

enum {
    SB_PIXELS_EACH = 2,                               /* of a thread: pixels in a row, */
    SB_PIXELS_OUTPUTS = 3,                            /* and outputs */
    SB_PIXELS_ABREAST = 16,                           /* threads of a warp next to each other, in two rows */
    SB_PIXELS_W = SB_PIXELS_EACH * SB_PIXELS_ABREAST, /* columns of a tile */
    SB_PIXELS_WARPS = 4,
    SB_PIXELS_PITCH = SB_PIXELS_W + 2,                      /* of a row in shared memory */
    SB_PIXELS_ROWS = 2 * SB_PIXELS_WARPS + 2,               /* rows there, at most */
    SB_PIXELS_PAIRS = SB_PIXELS_PITCH / 2 * SB_PIXELS_ROWS, /* pixels are fetched in pairs */
    SB_PIXELS_WEIGHTS = 28,                                 /* 9 * SB_PIXELS_OUTPUTS, filled up to whole fours */
    SB_PIXELS_CHANNELS = 3,                                 /* of a chunk */
    SB_PIXELS_STAGES = 3,
    sb_product_pixels_threads = 32 * SB_PIXELS_WARPS,
    sb_product_pixels_resident = 5,
    SB_PIXELS_FETCHES = (SB_PIXELS_PAIRS + sb_product_pixels_threads - 1) / sb_product_pixels_threads
};
static_assert(9 * SB_PIXELS_OUTPUTS * SB_PIXELS_WARPS <= sb_product_pixels_threads, "a thread fetches one weight");

/* Warps of a block that have different outputs of the same pixels. */
SB_HOST_DEVICE int sb_pixels_groups(int m)
{
    return m <= SB_PIXELS_OUTPUTS ? 1 : m <= 2 * SB_PIXELS_OUTPUTS ? 2 : SB_PIXELS_WARPS;
}

/* Rows of a tile. */
SB_HOST_DEVICE int sb_pixels_rows(int m)
{
    return 2 * SB_PIXELS_WARPS / sb_pixels_groups(m);
}

SB_HOST_DEVICE int sb_pixels_tiles_across(int w)
{
    return (w + SB_PIXELS_W - 1) / SB_PIXELS_W;
}

/* Tiles of one map. */
SB_HOST_DEVICE int sb_pixels_tiles(int h, int w, int m)
{
    int rows = sb_pixels_rows(m);
    return (h + rows - 1) / rows * sb_pixels_tiles_across(w);
}

typedef sb_product_args sb_product_pixels_args;

typedef struct sb_two {
    alignas(2 * sizeof(sb_real)) sb_real x[2];
} sb_two;

typedef struct sb_product_pixels_shared {
    alignas(16) sb_real weight[SB_PIXELS_STAGES][SB_PIXELS_CHANNELS][SB_PIXELS_WARPS][SB_PIXELS_WEIGHTS];
    alignas(16) sb_real x[SB_PIXELS_STAGES][SB_PIXELS_CHANNELS][SB_PIXELS_ROWS * SB_PIXELS_PITCH];
} sb_product_pixels_shared;

typedef struct sb_product_pixels_own {
    sb_real sum[SB_PIXELS_OUTPUTS][SB_PIXELS_EACH];
    int sample, top, left;         /* of the tile */
    int group, row, column;        /* of the thread in the block */
    int from[SB_PIXELS_FETCHES];   /* pairs that it fetches: places in a channel of b, or -1 */
    int second[SB_PIXELS_FETCHES]; /* the second pixel of the pair: 1; 0 after the map's end: the first again */
    int weight_from;               /* the weight that it fetches: place in a channel of a, or -1 */
    int weight_to;                 /* where that goes in a channel of shared memory */
    int part, to_fetch, n_left;    /* channels to fetch of this part, 0 after the last; channels to compute */
    const sb_real *a, *b;          /* of the next channel to fetch */
} sb_product_pixels_own;

/* Channels of all parts. */
SB_HOST_DEVICE int sb_product_pixels_channels(const sb_product_args *p)
{
    int channels = 0;
    for (int part = 0; part < p->n_parts; part++) channels += p->part[part].n_k / 9;
    return channels;
}

/* Step 0 begins the first copies; each further one works on a chunk. */
SB_HOST_DEVICE int sb_product_pixels_steps(const sb_product_args *p, sb_spot at)
{
    (void)at;
    return (sb_product_pixels_channels(p) + SB_PIXELS_CHANNELS - 1) / SB_PIXELS_CHANNELS + 1;
}

SB_HOST_DEVICE void sb_product_pixels_open(const sb_product_args *p, sb_product_pixels_own *own)
{
    own->to_fetch = 0;
    if (++own->part >= p->n_parts) return;
    own->to_fetch = p->part[own->part].n_k / 9, own->a = p->part[own->part].a, own->b = p->part[own->part].b;
}

/* One channel of the tile with its border. Rows of an even number of pixels begin at even places. */
SB_HOST_DEVICE void sb_product_pixels_fetch_x(const sb_product_args *p, const sb_product_pixels_own *own, sb_real *to)
{
    enum { NEXT = 2 * sb_product_pixels_threads };
    if (p->w % 2 == 0) {
        SB_UNROLL
        for (int i = 0; i < SB_PIXELS_FETCHES; i++)
            if (own->from[i] >= 0) SB_COPY_BEGIN((sb_two *)(to + i * NEXT), (const sb_two *)(own->b + own->from[i]));
        return;
    }
    SB_UNROLL
    for (int i = 0; i < SB_PIXELS_FETCHES; i++) {
        if (own->from[i] < 0) continue;
        SB_COPY_BEGIN(to + i * NEXT, own->b + own->from[i]);
        SB_COPY_BEGIN(to + i * NEXT + 1, own->b + own->from[i] + own->second[i]);
    }
}

SB_HOST_DEVICE void sb_product_pixels_fetch(const sb_product_args *p, sb_spot at, int stage,
                                            sb_product_pixels_shared *shared, sb_product_pixels_own *own)
{
    sb_real *x = shared->x[stage][0] + 2 * at.thread, *weight = shared->weight[stage][0][0] + own->weight_to;
    SB_UNROLL
    for (int c = 0; c < SB_PIXELS_CHANNELS; c++) {
        if (own->to_fetch == 0) break;
        sb_product_pixels_fetch_x(p, own, x + c * SB_PIXELS_ROWS * SB_PIXELS_PITCH);
        if (own->weight_from >= 0)
            SB_COPY_BEGIN(weight + c * SB_PIXELS_WARPS * SB_PIXELS_WEIGHTS, own->a + own->weight_from);
        own->a += 9 * p->m, own->b += p->channel;
        if (--own->to_fetch == 0) sb_product_pixels_open(p, own);
    }
    SB_COPY_CLOSE();
}

/* What this thread fetches of each channel: pairs of the tile with its border, as far as the map has them, and a
 * weight of one tap and output. */
SB_HOST_DEVICE void sb_product_pixels_places(const sb_product_args *p, sb_spot at, sb_product_pixels_own *own)
{
    int padded_w = p->w + 2, outputs = SB_PIXELS_OUTPUTS * sb_pixels_groups(p->m);
    SB_UNROLL
    for (int i = 0; i < SB_PIXELS_FETCHES; i++) {
        int e = 2 * (at.thread + i * sb_product_pixels_threads), y = e / SB_PIXELS_PITCH;
        int x = own->left + e % SB_PIXELS_PITCH;
        bool exists = y < sb_pixels_rows(p->m) + 2 && own->top + y < p->h + 2 && x < padded_w;
        own->from[i] = exists ? (own->sample * (p->h + 2) + own->top + y) * padded_w + x : -1;
        own->second[i] = x + 1 < padded_w;
    }
    int tap = at.thread / outputs, output = at.thread % outputs, m = at.y * outputs + output;
    own->weight_from = tap < 9 && m < p->m ? tap * p->m + m : -1;
    own->weight_to =
        output / SB_PIXELS_OUTPUTS * SB_PIXELS_WEIGHTS + tap * SB_PIXELS_OUTPUTS + output % SB_PIXELS_OUTPUTS;
}

/* Output i of this thread. */
SB_HOST_DEVICE int sb_product_pixels_output(const sb_product_args *p, sb_spot at, const sb_product_pixels_own *own,
                                            int i)
{
    return (at.y * sb_pixels_groups(p->m) + own->group) * SB_PIXELS_OUTPUTS + i;
}

SB_HOST_DEVICE void sb_product_pixels_begin(const sb_product_args *p, sb_spot at, sb_product_pixels_shared *shared,
                                            sb_product_pixels_own *own)
{
    int tiles = sb_pixels_tiles(p->h, p->w, p->m), across = sb_pixels_tiles_across(p->w);
    int warp = at.thread / 32, lane = at.thread % 32, groups = sb_pixels_groups(p->m);
    own->sample = at.x / tiles;
    own->top = at.x % tiles / across * sb_pixels_rows(p->m), own->left = at.x % tiles % across * SB_PIXELS_W;
    own->group = warp % groups, own->row = warp / groups * 2 + lane / SB_PIXELS_ABREAST;
    own->column = lane % SB_PIXELS_ABREAST * SB_PIXELS_EACH;
    sb_product_pixels_places(p, at, own);
    SB_UNROLL
    for (int i = 0; i < SB_PIXELS_OUTPUTS; i++) {
        int m = sb_product_pixels_output(p, at, own, i);
        own->sum[i][0] = own->sum[i][1] = p->start && m < p->m ? p->start[m] : 0;
    }
    own->part = -1, own->n_left = sb_product_pixels_channels(p);
    sb_product_pixels_open(p, own);
    SB_ROLL
    for (int stage = 0; stage < SB_PIXELS_STAGES - 1; stage++) sb_product_pixels_fetch(p, at, stage, shared, own);
}

/* sum = the chains over the nine taps of one channel. */
SB_HOST_DEVICE void sb_product_pixels_channel(const sb_real *x, const sb_real *weight,
                                              sb_real sum[SB_PIXELS_OUTPUTS][SB_PIXELS_EACH])
{
    sb_two row[3][2];
    sb_four taps[SB_PIXELS_WEIGHTS / 4];
    SB_UNROLL
    for (int i = 0; i < 6; i++) row[i / 2][i % 2] = *(const sb_two *)(x + i / 2 * SB_PIXELS_PITCH + i % 2 * 2);
    SB_UNROLL
    for (int i = 0; i < SB_PIXELS_WEIGHTS / 4; i++) taps[i] = *(const sb_four *)(weight + 4 * i);
    SB_UNROLL
    for (int tap = 0; tap < 9; tap++) {
        SB_UNROLL
        for (int i = 0; i < SB_PIXELS_OUTPUTS; i++) {
            int at = tap * SB_PIXELS_OUTPUTS + i;
            SB_UNROLL
            for (int j = 0; j < SB_PIXELS_EACH; j++) {
                int column = j + tap % 3;
                sum[i][j] = SB_FMA(taps[at / 4].x[at % 4], row[tap / 3][column / 2].x[column % 2], sum[i][j]);
            }
        }
    }
}

/* The chains over the next chunk, in a stage. Whole chunks have a separate path, so that loads of one channel overlap
 * with the arithmetic of another. */
SB_HOST_DEVICE void sb_product_pixels_work(int stage, const sb_product_pixels_shared *shared,
                                           sb_product_pixels_own *own)
{
    int place = own->row * SB_PIXELS_PITCH + own->column;
    if (own->n_left >= SB_PIXELS_CHANNELS) {
        SB_UNROLL
        for (int c = 0; c < SB_PIXELS_CHANNELS; c++)
            sb_product_pixels_channel(shared->x[stage][c] + place, shared->weight[stage][c][own->group], own->sum);
    } else {
        SB_ROLL
        for (int c = 0; c < own->n_left; c++)
            sb_product_pixels_channel(shared->x[stage][c] + place, shared->weight[stage][c][own->group], own->sum);
    }
    own->n_left -= SB_PIXELS_CHANNELS;
}

SB_HOST_DEVICE void sb_product_pixels_store(const sb_product_args *p, sb_spot at, const sb_product_pixels_own *own)
{
    int y = own->top + own->row, x = own->left + own->column;
    if (y >= p->h) return;
    SB_UNROLL
    for (int i = 0; i < SB_PIXELS_OUTPUTS; i++) {
        int m = sb_product_pixels_output(p, at, own, i);
        if (m >= p->m) continue;
        sb_real *to = p->c + (((size_t)own->sample * p->m + m) * p->h + y) * p->w + x;
        SB_UNROLL
        for (int j = 0; j < SB_PIXELS_EACH; j++)
            if (x + j < p->w) to[j] = own->sum[i][j];
    }
}

/* Step s computes chunk s - 1 and copies a later chunk into the stage of the previous step. */
SB_HOST_DEVICE void sb_product_pixels_step(const sb_product_args *p, sb_spot at, int step,
                                           sb_product_pixels_shared *shared, sb_product_pixels_own *own)
{
    if (step == 0) {
        sb_product_pixels_begin(p, at, shared, own);
    } else {
        sb_product_pixels_fetch(p, at, (step + SB_PIXELS_STAGES - 2) % SB_PIXELS_STAGES, shared, own);
        sb_product_pixels_work((step - 1) % SB_PIXELS_STAGES, shared, own);
    }
    if (own->n_left <= 0) sb_product_pixels_store(p, at, own);
    SB_COPY_WAIT(SB_PIXELS_STAGES - 2);
}

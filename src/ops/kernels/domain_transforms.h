/* The transforms of domain.h with several threads a tile, which exchange rows and columns through shared memory: the same
 * expressions for each number, so the same bits. Warps take consecutive tiles. Arguments are those of domain.h.
 *
 * Each transform is in steps, in place in shared memory: rows of the map are loaded, columns are transformed, then rows,
 * and these are stored. A thread has one row or one column of a tile in a step. */
#pragma once

#include "ops/kernels/domain.h"

enum {
    SB_TILES_OF_BLOCK = 32, /* one for each lane of a warp; a warp has one row or column of all of them */
    SB_TILES_TILE = SB_WINOGRAD_TILE
};

/* The row or column and the tile of a thread. */
typedef struct sb_tiles_own {
    sb_domain_place place; /* of its tile */
    int line, lane;
} sb_tiles_own;

/* The place of a tile of a channel, of all samples. */
SB_HOST_DEVICE sb_domain_place sb_tiles_place_of(int channel, int tile, const sb_domain_maps *maps)
{
    int sample = sb_quotient(tile, maps->by_tiles), of_map = tile - sample * maps->by_tiles.by;
    int row = sb_quotient(of_map, maps->by_across);
    sb_domain_place at;
    at.sample = sample, at.channel = channel, at.map = (long)sample * maps->channels + channel;
    at.top = row * SB_TILES_TILE, at.left = (of_map - row * maps->by_across.by) * SB_TILES_TILE;
    at.exists = sample < maps->samples;
    return at;
}

/* The place of element i of the n elements of a point. */
SB_HOST_DEVICE sb_domain_place sb_tiles_place_at(int i, const sb_domain_maps *maps, long n)
{
    int channel = sb_quotient(i, maps->by_pitch);
    sb_domain_place at = sb_tiles_place_of(channel, i - channel * maps->by_pitch.by, maps);
    at.exists = at.exists && i < n;
    return at;
}

/* What a thread of a block of consecutive elements keeps. */
SB_HOST_DEVICE void sb_tiles_begin(sb_spot at, const sb_domain_maps *maps, long n, sb_tiles_own *own)
{
    own->line = at.thread / SB_TILES_OF_BLOCK, own->lane = at.thread % SB_TILES_OF_BLOCK;
    own->place = sb_tiles_place_at(at.x * SB_TILES_OF_BLOCK + own->lane, maps, n);
}

/* Do rows of w numbers begin at multiples of four, so that four are loaded or stored at once? */
SB_HOST_DEVICE bool sb_tiles_are_fours(int w)
{
    return w % 4 == 0;
}

/* Store those of four numbers that the row of w has from `left` on. */
SB_HOST_DEVICE void sb_tiles_store(sb_real *row, int left, int w, const sb_real x[SB_TILES_TILE])
{
    if (sb_tiles_are_fours(w)) {
        const sb_four four = {{x[0], x[1], x[2], x[3]}};
        *(sb_four *)(row + left) = four;
        return;
    }
    SB_UNROLL
    for (int j = 0; j < SB_TILES_TILE; j++)
        if (left + j < w) row[left + j] = x[j];
}

/* ---- V of a map ---- */

typedef sb_domain_input_args sb_tiles_input_args;
typedef sb_tiles_own sb_tiles_input_own;

enum { sb_tiles_input_threads = 6 * SB_TILES_OF_BLOCK, sb_tiles_input_resident = 8 };

typedef struct sb_tiles_input_shared {
    sb_real x[6][6][SB_TILES_OF_BLOCK];
} sb_tiles_input_shared;

SB_HOST_DEVICE int sb_tiles_input_steps(const sb_tiles_input_args *k, sb_spot at)
{
    (void)k, (void)at;
    return 3;
}

/* sb_error_source_of without its divisions. */
SB_HOST_DEVICE sb_error_source sb_tiles_input_source(const sb_tiles_input_args *k, const sb_domain_place *place,
                                                     int size)
{
    const int half = k->maps.channels / 2;
    const bool is_positive = place->channel < half;
    if (!k->a) return (sb_error_source){k->x + place->map * size, NULL};
    const long from = ((long)place->sample * half + place->channel - (is_positive ? 0 : half)) * size;
    return is_positive ? (sb_error_source){k->a + from, k->p + from} : (sb_error_source){k->p + from, k->a + from};
}

/* Row `line` of a tile, with a number before and after the tile's own four; of whole fours that are not upsampled. */
SB_HOST_DEVICE void sb_tiles_input_four(sb_error_source from, int row, int left, int w, sb_real d[6])
{
    sb_four own = *(const sb_four *)(from.more + row + left);
    d[0] = left > 0 ? sb_error_number(from, row + left - 1) : 0;
    d[5] = left + SB_TILES_TILE < w ? sb_error_number(from, row + left + SB_TILES_TILE) : 0;
    sb_four less = {{0, 0, 0, 0}};
    if (from.less) less = *(const sb_four *)(from.less + row + left);
    SB_UNROLL
    for (int j = 0; j < SB_TILES_TILE; j++) d[1 + j] = from.less ? sb_relu(own.x[j] - less.x[j]) : own.x[j];
}

/* The same of any row. */
SB_HOST_DEVICE void sb_tiles_input_any(sb_error_source from, int row, int left, int w, int shrink, sb_real d[6])
{
    SB_UNROLL
    for (int j = 0; j < 6; j++) {
        int x = left - 1 + j;
        d[j] = x >= 0 && x < w ? sb_error_number(from, row + (x >> shrink)) : 0;
    }
}

SB_HOST_DEVICE void sb_tiles_input_load(const sb_tiles_input_args *k, const sb_tiles_own *own,
                                        sb_tiles_input_shared *shared)
{
    const sb_domain_place *place = &own->place;
    int w = k->maps.w, small_w = w >> k->shrink, size = (k->maps.h >> k->shrink) * small_w;
    int y = place->top - 1 + own->line, row = (y >> k->shrink) * small_w;
    sb_real d[6] = {0, 0, 0, 0, 0, 0};
    if (!place->exists) return;
    if (y >= 0 && y < k->maps.h) {
        const sb_error_source from = sb_tiles_input_source(k, place, size);
        if (k->shrink == 0 && sb_tiles_are_fours(w))
            sb_tiles_input_four(from, row, place->left, w, d);
        else
            sb_tiles_input_any(from, row, place->left, w, k->shrink, d);
        if (k->a && sb_domain_is_own(own->line)) sb_tiles_store(k->x + place->map * size + row, place->left, w, d + 1);
    }
    SB_UNROLL
    for (int j = 0; j < 6; j++) shared->x[own->line][j][own->lane] = d[j];
}

SB_HOST_DEVICE void sb_tiles_input_step(const sb_tiles_input_args *k, sb_spot at, int step,
                                        sb_tiles_input_shared *shared, sb_tiles_own *own)
{
    if (step == 0) {
        sb_tiles_begin(at, &k->maps, k->n, own);
        sb_tiles_input_load(k, own, shared);
    } else if (step == 1) {
        sb_real *column = &shared->x[0][own->line][own->lane];
        sb_winograd_input(column, 6 * SB_TILES_OF_BLOCK, column);
    } else if (own->place.exists) {
        sb_real d[6], out[6];
        SB_UNROLL
        for (int j = 0; j < 6; j++) d[j] = shared->x[own->line][j][own->lane];
        sb_winograd_input(d, 1, out);
        sb_real *v = k->v + 6 * own->line * k->n + (long)at.x * SB_TILES_OF_BLOCK + own->lane;
        SB_UNROLL
        for (int j = 0; j < 6; j++) v[j * k->n] = out[j];
    }
}

/* ---- y of M ---- */

typedef sb_domain_output_args sb_tiles_output_args;
typedef sb_tiles_own sb_tiles_output_own;

enum { sb_tiles_output_threads = 6 * SB_TILES_OF_BLOCK, sb_tiles_output_resident = 8 };

typedef struct sb_tiles_output_shared {
    sb_real x[SB_TILES_TILE][6][SB_TILES_OF_BLOCK];
} sb_tiles_output_shared;

SB_HOST_DEVICE int sb_tiles_output_steps(const sb_tiles_output_args *k, sb_spot at)
{
    (void)at;
    return k->a ? 3 : 2;
}

SB_HOST_DEVICE void sb_tiles_output_column(const sb_tiles_output_args *k, sb_spot at, const sb_tiles_own *own,
                                           sb_tiles_output_shared *shared)
{
    const sb_real *from = k->m + own->line * k->n + (long)at.x * SB_TILES_OF_BLOCK + own->lane;
    sb_real m[6], half[SB_TILES_TILE];
    SB_UNROLL
    for (int i = 0; i < 6; i++) m[i] = from[6 * i * k->n];
    sb_winograd_output(m, 1, half, 1);
    SB_UNROLL
    for (int i = 0; i < SB_TILES_TILE; i++) shared->x[i][own->line][own->lane] = half[i];
}

/* Where maps are pooled, the row replaces what it is made of. */
SB_HOST_DEVICE void sb_tiles_output_row(const sb_tiles_output_args *k, const sb_tiles_own *own,
                                        sb_tiles_output_shared *shared)
{
    const sb_domain_place *place = &own->place;
    int y = place->top + own->line, w = k->maps.w;
    sb_real half[6], out[SB_TILES_TILE], bias = k->bias ? k->bias[place->channel] : 0;
    SB_UNROLL
    for (int j = 0; j < 6; j++) half[j] = shared->x[own->line][j][own->lane];
    sb_winograd_output(half, 1, out, 1);
    SB_UNROLL
    for (int j = 0; j < SB_TILES_TILE; j++) out[j] = sb_output_of(k->nonlinearity, out[j] + bias);
    if (y < k->maps.h) sb_tiles_store(k->y + (place->map * k->maps.h + y) * w, place->left, w, out);
    if (!k->a) return;
    SB_UNROLL
    for (int j = 0; j < SB_TILES_TILE; j++) shared->x[own->line][j][own->lane] = out[j];
}

/* One of the four windows of a tile. */
SB_HOST_DEVICE void sb_tiles_output_pool(const sb_tiles_output_args *k, const sb_tiles_own *own,
                                         const sb_tiles_output_shared *shared)
{
    int i = own->line / 2 * 2, j = own->line % 2 * 2;
    sb_real window[4];
    if (own->place.top + i >= k->maps.h || own->place.left + j >= k->maps.w) return;
    SB_UNROLL
    for (int corner = 0; corner < 4; corner++)
        window[corner] = shared->x[i + (corner >> 1)][j + (corner & 1)][own->lane];
    sb_domain_pool(k, own->place, window, i, j);
}

SB_HOST_DEVICE void sb_tiles_output_step(const sb_tiles_output_args *k, sb_spot at, int step,
                                         sb_tiles_output_shared *shared, sb_tiles_own *own)
{
    if (step == 0) sb_tiles_begin(at, &k->maps, k->n, own);
    if (!own->place.exists || (step > 0 && own->line >= SB_TILES_TILE)) return;
    if (step == 0)
        sb_tiles_output_column(k, at, own, shared);
    else if (step == 1)
        sb_tiles_output_row(k, own, shared);
    else
        sb_tiles_output_pool(k, own, shared);
}

/* ---- M of a gradient ---- */

typedef sb_domain_gradient_args sb_tiles_gradient_args;

enum { sb_tiles_gradient_threads = 6 * SB_TILES_OF_BLOCK, sb_tiles_gradient_resident = 6 };
static_assert((int)sb_tiles_gradient_threads >= (int)SB_ROWS_ABREAST, "the first threads form the bias's gradient");

typedef struct sb_tiles_gradient_shared {
    sb_real x[6][SB_TILES_TILE][SB_TILES_OF_BLOCK];
    sb_bias_gradient_shared bias;
} sb_tiles_gradient_shared;

typedef struct sb_tiles_gradient_own {
    sb_tiles_own tile;
    int channel, number, abreast;       /* number of the tile in its channel; to that of the next round */
    int phase, rounds_left, steps_bias; /* step of the round; rounds; steps of the bias's gradient */
    sb_bias_gradient_own bias;
} sb_tiles_gradient_own;

SB_HOST_DEVICE int sb_tiles_gradient_steps(const sb_tiles_gradient_args *k, sb_spot at)
{
    (void)at;
    return 3 * k->rounds + (k->db ? sb_rows_steps(k->maps.samples * k->maps.h) : 0);
}

/* Four gradients of a row; they are kept where they are only made now. */
SB_HOST_DEVICE void sb_tiles_gradient_four(const sb_tiles_gradient_args *k, long map, int y, int x, sb_real row[4])
{
    int w = k->maps.w;
    sb_four *at = (sb_four *)(k->dy + map + y * w + x), dy = {{0, 0, 0, 0}}, p = dy;
    if (!k->da) dy = *at;
    if (k->p) p = *(const sb_four *)(k->p + map + y * w + x);
    SB_UNROLL
    for (int j = 0; j < 4; j++) {
        if (k->p) {
            dy.x[j] = sb_through_output(p.x[j], k->clip, dy.x[j]);
        } else if (k->da) {
            long small = map / 4 + y / 2 * (w / 2) + x / 2 + j / 2;
            dy.x[j] = k->choice[small] == y % 2 * 2 + j % 2 ? k->da[small] : 0;
        }
        row[j] = dy.x[j];
    }
    if (k->p || k->da) *at = dy;
}

SB_HOST_DEVICE void sb_tiles_gradient_load(const sb_tiles_gradient_args *k, const sb_tiles_own *own,
                                           sb_tiles_gradient_shared *shared)
{
    int y = own->place.top + own->line, left = own->place.left;
    long map = own->place.map * k->maps.h * k->maps.w;
    sb_real row[SB_TILES_TILE] = {0, 0, 0, 0};
    if (y < k->maps.h && sb_tiles_are_fours(k->maps.w)) {
        sb_tiles_gradient_four(k, map, y, left, row);
    } else if (y < k->maps.h) {
        SB_UNROLL
        for (int j = 0; j < SB_TILES_TILE; j++)
            if (left + j < k->maps.w) row[j] = sb_domain_gradient_at(k, map, y, left + j);
    }
    SB_UNROLL
    for (int j = 0; j < SB_TILES_TILE; j++) shared->x[own->line][j][own->lane] = row[j];
}

/* The columns' transform: what a tile's rows were is replaced by six. */
SB_HOST_DEVICE void sb_tiles_gradient_column(const sb_tiles_own *own, sb_tiles_gradient_shared *shared)
{
    sb_real y[SB_TILES_TILE], half[6];
    SB_UNROLL
    for (int i = 0; i < SB_TILES_TILE; i++) y[i] = shared->x[i][own->line][own->lane];
    sb_winograd_output_adjoint(y, 1, half, 1);
    SB_UNROLL
    for (int i = 0; i < 6; i++) shared->x[i][own->line][own->lane] = half[i];
}

SB_HOST_DEVICE void sb_tiles_gradient_row(const sb_tiles_gradient_args *k, long at, const sb_tiles_own *own,
                                          const sb_tiles_gradient_shared *shared)
{
    long n = (long)k->maps.channels * k->maps.by_pitch.by;
    sb_real half[SB_TILES_TILE], out[6], *m = k->m + 6 * own->line * n + at;
    SB_UNROLL
    for (int j = 0; j < SB_TILES_TILE; j++) half[j] = shared->x[own->line][j][own->lane];
    sb_winograd_output_adjoint(half, 1, out, 1);
    SB_UNROLL
    for (int j = 0; j < 6; j++) m[j * n] = out[j];
}

/* Block pieces * channel + piece. */
SB_HOST_DEVICE void sb_tiles_gradient_begin(const sb_tiles_gradient_args *k, sb_spot at, sb_tiles_gradient_own *own)
{
    own->tile.line = at.thread / SB_TILES_OF_BLOCK, own->tile.lane = at.thread % SB_TILES_OF_BLOCK;
    own->channel = at.x / k->pieces, own->abreast = k->pieces * SB_TILES_OF_BLOCK;
    own->number = at.x % k->pieces * SB_TILES_OF_BLOCK + own->tile.lane;
    own->phase = 0, own->rounds_left = k->rounds, own->steps_bias = 0;
}

/* A step of a round. */
SB_HOST_DEVICE void sb_tiles_gradient_phase(const sb_tiles_gradient_args *k, sb_tiles_gradient_shared *shared,
                                            sb_tiles_gradient_own *own)
{
    sb_tiles_own *tile = &own->tile;
    if (own->phase == 0) tile->place = sb_tiles_place_of(own->channel, own->number, &k->maps);
    if (!tile->place.exists || (own->phase < 2 && tile->line >= SB_TILES_TILE)) return;
    if (own->phase == 0)
        sb_tiles_gradient_load(k, tile, shared);
    else if (own->phase == 1)
        sb_tiles_gradient_column(tile, shared);
    else
        sb_tiles_gradient_row(k, (long)own->channel * k->maps.by_pitch.by + own->number, tile, shared);
}

/* The rounds, and then the bias's gradient, by the threads that it has. */
SB_HOST_DEVICE void sb_tiles_gradient_step(const sb_tiles_gradient_args *k, sb_spot at, int step,
                                           sb_tiles_gradient_shared *shared, sb_tiles_gradient_own *own)
{
    if (step == 0) sb_tiles_gradient_begin(k, at, own);
    if (own->rounds_left == 0) {
        const sb_bias_gradient_args bias = {k->dy, k->db, k->maps.samples, k->maps.channels, k->maps.h, k->maps.w};
        if (at.thread < SB_ROWS_ABREAST) sb_bias_gradient_step(&bias, at, own->steps_bias++, &shared->bias, &own->bias);
        return;
    }
    sb_tiles_gradient_phase(k, shared, own);
    if (++own->phase < 3) return;
    own->phase = 0, own->rounds_left--, own->number += own->abreast;
}

/* ---- dx of dV ---- */

typedef sb_domain_adjoint_args sb_tiles_adjoint_args;

/* A further warp computes the columns of the neighbors of the block's first and last tile. */
enum { sb_tiles_adjoint_threads = 7 * SB_TILES_OF_BLOCK, sb_tiles_adjoint_resident = 6 };

typedef struct sb_tiles_adjoint_shared {
    sb_real x[SB_TILES_TILE][6][SB_TILES_OF_BLOCK + 2]; /* lane + 1 */
    sb_real half[SB_TILES_TILE][2][SB_TILES_OF_BLOCK];  /* of a fold: sums of two columns */
} sb_tiles_adjoint_shared;

typedef struct sb_tiles_adjoint_own {
    sb_tiles_own tile;
} sb_tiles_adjoint_own;

SB_HOST_DEVICE int sb_tiles_adjoint_steps(const sb_tiles_adjoint_args *k, sb_spot at)
{
    (void)at;
    return k->fold ? 3 : 2;
}

/* Column j of tile `at`, whose tile row begins at `top`. */
SB_HOST_DEVICE void sb_tiles_adjoint_column(const sb_tiles_adjoint_args *k, long at, int top, int j, int lane,
                                            sb_tiles_adjoint_shared *shared)
{
    sb_real column[SB_TILES_TILE];
    sb_domain_column(k, at, top, j, column);
    SB_UNROLL
    for (int i = 0; i < SB_TILES_TILE; i++) shared->x[i][j][lane + 1] = column[i];
}

/* Step 0: columns. The first lane of the last warp has the last column of the tile before the block, its last lane the
 * first column of the tile after the block. */
SB_HOST_DEVICE void sb_tiles_adjoint_columns(const sb_tiles_adjoint_args *k, sb_spot at, sb_tiles_own *own,
                                             sb_tiles_adjoint_shared *shared)
{
    long first = (long)at.x * SB_TILES_OF_BLOCK;
    sb_tiles_begin(at, &k->maps, k->n, own);
    if (own->line < 6) {
        if (own->place.exists)
            sb_tiles_adjoint_column(k, first + own->lane, own->place.top, own->line, own->lane, shared);
        return;
    }
    if (own->lane == 0 && own->place.exists && own->place.left > 0)
        sb_tiles_adjoint_column(k, first - 1, own->place.top, 5, -1, shared);
    if (own->lane == SB_TILES_OF_BLOCK - 1 && own->place.exists && own->place.left + SB_TILES_TILE < k->maps.w)
        sb_tiles_adjoint_column(k, first + SB_TILES_OF_BLOCK, own->place.top, 0, SB_TILES_OF_BLOCK, shared);
}

/* Step 1: a row, which is stored or, of a fold, added up in pairs. */
SB_HOST_DEVICE void sb_tiles_adjoint_row(const sb_tiles_adjoint_args *k, const sb_tiles_own *own,
                                         sb_tiles_adjoint_shared *shared)
{
    const sb_domain_place *place = &own->place;
    bool leftmost = place->left == 0, rightmost = place->left + SB_TILES_TILE >= k->maps.w;
    int i = own->line, at = own->lane + 1, y = place->top + i, w = k->maps.w;
    sb_real o[6], d[6];
    SB_UNROLL
    for (int j = 0; j < 6; j++) o[j] = shared->x[i][j][at];
    sb_real left = leftmost ? 0 : shared->x[i][5][at - 1], right = rightmost ? 0 : shared->x[i][0][at + 1];
    sb_winograd_input_adjoint(o, 1, d);
    const sb_real row[SB_TILES_TILE] = {d[1] + left, d[2], d[3], d[4] + (rightmost ? 0 : (sb_real)4 * right)};
    if (k->fold)
        shared->half[i][0][own->lane] = row[0] + row[1], shared->half[i][1][own->lane] = row[2] + row[3];
    else if (y < k->maps.h)
        sb_tiles_store(k->dx + (place->map * k->maps.h + y) * w, place->left, w, row);
}

/* Step 2 of a fold: one of the four elements of the small map. */
SB_HOST_DEVICE void sb_tiles_adjoint_fold(const sb_tiles_adjoint_args *k, const sb_tiles_own *own,
                                          const sb_tiles_adjoint_shared *shared)
{
    int i = own->line / 2, j = own->line % 2, h = k->maps.h / 2, w = k->maps.w / 2;
    int y = own->place.top / 2 + i, x = own->place.left / 2 + j;
    if (y >= h || x >= w) return;
    sb_real *to = k->dx + (own->place.map * h + y) * w + x;
    *to = *to + (shared->half[2 * i][j][own->lane] + shared->half[2 * i + 1][j][own->lane]);
}

SB_HOST_DEVICE void sb_tiles_adjoint_step(const sb_tiles_adjoint_args *k, sb_spot at, int step,
                                          sb_tiles_adjoint_shared *shared, sb_tiles_adjoint_own *own)
{
    if (step == 0)
        sb_tiles_adjoint_columns(k, at, &own->tile, shared);
    else if (!own->tile.place.exists || own->tile.line >= SB_TILES_TILE)
        return;
    else if (step == 1)
        sb_tiles_adjoint_row(k, &own->tile, shared);
    else
        sb_tiles_adjoint_fold(k, &own->tile, shared);
}

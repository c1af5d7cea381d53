/* The transforms of `winograd`, one tile of one channel per thread; the CPU twin is conv_winograd.c. Elements of the
 * Winograd domain are [36][channels][tiles], with the tiles of all samples in sequence; weights [36][k][columns]. Rows
 * are padded to whole fours (sb_domain_pitch); the padding is never written. */
#pragma once

#include "ops/conv/winograd/winograd.h"
#include "ops/kernels/point.h"
#include "ops/kernels/reduce.h"

#define SB_SAME(x) ((sb_real)(x))
SB_WINOGRAD_DEFINE(sb_winograd, sb_real, SB_FMA, SB_SAME, SB_HOST_DEVICE)

enum {
    SB_DOMAIN_TILE = SB_WINOGRAD_TILE,
    SB_POINTS = SB_WINOGRAD_POINTS,
    SB_POINTS_KEPT = 25 /* of an upsampled map, see SB_WINOGRAD_SKIPS */
};

SB_HOST_DEVICE int sb_domain_across(int n)
{
    return (n + SB_DOMAIN_TILE - 1) / SB_DOMAIN_TILE;
}

/* Numbers from one row of n to the next. */
SB_HOST_DEVICE int sb_domain_pitch(int n)
{
    return (n + 3) / 4 * 4;
}

SB_HOST_DEVICE int sb_domain_tiles(int h, int w)
{
    return sb_domain_across(h) * sb_domain_across(w);
}

/* The maps that are transformed into the Winograd domain, or back. */
typedef struct sb_domain_maps {
    int samples, channels, h, w;
    sb_divisor by_pitch, by_tiles, by_across; /* of a row of all samples; tiles of a map, and of a row of a map */
} sb_domain_maps;

static inline sb_domain_maps sb_domain_maps_of(int samples, int channels, int h, int w)
{
    const int tiles = sb_domain_tiles(h, w);
    sb_domain_maps maps = {samples, channels, h, w, {0}, {0}, {0}};
    maps.by_pitch = sb_divisor_of(sb_domain_pitch(samples * tiles));
    maps.by_tiles = sb_divisor_of(tiles), maps.by_across = sb_divisor_of(sb_domain_across(w));
    return maps;
}

/* The place of element i in the Winograd domain of these maps. */
typedef struct sb_domain_place {
    long map; /* sample * channels + channel */
    int sample, channel, top, left;
    bool exists; /* false: it only fills a row up */
} sb_domain_place;

SB_HOST_DEVICE sb_domain_place sb_domain_place_of(int i, const sb_domain_maps *maps)
{
    int across = sb_domain_across(maps->w), of_map = sb_domain_tiles(maps->h, maps->w);
    int pitch = sb_domain_pitch(maps->samples * of_map), sample = i % pitch / of_map, tile = i % pitch % of_map;
    sb_domain_place at;
    at.sample = sample, at.channel = i / pitch, at.map = (long)sample * maps->channels + at.channel;
    at.top = tile / across * SB_DOMAIN_TILE, at.left = tile % across * SB_DOMAIN_TILE;
    at.exists = sample < maps->samples;
    return at;
}

/* U of one pair of channels: row k, column j; taps at weight[(o * in + i) * 9]. backward: k = o, j = i */
typedef struct sb_domain_weight_args {
    long n; /* rows * pitch of the columns */
    const sb_real *weight;
    sb_real *u;
    int in, out, backward;
} sb_domain_weight_args;

SB_HOST_DEVICE void sb_domain_weight_each(const sb_domain_weight_args *k, long at)
{
    int columns = k->backward ? k->in : k->out, pitch = sb_domain_pitch(columns);
    int row = (int)at / pitch, column = (int)at % pitch;
    if (column >= columns) return;
    const sb_real *g = k->weight + (long)(k->backward ? row * k->in + column : column * k->in + row) * 9;
    sb_real half[6 * 3], out[SB_POINTS];
    for (int x = 0; x < 3; x++) sb_winograd_weight(g + x, 3, half + x, 3);
    for (int i = 0; i < 6; i++) sb_winograd_weight(half + 3 * i, 1, out + 6 * i, 1);
    for (int p = 0; p < SB_POINTS; p++) k->u[p * k->n + at] = out[p];
}

/* The gradient of the weights of one pair (o, i), from dU [36][out][in]. */
typedef struct sb_domain_weight_end_args {
    long n; /* in * out */
    const sb_real *du;
    sb_real *dw; /* [out][in][3][3] */
} sb_domain_weight_end_args;

SB_HOST_DEVICE void sb_domain_weight_end_each(const sb_domain_weight_end_args *k, long at)
{
    sb_real u[SB_POINTS], half[3 * 6], g[9];
    for (int p = 0; p < SB_POINTS; p++) u[p] = k->du[p * k->n + at];
    for (int j = 0; j < 6; j++) sb_winograd_weight_adjoint(u + j, 6, half + j, 6);
    for (int y = 0; y < 3; y++) sb_winograd_weight_adjoint(half + 6 * y, 1, g + 3 * y, 1);
    for (int tap = 0; tap < 9; tap++) k->dw[at * 9 + tap] = g[tap];
}

/* V of the map at h x w, upsampled if shrink is 1. If a is not NULL, x is computed here as the errors of a and p
 * (sb_error_forward): each tile writes its own 4x4 and computes the rim around them again. */
typedef struct sb_domain_input_args {
    long n; /* channels * pitch of the tiles */
    sb_real *x, *v;
    const sb_real *a, *p; /* NULL, or what x is the errors of, which is not upsampled */
    sb_domain_maps maps;
    int shrink;
} sb_domain_input_args;

/* Is row or column i of six one of the tile's own four? */
SB_HOST_DEVICE bool sb_domain_is_own(int i)
{
    return i > 0 && i <= SB_DOMAIN_TILE;
}

SB_HOST_DEVICE void sb_domain_input_each(const sb_domain_input_args *k, long at)
{
    sb_domain_place place = sb_domain_place_of((int)at, &k->maps);
    if (!place.exists) return;
    int small_h = k->maps.h >> k->shrink, small_w = k->maps.w >> k->shrink;
    long map = place.map * small_h * small_w;
    const sb_error_source from = sb_error_source_of(k->x, k->a, k->p, place.map, k->maps.channels, small_h * small_w);
    sb_real d[SB_POINTS], half[SB_POINTS], out[SB_POINTS];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            int y = place.top - 1 + i, x = place.left - 1 + j;
            bool inside = y >= 0 && y < k->maps.h && x >= 0 && x < k->maps.w;
            int in_map = (y >> k->shrink) * small_w + (x >> k->shrink);
            d[6 * i + j] = inside ? sb_error_number(from, in_map) : 0;
            if (k->a && inside && sb_domain_is_own(i) && sb_domain_is_own(j)) k->x[map + in_map] = d[6 * i + j];
        }
    for (int j = 0; j < 6; j++) sb_winograd_input(d + j, 6, half + j);
    for (int i = 0; i < 6; i++) sb_winograd_input(half + 6 * i, 1, out + 6 * i);
    for (int p = 0; p < SB_POINTS; p++) k->v[p * k->n + at] = out[p];
}

/* M of a gradient; a block of threads has a piece of a channel's tiles. If p or da is not NULL, it first computes the
 * gradient itself (sb_output_backward, sb_pool_backward). If db is not NULL, it then adds the bias gradient. */
typedef struct sb_domain_gradient_args {
    sb_real *dy, *m;
    const sb_real *p;      /* NULL, or the results of the nonlinearity */
    const sb_real *da;     /* NULL, or the gradient of pooled maps, */
    const uint8_t *choice; /* and which places they are of */
    sb_real *db;           /* NULL, or the bias's gradient, of one piece to a channel and a gradient that is there */
    sb_domain_maps maps;
    int pieces; /* of each channel's tiles; block pieces * channel + piece */
    int rounds; /* of a block: a tile to a thread, or 32 tiles (domain_transforms.h) */
    bool clip;
} sb_domain_gradient_args;

enum { sb_domain_gradient_threads = SB_ROWS_ABREAST, sb_domain_gradient_resident = 4 };

typedef sb_bias_gradient_shared sb_domain_gradient_shared;
typedef sb_bias_gradient_own sb_domain_gradient_own;

/* Tiles of one channel, of all samples. */
SB_HOST_DEVICE int sb_domain_row(const sb_domain_maps *maps)
{
    return maps->samples * sb_domain_tiles(maps->h, maps->w);
}

SB_HOST_DEVICE int sb_domain_gradient_steps(const sb_domain_gradient_args *k, sb_spot at)
{
    (void)at;
    return k->rounds + (k->db ? sb_rows_steps(k->maps.samples * k->maps.h) : 0);
}

/* The gradient at a place of all maps, whose map, of w columns, begins at `map`; it is kept where it is only made now. */
SB_HOST_DEVICE sb_real sb_domain_gradient_at(const sb_domain_gradient_args *k, long map, int y, int x)
{
    int w = k->maps.w;
    long i = map + y * w + x;
    if (k->p) {
        k->dy[i] = sb_through_output(k->p[i], k->clip, k->dy[i]);
    } else if (k->da) {
        long small = map / 4 + y / 2 * (w / 2) + x / 2;
        k->dy[i] = k->choice[small] == y % 2 * 2 + x % 2 ? k->da[small] : 0;
    }
    return k->dy[i];
}

SB_HOST_DEVICE void sb_domain_gradient_tile(const sb_domain_gradient_args *k, long at)
{
    enum { TILE = SB_WINOGRAD_TILE };
    sb_domain_place place = sb_domain_place_of((int)at, &k->maps);
    long map = place.map * k->maps.h * k->maps.w, n = (long)k->maps.channels * sb_domain_pitch(sb_domain_row(&k->maps));
    sb_real y[TILE * TILE], half[6 * TILE], out[SB_POINTS];
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) {
            bool inside = place.top + i < k->maps.h && place.left + j < k->maps.w;
            y[TILE * i + j] = inside ? sb_domain_gradient_at(k, map, place.top + i, place.left + j) : 0;
        }
    for (int j = 0; j < TILE; j++) sb_winograd_output_adjoint(y + j, TILE, half + j, TILE);
    for (int i = 0; i < 6; i++) sb_winograd_output_adjoint(half + TILE * i, 1, out + 6 * i, 1);
    for (int p = 0; p < SB_POINTS; p++) k->m[p * n + at] = out[p];
}

SB_HOST_DEVICE void sb_domain_gradient_step(const sb_domain_gradient_args *k, sb_spot at, int step,
                                            sb_domain_gradient_shared *shared, sb_domain_gradient_own *own)
{
    int channel = at.x / k->pieces, piece = at.x % k->pieces;
    int row = sb_domain_row(&k->maps), tile = (step * k->pieces + piece) * sb_domain_gradient_threads + at.thread;
    if (step < k->rounds) {
        if (tile < row) sb_domain_gradient_tile(k, (long)channel * sb_domain_pitch(row) + tile);
        return;
    }
    const sb_bias_gradient_args bias = {k->dy, k->db, k->maps.samples, k->maps.channels, k->maps.h, k->maps.w};
    sb_bias_gradient_step(&bias, at, step - k->rounds, shared, own);
}

/* y = the output transform of M, then the bias, then the nonlinearity. If a is not NULL, also the pooled maps
 * (sb_pool_forward). */
typedef struct sb_domain_output_args {
    long n; /* channels * pitch of the tiles */
    const sb_real *m, *bias;
    sb_real *y;
    sb_real *a;      /* NULL, or the pooled maps, */
    uint8_t *choice; /* and which places they are of */
    sb_domain_maps maps;
    sb_nonlinearity nonlinearity;
} sb_domain_output_args;

/* The element of the pooled maps that the window at (i, j) of a tile has. It is always inside one tile, because pooled
 * maps have even sides. */
SB_HOST_DEVICE void sb_domain_pool(const sb_domain_output_args *k, sb_domain_place place, const sb_real window[4],
                                   int i, int j)
{
    long at =
        place.map * (k->maps.h / 2) * (k->maps.w / 2) + (place.top + i) / 2 * (k->maps.w / 2) + (place.left + j) / 2;
    sb_real best = 0;
    int where = 4;
    for (int corner = 0; corner < 4; corner++) sb_pool_place(window[corner], corner, &best, &where);
    k->a[at] = best;
    k->choice[at] = (uint8_t)where;
}

SB_HOST_DEVICE void sb_domain_output_each(const sb_domain_output_args *k, long at)
{
    enum { TILE = SB_WINOGRAD_TILE };
    sb_domain_place place = sb_domain_place_of((int)at, &k->maps);
    if (!place.exists) return;
    sb_real *plane = k->y + place.map * k->maps.h * k->maps.w, bias = k->bias ? k->bias[place.channel] : 0;
    sb_real in[SB_POINTS], half[TILE * 6], out[TILE * TILE];
    for (int p = 0; p < SB_POINTS; p++) in[p] = k->m[p * k->n + at];
    for (int j = 0; j < 6; j++) sb_winograd_output(in + j, 6, half + j, 6);
    for (int i = 0; i < TILE; i++) sb_winograd_output(half + 6 * i, 1, out + TILE * i, 1);
    SB_UNROLL
    for (int i = 0; i < TILE; i++) {
        SB_UNROLL
        for (int j = 0; j < TILE; j++) {
            if (place.top + i >= k->maps.h || place.left + j >= k->maps.w) continue;
            sb_real *y = out + TILE * i + j;
            *y = sb_output_of(k->nonlinearity, *y + bias);
            plane[(place.top + i) * k->maps.w + place.left + j] = *y;
        }
    }
    if (!k->a) return;
    SB_UNROLL
    for (int i = 0; i < TILE; i += 2) {
        SB_UNROLL
        for (int j = 0; j < TILE; j += 2) {
            const sb_real *top = out + TILE * i + j, window[4] = {top[0], top[1], top[TILE], top[TILE + 1]};
            if (place.top + i < k->maps.h && place.left + j < k->maps.w) sb_domain_pool(k, place, window, i, j);
        }
    }
}

/* dx from dV by the adjoint of the input transform. Each tile computes the contributions of its neighbors itself,
 * without waiting for them. fold: the map was read upsampled; dx has half the size and is added to. */
typedef struct sb_domain_adjoint_args {
    long n; /* channels * pitch of the tiles */
    const sb_real *v;
    sb_real *dx;
    sb_domain_maps maps; /* what the tiles cover */
    int fold;
} sb_domain_adjoint_args;

/* Number (i, j) of a tile. */
SB_HOST_DEVICE sb_real sb_domain_load(const sb_domain_adjoint_args *k, int i, int j, long at)
{
    return k->fold && (SB_WINOGRAD_SKIPS(6 * i) || SB_WINOGRAD_SKIPS(j)) ? 0 : k->v[(6 * i + j) * k->n + at];
}

/* Column j of tile `at` after the vertical half: its own four rows with what the tiles above and below add. */
SB_HOST_DEVICE void sb_domain_column(const sb_domain_adjoint_args *k, long at, int top, int j,
                                     sb_real row[SB_WINOGRAD_TILE])
{
    int across = sb_domain_across(k->maps.w);
    bool above = top > 0, below = top + SB_WINOGRAD_TILE < k->maps.h;
    sb_real o[6], d[6];
    for (int i = 0; i < 6; i++) o[i] = sb_domain_load(k, i, j, at);
    sb_winograd_input_adjoint(o, 1, d);
    sb_real last = above ? sb_domain_load(k, 5, j, at - across) : 0;
    sb_real first = below ? sb_domain_load(k, 0, j, at + across) : 0;
    d[1] = d[1] + last;
    d[4] = d[4] + (sb_real)4 * first;
    for (int i = 0; i < SB_WINOGRAD_TILE; i++) row[i] = d[i + 1];
}

/* The 4x4 gradients of one tile. */
SB_HOST_DEVICE void sb_domain_block(const sb_domain_adjoint_args *k, long at, sb_domain_place place,
                                    sb_real block[SB_WINOGRAD_TILE * SB_WINOGRAD_TILE])
{
    enum { TILE = SB_WINOGRAD_TILE };
    bool leftmost = place.left == 0, rightmost = place.left + TILE >= k->maps.w;
    sb_real own[6][TILE], left[TILE] = {0}, right[TILE] = {0};
    for (int j = 0; j < 6; j++) sb_domain_column(k, at, place.top, j, own[j]);
    if (!leftmost) sb_domain_column(k, at - 1, place.top, 5, left);
    if (!rightmost) sb_domain_column(k, at + 1, place.top, 0, right);
    for (int i = 0; i < TILE; i++) {
        sb_real o[6], d[6];
        for (int j = 0; j < 6; j++) o[j] = own[j][i];
        sb_winograd_input_adjoint(o, 1, d);
        block[TILE * i] = d[1] + left[i]; /* the adjoint's last is o5 itself, */
        block[TILE * i + 1] = d[2];
        block[TILE * i + 2] = d[3];
        block[TILE * i + 3] = d[4] + (rightmost ? 0 : (sb_real)4 * right[i]); /* its first is 4 o0 */
    }
}

SB_HOST_DEVICE void sb_domain_adjoint_each(const sb_domain_adjoint_args *k, long at)
{
    enum { TILE = SB_WINOGRAD_TILE };
    sb_domain_place place = sb_domain_place_of((int)at, &k->maps);
    if (!place.exists) return;
    sb_real block[TILE * TILE];
    sb_domain_block(k, at, place, block);
    int step = k->fold ? 2 : 1, dx_w = k->maps.w / step;
    sb_real *plane = k->dx + place.map * (k->maps.h / step) * dx_w;
    SB_UNROLL
    for (int i = 0; i < TILE; i++) {
        SB_UNROLL
        for (int j = 0; j < TILE; j++) {
            bool corner = i % 2 == 0 && j % 2 == 0;
            if (place.top + i >= k->maps.h || place.left + j >= k->maps.w || (k->fold && !corner)) continue;
            const sb_real *b = block + TILE * i + j;
            sb_real *to = plane + (place.top + i) / step * dx_w + (place.left + j) / step;
            *to = k->fold && corner ? *to + ((b[0] + b[1]) + (b[TILE] + b[TILE + 1])) : b[0];
        }
    }
}

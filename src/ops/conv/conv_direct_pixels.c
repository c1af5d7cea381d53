/* Convolutions in the form `direct` with pixels as lanes: the chains of order.h, the same bits as the products of
 * conv_direct.c, for maps of few channels.
 *
 * A block of pixels is computed at a time, from planes of one channel each that its operands are turned into. The rows of
 * a plane lie one after the other, their borders between them, and the lanes go over all of it as over one row: sums
 * that begin in a border are of no pixel, and are left. */
#include "ops/conv/conv_direct.h"

/* Numbers of a plane, and planes that are turned at a time: they stay in the second-level cache. A block has this many rows
 * and columns at most: few enough that all threads find some, and enough that its border, which others turn as well, is
 * little. */
enum { PLANE = 2048, PLANES = 24, ROWS = 8, WIDTH = 256, REACH = 2, TAPS = 9 };
_Static_assert((1 + REACH) * (WIDTH + REACH) + SB_LANES <= PLANE, "a row of a block is a plane");

/* Channels of a map that is computed so: by_pixels. */
enum { MAX_CHANNELS = 2 * SB_TILE_COLUMNS };

/* Pixels of a sample, h x w of them from (y, x) on. */
typedef struct block {
    int sample, y, x, h, w;
} block;

/* Numbers of a row of a plane, and lanes from the first to the last pixel, in whole vectors. */
static int pitch_of(const block *b)
{
    return b->w + REACH;
}

static int lanes_of(const block *b)
{
    return sb_whole_vectors((b->h - 1) * pitch_of(b) + b->w);
}

/* From plane to plane: the last vector of lanes reads beyond the end. */
static size_t plane_size(const block *b)
{
    return (size_t)(b->h + REACH) * pitch_of(b) + SB_LANES;
}

/* n channels of an operand of a map, from `first` on, a multiple of SB_LANES, in whole vectors, as many as an operand has
 * (conv_direct.h): the last one may have lanes beyond the channels, whose planes are not read. What a vector writes
 * beyond the end of a narrow row, the next row overwrites. */
static void turn_planes(const factor *f, const sb_tensor *map, const block *b, int first, int n, sb_real *planes)
{
    const int pitch = pitch_of(b);
    const size_t size = plane_size(b), row = (size_t)(map->w + REACH) * f->pixel;
    const size_t corner = ((size_t)b->sample * (map->h + REACH) + b->y) * row + (size_t)b->x * f->pixel + first;
    for (int c = 0; c < n; c += SB_LANES) {
        for (int y = 0; y < b->h + REACH; y++)
            for (int i = 0; i < pitch; i += SB_LANES) {
                const int x = sb_whole_at(i, pitch);
                sb_vec_turn(f->operand + corner + y * row + (size_t)x * f->pixel + c, f->pixel, sb_lanes_at(x, pitch),
                            SB_LANES, planes + c * size + (size_t)y * pitch + x, size, SB_LANES);
            }
        for (int k = 1; k <= SB_LANES; k++) sb_vec_store(planes + (c + k) * size - SB_LANES, sb_vec_all(0));
    }
}

/* Planes of some channels of a factor, in the order of the chains. */
typedef struct part {
    const factor *f;
    int first, n;
    const sb_real *planes;
} part;

/* sums[c][lanes] += the products of some parts, or begin with them. */
static void add_parts(int n, const part *parts, const block *b, int c, sb_kernel_start start, sb_real *sums)
{
    const int lanes = lanes_of(b), pitch = pitch_of(b);
    int32_t a_tap[TAPS], b_tap[TAPS];
    for (int tap = 0; tap < TAPS; tap++) {
        a_tap[tap] = tap * SB_TILE_ROWS;
        b_tap[tap] = tap / (REACH + 1) * pitch + tap % (REACH + 1);
    }
    for (int tile = 0; tile < sb_tiles_of(c); tile++) {
        const int begin = sb_tile_begin(c, tile), n_rows = sb_tile_begin(c, tile + 1) - begin;
        sb_taps taps[SB_TERMS_MAX];
        for (int i = 0; i < n; i++) {
            const factor *f = parts[i].f;
            taps[i] = (sb_taps){.n_channels = parts[i].n,
                                .n_taps = TAPS,
                                .a = f->tiles + ((size_t)tile * f->n_k + (size_t)parts[i].first * TAPS) * SB_TILE_ROWS,
                                .a_channel = TAPS * SB_TILE_ROWS,
                                .a_tap = a_tap,
                                .b = parts[i].planes,
                                .b_channel = (ptrdiff_t)plane_size(b),
                                .b_tap = b_tap};
        }
        for (int lane = 0; lane < lanes; lane += SB_TILE_COLUMNS) {
            const int n_vecs = lanes - lane < SB_TILE_COLUMNS ? (lanes - lane) / SB_LANES : SB_TILE_VECS;
            SB_NATIVE(sb_kernel_taps)(n_rows, n_vecs, n, taps, start, sums + (size_t)begin * lanes + lane, lanes);
            for (int i = 0; i < n; i++) taps[i].b += SB_TILE_COLUMNS;
        }
    }
}

/* The sums of a row of a group, channels last, by way of a row that is longer: what a pixel's last vector has too many,
 * the pixel after it takes back, whose first channels come later. Rows of the sums after the last are turned, too. */
static void store_row(const sb_real *sums, int lanes, int w, int c, sb_real *to)
{
    sb_real row[WIDTH * MAX_CHANNELS + SB_LANES];
    for (int i = 0; i < w; i += SB_LANES)
        for (int k = (c - 1) / SB_LANES * SB_LANES; k >= 0; k -= SB_LANES) {
            const int x = sb_whole_at(i, w);
            sb_vec_turn(sums + (size_t)k * lanes + x, lanes, SB_LANES, sb_lanes_at(x, w), row + (size_t)x * c + k, c,
                        SB_LANES);
        }
    memcpy(to, row, (size_t)w * c * sizeof *row);
}

static void store_block(const block *b, const sb_real *sums, const sb_tensor *map)
{
    const int lanes = lanes_of(b);
    for (int g = 0; g < map->gates; g++)
        for (int y = 0; y < b->h; y++) {
            const size_t row = ((size_t)b->sample * map->gates + g) * map->h + b->y + y;
            store_row(sums + (size_t)g * map->c * lanes + (size_t)y * pitch_of(b), lanes, b->w, map->c,
                      map->x + (row * map->w + b->x) * map->c);
        }
}

static void product_block(int n, const factor *f, const sb_real *start, const block *b, const sb_tensor *map)
{
    sb_real planes[(PLANES + SB_LANES) * PLANE], sums[(MAX_CHANNELS + SB_LANES) * PLANE];
    const int c = map->gates * map->c, lanes = lanes_of(b);
    sb_kernel_start how = SB_FROM_ZERO;
    if (start) {
        for (int o = 0; o < c; o++)
            for (int lane = 0; lane < lanes; lane += SB_LANES)
                sb_vec_store(sums + (size_t)o * lanes + lane, sb_vec_all(start[o]));
        how = SB_GO_ON;
    }
    part parts[SB_TERMS_MAX];
    int n_parts = 0, used = 0;
    for (int t = 0; t < n; t++)
        for (int first = 0, taken; first < f[t].n_channels; first += taken) {
            if (PLANES - used < SB_LANES) {
                add_parts(n_parts, parts, b, c, how, sums);
                how = SB_GO_ON;
                n_parts = used = 0;
            }
            const int left = f[t].n_channels - first, room = (PLANES - used) / SB_LANES * SB_LANES;
            taken = left < room ? left : room;
            turn_planes(&f[t], map, b, first, taken, planes + used * plane_size(b));
            parts[n_parts++] = (part){&f[t], first, taken, planes + used * plane_size(b)};
            used += taken;
        }
    add_parts(n_parts, parts, b, c, how, sums);
    store_block(b, sums, map);
}

/* How a map is cut into blocks of nearly equal size. */
typedef struct cut {
    int n_y, n_x;
} cut;

static cut cut_map(const sb_tensor *map)
{
    const int n_x = (map->w + WIDTH - 1) / WIDTH, pitch = (map->w + n_x - 1) / n_x + REACH;
    const int most = (PLANE - SB_LANES) / pitch - REACH, rows = most < ROWS ? most : ROWS;
    return (cut){(map->h + rows - 1) / rows, n_x};
}

void SB_NATIVE(sb_direct_pixels)(int n, const factor *f, const sb_real *start, sb_tensor *map)
{
    const cut of = cut_map(map);
#pragma omp for collapse(3) schedule(dynamic)
    for (int sample = 0; sample < map->n; sample++)
        for (int j = 0; j < of.n_y; j++)
            for (int i = 0; i < of.n_x; i++) {
                const int y = sb_piece_begin(map->h, of.n_y, j), x = sb_piece_begin(map->w, of.n_x, i);
                const block b = {sample, y, x, sb_piece_begin(map->h, of.n_y, j + 1) - y,
                                 sb_piece_begin(map->w, of.n_x, i + 1) - x};
                product_block(n, f, start, &b, map);
            }
}

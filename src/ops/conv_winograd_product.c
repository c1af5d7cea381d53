/* The products of the form `winograd`: 36 points, each a matrix product of its own, which the micro-kernel computes in
 * tiles of chains. Where each element comes from: conv_winograd.h. */
#include "ops/conv_winograd.h"

#include <omp.h>
#include <string.h>

/* A function of prefetches alone has no effect in gcc's eyes: a call of it may be left out. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Weights of one piece stay in the first-level cache while all tiles walk over them. */
enum { CHANNELS_PER_PIECE = 192 };

/* A thread takes the blocks of columns of one point in runs, so that what all of them read is fetched from memory once
 * and then stays in its second-level cache: whole points, unless every thread would get too few of them for all to end
 * together. */
static int blocks_in_a_run(int n_blocks)
{
    const int runs_of_a_thread = 16;
    int run = POINTS * n_blocks / (runs_of_a_thread * omp_get_num_threads());
    return run < 1 ? 1 : run < n_blocks ? run : n_blocks;
}

/* Ask for n_rows rows of n elements, row elements apart, into the second-level cache. */
ALWAYS_INLINE void fetch_rows(const sb_real *from, int n_rows, ptrdiff_t row, int n)
{
    for (int m = 0; m < n_rows; m++)
        for (int k = 0; k < n; k += 64 / (int)sizeof(sb_real)) __builtin_prefetch(from + m * row + k, 0, 2);
}

/* product[p][t][first ..] = or += the chain over channels k .. k + s->n_k - 1 of one term, s being set up for tile 0.
 * Tiles in passes of nearly equal height, so that the last is not a thin one. */
static void all_tiles(int n_tiles, int width, sb_stretch s, bool fetch, sb_kernel_start start, sb_real *product,
                      int padded)
{
    int passes = (n_tiles + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    for (int pass = 0, done = 0; pass < passes; pass++) {
        int rows = (n_tiles - done + passes - pass - 1) / (passes - pass);
        const sb_real *next = s.a + rows * s.a_row;
        if (fetch && pass + 1 < passes) fetch_rows(next, rows, s.a_row, s.n_k);
        SB_KERNEL(rows, width / SB_LANES, 1, &s, start, product + (size_t)done * padded, padded);
        s.a = next;
        done += rows;
    }
}

/* One point and one block of columns of: product[p][t][j] = chain over terms and channels of operand * U. fetch: the
 * operand is not in a near cache yet. */
static void point_product(int n_terms, const sb_term *term, bool backward, int p, int first, int n, bool fetch,
                          sb_real *product)
{
    int n_tiles = tiles(&term[0].conv->shape), padded = sb_whole_vectors(n), width = block_width(n, first);
    sb_real *to = product + p * point_stride(&term[0].conv->shape, padded) + first;
    sb_kernel_start start = SB_FROM_ZERO;
    for (int i = 0; i < n_terms; i++) {
        const sb_conv *conv = term[i].conv;
        int n_k = backward ? sb_conv_outputs(&conv->shape) : conv->shape.in,
            row = backward ? sb_whole_vectors(n_k) : n_k;
        if (conv->shape.upsampled && SB_WINOGRAD_SKIPS(p)) continue;
        const sb_real *v = (const sb_real *)term[i].operand + p * point_stride(&conv->shape, row);
        const sb_real *u = block_at(conv, p, n_k, first, n);
        for (int k = 0; k < n_k; k += CHANNELS_PER_PIECE) {
            int piece = n_k - k < CHANNELS_PER_PIECE ? n_k - k : CHANNELS_PER_PIECE;
            const sb_stretch s = {piece, v + k, row, 1, NULL, u + (size_t)k * width, width};
            all_tiles(n_tiles, width, s, fetch, start, to, padded);
            start = SB_GO_ON;
        }
    }
    if (backward) return; /* where the only term skips this point, the adjoint does not read it */
    for (int t = 0; start == SB_FROM_ZERO && t < n_tiles; t++) /* every term skips this point */
        memset(to + (size_t)t * padded, 0, (size_t)width * sizeof *to);
}

void SB_NATIVE(sb_winograd_product)(int n_terms, const sb_term *term, bool backward, int n, sb_real *to)
{
    int n_blocks = (n + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS, run = blocks_in_a_run(n_blocks);
#pragma omp for collapse(2) schedule(dynamic) /* upsampled terms skip points: the pieces are not alike */
    for (int p = 0; p < POINTS; p++)
        for (int begin = 0; begin < n_blocks; begin += run)
            for (int block = begin; block < n_blocks && block < begin + run; block++)
                point_product(n_terms, term, backward, p, block * SB_TILE_COLUMNS, n, block == begin, to);
}

/* While a tile is computed: the accumulator's next rows, and with `fetch` the inputs of the next rows. */
ALWAYS_INLINE void fetch_next(int n_stretches, const sb_stretch *stretch, int in, int n_rows, int width,
                              const sb_real *sum, int padded, bool fetch)
{
    for (int m = 0; m < n_rows; m++)
        for (int j = 0; j < width; j += SB_LANES) __builtin_prefetch(sum + (size_t)m * padded + j, 1);
    for (const sb_stretch *s = stretch; fetch && n_rows > 0 && s < stretch + n_stretches; s++)
        fetch_rows(s->a + SB_TILE_ROWS + n_rows - 1, s->n_k, in, 1);
}

/* Rows of a piece one behind the other, for the tiles that walk over them again and again: as columns of a wide tensor
 * they share few places of the first-level cache. */
static void pack_columns(sb_stretch *s, int width, sb_real *packed)
{
    for (int k = 0; k < s->n_k; k++)
        for (int j = 0; j < width; j += SB_LANES)
            sb_vec_store(packed + (size_t)k * width + j, sb_vec_load(s->b + k * s->b_row + j));
    s->b = packed, s->b_row = width;
}

/* Where a frame is one piece, several frames make one call of the kernel. */
static void weight_columns(const sb_conv *conv, int p, int o, int n_frames, bool fetch, const void *const *x,
                           const void *const *dy)
{
    int n_tiles = tiles(&conv->shape), in = conv->shape.in, padded = sb_whole_vectors(sb_conv_outputs(&conv->shape));
    int width = block_width(sb_conv_outputs(&conv->shape), o);
    sb_real *sum = (sb_real *)conv->space.accumulator + (size_t)p * in * padded + o;
    const int pieces = (n_tiles + TILES_PER_PIECE - 1) / TILES_PER_PIECE; /* of nearly equal length */
    int frames_at_once = n_tiles <= TILES_PER_PIECE ? (TILES_PER_PIECE + n_tiles - 1) / n_tiles : 1;
    if (frames_at_once > SB_STRETCHES_MAX) frames_at_once = SB_STRETCHES_MAX;
    for (int frame = 0; frame < n_frames; frame += frames_at_once)
        for (int piece = 0, first = 0, n_k; piece < pieces; piece++, first += n_k) {
            int n_stretches = 0;
            n_k = (n_tiles - first + pieces - piece - 1) / (pieces - piece);
            sb_stretch stretch[SB_STRETCHES_MAX];
            sb_real packed[2 * TILES_PER_PIECE * SB_TILE_COLUMNS]; /* frames_at_once have less than twice a piece */
            for (int f = frame; f < n_frames && f < frame + frames_at_once; f++, n_stretches++) {
                const sb_real *v = (const sb_real *)x[f] + p * point_stride(&conv->shape, in);
                const sb_real *m = (const sb_real *)dy[f] + p * point_stride(&conv->shape, padded);
                stretch[n_stretches] =
                    (sb_stretch){n_k, v + (size_t)first * in, 1, in, NULL, m + (size_t)first * padded + o, padded};
                if (in > SB_TILE_ROWS)
                    pack_columns(&stretch[n_stretches], width, packed + (size_t)n_stretches * n_k * width);
            }
            for (int i = 0; i < in; i += SB_TILE_ROWS) {
                int rows = in - i < SB_TILE_ROWS ? in - i : SB_TILE_ROWS, left = in - i - rows;
                fetch_next(n_stretches, stretch, in, left < SB_TILE_ROWS ? left : SB_TILE_ROWS, width,
                           sum + (size_t)(i + rows) * padded, padded, fetch);
                SB_KERNEL(rows, width / SB_LANES, n_stretches, stretch, SB_GO_ON, sum + (size_t)i * padded, padded);
                for (int s = 0; s < n_stretches; s++) stretch[s].a += rows;
            }
        }
}

void SB_NATIVE(sb_winograd_weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                            const void *const *dy)
{
    (void)ops;
    int out = sb_conv_outputs(&conv->shape), n_blocks = (out + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS,
        run = blocks_in_a_run(n_blocks);
#pragma omp for collapse(2) schedule(dynamic) nowait
    for (int p = 0; p < POINTS; p++)
        for (int begin = 0; begin < n_blocks; begin += run)
            for (int block = begin; block < n_blocks && block < begin + run; block++)
                if (!(conv->shape.upsampled && SB_WINOGRAD_SKIPS(p)))
                    weight_columns(conv, p, block * SB_TILE_COLUMNS, n_frames, block == begin, x, dy);
}

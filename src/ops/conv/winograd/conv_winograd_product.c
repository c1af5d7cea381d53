/* The products of the form `winograd`: 36 points, each a matrix product of its own, which the micro-kernel computes in
 * tiles of chains. Where each element comes from: conv_winograd.h. */
#include "ops/conv/winograd/conv_winograd.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Weights of one piece stay in the first-level cache while all tiles walk over them. */
enum { CHANNELS_PER_PIECE = 192 };

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

/* Of a point that every term skips; in the data gradient the adjoint does not read it. */
static void no_product(int n_tiles, int width, sb_real *product, int padded)
{
    for (int t = 0; t < n_tiles; t++) memset(product + (size_t)t * padded, 0, (size_t)width * sizeof *product);
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
    if (!backward && start == SB_FROM_ZERO) no_product(n_tiles, width, to, padded);
}

/* Elements of U that are made at once of each point, 288 KB of all in a second-level cache, and from point to point of them:
 * not a power of two, or all points would share a few places of the first-level cache. */
enum { PIECE_OF_U = 8192 / sizeof(sb_real), POINT_OF_U = PIECE_OF_U + 64 / (int)sizeof(sb_real) };

/* u[p * POINT_OF_U + k * width + j] = U of n_k rows of a block. What follows the rows is asked for meanwhile. */
ALWAYS_INLINE void make_domain(const sb_real *taps, int n_k, int width, bool upsampled, sb_real *u)
{
    for (int k = 0; k < n_k; k++)
        for (int j = 0; j < width; j += SB_LANES) {
            const sb_real *at = taps + k * TAPS * width + j;
            sb_vec g[TAPS], out[POINTS];
            UNROLL_POINTS
            for (int tap = 0; tap < TAPS; tap++) {
                g[tap] = sb_vec_load(at + tap * width);
                __builtin_prefetch(at + PIECE_OF_U * TAPS + tap * width, 0, 2);
            }
            domain_of_taps(g, out);
            UNROLL_POINTS
            for (int p = 0; p < POINTS; p++)
                if (!(upsampled && SB_WINOGRAD_SKIPS(p))) sb_vec_store(u + p * POINT_OF_U + k * width + j, out[p]);
        }
}

/* One block of columns of all points of the same product, with a U that is made here. */
static void block_product(int n_terms, const sb_term *term, bool backward, int first, int n, sb_real *product)
{
    int n_tiles = tiles(&term[0].conv->shape), padded = sb_whole_vectors(n);
    const int width = block_width(n, first), rows = PIECE_OF_U / width;
    const size_t point = point_stride(&term[0].conv->shape, padded);
    sb_kernel_start start[POINTS] = {SB_FROM_ZERO};
    sb_real u[POINTS * POINT_OF_U];
    for (int i = 0; i < n_terms; i++) {
        const sb_conv *conv = term[i].conv;
        const bool upsampled = conv->shape.upsampled;
        int n_k = backward ? sb_conv_outputs(&conv->shape) : conv->shape.in,
            row = backward ? sb_whole_vectors(n_k) : n_k;
        const sb_real *v = term[i].operand, *taps = taps_of_block(conv, n_k, first);
        for (int k = 0, piece; k < n_k; k += piece) {
            piece = n_k - k < rows ? n_k - k : rows;
            if (upsampled)
                make_domain(taps + (size_t)k * TAPS * width, piece, width, true, u);
            else
                make_domain(taps + (size_t)k * TAPS * width, piece, width, false, u);
            for (int p = 0; p < POINTS; p++) {
                if (upsampled && SB_WINOGRAD_SKIPS(p)) continue;
                const sb_real *v_p = v + p * point_stride(&conv->shape, row) + k;
                const sb_stretch s = {piece, v_p, row, 1, NULL, u + p * POINT_OF_U, width};
                all_tiles(n_tiles, width, s, false, start[p], product + p * point + first, padded);
                start[p] = SB_GO_ON;
            }
        }
    }
    for (int p = 0; p < POINTS && !backward; p++)
        if (start[p] == SB_FROM_ZERO) no_product(n_tiles, width, product + p * point + first, padded);
}

static void product_of_few(int n_terms, const sb_term *term, bool backward, int n, sb_real *to)
{
#pragma omp for schedule(dynamic)
    for (int first = 0; first < n; first += SB_TILE_COLUMNS) block_product(n_terms, term, backward, first, n, to);
}

void SB_NATIVE(sb_winograd_product)(int n_terms, const sb_term *term, bool backward, int n, sb_real *to)
{
    if (very_few_tiles(&term[0].conv->shape)) {
        SB_NATIVE(sb_winograd_product_of_very_few)(n_terms, term, backward, n, to);
        return;
    }
    if (few_tiles(&term[0].conv->shape)) {
        product_of_few(n_terms, term, backward, n, to);
        return;
    }
    int n_blocks = (n + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS, run = blocks_in_a_run(n_blocks);
#pragma omp for collapse(2) schedule(dynamic) /* upsampled terms skip points: the pieces are not alike */
    for (int p = 0; p < POINTS; p++)
        for (int begin = 0; begin < n_blocks; begin += run)
            for (int block = begin; block < n_blocks && block < begin + run; block++)
                point_product(n_terms, term, backward, p, block * SB_TILE_COLUMNS, n, block == begin, to);
}

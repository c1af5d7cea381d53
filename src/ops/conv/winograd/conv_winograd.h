/* Shared by the files of the algorithm `winograd`: conv_winograd.c transforms operands and results,
 * conv_winograd_weights.c weights; conv_winograd_product.c, conv_winograd_few.c, conv_winograd_gradient.c and
 * conv_winograd_whole.c multiply them. The maps of a sample are cut into tiles of 4x4 outputs, row-major; edges are
 * filled with zeros. t counts the tiles of all samples, sample after sample, T of them: the products do not know of
 * samples.
 *
 * Operands   input x:      V [36][T][in]; of an upsampled map without the elements that are zero, here and in the
 *            scratch
 *            gradient dy:  M [36][T][o'], all gates side by side, o' = channels in whole vectors
 *            rows of in and o' elements have the stride operand_row
 * Packed     weights U in blocks of block_columns columns: forward [36][in][o'], backward [36][out][i'] (one of the
 *            two); where few_tiles, the 9 weights that U is made of: [in][9][o'] or [out][9][i']
 * Scratch    products before the last transform: [36][T][o'] or [36][T][i']
 * Accumulator [36][in][o']; none where the shape is `whole`
 * Winograd-domain elements of operands and products have the stride point_stride.
 */
#pragma once

#include "ops/conv/conv_form.h"
#include "ops/conv/winograd/winograd.h"
#include "ops/kernel_native.h"

#include <omp.h>

enum { TILE = SB_WINOGRAD_TILE, POINTS = SB_WINOGRAD_POINTS, TAPS = 9 };

/* Vectors of the Winograd domain stay in registers only if loops over them are unrolled. */
#if defined(__clang__)
#define UNROLL_POINTS _Pragma("clang loop unroll(full)")
#else
#define UNROLL_POINTS _Pragma("GCC unroll 36")
#endif

SB_WINOGRAD_DEFINE(winograd, sb_vec, sb_vec_fma, sb_vec_all, static inline __attribute__((always_inline)))

static inline int tiles_across(int n)
{
    return (n + TILE - 1) / TILE;
}

static inline int tiles_of_sample(const sb_conv_shape *shape)
{
    return tiles_across(shape->h) * tiles_across(shape->w);
}

static inline int tiles(const sb_conv_shape *shape)
{
    return shape->n * tiles_of_sample(shape);
}

/* Elements from point to point of an operand or of products whose tiles have rows of `row` elements. A vector more where
 * all 36 of a tile would lie at the same place of their pages, and so share a few places of the first-level cache. */
static inline size_t point_stride(const sb_conv_shape *shape, int row)
{
    const size_t stride = (size_t)tiles(shape) * row, page = 4096 / sizeof(sb_real);
    return stride % page ? stride : stride + SB_LANES;
}

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

/* With 12 or more rows a tile computes long enough in each step that the second-level cache is fast enough. Packing the
 * factors of weight gradients then costs more time than it saves. */
enum { FACTORS_ARE_PACKED = SB_TILE_ROWS < 12 };

/* With up to this number of tiles, reading U (four times the weights) from memory takes longer than the product. U is
 * then computed again for each product, in pieces that stay in a near cache. */
enum { FEW_TILES = 32 };

static inline bool few_tiles(const sb_conv_shape *shape)
{
    return !shape->cut && tiles(shape) <= FEW_TILES;
}

/* Numbers for each pair of channels in blocks. */
static inline int packed_numbers(const sb_conv_shape *shape)
{
    return few_tiles(shape) ? TAPS : POINTS;
}

/* Elements of U, or of the weights from which it is made, in blocks: the larger of forward and backward. */
static inline size_t blocks_size(const sb_conv_shape *shape)
{
    size_t forward = (size_t)shape->in * sb_whole_vectors(sb_conv_outputs(shape));
    size_t backward = (size_t)sb_conv_outputs(shape) * sb_whole_vectors(shape->in);
    return packed_numbers(shape) * (forward > backward ? forward : backward);
}

/* With up to this many, a pair of points has all its sums in registers, with room for U: it is multiplied where it is made, and
 * never stored. */
#if SB_TILE_ROWS_MAX * SB_TILE_VECS_MAX > 16
#define EACH_VERY_FEW(TILES) TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6)
#else
#define EACH_VERY_FEW(TILES) TILES(1) TILES(2) TILES(3)
#endif
#define AND_ONE(n) +1
enum { VERY_FEW_TILES = 0 EACH_VERY_FEW(AND_ONE) };
#undef AND_ONE

static inline bool very_few_tiles(const sb_conv_shape *shape)
{
    return few_tiles(shape) && tiles(shape) <= VERY_FEW_TILES;
}

/* Columns of a block of weights. */
static inline int block_columns(const sb_conv_shape *shape)
{
    return very_few_tiles(shape) ? SB_LANES : SB_TILE_COLUMNS;
}

/* Elements of a tile's row of an operand of n channels. With very few tiles all elements of the domain are read
 * together: an odd number of cache lines spreads them over the first-level cache. */
static inline int operand_row(const sb_conv_shape *shape, int n)
{
    enum { LINE = 64 / sizeof(sb_real) };
    return very_few_tiles(shape) ? ((n + LINE - 1) / LINE | 1) * LINE : n;
}

/* Columns of the block that starts at column `first` of n, where blocks have this many. */
static inline int width_at(int n, int first, int columns)
{
    const int left = sb_whole_vectors(n) - first;
    return left < columns ? left : columns;
}

static inline int block_width(int n, int first)
{
    return width_at(n, first, SB_TILE_COLUMNS);
}

/* Block `first` of point p, [n_k][block_width]. */
static inline sb_real *block_at(const sb_conv *conv, int p, int n_k, int first, int n)
{
    return (sb_real *)conv->space.packed + ((size_t)p * sb_whole_vectors(n) + first) * n_k;
}

/* The weights from which block `first` is made if few_tiles: [n_k][9][block_width]. */
static inline sb_real *taps_of_block(const sb_conv *conv, int n_k, int first)
{
    return (sb_real *)conv->space.packed + (size_t)first * n_k * TAPS;
}

/* 36 points of this many numbers that are more than this are stored past the caches, which saves reading what is
 * overwritten. Fewer are read again while they lie in a near cache: on a CPU whose second-level cache has 2 MB, an update
 * of ResNet-9 took 8 % longer with a limit of 1 MB. Of one sample the operands are a frame's, which a window keeps until its
 * end, and leave the caches in any case: on two Zen 4 cores a window took 6 % longer with the limit of the others. */
enum { STREAMED_BYTES = 4 << 20, STREAMED_BYTES_KEPT = 1 << 20 };

static inline bool is_streamed(const sb_real *points, size_t point_size, int samples)
{
    const size_t limit = samples == 1 ? STREAMED_BYTES_KEPT : STREAMED_BYTES;
    return POINTS * point_size * sizeof(sb_real) > limit && sb_vec_streams(points, point_size);
}

/* U of one vector of columns from its taps. */
static inline __attribute__((always_inline)) void domain_of_taps(const sb_vec g[TAPS], sb_vec u[POINTS])
{
    sb_vec half[6 * 3];
    UNROLL_POINTS
    for (int x = 0; x < 3; x++) winograd_weight(g + x, 3, half + x, 3);
    UNROLL_POINTS
    for (int i = 0; i < 6; i++) winograd_weight(half + 3 * i, 1, u + 6 * i, 1);
}

/* A thread takes runs of blocks of columns of one domain element, so that their shared operand is read from memory once
 * and then stays in the second-level cache. A run is a whole domain element, unless each thread would get too few runs
 * for all to end at the same time. */
static inline int blocks_in_a_run(int n_blocks)
{
    const int runs_of_a_thread = 16;
    int run = POINTS * n_blocks / (runs_of_a_thread * omp_get_num_threads());
    return run < 1 ? 1 : run < n_blocks ? run : n_blocks;
}

/* Always inlined, because gcc may remove calls of a function that only prefetches.
 * Prefetch n_rows rows of n elements, with a stride of `row` elements, into the second-level cache. */
static inline __attribute__((always_inline)) void fetch_rows(const sb_real *from, int n_rows, ptrdiff_t row, int n)
{
    for (int m = 0; m < n_rows; m++)
        for (int k = 0; k < n; k += 64 / (int)sizeof(sb_real)) __builtin_prefetch(from + m * row + k, 0, 2);
}

/* As the slots conv_begin, conv_turn and conv_end. */
void SB_NATIVE(sb_winograd_begin)(sb_ops *ops, sb_conv *conv);
void SB_NATIVE(sb_winograd_turn)(sb_ops *ops, sb_conv *conv);
void SB_NATIVE(sb_winograd_end)(sb_ops *ops, sb_conv *conv);

/* The gradient of the weights between n_in inputs from i on, at most SB_LANES, and a vector of outputs from o on: from
 * sums in the Winograd domain, `sum` being the first one, `row` elements from input to input. */
void SB_NATIVE(sb_winograd_leave)(const sb_conv *conv, const sb_real *sum, size_t point_size, size_t row, int o, int i,
                                  int n_in);

/* to[p][t][j] = chain over terms and channels of operand * U, for n columns j: of the forward pass, or of the data
 * gradient. */
void SB_NATIVE(sb_winograd_product)(int n_terms, const sb_term *term, bool backward, int n, sb_real *to);

/* The same for very few tiles. */
void SB_NATIVE(sb_winograd_product_of_very_few)(int n_terms, const sb_term *term, bool backward, int n, sb_real *to);

/* conv's accumulator += the chain over n_frames frames and their tiles of x (input operands) times dy (gradient
 * operands). If shape.whole, it overwrites weight_grad instead. */
void SB_NATIVE(sb_winograd_weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                            const void *const *dy);

/* sum[i'][o'], rows with the stride `row`, = or += the chain over n_frames frames and their tiles of element p, for
 * n_in inputs from i on and n_out columns, whole vectors, from o on, a multiple of SB_LANES. By one thread. */
void SB_NATIVE(sb_winograd_add_tiles)(const sb_conv *conv, int n_frames, const void *const *x, const void *const *dy,
                                      int p, int i, int n_in, int o, int n_out, sb_kernel_start start, sb_real *sum,
                                      int row);

void SB_NATIVE(sb_winograd_whole_gradient)(const sb_conv *conv, int n_frames, const void *const *x,
                                           const void *const *dy);

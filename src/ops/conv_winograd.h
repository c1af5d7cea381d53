/* What the two files of the form `winograd` share: conv_winograd.c packs weights and transforms operands,
 * conv_winograd_product.c multiplies them. The maps of a sample are cut into tiles of 4x4 outputs, row-major; edges are
 * filled with zeros. t counts the tiles of all samples, sample after sample, T of them: the products do not know of
 * samples.
 *
 * Operands   input x:      V [36][T][in]; of an upsampled map without the points that are zero, here and in the scratch
 *            gradient dy:  M [36][T][o'], all groups side by side, o' = channels in whole vectors
 * Packed     weights U in blocks of SB_TILE_COLUMNS columns: forward [36][in][o'], backward [36][out][i'] (one of the
 *            two)
 * Scratch    products before the last transform: [36][T][o'] or [36][T][i']
 * Accumulator [36][in][o']
 * Points of operands and products lie point_stride apart.
 */
#ifndef SB_OPS_CONV_WINOGRAD_H
#define SB_OPS_CONV_WINOGRAD_H

#include "ops/kernel_native.h"
#include "ops/ops.h"
#include "ops/winograd.h"

enum { TILE = SB_WINOGRAD_TILE, POINTS = SB_WINOGRAD_POINTS };

/* Columns o .. of point p of the accumulator take tiles in pieces of at most so many, whose rows of dy stay in the
 * first-level cache while all rows of the accumulator walk over them. */
enum { TILES_PER_PIECE = 128 };

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

/* Elements of U in blocks, forward or backward, whichever is more. */
static inline size_t blocks_size(const sb_conv_shape *shape)
{
    size_t forward = (size_t)shape->in * sb_whole_vectors(sb_conv_outputs(shape));
    size_t backward = (size_t)sb_conv_outputs(shape) * sb_whole_vectors(shape->in);
    return POINTS * (forward > backward ? forward : backward);
}

/* Columns of the block that starts at column `first` of n. */
static inline int block_width(int n, int first)
{
    int left = sb_whole_vectors(n) - first;
    return left < SB_TILE_COLUMNS ? left : SB_TILE_COLUMNS;
}

/* Block `first` of point p, [n_k][block_width]. */
static inline sb_real *block_at(const sb_conv *conv, int p, int n_k, int first, int n)
{
    return (sb_real *)conv->space.packed + ((size_t)p * sb_whole_vectors(n) + first) * n_k;
}

/* to[p][t][j] = chain over terms and channels of operand * U, for n columns j: of the forward pass, or of the data
 * gradient. */
void SB_NATIVE(sb_winograd_product)(int n_terms, const sb_term *term, bool backward, int n, sb_real *to);

/* conv's accumulator += the chain over so many frames and their tiles of x (input operands) times dy (gradient
 * operands). */
void SB_NATIVE(sb_winograd_weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                            const void *const *dy);

#endif

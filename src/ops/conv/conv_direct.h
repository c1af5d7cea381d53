/* The data that the algorithm `direct` keeps of a convolution, and its layout: for the products of conv_direct.c and of
 * the imitations (ops/imitate/conv_imitated.c), which read the same operands and weights.
 *
 * Operands   input x:      [n][h+r][w+r][c], r = kernel - 1: the padding around each map (upsampled already, where it
 *                          is)
 *            gradient dy:  [n][h'+r][w'+r][o'], h' x w' being the size of x: a border of r - padding zeros around each
 *                          map, all gates side by side, o' = channels rounded up to whole vectors. Where samples are
 *                          lanes o' = channels, and the border is left as it is, because no product reads it
 * Packed     forward:      blocks of SB_TILE_COLUMNS outputs (the last one narrower), each [in * taps][columns]
 *            backward:     the kernel turned by 180 degrees: blocks of inputs, each [outputs * taps][columns]
 *            one of the two; the same in tiles of channels, each [in or outputs * taps][SB_TILE_ROWS], where a product
 *            has other lanes than channels; then the table of offsets that the blocks' product walks
 * Scratch    the gradient of upsampled maps, [n][h][w][in], or some samples of an operand turned (conv_direct_samples.c)
 *            after an operand a vector that is read and changes nothing
 * Accumulator [kernel][kernel * in][o'], or [kernel][out][(kernel * in)'] where outputs_are_rows: the inputs that a row of
 *            the kernel meets lie one after the other, tap after tap
 */
#pragma once

#include "ops/conv/conv_form.h"
#include "ops/kernel_native.h"

#include <string.h>

typedef struct packed {
    sb_real *blocks, *tiles;
    int32_t *offset;
} packed;

static inline size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Elements of the blocks: the larger of forward and backward pass. */
static inline size_t blocks_size(const sb_conv_shape *shape)
{
    size_t forward = (size_t)shape->in * sb_whole_vectors(sb_conv_outputs(shape));
    size_t backward = (size_t)sb_conv_outputs(shape) * sb_whole_vectors(shape->in);
    return (size_t)sb_conv_taps(shape) * max_size(forward, backward);
}

/* Can the samples of a batch be the vector lanes? Only for kernels without padding: at the border of a data gradient
 * most taps are zeros, which this form leaves out. */
static inline bool by_samples(const sb_conv_shape *shape)
{
    return shape->kernel > 1 && shape->padding == 0;
}

/* Are the pixels of a map of c channels the lanes? True if channels would leave lanes empty, or give so few chains that
 * additions wait for each other. */
static inline bool by_pixels(const sb_conv_shape *shape, int c)
{
    return shape->padding > 0 && (c < SB_TILE_COLUMNS || (c % SB_LANES != 0 && c < 2 * SB_TILE_COLUMNS));
}

/* Is a map of c channels computed as a product of tiles? */
static inline bool is_tiled(const sb_conv_shape *shape, int c)
{
    return by_samples(shape) || by_pixels(shape, c);
}

/* Elements of the tiles: the larger of forward and backward pass. */
static inline size_t tiles_size(const sb_conv_shape *shape)
{
    const int in = shape->in, out = sb_conv_outputs(shape);
    const size_t forward = is_tiled(shape, out) ? (size_t)sb_tiles_of(out) * in : 0;
    const size_t backward = is_tiled(shape, in) ? (size_t)sb_tiles_of(in) * out : 0;
    return (size_t)sb_conv_taps(shape) * SB_TILE_ROWS * max_size(forward, backward);
}

/* Elements of all packed weights. */
static inline size_t packed_weights(const sb_conv_shape *shape)
{
    return blocks_size(shape) + tiles_size(shape);
}

static inline packed packed_parts(const sb_conv *conv)
{
    sb_real *blocks = conv->space.packed;
    return (packed){blocks, blocks + blocks_size(&conv->shape), (int32_t *)(blocks + packed_weights(&conv->shape))};
}

/* Distance from the first tap to the last. */
static inline int reach_of(const sb_conv_shape *shape)
{
    return shape->kernel - 1;
}

/* Width of the border of zeros around a map of dy. */
static inline int gradient_border(const sb_conv_shape *shape)
{
    return reach_of(shape) - shape->padding;
}

/* Pixels of one sample of an operand, with the border. */
static inline size_t input_pixels(const sb_conv_shape *shape)
{
    return (size_t)(shape->h + reach_of(shape)) * (shape->w + reach_of(shape));
}

static inline size_t gradient_pixels(const sb_conv_shape *shape)
{
    return (size_t)(sb_conv_input_h(shape) + reach_of(shape)) * (sb_conv_input_w(shape) + reach_of(shape));
}

/* Elements from pixel to pixel of a gradient. */
static inline int gradient_pixel(const sb_conv_shape *shape)
{
    return by_samples(shape) ? sb_conv_outputs(shape) : sb_whole_vectors(sb_conv_outputs(shape));
}

/* Columns of the block that starts at column `first` of n. */
static inline int block_width(int n, int first)
{
    int left = sb_whole_vectors(n) - first;
    return left < SB_TILE_COLUMNS ? left : SB_TILE_COLUMNS;
}

/* Number of inputs that a row of the kernel reads. */
static inline int inputs_of_row(const sb_conv_shape *shape)
{
    return shape->kernel * shape->in;
}

/* Elements of a row of the kernel in the accumulator, with inputs or with outputs as its rows. */
static inline size_t accumulated_by_inputs(const sb_conv_shape *shape)
{
    return (size_t)inputs_of_row(shape) * sb_whole_vectors(sb_conv_outputs(shape));
}

static inline size_t accumulated_by_outputs(const sb_conv_shape *shape)
{
    return (size_t)sb_conv_outputs(shape) * sb_whole_vectors(inputs_of_row(shape));
}

/* The weight gradient is a product of rows by columns, summed over pixels: inputs by outputs, or the other way round
 * where that leaves fewer lanes empty. Which of the two changes no bit. */
static inline bool outputs_are_rows(const sb_conv_shape *shape)
{
    return accumulated_by_outputs(shape) < accumulated_by_inputs(shape);
}

/* One term of a product, as an argument of the micro-kernel. */
typedef struct factor {
    const sb_real *operand; /* [n][h+reach][w+reach][pixel], h x w being the size of the result */
    int pixel, reach;
    int n_channels, n_k; /* channels of the operand, and channels times taps */
    const int32_t *offset;
    const sb_real *blocks, *tiles;
} factor;

static inline factor forward_factor(const sb_term *term)
{
    const sb_conv *conv = term->conv;
    packed p = packed_parts(conv);
    return (factor){.operand = term->operand,
                    .pixel = conv->shape.in,
                    .reach = reach_of(&conv->shape),
                    .n_channels = conv->shape.in,
                    .n_k = conv->shape.in * sb_conv_taps(&conv->shape),
                    .offset = p.offset,
                    .blocks = p.blocks,
                    .tiles = p.tiles};
}

static inline factor backward_factor(const sb_term *term)
{
    const sb_conv *conv = term->conv;
    packed p = packed_parts(conv);
    return (factor){.operand = term->operand,
                    .pixel = gradient_pixel(&conv->shape),
                    .reach = reach_of(&conv->shape),
                    .n_channels = sb_conv_outputs(&conv->shape),
                    .n_k = sb_conv_outputs(&conv->shape) * sb_conv_taps(&conv->shape),
                    .offset = p.offset,
                    .blocks = p.blocks,
                    .tiles = p.tiles};
}

/* Copy the channels from `first` on, of n_rows pixels in a row, from a packed tile into one sample. */
static inline void store_tile(const sb_real *tile, int columns, int n_rows, int y, int pixel, int first,
                              const sb_tensor *map)
{
    int n = map->gates * map->c - first;
    if (n > columns) n = columns;
    const size_t group_size = (size_t)map->h * map->w * map->c;
    for (int j = 0, run; j < n; j += run) { /* inside one group */
        const int group = (first + j) / map->c, channel = (first + j) % map->c, left = map->c - channel;
        sb_real *to = map->x + group * group_size + ((size_t)y * map->w + pixel) * map->c + channel;
        run = left < n - j ? left : n - j;
        for (int m = 0; m < n_rows; m++, to += map->c)
            for (int k = 0; k < run; k += SB_LANES) {
                const int lanes = sb_lanes_at(k, run);
                sb_vec_store_n(to + k, sb_vec_load_n(tile + m * columns + j + k, lanes), lanes);
            }
    }
}

/* One factor of the weight gradient: n numbers at every pixel of an operand. */
typedef struct side {
    int n;     /* outputs, or the inputs that a row of the kernel reads */
    int pixel; /* elements from pixel to pixel */
    bool is_input;
} side;

static inline side input_side(const sb_conv *conv)
{
    return (side){inputs_of_row(&conv->shape), conv->shape.in, true};
}

static inline side output_side(const sb_conv *conv)
{
    return (side){sb_conv_outputs(&conv->shape), gradient_pixel(&conv->shape), false};
}

/* The first pixel of the row that belongs to output row y of a sample and a row of the kernel. The input's row is
 * shifted by the row of the kernel, the row of dy only by its border. */
static inline const sb_real *row_of(const sb_conv_shape *shape, side s, const sb_real *operand, int sample,
                                    int kernel_row, int y)
{
    const int border = gradient_border(shape), reach = reach_of(shape);
    const int down = s.is_input ? kernel_row : border, right = s.is_input ? 0 : border;
    const int row = (s.is_input ? shape->w : sb_conv_input_w(shape)) + reach;
    const size_t before = sample * (s.is_input ? input_pixels(shape) : gradient_pixels(shape));
    return operand + (before + (size_t)(y + down) * row + right) * s.pixel;
}

/* One tile of a row of the kernel in the accumulator: numbers m .. of the rows' side, j .. of the columns' side. */
typedef struct weight_tile {
    side rows, columns;
    int kernel_row, m, n_rows, j, width;
} weight_tile;

/* Elements from row to row of the accumulator. */
static inline int accumulator_pitch(const weight_tile *at)
{
    return sb_whole_vectors(at->columns.n);
}

static inline sb_real *accumulator_at(const sb_conv *conv, const weight_tile *at)
{
    const size_t row = (size_t)at->kernel_row * at->rows.n + at->m;
    return (sb_real *)conv->space.accumulator + row * accumulator_pitch(at) + at->j;
}

/* dx[y][x] += the 2x2 block of the gradient of the upsampled map. Both have the rows of all samples in sequence. */
static inline void add_blocks(const sb_tensor *up, sb_tensor *dx)
{
    size_t row = (size_t)up->w * up->c;
#pragma omp for schedule(static)
    for (int y = 0; y < dx->n * dx->h; y++)
        for (int x = 0; x < dx->w; x++) {
            const sb_real *corner = up->x + 2 * y * row + (size_t)2 * x * up->c;
            sb_real *to = dx->x + ((size_t)y * dx->w + x) * dx->c;
            for (int c = 0; c < dx->c; c++)
                to[c] += (corner[c] + corner[up->c + c]) + (corner[row + c] + corner[row + up->c + c]);
        }
}

/* start + the sum of n factors, with pixels as lanes (conv_direct_pixels.c); start: of every channel, or NULL. */
void SB_NATIVE(sb_direct_pixels)(int n, const factor *f, const sb_real *start, sb_tensor *map);

/* A product with samples as lanes (conv_direct_samples.c), and its size of scratch in bytes. bias may be NULL; y has
 * one gate. */
size_t SB_NATIVE(sb_direct_samples_scratch)(const sb_conv_shape *shape);
void SB_NATIVE(sb_direct_samples_forward)(const sb_term *term, const sb_real *bias, sb_tensor *y);
void SB_NATIVE(sb_direct_samples_gradient)(const sb_term *term, sb_tensor *dx);

/* conv's accumulator += the weight gradient of n_frames frames, as the slot conv_weight_gradient. */
void SB_NATIVE(sb_direct_weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                          const void *const *dy);

/* Convolution of the native backend in the form `direct`: the chains of order.h, channels last, weights packed as
 * conv_direct.h says. */
#include "ops/conv_direct.h"

/* ---- the packed form ---- */

static void conv_sizes(const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    size_t outputs = (size_t)sb_conv_outputs(shape), padded = (size_t)sb_whole_vectors((int)outputs);
    size_t in = (size_t)shape->in, n = (size_t)shape->n, offsets = max_size(in, outputs) * 9 + (size_t)shape->w;
    *sizes = (sb_conv_sizes){
        .packed = blocks_size(shape) * sizeof(sb_real) + offsets * sizeof(int32_t),
        .accumulator = 9 * in * padded * sizeof(sb_real),
        .scratch = shape->upsampled ? n * shape->h * shape->w * in * sizeof(sb_real) : 0,
        .input = n * padded_pixels(shape) * in * sizeof(sb_real),
        .gradient = n * padded_pixels(shape) * padded * sizeof(sb_real),
    };
}

/* One block: columns first .. of the matrix element(conv, k, column), zero beyond n. */
typedef sb_real weight_at(const sb_conv *conv, int k, int column);

static sb_real forward_weight(const sb_conv *conv, int k, int o)
{
    return conv->params.weight[(size_t)o * conv->shape.in * 9 + k];
}

static sb_real backward_weight(const sb_conv *conv, int k, int i)
{
    int o = k / 9, tap = k % 9;
    return conv->params.weight[((size_t)o * conv->shape.in + i) * 9 + 8 - tap];
}

static void pack_block(const sb_conv *conv, weight_at *element, int n_k, int first, int n, sb_real *blocks)
{
    int width = block_width(n, first);
    sb_real *block = blocks + (size_t)first * n_k;
    for (int k = 0; k < n_k; k++)
        for (int j = 0; j < width; j++) block[(size_t)k * width + j] = first + j < n ? element(conv, k, first + j) : 0;
}

/* Where product row k = (channel, tap) is found, seen from the pixel's own place in the padded operand. */
static void fill_offsets(int32_t *offset, int n_channels, int row, int pixel)
{
    for (int k = 0; k < n_channels * 9; k++) {
        int channel = k / 9, ky = k % 9 / 3, kx = k % 3;
        offset[k] = ky * row + kx * pixel + channel;
    }
}

/* All blocks of a product with n columns and n_k rows, and its offsets. */
static void pack(const sb_conv *conv, weight_at *element, int n_channels, int pixel, int n)
{
    packed p = packed_parts(conv);
#pragma omp for schedule(static)
    for (int first = 0; first < n; first += SB_TILE_COLUMNS)
        pack_block(conv, element, n_channels * 9, first, n, p.blocks);
#pragma omp single
    fill_offsets(p.offset, n_channels, (conv->shape.w + 2) * pixel, pixel);
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    pack(conv, forward_weight, conv->shape.in, conv->shape.in, sb_conv_outputs(&conv->shape));
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    pack(conv, backward_weight, sb_conv_outputs(&conv->shape), sb_whole_vectors(sb_conv_outputs(&conv->shape)),
         conv->shape.in);
    int step = outputs_are_rows(conv) ? sb_whole_vectors(sb_conv_outputs(&conv->shape)) : conv->shape.in;
#pragma omp single
    for (int pixel = 0; pixel < conv->shape.w; pixel++) packed_parts(conv).pixel_offset[pixel] = pixel * step;
    sb_conv_sizes sizes;
    conv_sizes(&conv->shape, &sizes);
    ops->zero(ops, conv->space.accumulator, sizes.accumulator);
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    const sb_real *sum = conv->space.accumulator;
    int in = conv->shape.in, out = sb_conv_outputs(&conv->shape);
    bool swapped = outputs_are_rows(conv);
    size_t by_o = swapped ? in : 1, by_i = swapped ? 1 : sb_whole_vectors(out);
    size_t by_tap = swapped ? (size_t)out * in : in * by_i;
#pragma omp for schedule(static)
    for (int o = 0; o < out; o++)
        for (int i = 0; i < in; i++)
            for (int tap = 0; tap < 9; tap++)
                conv->params.weight_grad[((size_t)o * in + i) * 9 + tap] = sum[tap * by_tap + i * by_i + o * by_o];
}

/* ---- operands ---- */

/* Row y of a sample, -1 and h being the border, from row y of x, or y / 2 where it is upsampled. */
static void pad_row(const sb_conv_shape *shape, const sb_tensor *x, int y, sb_real *row)
{
    int shrink = shape->upsampled ? 1 : 0, c = x->c, w = shape->w;
    if (y < 0 || y == shape->h) {
        memset(row, 0, (size_t)(w + 2) * c * sizeof *row);
        return;
    }
    const sb_real *from = x->x + (size_t)(y >> shrink) * x->w * c;
    memset(row, 0, c * sizeof *row);
    memset(row + (size_t)(w + 1) * c, 0, c * sizeof *row);
    if (!shape->upsampled)
        memcpy(row + c, from, (size_t)w * c * sizeof *row);
    else
        for (int pixel = 0; pixel < w; pixel++)
            memcpy(row + (size_t)(pixel + 1) * c, from + (size_t)(pixel >> 1) * c, c * sizeof *row);
}

static void conv_input(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    (void)ops;
#pragma omp for collapse(2) schedule(static)
    for (int sample = 0; sample < x->n; sample++)
        for (int y = -1; y <= shape->h; y++) {
            sb_tensor one = sb_tensor_at(x, sample);
            size_t first = sample * padded_pixels(shape) + (size_t)(y + 1) * (shape->w + 2);
            pad_row(shape, &one, y, (sb_real *)operand + first * x->c);
        }
}

static void pad_gradient_row(const sb_tensor *dy, int y, int padded, sb_real *row)
{
    size_t group_size = (size_t)dy->h * dy->w * dy->c;
    memset(row, 0, (size_t)(dy->w + 2) * padded * sizeof *row);
    for (int pixel = 0; y >= 0 && y < dy->h && pixel < dy->w; pixel++)
        for (int g = 0; g < dy->groups; g++)
            memcpy(row + (size_t)(pixel + 1) * padded + g * dy->c,
                   dy->x + g * group_size + ((size_t)y * dy->w + pixel) * dy->c, dy->c * sizeof *row);
}

static void conv_gradient(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    (void)ops;
    int padded = sb_whole_vectors(sb_conv_outputs(shape));
#pragma omp for collapse(2) schedule(static)
    for (int sample = 0; sample < dy->n; sample++)
        for (int y = -1; y <= shape->h; y++) {
            sb_tensor one = sb_tensor_at(dy, sample);
            size_t first = sample * padded_pixels(shape) + (size_t)(y + 1) * (shape->w + 2);
            pad_gradient_row(&one, y, padded, (sb_real *)operand + first * padded);
        }
}

/* ---- products ---- */

/* Row y of one sample, whose operands begin skip pixels behind the factors': start + sum of factors, in pixel tiles. */
static void product_row(int n, const factor *f, size_t skip, const sb_real *start, int first, int y,
                        const sb_tensor *map)
{
    sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS];
    sb_stretch stretch[SB_TERMS_MAX];
    int n_out = map->groups * map->c, width = block_width(n_out, first);
    for (int pixel = 0; pixel < map->w; pixel += SB_TILE_ROWS) {
        int n_rows = map->w - pixel < SB_TILE_ROWS ? map->w - pixel : SB_TILE_ROWS;
        for (int m = 0; m < n_rows; m++)
            for (int j = 0; j < width; j++) tile[m * width + j] = start && first + j < n_out ? start[first + j] : 0;
        for (int t = 0; t < n; t++) {
            const sb_real *corner = f[t].operand + (skip + (size_t)y * (map->w + 2) + pixel) * f[t].pixel;
            const sb_real *block = f[t].blocks + (size_t)first * f[t].n_k;
            stretch[t] = (sb_stretch){f[t].n_k, corner, f[t].pixel, f[t].offset, block, width};
        }
        SB_KERNEL(n_rows, width / SB_LANES, n, stretch, SB_GO_ON, tile, width);
        store_tile(tile, width, n_rows, y, pixel, first, map);
    }
}

static void product(int n, const factor *f, const sb_real *start, sb_tensor *x)
{
    int n_blocks = (x->groups * x->c + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
    size_t padded = (size_t)(x->h + 2) * (x->w + 2);
#pragma omp for collapse(3) schedule(dynamic) /* the last block is a narrow one */
    for (int block = 0; block < n_blocks; block++)
        for (int sample = 0; sample < x->n; sample++)
            for (int y = 0; y < x->h; y++) {
                const sb_tensor one = sb_tensor_at(x, sample);
                product_row(n, f, sample * padded, start, block * SB_TILE_COLUMNS, y, &one);
            }
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    (void)ops;
    factor f[SB_TERMS_MAX];
    for (int t = 0; t < n_terms; t++) f[t] = forward_factor(&term[t]);
    product(n_terms, f, bias, y);
}

static void data_gradient(int n_terms, const sb_term *term, sb_tensor *dx)
{
    factor f[SB_TERMS_MAX];
    for (int t = 0; t < n_terms; t++) f[t] = backward_factor(&term[t]);
    product(n_terms, f, NULL, dx);
}

static void add_upsampled_gradient(const sb_term *term, sb_tensor *dx)
{
    factor f = backward_factor(term);
    sb_tensor gradient = {dx->n, 1, dx->c, 2 * dx->h, 2 * dx->w, term->conv->space.scratch};
    product(1, &f, NULL, &gradient);
    add_blocks(&gradient, dx);
}

/* ---- weight gradient ---- */

/* total[n_rows][width] += the rows of one sample of a frame. */
static void add_sample(const sb_conv *conv, const weight_tile *at, const sb_real *row_operand,
                       const sb_real *column_operand, int sample, sb_real *total)
{
    const sb_conv_shape *shape = &conv->shape;
    for (int y = 0; y < shape->h; y++) {
        sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS];
        const sb_real *a = row_of(shape, at->rows, row_operand, sample, at->tap, y) + at->m;
        const sb_real *b = row_of(shape, at->columns, column_operand, sample, at->tap, y) + at->j;
        const sb_stretch row = {shape->w, a, 1, packed_parts(conv).pixel_offset, b, at->columns.pixel};
        SB_KERNEL(at->n_rows, at->width / SB_LANES, 1, &row, SB_FROM_ZERO, tile, at->width);
        for (int k = 0; k < at->n_rows * at->width; k++) total[k] += tile[k];
    }
}

static void sum_tile(const sb_conv *conv, const weight_tile *at, int n_frames, const void *const *x,
                     const void *const *dy)
{
    sb_real total[SB_TILE_ROWS * SB_TILE_COLUMNS];
    int pitch = at->columns.pixel, width = at->width;
    sb_real *sum = (sb_real *)conv->space.accumulator + ((size_t)at->tap * at->rows.n + at->m) * pitch + at->j;
    for (int m = 0; m < at->n_rows; m++)
        memcpy(total + m * width, sum + (size_t)m * pitch, (size_t)width * sizeof *sum);
    bool swapped = at->columns.is_input;
    for (int frame = 0; frame < n_frames; frame++)
        for (int sample = 0; sample < conv->shape.n; sample++)
            add_sample(conv, at, swapped ? dy[frame] : x[frame], swapped ? x[frame] : dy[frame], sample, total);
    for (int m = 0; m < at->n_rows; m++)
        memcpy(sum + (size_t)m * pitch, total + m * width, (size_t)width * sizeof *sum);
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    (void)ops;
    bool swapped = outputs_are_rows(conv);
    side rows = swapped ? output_side(conv) : input_side(conv),
         columns = swapped ? input_side(conv) : output_side(conv);
#pragma omp for collapse(3) schedule(dynamic) nowait
    for (int tap = 0; tap < 9; tap++)
        for (int j = 0; j < columns.n; j += SB_TILE_COLUMNS)
            for (int m = 0; m < rows.n; m += SB_TILE_ROWS) {
                int n_rows = rows.n - m < SB_TILE_ROWS ? rows.n - m : SB_TILE_ROWS;
                const weight_tile at = {rows, columns, tap, m, n_rows, j, block_width(columns.n, j)};
                sum_tile(conv, &at, n_frames, x, dy);
            }
}

const sb_conv_form SB_NATIVE(sb_conv_direct) = {
    .sizes = conv_sizes,
    .begin = conv_begin,
    .turn = conv_turn,
    .end = conv_end,
    .input = conv_input,
    .gradient = conv_gradient,
    .forward = conv_forward,
    .data_gradient = data_gradient,
    .add_upsampled_gradient = add_upsampled_gradient,
    .weight_gradient = conv_weight_gradient,
};

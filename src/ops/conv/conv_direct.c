/* Convolution of the native backend in the form `direct`: the chains of order.h, channels last, weights packed as
 * conv_direct.h says. */
#include "ops/conv/conv_direct.h"

/* ---- the packed form ---- */

static void conv_sizes(const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    size_t outputs = (size_t)sb_conv_outputs(shape), pixel = (size_t)gradient_pixel(shape);
    size_t in = (size_t)shape->in, n = (size_t)shape->n, taps = (size_t)sb_conv_taps(shape);
    const size_t offsets = max_size(in, outputs) * taps;
    *sizes = (sb_conv_sizes){
        .packed = packed_weights(shape) * sizeof(sb_real) + offsets * sizeof(int32_t),
        .accumulator =
            shape->kernel * max_size(accumulated_by_inputs(shape), accumulated_by_outputs(shape)) * sizeof(sb_real),
        .scratch = shape->upsampled    ? n * shape->h * shape->w * in * sizeof(sb_real)
                   : by_samples(shape) ? SB_NATIVE(sb_direct_samples_scratch)(shape)
                                       : 0,
        .input = (n * input_pixels(shape) * in + SB_LANES) * sizeof(sb_real),
        .gradient = (n * gradient_pixels(shape) * pixel + SB_LANES) * sizeof(sb_real),
    };
}

/* Where row k of a matrix of weights begins: columns have the same stride in all rows. */
typedef const sb_real *weight_row(const sb_conv *conv, int k);

static const sb_real *forward_row(const sb_conv *conv, int k)
{
    return conv->params.weight + k;
}

static const sb_real *backward_row(const sb_conv *conv, int k)
{
    const int taps = sb_conv_taps(&conv->shape), o = k / taps, tap = k % taps;
    return conv->params.weight + (size_t)o * conv->shape.in * taps + taps - 1 - tap;
}

/* What is packed: n_k rows of n columns with that stride. */
typedef struct matrix {
    const sb_conv *conv;
    weight_row *row;
    int n_k, n, stride;
} matrix;

/* to[n_k][width] = columns first .. end - 1, zeros after them. */
static void pack_columns(const matrix *of, int first, int end, int width, sb_real *to)
{
    for (int k = 0; k < of->n_k; k++, to += width) {
        const sb_real *from = of->row(of->conv, k) + (size_t)first * of->stride;
        for (int j = 0; j < end - first; j++) to[j] = from[(size_t)j * of->stride];
        for (int j = end - first; j < width; j++) to[j] = 0;
    }
}

static void pack_block(const matrix *of, int first, sb_real *blocks)
{
    const int width = block_width(of->n, first), left = of->n - first;
    pack_columns(of, first, first + (left < width ? left : width), width, blocks + (size_t)first * of->n_k);
}

/* What a tile reads lies close together, and a tile may go over the end of a block. */
static void pack_tile(const matrix *of, int tile, sb_real *tiles)
{
    pack_columns(of, sb_tile_begin(of->n, tile), sb_tile_begin(of->n, tile + 1), SB_TILE_ROWS,
                 tiles + (size_t)tile * SB_TILE_ROWS * of->n_k);
}

/* Where product row k = (channel, tap) is found, seen from the pixel's own place in the padded operand. */
static void fill_offsets(int32_t *offset, int n_channels, int kernel, int row, int pixel)
{
    for (int channel = 0; channel < n_channels; channel++)
        for (int tap = 0; tap < kernel * kernel; tap++) *offset++ = tap / kernel * row + tap % kernel * pixel + channel;
}

/* All blocks of a product of n_channels, their tiles where it wants those, and its offsets in an operand of w pixels a
 * row, without the border. */
static void pack(const matrix *of, int n_channels, int pixel, int w)
{
    const sb_conv_shape *shape = &of->conv->shape;
    packed p = packed_parts(of->conv);
#pragma omp for schedule(static) nowait
    for (int first = 0; first < of->n; first += SB_TILE_COLUMNS) pack_block(of, first, p.blocks);
    if (is_tiled(shape, of->n)) {
#pragma omp for schedule(static) nowait
        for (int tile = 0; tile < sb_tiles_of(of->n); tile++) pack_tile(of, tile, p.tiles);
    }
#pragma omp single
    fill_offsets(p.offset, n_channels, shape->kernel, (w + reach_of(shape)) * pixel, pixel);
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    const sb_conv_shape *shape = &conv->shape;
    const int n_k = shape->in * sb_conv_taps(shape);
    const matrix of = {conv, forward_row, n_k, sb_conv_outputs(shape), n_k};
    pack(&of, shape->in, shape->in, shape->w);
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    const sb_conv_shape *shape = &conv->shape;
    const int out = sb_conv_outputs(shape), taps = sb_conv_taps(shape);
    const matrix of = {conv, backward_row, out * taps, shape->in, taps};
    pack(&of, out, gradient_pixel(shape), sb_conv_input_w(shape));
    sb_conv_sizes sizes;
    conv_sizes(&conv->shape, &sizes);
    ops->zero(ops, conv->space.accumulator, sizes.accumulator);
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    const sb_conv_shape *shape = &conv->shape;
    const sb_real *sum = conv->space.accumulator;
    const int in = shape->in, out = sb_conv_outputs(shape), kernel = shape->kernel;
    const bool swapped = outputs_are_rows(shape);
    const size_t by_o = swapped ? sb_whole_vectors(inputs_of_row(shape)) : 1;
    const size_t by_i = swapped ? 1 : sb_whole_vectors(out);
    const size_t by_row = swapped ? accumulated_by_outputs(shape) : accumulated_by_inputs(shape);
#pragma omp for schedule(static)
    for (int o = 0; o < out; o++) {
        sb_real *to = conv->params.weight_grad + (size_t)o * in * kernel * kernel;
        for (int i = 0; i < in; i++)
            for (int v = 0; v < kernel; v++)
                for (int u = 0; u < kernel; u++) *to++ = sum[v * by_row + (u * in + i) * by_i + o * by_o];
    }
}

/* ---- operands ---- */

/* Row y of a sample, beyond its map the padding, from row y of x, or y / 2 where it is upsampled. */
static void pad_row(const sb_conv_shape *shape, const sb_tensor *x, int y, sb_real *row)
{
    int shrink = shape->upsampled ? 1 : 0, w = sb_conv_input_w(shape);
    size_t c = (size_t)x->c, padding = shape->padding * c;
    if (y < 0 || y >= sb_conv_input_h(shape)) {
        memset(row, 0, (w * c + 2 * padding) * sizeof *row);
        return;
    }
    const sb_real *from = x->x + (size_t)(y >> shrink) * x->w * c;
    memset(row, 0, padding * sizeof *row);
    memset(row + padding + w * c, 0, padding * sizeof *row);
    sb_prefetch(from + SB_PREFETCH_AHEAD * x->w * c, x->w * c);
    if (!shape->upsampled)
        memcpy(row + padding, from, w * c * sizeof *row);
    else
        for (int pixel = 0; pixel < w; pixel++)
            memcpy(row + padding + pixel * c, from + (pixel >> 1) * c, c * sizeof *row);
}

static void conv_input(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    (void)ops;
#pragma omp for collapse(2) schedule(static)
    for (int sample = 0; sample < x->n; sample++)
        for (int row = 0; row < shape->h + reach_of(shape); row++) {
            sb_tensor one = sb_tensor_at(x, sample);
            size_t first = sample * input_pixels(shape) + (size_t)row * (shape->w + reach_of(shape));
            pad_row(shape, &one, row - shape->padding, (sb_real *)operand + first * x->c);
        }
#pragma omp single nowait
    memset((sb_real *)operand + x->n * input_pixels(shape) * x->c, 0, SB_LANES * sizeof(sb_real));
}

/* n numbers; of the last vector the rest is overwritten, too. */
static void copy_by_vectors(const sb_real *from, int n, sb_real *to)
{
    for (int k = 0; k < n; k += SB_LANES) sb_vec_store(to + k, sb_vec_load_n(from + k, sb_lanes_at(k, n)));
}

/* The pixels of row y of dy, all gates side by side. by_vectors: there is room for a vector after the row; what one
 * writes beyond its gate, the next gate or pixel overwrites. */
static void gather_row(const sb_tensor *dy, int y, int pixel, bool by_vectors, sb_real *row)
{
    const size_t group_size = (size_t)dy->h * dy->w * dy->c;
    const sb_real *from = dy->x + (size_t)y * dy->w * dy->c;
    sb_prefetch(from + SB_PREFETCH_AHEAD * dy->w * dy->c, (size_t)dy->w * dy->c);
    if (pixel == dy->c) {
        memcpy(row, from, (size_t)dy->w * pixel * sizeof *row);
        return;
    }
    for (int x = 0; x < dy->w; x++, from += dy->c, row += pixel) {
        if (pixel > dy->gates * dy->c) sb_vec_store(row + pixel - SB_LANES, sb_vec_all(0));
        for (int g = 0; g < dy->gates; g++)
            if (by_vectors)
                copy_by_vectors(from + g * group_size, dy->c, row + g * dy->c);
            else
                memcpy(row + g * dy->c, from + g * group_size, (size_t)dy->c * sizeof *row);
    }
}

static void pad_gradient_row(const sb_tensor *dy, int y, int border, int pixel, sb_real *row)
{
    const size_t margin = (size_t)border * pixel, inner = (size_t)dy->w * pixel;
    if (y < 0 || y >= dy->h) {
        memset(row, 0, (inner + 2 * margin) * sizeof *row);
        return;
    }
    memset(row, 0, margin * sizeof *row);
    gather_row(dy, y, pixel, border > 0, row + margin);
    memset(row + margin + inner, 0, margin * sizeof *row);
}

static void conv_gradient(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    (void)ops;
    const int pixel = gradient_pixel(shape), border = gradient_border(shape), rows = shape->h + 2 * border;
    const size_t length = (size_t)(shape->w + 2 * border) * pixel;
#pragma omp for collapse(2) schedule(static)
    for (int sample = 0; sample < dy->n; sample++)
        for (int y = 0; y < rows; y++) {
            const sb_tensor one = sb_tensor_at(dy, sample);
            sb_real *row = (sb_real *)operand + ((size_t)sample * rows + y) * length;
            if (!by_samples(shape))
                pad_gradient_row(&one, y - border, border, pixel, row);
            else if (y >= border && y - border < shape->h)
                gather_row(&one, y - border, pixel, false, row + border * pixel);
        }
}

/* ---- products ---- */

/* Set the start values of the chains of n_rows pixels of `width` columns; rows of c have the stride c_row. */
static void start_tile(const sb_real *start, int first, int n_out, int n_rows, int width, sb_real *c, ptrdiff_t c_row)
{
    for (int j = 0; j < width; j += SB_LANES) {
        const sb_vec v = sb_vec_load_n(start + first + j, sb_lanes_at(first + j, n_out));
        for (int m = 0; m < n_rows; m++) sb_vec_store(c + m * c_row + j, v);
    }
}

/* Row y of one sample, whose operands begin skip pixels after the factors': start + sum of factors, in tiles of
 * pixels, nearly equally many so that the last is not a thin one. Whole vectors of a map of one group are summed in
 * their place. */
static void product_row(int n, const factor *f, size_t skip, const sb_real *start, int first, int y,
                        const sb_tensor *map)
{
    sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS];
    sb_stretch stretch[SB_TERMS_MAX];
    int n_out = map->gates * map->c, width = block_width(n_out, first);
    const bool in_place = map->gates == 1 && first + width <= n_out;
    const int passes = (map->w + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    for (int pass = 0; pass < passes; pass++) {
        const int pixel = pass * map->w / passes, n_rows = (pass + 1) * map->w / passes - pixel;
        sb_real *c = in_place ? map->x + ((size_t)y * map->w + pixel) * map->c + first : tile;
        const ptrdiff_t c_row = in_place ? map->c : width;
        if (start) start_tile(start, first, n_out, n_rows, width, c, c_row);
        for (int t = 0; t < n; t++) {
            const sb_real *corner = f[t].operand + (skip + (size_t)y * (map->w + f[t].reach) + pixel) * f[t].pixel;
            const sb_real *block = f[t].blocks + (size_t)first * f[t].n_k;
            stretch[t] = (sb_stretch){f[t].n_k, corner, f[t].pixel, 0, f[t].offset, block, width};
        }
        SB_KERNEL(n_rows, width / SB_LANES, n, stretch, start ? SB_GO_ON : SB_FROM_ZERO, c, c_row);
        if (!in_place) store_tile(tile, width, n_rows, y, pixel, first, map);
    }
}

/* Pixels of a strip, whole tiles. */
enum { STRIP = 16 * SB_TILE_ROWS };

/* Of 1x1 weights and one group: the pixels of all samples lie one after the other, in the operands as in the map, so
 * that no tile ends with a row of the map. */
static void product_of_strips(int n, const factor *f, const sb_real *start, sb_tensor *x)
{
    const int pixels = x->n * x->h * x->w;
#pragma omp for collapse(2) schedule(dynamic)
    for (int first = 0; first < x->c; first += SB_TILE_COLUMNS)
        for (int pixel = 0; pixel < pixels; pixel += STRIP) {
            const int width = pixels - pixel < STRIP ? pixels - pixel : STRIP;
            const sb_tensor strip = {1, 1, x->c, 1, width, x->x + (size_t)pixel * x->c};
            product_row(n, f, (size_t)pixel, start, first, 0, &strip);
        }
}

static void product(const sb_conv_shape *shape, int n, const factor *f, const sb_real *start, sb_tensor *x)
{
    if (by_pixels(shape, x->gates * x->c)) {
        SB_NATIVE(sb_direct_pixels)(n, f, start, x);
        return;
    }
    if (f->reach == 0 && x->gates == 1) {
        product_of_strips(n, f, start, x);
        return;
    }
    int n_blocks = (x->gates * x->c + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
    size_t padded = (size_t)(x->h + f->reach) * (x->w + f->reach);
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
    if (n_terms == 1 && by_samples(&term->conv->shape) && y->n >= SB_LANES && y->gates == 1) {
        SB_NATIVE(sb_direct_samples_forward)(term, bias, y);
        return;
    }
    factor f[SB_TERMS_MAX];
    for (int t = 0; t < n_terms; t++) f[t] = forward_factor(&term[t]);
    product(&term->conv->shape, n_terms, f, bias, y);
}

static void data_gradient(int n_terms, const sb_term *term, sb_tensor *dx)
{
    if (n_terms == 1 && by_samples(&term->conv->shape)) {
        SB_NATIVE(sb_direct_samples_gradient)(term, dx);
        return;
    }
    factor f[SB_TERMS_MAX];
    for (int t = 0; t < n_terms; t++) f[t] = backward_factor(&term[t]);
    product(&term->conv->shape, n_terms, f, NULL, dx);
}

static void add_upsampled_gradient(const sb_term *term, sb_tensor *dx)
{
    factor f = backward_factor(term);
    sb_tensor gradient = {dx->n, 1, dx->c, 2 * dx->h, 2 * dx->w, term->conv->space.scratch};
    product(&term->conv->shape, 1, &f, NULL, &gradient);
    add_blocks(&gradient, dx);
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
    .weight_gradient = SB_NATIVE(sb_direct_weight_gradient),
};

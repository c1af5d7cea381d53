/* Convolutions with a GPU's rules: the operands, packed weights and tiles of `direct` (conv_direct.h), each sum's terms
 * in the order that was drawn, the bias being one of them, and factors rounded to TF32 where that is imitated.
 *
 * A product draws one order for all of its outputs. A weight gradient draws two: of the pixels within a row of the map,
 * and of the rows, whose sums are added one after the other; so does a bias gradient. */
#include "ops/conv/conv_direct.h"
#include "ops/imitate/kernels.h"
#include "ops/imitate/tf32.h"

static bool is_fused(const sb_ops *ops)
{
    return !sb_imitates_any(ops, SB_IMITATED_UNFUSED);
}

/* ---- TF32 ---- */

static void round_all(sb_real *x, size_t n)
{
#pragma omp for simd schedule(static)
    for (size_t i = 0; i < n; i++) x[i] = (sb_real)sb_tf32_round((float)x[i]);
}

static const sb_conv_form *direct(void)
{
    return &SB_NATIVE(sb_conv_direct);
}

static void begin_rounded(sb_ops *ops, sb_conv *conv)
{
    direct()->begin(ops, conv);
    round_all(packed_parts(conv).blocks, packed_weights(&conv->shape));
}

static void turn_rounded(sb_ops *ops, sb_conv *conv)
{
    direct()->turn(ops, conv);
    round_all(packed_parts(conv).blocks, packed_weights(&conv->shape));
}

static void input_rounded(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    direct()->input(ops, shape, x, operand);
    round_all(operand, (size_t)x->n * input_pixels(shape) * (size_t)x->c);
}

static size_t gradient_size(const sb_conv_shape *shape, const sb_tensor *dy)
{
    return (size_t)dy->n * gradient_pixels(shape) * (size_t)gradient_pixel(shape);
}

/* With the border that `direct` leaves as it is where samples are its lanes. */
static void conv_gradient(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    if (by_samples(shape)) ops->zero(ops, operand, gradient_size(shape, dy) * sizeof(sb_real));
    direct()->gradient(ops, shape, dy, operand);
}

static void gradient_rounded(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    conv_gradient(ops, shape, dy, operand);
    round_all(operand, gradient_size(shape, dy));
}

/* ---- products ---- */

/* What all tiles of a product share. start: the bias, a stretch of one term or of none. */
typedef struct ordered_product {
    int n;
    factor factor[SB_TERMS_MAX];
    const sb_real *start;
    sb_orders orders;
    bool fused;
} ordered_product;

static const sb_real one = 1;
static const int32_t nowhere = 0;

/* Row y of one sample, whose operands begin skip pixels after the factors'. */
static void product_row(const ordered_product *p, size_t skip, int first, int y, const sb_tensor *map)
{
    sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS], start[SB_TILE_COLUMNS] = {0};
    sb_stretch stretch[SB_TERMS_MAX + 1];
    const int n_out = map->gates * map->c, width = block_width(n_out, first);
    for (int j = 0; p->start && j < width && first + j < n_out; j++) start[j] = p->start[first + j];
    stretch[0] = (sb_stretch){p->start ? 1 : 0, &one, 0, 0, &nowhere, start, 0};
    for (int pixel = 0; pixel < map->w; pixel += SB_TILE_ROWS) {
        const int n_rows = map->w - pixel < SB_TILE_ROWS ? map->w - pixel : SB_TILE_ROWS;
        for (int t = 0; t < p->n; t++) {
            const factor *f = &p->factor[t];
            const sb_real *corner = f->operand + (skip + (size_t)y * (map->w + f->reach) + pixel) * f->pixel;
            const sb_real *block = f->blocks + (size_t)first * f->n_k;
            stretch[t + 1] = (sb_stretch){f->n_k, corner, f->pixel, 0, f->offset, block, width};
        }
        SB_NATIVE(sb_ordered_kernel)
        (p->fused, n_rows, width / SB_LANES, stretch, p->orders.n_first, p->orders.place, tile, width);
        store_tile(tile, width, n_rows, y, pixel, first, map);
    }
}

static void product(sb_ops *ops, ordered_product *p, sb_tensor *x)
{
    int n_k[SB_TERMS_MAX + 1] = {p->start ? 1 : 0};
    for (int t = 0; t < p->n; t++) n_k[t + 1] = p->factor[t].n_k;
    p->fused = is_fused(ops);
    p->orders = sb_imitation_draw(ops, p->n + 1, n_k, 0);
    if (!p->orders.place) return;
    const int n_blocks = (x->gates * x->c + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
    const size_t padded = (size_t)(x->h + p->factor->reach) * (x->w + p->factor->reach);
#pragma omp for collapse(3) schedule(dynamic)
    for (int block = 0; block < n_blocks; block++)
        for (int sample = 0; sample < x->n; sample++)
            for (int y = 0; y < x->h; y++) {
                const sb_tensor map = sb_tensor_at(x, sample);
                product_row(p, sample * padded, block * SB_TILE_COLUMNS, y, &map);
            }
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    ordered_product p = {.n = n_terms, .start = bias};
    for (int t = 0; t < n_terms; t++) p.factor[t] = forward_factor(&term[t]);
    product(ops, &p, y);
}

static void add_upsampled(sb_ops *ops, const sb_term *term, sb_tensor *dx)
{
    ordered_product p = {.n = 1, .factor = {backward_factor(term)}};
    sb_tensor gradient = {dx->n, 1, dx->c, 2 * dx->h, 2 * dx->w, term->conv->space.scratch};
    product(ops, &p, &gradient);
    add_blocks(&gradient, dx);
}

/* As conv_native.c: the terms of the map's own size in one product, then those that come through an upsampling. */
static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_tensor *dx)
{
    ordered_product p = {0};
    for (int t = 0; t < n_terms; t++)
        if (!term[t].conv->shape.upsampled) p.factor[p.n++] = backward_factor(&term[t]);
    if (p.n)
        product(ops, &p, dx);
    else
        ops->zero(ops, dx->x, sb_tensor_size(dx) * sizeof(sb_real));
    for (int t = 0; t < n_terms; t++)
        if (term[t].conv->shape.upsampled) add_upsampled(ops, &term[t], dx);
}

/* ---- weight and bias gradients ---- */

/* The rows of the maps of all samples, one below the other, in the drawn order. */
typedef struct rows_of {
    sb_orders orders;
    int n;
    bool fused;
} rows_of;

static rows_of draw_rows(sb_ops *ops, int n, int h, int w)
{
    return (rows_of){sb_imitation_draw(ops, 1, &w, n * h), n * h, is_fused(ops)};
}

/* total[n_rows][width] += the rows of a frame. */
static void add_frame(const sb_conv *conv, const weight_tile *at, const rows_of *rows, const sb_real *row_operand,
                      const sb_real *column_operand, sb_real *total)
{
    const sb_conv_shape *shape = &conv->shape;
    for (int i = 0; i < rows->n; i++) {
        sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS];
        const int sample = (int)rows->orders.second[i] / shape->h, y = (int)rows->orders.second[i] % shape->h;
        const sb_real *a = row_of(shape, at->rows, row_operand, sample, at->kernel_row, y) + at->m;
        const sb_real *b = row_of(shape, at->columns, column_operand, sample, at->kernel_row, y) + at->j;
        const sb_stretch row = {shape->w, a, 1, at->rows.pixel, NULL, b, at->columns.pixel};
        SB_NATIVE(sb_ordered_kernel)
        (rows->fused, at->n_rows, at->width / SB_LANES, &row, rows->orders.n_first, rows->orders.place, tile,
         at->width);
        for (int k = 0; k < at->n_rows * at->width; k++) total[k] += tile[k];
    }
}

static void sum_tile(const sb_conv *conv, const weight_tile *at, const rows_of *rows, const void *x, const void *dy)
{
    sb_real total[SB_TILE_ROWS * SB_TILE_COLUMNS];
    const int pitch = accumulator_pitch(at), width = at->width;
    sb_real *sum = accumulator_at(conv, at);
    for (int m = 0; m < at->n_rows; m++)
        memcpy(total + m * width, sum + (size_t)m * pitch, (size_t)width * sizeof *sum);
    const bool swapped = at->columns.is_input;
    add_frame(conv, at, rows, swapped ? dy : x, swapped ? x : dy, total);
    for (int m = 0; m < at->n_rows; m++)
        memcpy(sum + (size_t)m * pitch, total + m * width, (size_t)width * sizeof *sum);
}

static void add_weight_gradient(const sb_conv *conv, const rows_of *rows_of_maps, const void *x, const void *dy)
{
    const bool swapped = outputs_are_rows(&conv->shape);
    const side rows = swapped ? output_side(conv) : input_side(conv),
               columns = swapped ? input_side(conv) : output_side(conv);
#pragma omp for collapse(3) schedule(dynamic)
    for (int row = 0; row < conv->shape.kernel; row++)
        for (int j = 0; j < columns.n; j += SB_TILE_COLUMNS)
            for (int m = 0; m < rows.n; m += SB_TILE_ROWS) {
                const int n_rows = rows.n - m < SB_TILE_ROWS ? rows.n - m : SB_TILE_ROWS;
                const weight_tile at = {rows, columns, row, m, n_rows, j, block_width(columns.n, j)};
                sum_tile(conv, &at, rows_of_maps, x, dy);
            }
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x, const void *const *dy)
{
    for (int frame = 0; frame < n_frames; frame++) {
        const rows_of rows = draw_rows(ops, conv->shape.n, conv->shape.h, conv->shape.w);
        if (!rows.orders.place) return;
        add_weight_gradient(conv, &rows, x[frame], dy[frame]);
    }
}

enum { CHANNELS = 64 };

/* db[n_c] += the sums of the rows of one group, n_c <= CHANNELS channels after dy_c. */
static void add_rows(const sb_tensor *dy, const rows_of *rows, const sb_real *dy_c, int n_c, sb_real *db)
{
    for (int i = 0; i < rows->n; i++) {
        const int sample = (int)rows->orders.second[i] / dy->h, y = (int)rows->orders.second[i] % dy->h;
        const sb_real *row = dy_c + sample * sb_tensor_sample(dy) + (size_t)y * dy->w * dy->c;
        sb_real sum[CHANNELS] = {0};
        for (int x = 0; x < dy->w; x++) {
            const sb_real *pixel = row + (size_t)rows->orders.first[x] * dy->c;
#pragma omp simd
            for (int c = 0; c < n_c; c++) sum[c] += pixel[c];
        }
        for (int c = 0; c < n_c; c++) db[c] += sum[c];
    }
}

static void bias_gradient(sb_ops *ops, const sb_tensor *dy, sb_real *db)
{
    const rows_of rows = draw_rows(ops, dy->n, dy->h, dy->w);
    if (!rows.orders.first) return;
#pragma omp for collapse(2) schedule(static)
    for (int g = 0; g < dy->gates; g++)
        for (int c = 0; c < dy->c; c += CHANNELS) {
            const sb_real *plane = dy->x + (size_t)g * dy->h * dy->w * dy->c;
            const int n_c = dy->c - c < CHANNELS ? dy->c - c : CHANNELS;
            add_rows(dy, &rows, plane + c, n_c, db + g * dy->c + c);
        }
}

void SB_NATIVE(sb_conv_imitated)(sb_ops *ops, unsigned set)
{
    ops->has_no_plain = set & (SB_IMITATED_ATOMICS | SB_IMITATED_UNFUSED | SB_IMITATED_TF32);
    if (set & (SB_IMITATED_ATOMICS | SB_IMITATED_UNFUSED)) {
        ops->conv_gradient = conv_gradient;
        ops->conv_forward = conv_forward;
        ops->conv_data_gradient = conv_data_gradient;
        ops->conv_weight_gradient = conv_weight_gradient;
    }
    if (set & SB_IMITATED_ATOMICS) ops->bias_gradient = bias_gradient;
    if (set & SB_IMITATED_TF32) {
        ops->conv_begin = begin_rounded;
        ops->conv_turn = turn_rounded;
        ops->conv_input = input_rounded;
        ops->conv_gradient = gradient_rounded;
    }
}

/* Convolution of the native backend, arithmetic `direct`: the chains of order.h, channels last, weights packed.
 *
 * Operands   input x:      [h+2][w+2][c], a border of zeros around the map (upsampled already, where it is)
 *            gradient dy:  [h+2][w+2][o'], all groups side by side, o' = channels rounded up to whole vectors
 * Packed     forward:      blocks of SB_TILE_COLUMNS outputs (the last one narrower), each [in * 9][columns]
 *            backward:     the kernel turned by 180 degrees: blocks of inputs, each [outputs * 9][columns]
 *            then the table of offsets each of the two products walks, and room for one upsampled gradient map
 * Accumulator [9][in][o']
 */
#include "ops/kernel_native.h"
#include "ops/native.h"

#include <string.h>

static int whole_vectors(int n)
{
    return (n + SB_LANES - 1) / SB_LANES * SB_LANES;
}

static int outputs(const sb_conv *conv)
{
    return conv->groups * conv->c;
}

/* ---- the packed form ---- */

typedef struct packed {
    sb_real *forward, *backward; /* [in * 9][o'] and [out * 9][i'] in blocks */
    sb_real *upsampled_gradient; /* [h][w][in], only with conv->upsampled */
    int32_t *forward_offset, *backward_offset;
    size_t size;
} packed;

static packed packed_parts(const sb_conv *conv)
{
    size_t n_forward = (size_t)conv->in * 9 * whole_vectors(outputs(conv));
    size_t n_backward = (size_t)outputs(conv) * 9 * whole_vectors(conv->in);
    size_t n_gradient = conv->upsampled ? (size_t)conv->h * conv->w * conv->in : 0;
    packed p = {.forward = conv->packed};
    if (p.forward) {
        p.backward = p.forward + n_forward;
        p.upsampled_gradient = p.backward + n_backward;
        p.forward_offset = (int32_t *)(p.upsampled_gradient + n_gradient);
        p.backward_offset = p.forward_offset + conv->in * 9;
    }
    p.size = (n_forward + n_backward + n_gradient) * sizeof(sb_real) +
             (size_t)(conv->in + outputs(conv)) * 9 * sizeof(int32_t);
    return p;
}

static size_t weights_size(const sb_conv *conv)
{
    return packed_parts(conv).size;
}

static size_t accumulator_size(const sb_conv *conv)
{
    return (size_t)9 * conv->in * whole_vectors(outputs(conv)) * sizeof(sb_real);
}

static size_t input_size(int c, int h, int w, bool upsampled)
{
    (void)upsampled;
    return (size_t)(h + 2) * (w + 2) * c * sizeof(sb_real);
}

static size_t gradient_size(int groups, int c, int h, int w)
{
    return (size_t)(h + 2) * (w + 2) * whole_vectors(groups * c) * sizeof(sb_real);
}

/* Block `first` .. of a packed product with n columns and n_k rows, and how many vectors wide it is. */
static const sb_real *block_at(const sb_real *blocks, int n_k, int first, int n, int *n_vecs)
{
    int columns = whole_vectors(n) - first;
    *n_vecs = (columns < SB_TILE_COLUMNS ? columns : SB_TILE_COLUMNS) / SB_LANES;
    return blocks + (size_t)first * n_k;
}

/* One block: columns first .. of the matrix element(conv, k, column), zero beyond n. */
typedef sb_real weight_at(const sb_conv *conv, int k, int column);

static sb_real forward_weight(const sb_conv *conv, int k, int o)
{
    return conv->weight[(size_t)o * conv->in * 9 + k];
}

static sb_real backward_weight(const sb_conv *conv, int k, int i)
{
    int o = k / 9, tap = k % 9;
    return conv->weight[((size_t)o * conv->in + i) * 9 + 8 - tap];
}

static void pack_block(const sb_conv *conv, weight_at *element, int n_k, int first, int n, sb_real *blocks)
{
    int n_vecs;
    sb_real *block = (sb_real *)block_at(blocks, n_k, first, n, &n_vecs);
    int columns = n_vecs * SB_LANES;
    for (int k = 0; k < n_k; k++)
        for (int j = 0; j < columns; j++)
            block[(size_t)k * columns + j] = first + j < n ? element(conv, k, first + j) : 0;
}

/* Where product row k = (channel, tap) is found, seen from the pixel's own place in the padded operand. */
static void fill_offsets(int32_t *offset, int n_channels, int row, int pixel)
{
    for (int k = 0; k < n_channels * 9; k++) {
        int channel = k / 9, ky = k % 9 / 3, kx = k % 3;
        offset[k] = ky * row + kx * pixel + channel;
    }
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    packed p = packed_parts(conv);
    int in = conv->in, out = outputs(conv), gradient_pixel = whole_vectors(out);
#pragma omp for schedule(static) nowait
    for (int first = 0; first < out; first += SB_TILE_COLUMNS)
        pack_block(conv, forward_weight, in * 9, first, out, p.forward);
#pragma omp for schedule(static) nowait
    for (int first = 0; first < in; first += SB_TILE_COLUMNS)
        pack_block(conv, backward_weight, out * 9, first, in, p.backward);
#pragma omp single nowait
    {
        fill_offsets(p.forward_offset, in, (conv->w + 2) * in, in);
        fill_offsets(p.backward_offset, out, (conv->w + 2) * gradient_pixel, gradient_pixel);
    }
    ops->zero(ops, conv->accumulator, accumulator_size(conv));
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    const sb_real *sum = conv->accumulator;
    int in = conv->in, out = outputs(conv), padded = whole_vectors(out);
#pragma omp for schedule(static)
    for (int o = 0; o < out; o++)
        for (int i = 0; i < in; i++)
            for (int tap = 0; tap < 9; tap++)
                conv->weight_grad[((size_t)o * in + i) * 9 + tap] = sum[((size_t)tap * in + i) * padded + o];
}

/* ---- operands ---- */

static void conv_input(sb_ops *ops, const sb_map *x, bool upsampled, void *operand)
{
    (void)ops;
    int shrink = upsampled ? 1 : 0, c = x->c;
    int h = x->h << shrink, w = x->w << shrink;
#pragma omp for schedule(static)
    for (int y = -1; y <= h; y++) {
        sb_real *row = (sb_real *)operand + (size_t)(y + 1) * (w + 2) * c;
        if (y < 0 || y == h) {
            memset(row, 0, (size_t)(w + 2) * c * sizeof *row);
            continue;
        }
        const sb_real *from = x->x + (size_t)(y >> shrink) * x->w * c;
        memset(row, 0, c * sizeof *row);
        memset(row + (size_t)(w + 1) * c, 0, c * sizeof *row);
        if (!upsampled)
            memcpy(row + c, from, (size_t)w * c * sizeof *row);
        else
            for (int pixel = 0; pixel < w; pixel++)
                memcpy(row + (size_t)(pixel + 1) * c, from + (size_t)(pixel >> 1) * c, c * sizeof *row);
    }
}

static void conv_gradient(sb_ops *ops, const sb_map *dy, void *operand)
{
    (void)ops;
    int h = dy->h, w = dy->w, c = dy->c, padded = whole_vectors(dy->groups * c);
    size_t group_size = (size_t)h * w * c;
#pragma omp for schedule(static)
    for (int y = -1; y <= h; y++) {
        sb_real *row = (sb_real *)operand + (size_t)(y + 1) * (w + 2) * padded;
        memset(row, 0, (size_t)(w + 2) * padded * sizeof *row);
        for (int pixel = 0; y >= 0 && y < h && pixel < w; pixel++)
            for (int g = 0; g < dy->groups; g++)
                memcpy(row + (size_t)(pixel + 1) * padded + g * c, dy->x + g * group_size + ((size_t)y * w + pixel) * c,
                       c * sizeof *row);
    }
}

/* ---- products ---- */

/* One term of a product as the micro-kernel wants it. */
typedef struct factor {
    const sb_real *operand; /* [h+2][w+2][pixel] */
    int pixel;
    int n_k;
    const int32_t *offset;
    const sb_real *blocks;
} factor;

static factor forward_factor(const sb_term *term)
{
    const sb_conv *conv = term->conv;
    packed p = packed_parts(conv);
    return (factor){term->operand, conv->in, conv->in * 9, p.forward_offset, p.forward};
}

static factor backward_factor(const sb_term *term)
{
    const sb_conv *conv = term->conv;
    packed p = packed_parts(conv);
    return (factor){term->operand, whole_vectors(outputs(conv)), outputs(conv) * 9, p.backward_offset, p.backward};
}

/* Channels first .. of n_rows pixels in a row, from a packed tile into a map of groups. */
static void store_tile(const sb_real *tile, int columns, int n_rows, int y, int pixel, int first, sb_map *map)
{
    int n = map->groups * map->c - first;
    if (n > columns) n = columns;
    size_t group_size = (size_t)map->h * map->w * map->c;
    for (int m = 0; m < n_rows; m++) {
        sb_real *at = map->x + ((size_t)y * map->w + pixel + m) * map->c;
        for (int j = 0; j < n;) { /* runs inside one group */
            int o = first + j, channel = o % map->c, run = map->c - channel;
            if (run > n - j) run = n - j;
            memcpy(at + o / map->c * group_size + channel, tile + m * columns + j, run * sizeof *tile);
            j += run;
        }
    }
}

/* y = start + sum of factors, pixel tiles of one image row at a time. */
static void product_row(int n, const factor *f, const sb_real *start, int first, int y, sb_map *map)
{
    sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS];
    int n_out = map->groups * map->c;
    for (int pixel = 0; pixel < map->w; pixel += SB_TILE_ROWS) {
        int n_rows = map->w - pixel < SB_TILE_ROWS ? map->w - pixel : SB_TILE_ROWS, n_vecs;
        block_at(NULL, 0, first, n_out, &n_vecs);
        int columns = n_vecs * SB_LANES;
        for (int m = 0; m < n_rows; m++)
            for (int j = 0; j < columns; j++) tile[m * columns + j] = start && first + j < n_out ? start[first + j] : 0;
        for (int t = 0; t < n; t++) {
            const sb_real *block = block_at(f[t].blocks, f[t].n_k, first, n_out, &n_vecs);
            const sb_real *corner = f[t].operand + ((size_t)y * (map->w + 2) + pixel) * f[t].pixel;
            SB_NATIVE(sb_kernel)(n_rows, n_vecs, f[t].n_k, corner, f[t].pixel, f[t].offset, block, columns, tile);
        }
        store_tile(tile, columns, n_rows, y, pixel, first, map);
    }
}

static void product(int n, const factor *f, const sb_real *start, sb_map *map)
{
    int n_blocks = (map->groups * map->c + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
#pragma omp for collapse(2) schedule(static)
    for (int block = 0; block < n_blocks; block++)
        for (int y = 0; y < map->h; y++) product_row(n, f, start, block * SB_TILE_COLUMNS, y, map);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_map *y)
{
    (void)ops;
    factor f[SB_TERMS_MAX];
    for (int t = 0; t < n_terms; t++) f[t] = forward_factor(&term[t]);
    product(n_terms, f, bias, y);
}

/* dx[y][x] += the 2x2 block of the gradient of the upsampled map */
static void add_blocks(const sb_map *up, sb_map *dx)
{
    size_t row = (size_t)up->w * up->c;
#pragma omp for schedule(static)
    for (int y = 0; y < dx->h; y++)
        for (int x = 0; x < dx->w; x++) {
            const sb_real *corner = up->x + 2 * y * row + (size_t)2 * x * up->c;
            sb_real *to = dx->x + ((size_t)y * dx->w + x) * dx->c;
            for (int c = 0; c < dx->c; c++)
                to[c] += (corner[c] + corner[up->c + c]) + (corner[row + c] + corner[row + up->c + c]);
        }
}

static void conv_data_gradient(sb_ops *ops, int n_terms, const sb_term *term, sb_map *dx)
{
    (void)ops;
    factor f[SB_TERMS_MAX];
    int n_same = 0;
    for (int t = 0; t < n_terms; t++)
        if (!term[t].conv->upsampled) f[n_same++] = backward_factor(&term[t]);
    product(n_same, f, NULL, dx);
    for (int t = 0; t < n_terms; t++) {
        if (!term[t].conv->upsampled) continue;
        factor up = backward_factor(&term[t]);
        sb_map gradient = {1, dx->c, 2 * dx->h, 2 * dx->w, packed_parts(term[t].conv).upsampled_gradient};
        product(1, &up, NULL, &gradient);
        add_blocks(&gradient, dx);
    }
}

/* ---- weight gradient ---- */

enum { WIDTH_MAX = 4096 };

/* accumulator[tap][i ..][o ..] += the rows of one frame */
static void frame_rows(const sb_conv *conv, int tap, int i, int n_rows, int o, int n_vecs, const int32_t *offset,
                       const sb_real *x, const sb_real *dy, sb_real *total)
{
    int columns = n_vecs * SB_LANES, padded = whole_vectors(outputs(conv)), w = conv->w;
    for (int y = 0; y < conv->h; y++) {
        sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS] = {0};
        const sb_real *x_row = x + ((size_t)(y + tap / 3) * (w + 2) + tap % 3) * conv->in + i;
        const sb_real *dy_row = dy + ((size_t)(y + 1) * (w + 2) + 1) * padded + o;
        SB_NATIVE(sb_kernel)(n_rows, n_vecs, w, x_row, 1, offset, dy_row, padded, tile);
        for (int j = 0; j < n_rows * columns; j++) total[j] += tile[j];
    }
}

static void weight_tile(const sb_conv *conv, int tap, int i, int o, const int32_t *offset, int n, const void *const *x,
                        const void *const *dy)
{
    sb_real total[SB_TILE_ROWS * SB_TILE_COLUMNS];
    int padded = whole_vectors(outputs(conv)), n_vecs;
    int n_rows = conv->in - i < SB_TILE_ROWS ? conv->in - i : SB_TILE_ROWS;
    block_at(NULL, 0, o, outputs(conv), &n_vecs);
    int columns = n_vecs * SB_LANES;
    sb_real *sum = (sb_real *)conv->accumulator + ((size_t)tap * conv->in + i) * padded + o;
    for (int m = 0; m < n_rows; m++) memcpy(total + m * columns, sum + (size_t)m * padded, columns * sizeof *sum);
    for (int frame = 0; frame < n; frame++)
        frame_rows(conv, tap, i, n_rows, o, n_vecs, offset, x[frame], dy[frame], total);
    for (int m = 0; m < n_rows; m++) memcpy(sum + (size_t)m * padded, total + m * columns, columns * sizeof *sum);
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    (void)ops;
    int32_t offset[WIDTH_MAX];
    for (int pixel = 0; pixel < conv->w; pixel++) offset[pixel] = pixel * conv->in;
    int out = outputs(conv), in = conv->in;
#pragma omp for collapse(3) schedule(static)
    for (int tap = 0; tap < 9; tap++)
        for (int o = 0; o < out; o += SB_TILE_COLUMNS)
            for (int i = 0; i < in; i += SB_TILE_ROWS) weight_tile(conv, tap, i, o, offset, n, x, dy);
}

static void bias_gradient(sb_ops *ops, const sb_map *dy, sb_real *db)
{
    (void)ops;
    size_t group_size = (size_t)dy->h * dy->w * dy->c;
#pragma omp for collapse(2) schedule(static)
    for (int g = 0; g < dy->groups; g++)
        for (int first = 0; first < dy->c; first += SB_ORDER_LANES) {
            int n = dy->c - first < SB_ORDER_LANES ? dy->c - first : SB_ORDER_LANES;
            for (int y = 0; y < dy->h; y++) {
                sb_real sum[SB_ORDER_LANES] = {0};
                const sb_real *row = dy->x + g * group_size + (size_t)y * dy->w * dy->c + first;
                for (int x = 0; x < dy->w; x++)
                    for (int j = 0; j < n; j++) sum[j] += row[(size_t)x * dy->c + j];
                for (int j = 0; j < n; j++) db[g * dy->c + first + j] += sum[j];
            }
        }
}

void SB_NATIVE(sb_conv_native)(sb_ops *ops)
{
    ops->frames_per_product = 1;
    ops->conv_weights_size = weights_size;
    ops->conv_accumulator_size = accumulator_size;
    ops->conv_input_size = input_size;
    ops->conv_gradient_size = gradient_size;
    ops->conv_begin = conv_begin;
    ops->conv_end = conv_end;
    ops->conv_input = conv_input;
    ops->conv_gradient = conv_gradient;
    ops->conv_forward = conv_forward;
    ops->conv_data_gradient = conv_data_gradient;
    ops->conv_weight_gradient = conv_weight_gradient;
    ops->bias_gradient = bias_gradient;
}

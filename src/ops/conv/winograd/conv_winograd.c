/* Convolution of the native backend in the form `winograd`, F(4x4,3x3): operands and the transforms of results. Weights
 * are in conv_winograd_weights.c, products in conv_winograd_product.c and conv_winograd_gradient.c, layouts in
 * conv_winograd.h, the transforms in winograd.h, the order of the sums in order.h.
 */
#include "ops/conv/winograd/conv_winograd.h"
#include "ops/conv/conv_form.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* ---- sizes ---- */

static void conv_sizes(const sb_conv_shape *shape, sb_conv_sizes *sizes)
{
    int in = shape->in, outputs = sb_conv_outputs(shape), padded = sb_whole_vectors(outputs);
    const size_t all = POINTS * sizeof(sb_real);
    *sizes = (sb_conv_sizes){
        .packed = blocks_size(shape) * sizeof(sb_real),
        .accumulator =
            (shape->whole ? 1 : (size_t)POINTS * in * padded) * sizeof(sb_real), /* has an address in any case */
        .scratch = all * point_stride(shape, sb_whole_vectors(larger(in, outputs))),
        .input = all * point_stride(shape, operand_row(shape, in)),
        .gradient = all * point_stride(shape, operand_row(shape, padded)),
    };
}

/* ---- operands ---- */

/* One vector of channels of every point, point p to operand + p * point_size; of an upsampled map only those that are
 * not zero anyway. */
ALWAYS_INLINE void put_domain(const sb_vec point[POINTS], int lanes, bool upsampled, bool streamed, sb_real *operand,
                              size_t point_size)
{
    UNROLL_POINTS
    for (int p = 0; p < POINTS; p++) {
        if (upsampled && SB_WINOGRAD_SKIPS(p)) continue;
        if (streamed)
            sb_vec_stream(operand + p * point_size, point[p]);
        else
            sb_vec_store_n(operand + p * point_size, point[p], lanes);
    }
}

/* The vector of channels c .. of pixel (y, x), zeros beyond the map. */
ALWAYS_INLINE sb_vec pixel_at(const sb_tensor *x, int y, int at, int c, int lanes)
{
    bool inside = y >= 0 && y < x->h && at >= 0 && at < x->w;
    return inside ? sb_vec_load_n(x->x + ((size_t)y * x->w + at) * x->c + c, lanes) : sb_vec_all(0);
}

/* V of one tile and one vector of channels: rows 4 ty - 1 .. 4 ty + 4 of the map, in the same way columns. */
static void transform_input(const sb_tensor *x, int ty, int tx, int c, bool streamed, sb_real *v, size_t point_size)
{
    int lanes = sb_lanes_at(c, x->c);
    sb_vec d[POINTS], half[POINTS], out[POINTS];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) d[6 * i + j] = pixel_at(x, TILE * ty - 1 + i, TILE * tx - 1 + j, c, lanes);
    for (int j = 0; j < 6; j++) winograd_input(d + j, 6, half + j);
    for (int i = 0; i < 6; i++) winograd_input(half + 6 * i, 1, out + 6 * i);
    put_domain(out, lanes, false, streamed, v, point_size);
}

/* The same of the upsampled map: its six rows are four of x, the two in the middle twice each; the same for columns. */
static void transform_upsampled(const sb_tensor *x, int ty, int tx, int c, bool streamed, sb_real *v, size_t point_size)
{
    int lanes = sb_lanes_at(c, x->c);
    sb_vec half[4][6], out[POINTS];
    for (int j = 0; j < 4; j++) {
        sb_vec s[4];
        for (int i = 0; i < 4; i++) s[i] = pixel_at(x, TILE / 2 * ty - 1 + i, TILE / 2 * tx - 1 + j, c, lanes);
        winograd_input((sb_vec[6]){s[0], s[1], s[1], s[2], s[2], s[3]}, 1, half[j]);
    }
    for (int i = 0; i < 6; i++)
        winograd_input((sb_vec[6]){half[0][i], half[1][i], half[1][i], half[2][i], half[2][i], half[3][i]}, 1,
                       out + 6 * i);
    put_domain(out, lanes, true, streamed, v, point_size);
}

static void conv_input(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *x, void *operand)
{
    (void)ops;
    int n_tiles = tiles(shape), of_sample = tiles_of_sample(shape), across = tiles_across(shape->w);
    const int row = operand_row(shape, x->c);
    const size_t point_size = point_stride(shape, row);
    bool streamed = x->c % SB_LANES == 0 && is_streamed(operand, point_size, shape->n);
#pragma omp for schedule(static) nowait
    for (int t = 0; t < n_tiles; t++) {
        const sb_tensor one = sb_tensor_at(x, t / of_sample);
        int ty = t % of_sample / across, tx = t % of_sample % across;
        for (int c = 0; c < x->c; c += SB_LANES) {
            sb_real *v = (sb_real *)operand + (size_t)t * row + c;
            if (shape->upsampled)
                transform_upsampled(&one, ty, tx, c, streamed, v, point_size);
            else
                transform_input(&one, ty, tx, c, streamed, v, point_size);
        }
    }
    sb_stream_end();
#pragma omp barrier
}

/* M of one tile and one vector of channels of one group. */
static void transform_gradient(const sb_tensor *dy, int group, int tile, int c, bool streamed, sb_real *m,
                               size_t point_size)
{
    int lanes = sb_lanes_at(c, dy->c), across = tiles_across(dy->w);
    int top = tile / across * TILE, left = tile % across * TILE;
    const sb_real *plane = dy->x + (size_t)group * dy->h * dy->w * dy->c;
    sb_vec y[TILE * TILE], half[6 * TILE], out[POINTS];
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) {
            bool inside = top + i < dy->h && left + j < dy->w;
            const sb_real *at = plane + ((size_t)(top + i) * dy->w + left + j) * dy->c + c;
            y[TILE * i + j] = inside ? sb_vec_load_n(at, lanes) : sb_vec_all(0);
        }
    for (int j = 0; j < TILE; j++) winograd_output_adjoint(y + j, TILE, half + j, TILE);
    for (int i = 0; i < 6; i++) winograd_output_adjoint(half + TILE * i, 1, out + 6 * i, 1);
    put_domain(out, lanes, false, streamed, m, point_size);
}

static void conv_gradient(sb_ops *ops, const sb_conv_shape *shape, const sb_tensor *dy, void *operand)
{
    (void)ops;
    int n_tiles = tiles(shape), of_sample = tiles_of_sample(shape);
    int n = sb_conv_outputs(shape), padded = sb_whole_vectors(n);
    const int row = operand_row(shape, padded);
    const size_t point_size = point_stride(shape, row);
    bool streamed = dy->c % SB_LANES == 0 && is_streamed(operand, point_size, shape->n);
#pragma omp for schedule(static) nowait
    for (int t = 0; t < n_tiles; t++) {
        const sb_tensor one = sb_tensor_at(dy, t / of_sample);
        sb_real *m = (sb_real *)operand + (size_t)t * row;
        for (int p = 0; p < POINTS && padded > n; p++)
            memset(m + p * point_size + n, 0, (size_t)(padded - n) * sizeof *m);
        for (int g = 0; g < dy->gates; g++)
            for (int c = 0; c < dy->c; c += SB_LANES)
                transform_gradient(&one, g, t % of_sample, c, streamed, m + g * dy->c + c, point_size);
    }
    sb_stream_end();
#pragma omp barrier
}

/* ---- forward ---- */

static void transform_output(const sb_real *m, size_t point_size, sb_vec bias, const sb_tensor *y, int group, int tile,
                             int c)
{
    int lanes = sb_lanes_at(c, y->c), across = tiles_across(y->w);
    int top = tile / across * TILE, left = tile % across * TILE;
    sb_real *plane = y->x + (size_t)group * y->h * y->w * y->c;
    sb_vec in[POINTS], half[TILE * 6], out[TILE * TILE];
    for (int p = 0; p < POINTS; p++) in[p] = sb_vec_load_n(m + p * point_size, lanes);
    for (int j = 0; j < 6; j++) winograd_output(in + j, 6, half + j, 6);
    for (int i = 0; i < TILE; i++) winograd_output(half + 6 * i, 1, out + TILE * i, 1);
    for (int i = 0; i < TILE && top + i < y->h; i++)
        for (int j = 0; j < TILE && left + j < y->w; j++)
            sb_vec_store_n(plane + ((size_t)(top + i) * y->w + left + j) * y->c + c, out[TILE * i + j] + bias, lanes);
}

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_tensor *y)
{
    (void)ops;
    const sb_conv *conv = term[0].conv;
    int n_tiles = tiles(&conv->shape), of_sample = tiles_of_sample(&conv->shape);
    int n = sb_conv_outputs(&conv->shape), padded = sb_whole_vectors(n);
    const size_t point_size = point_stride(&conv->shape, padded);
    SB_NATIVE(sb_winograd_product)(n_terms, term, false, n, conv->space.scratch);
#pragma omp for schedule(static)
    for (int t = 0; t < n_tiles; t++) {
        const sb_tensor one = sb_tensor_at(y, t / of_sample);
        const sb_real *m = (sb_real *)conv->space.scratch + (size_t)t * padded;
        for (int g = 0; g < y->gates; g++)
            for (int c = 0; c < y->c; c += SB_LANES) {
                int o = g * y->c + c;
                sb_vec b = bias ? sb_vec_load_n(bias + o, sb_lanes_at(c, y->c)) : sb_vec_all(0);
                transform_output(m + o, point_size, b, &one, g, t % of_sample, c);
            }
    }
}

/* ---- data gradient ---- */

/* The four rows of one tile, six columns each, after the vertical half of the adjoint: its own, and what the tiles
 * above and below add to its first and last row. v: of point 0. */
static void adjoint_rows(const sb_real *v, size_t point_size, int lanes, const sb_real *above, const sb_real *below,
                         bool upsampled, sb_vec row[TILE * 6])
{
    for (int j = 0; j < 6; j++) {
        sb_vec o[6], d[6];
        for (int i = 0; i < 6; i++)
            o[i] = upsampled && SB_WINOGRAD_SKIPS(6 * i + j) ? sb_vec_all(0)
                                                             : sb_vec_load_n(v + (6 * i + j) * point_size, lanes);
        winograd_input_adjoint(o, 1, d);
        bool absent = upsampled && SB_WINOGRAD_SKIPS(j);
        sb_vec last = above && !absent ? sb_vec_load_n(above + (6 * 5 + j) * point_size, lanes) : sb_vec_all(0);
        sb_vec first = below && !absent ? sb_vec_load_n(below + j * point_size, lanes) : sb_vec_all(0);
        d[1] = d[1] + last;
        d[4] = d[4] + sb_vec_all(4) * first;
        for (int i = 0; i < TILE; i++) row[6 * i + j] = d[i + 1];
    }
}

/* What becomes of the 4x4 gradients of one tile: stored, or folded back through the upsampling and added. */
typedef struct tile_sink {
    sb_tensor dx; /* of one sample */
    int h, w;     /* of the map the tiles cover */
    bool upsampled;
} tile_sink;

static void put_tile(const tile_sink *sink, int top, int left, int c, int lanes, const sb_vec block[TILE * TILE])
{
    const sb_tensor *dx = &sink->dx;
    if (!sink->upsampled) {
        for (int i = 0; i < TILE && top + i < sink->h; i++)
            for (int j = 0; j < TILE && left + j < sink->w; j++)
                sb_vec_store_n(dx->x + ((size_t)(top + i) * dx->w + left + j) * dx->c + c, block[TILE * i + j], lanes);
        return;
    }
    for (int i = 0; i < TILE && top + i < sink->h; i += 2)
        for (int j = 0; j < TILE && left + j < sink->w; j += 2) {
            sb_real *to = dx->x + ((size_t)((top + i) / 2) * dx->w + (left + j) / 2) * dx->c + c;
            const sb_vec *b = block + TILE * i + j;
            sb_vec_store_n(to, sb_vec_load_n(to, lanes) + ((b[0] + b[1]) + (b[TILE] + b[TILE + 1])), lanes);
        }
}

/* One row of a sample's tiles for one vector of channels, left to right; v: of its first tile. The last column of a
 * tile waits for what the next one adds to it; neighbors beyond the map count as zeros. */
static void adjoint_row_of_tiles(const sb_real *v, size_t point_size, int padded, int ty, int c, const tile_sink *sink)
{
    int across = tiles_across(sink->w), down = tiles_across(sink->h), lanes = sb_lanes_at(c, sink->dx.c);
    const sb_vec zero = sb_vec_all(0);
    sb_vec waiting[TILE * TILE], carried[TILE] = {zero, zero, zero, zero};
    for (int i = 0; i < TILE * TILE; i++) waiting[i] = zero;
    for (int tx = 0; tx < across; tx++) {
        const sb_real *at = v + (size_t)(ty * across + tx) * padded + c;
        sb_vec row[TILE * 6], block[TILE * TILE];
        adjoint_rows(at, point_size, lanes, ty > 0 ? at - (size_t)across * padded : NULL,
                     ty + 1 < down ? at + (size_t)across * padded : NULL, sink->upsampled, row);
        for (int i = 0; i < TILE; i++) {
            sb_vec d[6];
            winograd_input_adjoint(row + 6 * i, 1, d);
            block[TILE * i] = d[1] + carried[i];
            for (int j = 1; j < TILE; j++) block[TILE * i + j] = d[j + 1];
            if (tx > 0) waiting[TILE * i + 3] = waiting[TILE * i + 3] + d[0];
            carried[i] = d[5];
        }
        if (tx > 0) put_tile(sink, ty * TILE, (tx - 1) * TILE, c, lanes, waiting);
        memcpy(waiting, block, sizeof block);
    }
    for (int i = 0; i < TILE; i++) waiting[TILE * i + 3] = waiting[TILE * i + 3] + zero;
    put_tile(sink, ty * TILE, (across - 1) * TILE, c, lanes, waiting);
}

static void adjoint_transform(const sb_conv *conv, sb_tensor *dx)
{
    const sb_conv_shape *shape = &conv->shape;
    int padded = sb_whole_vectors(dx->c), down = tiles_across(shape->h);
    const size_t point_size = point_stride(shape, padded), sample_size = (size_t)tiles_of_sample(shape) * padded;
#pragma omp for collapse(3) schedule(static)
    for (int sample = 0; sample < dx->n; sample++)
        for (int ty = 0; ty < down; ty++)
            for (int c = 0; c < dx->c; c += SB_LANES) {
                const tile_sink sink = {sb_tensor_at(dx, sample), shape->h, shape->w, shape->upsampled};
                const sb_real *v = (const sb_real *)conv->space.scratch + sample * sample_size;
                adjoint_row_of_tiles(v, point_size, padded, ty, c, &sink);
            }
}

static void data_gradient(int n_terms, const sb_term *term, sb_tensor *dx)
{
    SB_NATIVE(sb_winograd_product)(n_terms, term, true, dx->c, term[0].conv->space.scratch);
    adjoint_transform(term[0].conv, dx);
}

static void add_upsampled_gradient(const sb_term *term, sb_tensor *dx)
{
    data_gradient(1, term, dx);
}

const sb_conv_form SB_NATIVE(sb_conv_winograd) = {
    .sizes = conv_sizes,
    .begin = SB_NATIVE(sb_winograd_begin),
    .turn = SB_NATIVE(sb_winograd_turn),
    .end = SB_NATIVE(sb_winograd_end),
    .input = conv_input,
    .gradient = conv_gradient,
    .forward = conv_forward,
    .data_gradient = data_gradient,
    .add_upsampled_gradient = add_upsampled_gradient,
    .weight_gradient = SB_NATIVE(sb_winograd_weight_gradient),
};

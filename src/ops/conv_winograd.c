/* Convolution of the native backend in the form `winograd`, F(4x4,3x3); the transforms are in winograd.h, the order of
 * the sums in order.h. A map is cut into tiles of 4x4 outputs, t = row-major, T of them; edges are filled with zeros.
 *
 * Operands   input x:      V [36][T][in]
 *            gradient dy:  M [36][T][o'], all groups side by side, o' = channels in whole vectors
 * Packed     weights U in blocks of SB_TILE_COLUMNS columns: forward [36][in][o'], backward [36][out][i'] (one of the
 *            two), then the offsets the products walk
 * Scratch    products before the last transform: [36][T][o'] or [36][T][i']
 * Accumulator [36][in][o']
 */
#include "ops/conv_form.h"
#include "ops/kernel_native.h"
#include "ops/winograd.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
SB_WINOGRAD_DEFINE(winograd, sb_vec, sb_vec_fma, sb_vec_all, ALWAYS_INLINE)

enum { TILE = SB_WINOGRAD_TILE, POINTS = SB_WINOGRAD_POINTS };

static int outputs(const sb_conv *conv)
{
    return conv->groups * conv->c;
}

static int tiles_across(int n)
{
    return (n + TILE - 1) / TILE;
}

static int tiles(const sb_conv *conv)
{
    return tiles_across(conv->h) * tiles_across(conv->w);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* ---- sizes ---- */

/* Elements of U in blocks, forward or backward, whichever is more. */
static size_t blocks_size(const sb_conv *conv)
{
    size_t forward = (size_t)conv->in * sb_whole_vectors(outputs(conv));
    size_t backward = (size_t)outputs(conv) * sb_whole_vectors(conv->in);
    return POINTS * (forward > backward ? forward : backward);
}

static size_t weights_size(const sb_conv *conv)
{
    return blocks_size(conv) * sizeof(sb_real) +
           (size_t)(larger(conv->in, outputs(conv)) + tiles(conv)) * sizeof(int32_t);
}

/* Offsets 0, 1, 2, ... along channels; behind them, 0, in, 2 in, ... along tiles. */
static int32_t *channel_offsets(const sb_conv *conv)
{
    return (int32_t *)((sb_real *)conv->packed + blocks_size(conv));
}

static int32_t *tile_offsets(const sb_conv *conv)
{
    return channel_offsets(conv) + larger(conv->in, outputs(conv));
}

static size_t accumulator_size(const sb_conv *conv)
{
    return (size_t)POINTS * conv->in * sb_whole_vectors(outputs(conv)) * sizeof(sb_real);
}

static size_t scratch_size(const sb_conv *conv)
{
    return (size_t)POINTS * tiles(conv) * sb_whole_vectors(larger(conv->in, outputs(conv))) * sizeof(sb_real);
}

static size_t input_size(const sb_conv *conv)
{
    return (size_t)POINTS * tiles(conv) * conv->in * sizeof(sb_real);
}

static size_t gradient_size(const sb_conv *conv)
{
    return (size_t)POINTS * tiles(conv) * sb_whole_vectors(outputs(conv)) * sizeof(sb_real);
}

/* ---- weights ---- */

/* The 3x3 weights between product row k and column j: forward rows are inputs, backward rows are outputs. */
static const sb_real *taps_at(const sb_conv *conv, bool backward, int k, int j)
{
    size_t o = (size_t)(backward ? k : j), i = (size_t)(backward ? j : k);
    return conv->weight + (o * conv->in + i) * 9;
}

/* U of one vector of columns, to u + p * point_size. */
static void transform_weights(const sb_conv *conv, bool backward, int k, int first, int n, sb_real *u,
                              size_t point_size)
{
    sb_real lanes[9][SB_LANES] = {{0}};
    sb_vec g[9], half[6 * 3], out[POINTS];
    for (int l = 0; l < sb_lanes_at(first, n); l++) {
        const sb_real *taps = taps_at(conv, backward, k, first + l);
        for (int tap = 0; tap < 9; tap++) lanes[tap][l] = taps[tap];
    }
    for (int tap = 0; tap < 9; tap++) g[tap] = sb_vec_load(lanes[tap]);
    for (int x = 0; x < 3; x++) winograd_weight(g + x, 3, half + x, 3);
    for (int i = 0; i < 6; i++) winograd_weight(half + 3 * i, 1, out + 6 * i, 1);
    for (int p = 0; p < POINTS; p++) sb_vec_store(u + p * point_size, out[p]);
}

/* Columns of the block that starts at column `first` of n. */
static int block_width(int n, int first)
{
    int left = sb_whole_vectors(n) - first;
    return left < SB_TILE_COLUMNS ? left : SB_TILE_COLUMNS;
}

/* Block `first` of point p, [n_k][block_width]. */
static sb_real *block_at(const sb_conv *conv, int p, int n_k, int first, int n)
{
    return (sb_real *)conv->packed + ((size_t)p * sb_whole_vectors(n) + first) * n_k;
}

static void pack(const sb_conv *conv, bool backward)
{
    int n_k = backward ? outputs(conv) : conv->in, n = backward ? conv->in : outputs(conv);
    size_t point_size = (size_t)n_k * sb_whole_vectors(n);
#pragma omp for schedule(static)
    for (int k = 0; k < n_k; k++)
        for (int first = 0; first < n; first += SB_TILE_COLUMNS) {
            int width = block_width(n, first);
            sb_real *row = block_at(conv, 0, n_k, first, n) + (size_t)k * width;
            for (int j = 0; j < width; j += SB_LANES)
                transform_weights(conv, backward, k, first + j, n, row + j, point_size);
        }
#pragma omp single
    {
        for (int k = 0; k < larger(conv->in, outputs(conv)); k++) channel_offsets(conv)[k] = k;
        for (int t = 0; t < tiles(conv); t++) tile_offsets(conv)[t] = t * conv->in;
    }
}

static void conv_begin(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    pack(conv, false);
}

static void conv_turn(sb_ops *ops, sb_conv *conv)
{
    pack(conv, true);
    ops->zero(ops, conv->accumulator, accumulator_size(conv));
}

static void conv_end(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    int out = outputs(conv), in = conv->in, padded = sb_whole_vectors(out);
    const sb_real *sum = conv->accumulator;
#pragma omp for schedule(static)
    for (int o = 0; o < out; o += SB_LANES)
        for (int i = 0; i < in; i++) {
            sb_vec u[POINTS], half[3 * 6], g[9];
            for (int p = 0; p < POINTS; p++) u[p] = sb_vec_load(sum + ((size_t)p * in + i) * padded + o);
            for (int j = 0; j < 6; j++) winograd_weight_adjoint(u + j, 6, half + j, 6);
            for (int y = 0; y < 3; y++) winograd_weight_adjoint(half + 6 * y, 1, g + 3 * y, 1);
            sb_real *to = conv->weight_grad + ((size_t)o * in + i) * 9;
            for (int l = 0; l < sb_lanes_at(o, out); l++)
                for (int tap = 0; tap < 9; tap++) to[(size_t)l * in * 9 + tap] = g[tap][l];
        }
}

/* ---- operands ---- */

/* V of one tile and one vector of channels: rows 4 ty - 1 .. 4 ty + 4 of the (upsampled) map, likewise columns. */
static void transform_input(const sb_conv *conv, const sb_map *x, int tile, int c, sb_real *v, size_t point_size)
{
    int shrink = conv->upsampled ? 1 : 0, lanes = sb_lanes_at(c, x->c), across = tiles_across(conv->w);
    int top = tile / across * TILE - 1, left = tile % across * TILE - 1;
    sb_vec d[POINTS], half[POINTS], out[POINTS];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            int y = top + i, at = left + j;
            bool inside = y >= 0 && y < conv->h && at >= 0 && at < conv->w;
            size_t pixel = inside ? (size_t)(y >> shrink) * x->w + (at >> shrink) : 0;
            d[6 * i + j] = inside ? sb_vec_load_n(x->x + pixel * x->c + c, lanes) : sb_vec_all(0);
        }
    for (int j = 0; j < 6; j++) winograd_input(d + j, 6, half + j);
    for (int i = 0; i < 6; i++) winograd_input(half + 6 * i, 1, out + 6 * i);
    for (int p = 0; p < POINTS; p++) sb_vec_store_n(v + p * point_size, out[p], lanes);
}

static void conv_input(sb_ops *ops, const sb_conv *conv, const sb_map *x, void *operand)
{
    (void)ops;
    int n_tiles = tiles(conv);
    size_t point_size = (size_t)n_tiles * x->c;
#pragma omp for schedule(static)
    for (int t = 0; t < n_tiles; t++)
        for (int c = 0; c < x->c; c += SB_LANES)
            transform_input(conv, x, t, c, (sb_real *)operand + (size_t)t * x->c + c, point_size);
}

/* M of one tile and one vector of channels of one group. */
static void transform_gradient(const sb_map *dy, int group, int tile, int c, sb_real *m, size_t point_size)
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
    for (int p = 0; p < POINTS; p++) sb_vec_store_n(m + p * point_size, out[p], lanes);
}

static void conv_gradient(sb_ops *ops, const sb_conv *conv, const sb_map *dy, void *operand)
{
    (void)ops;
    int n_tiles = tiles(conv), n = outputs(conv), padded = sb_whole_vectors(n);
    size_t point_size = (size_t)n_tiles * padded;
#pragma omp for schedule(static)
    for (int t = 0; t < n_tiles; t++) {
        sb_real *row = (sb_real *)operand + (size_t)t * padded;
        for (int p = 0; p < POINTS && padded > n; p++)
            memset(row + p * point_size + n, 0, (size_t)(padded - n) * sizeof *row);
        for (int g = 0; g < dy->groups; g++)
            for (int c = 0; c < dy->c; c += SB_LANES) transform_gradient(dy, g, t, c, row + g * dy->c + c, point_size);
    }
}

/* ---- products ---- */

/* Weights of one piece stay in the first-level cache while all tiles walk over them. */
enum { CHANNELS_PER_PIECE = 192 };

/* product[p][t][first ..] = or += the chain over channels k .. k + s->n_k - 1 of one term, s being set up for tile 0.
 * Tiles in passes of nearly equal height, so that the last is not a thin one. */
static void all_tiles(int n_tiles, int width, sb_stretch s, sb_kernel_start start, sb_real *product, int padded)
{
    int passes = (n_tiles + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    for (int pass = 0, done = 0; pass < passes; pass++) {
        int rows = (n_tiles - done + passes - pass - 1) / (passes - pass);
        SB_KERNEL(rows, width / SB_LANES, 1, &s, start, product + (size_t)done * padded, padded);
        s.a += rows * s.a_row;
        done += rows;
    }
}

/* One point and one block of columns of: product[p][t][j] = chain over terms and channels of operand * U. */
static void point_product(int n_terms, const sb_term *term, bool backward, int p, int first, int n, sb_real *product)
{
    int n_tiles = tiles(term[0].conv), padded = sb_whole_vectors(n), width = block_width(n, first);
    sb_real *to = product + (size_t)p * n_tiles * padded + first;
    sb_kernel_start start = SB_FROM_ZERO;
    for (int i = 0; i < n_terms; i++) {
        const sb_conv *conv = term[i].conv;
        int n_k = backward ? outputs(conv) : conv->in, row = backward ? sb_whole_vectors(n_k) : n_k;
        if (conv->upsampled && SB_WINOGRAD_SKIPS(p)) continue;
        const sb_real *v = (const sb_real *)term[i].operand + (size_t)p * n_tiles * row;
        const sb_real *u = block_at(conv, p, n_k, first, n);
        for (int k = 0; k < n_k; k += CHANNELS_PER_PIECE) {
            int piece = n_k - k < CHANNELS_PER_PIECE ? n_k - k : CHANNELS_PER_PIECE;
            const sb_stretch s = {piece, v + k, row, channel_offsets(conv), u + (size_t)k * width, width};
            all_tiles(n_tiles, width, s, start, to, padded);
            start = SB_GO_ON;
        }
    }
    for (int t = 0; start == SB_FROM_ZERO && t < n_tiles; t++) /* every term skips this point */
        memset(to + (size_t)t * padded, 0, (size_t)width * sizeof *to);
}

static void product(int n_terms, const sb_term *term, bool backward, int n, sb_real *to)
{
    int n_blocks = (n + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
#pragma omp for collapse(2) schedule(dynamic) /* upsampled terms skip points: the pieces are not alike */
    for (int p = 0; p < POINTS; p++)
        for (int block = 0; block < n_blocks; block++)
            point_product(n_terms, term, backward, p, block * SB_TILE_COLUMNS, n, to);
}

/* ---- forward ---- */

static void transform_output(const sb_real *m, size_t point_size, sb_vec bias, sb_map *y, int group, int tile, int c)
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

static void conv_forward(sb_ops *ops, int n_terms, const sb_term *term, const sb_real *bias, sb_map *y)
{
    (void)ops;
    const sb_conv *conv = term[0].conv;
    int n_tiles = tiles(conv), n = outputs(conv), padded = sb_whole_vectors(n);
    size_t point_size = (size_t)n_tiles * padded;
    product(n_terms, term, false, n, conv->scratch);
#pragma omp for schedule(static)
    for (int t = 0; t < n_tiles; t++)
        for (int g = 0; g < y->groups; g++)
            for (int c = 0; c < y->c; c += SB_LANES) {
                int o = g * y->c + c;
                sb_vec b = bias ? sb_vec_load_n(bias + o, sb_lanes_at(c, y->c)) : sb_vec_all(0);
                transform_output((sb_real *)conv->scratch + (size_t)t * padded + o, point_size, b, y, g, t, c);
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
    sb_map *dx;
    int h, w; /* of the map the tiles cover */
    bool upsampled;
} tile_sink;

static void put_tile(const tile_sink *sink, int top, int left, int c, int lanes, const sb_vec block[TILE * TILE])
{
    sb_map *dx = sink->dx;
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

/* One row of tiles for one vector of channels, left to right. The last column of a tile waits for what the next one
 * adds to it; neighbours beyond the map count as zeros. */
static void adjoint_row_of_tiles(const sb_real *v, size_t point_size, int padded, int ty, int c, const tile_sink *sink)
{
    int across = tiles_across(sink->w), down = tiles_across(sink->h), lanes = sb_lanes_at(c, sink->dx->c);
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

static void adjoint_transform(const sb_conv *conv, sb_map *dx)
{
    const tile_sink sink = {dx, conv->h, conv->w, conv->upsampled};
    int padded = sb_whole_vectors(dx->c), down = tiles_across(conv->h);
    size_t point_size = (size_t)tiles(conv) * padded;
#pragma omp for collapse(2) schedule(static)
    for (int ty = 0; ty < down; ty++)
        for (int c = 0; c < dx->c; c += SB_LANES) adjoint_row_of_tiles(conv->scratch, point_size, padded, ty, c, &sink);
}

static void data_gradient(int n_terms, const sb_term *term, sb_map *dx)
{
    product(n_terms, term, true, dx->c, term[0].conv->scratch);
    adjoint_transform(term[0].conv, dx);
}

static void add_upsampled_gradient(const sb_term *term, sb_map *dx)
{
    data_gradient(1, term, dx);
}

/* ---- weight gradient ---- */

/* Columns o .. of point p of the accumulator. Tiles in pieces whose rows of dy stay in the first-level cache while all
 * rows of the accumulator walk over them; where a frame is one piece, several frames make one call of the kernel. */
enum { TILES_PER_PIECE = 100 };

static void weight_columns(const sb_conv *conv, int p, int o, int n, const void *const *x, const void *const *dy)
{
    int n_tiles = tiles(conv), in = conv->in, padded = sb_whole_vectors(outputs(conv));
    int width = block_width(outputs(conv), o);
    sb_real *sum = (sb_real *)conv->accumulator + (size_t)p * in * padded + o;
    int frames_at_once = n_tiles <= TILES_PER_PIECE ? (TILES_PER_PIECE + n_tiles - 1) / n_tiles : 1;
    if (frames_at_once > SB_STRETCHES_MAX) frames_at_once = SB_STRETCHES_MAX;
    for (int frame = 0; frame < n; frame += frames_at_once)
        for (int first = 0; first < n_tiles; first += TILES_PER_PIECE) {
            int n_k = n_tiles - first < TILES_PER_PIECE ? n_tiles - first : TILES_PER_PIECE, n_stretches = 0;
            sb_stretch stretch[SB_STRETCHES_MAX];
            for (int f = frame; f < n && f < frame + frames_at_once; f++)
                stretch[n_stretches++] =
                    (sb_stretch){n_k,
                                 (const sb_real *)x[f] + ((size_t)p * n_tiles + first) * in,
                                 1,
                                 tile_offsets(conv),
                                 (const sb_real *)dy[f] + ((size_t)p * n_tiles + first) * padded + o,
                                 padded};
            for (int i = 0; i < in; i += SB_TILE_ROWS) {
                int rows = in - i < SB_TILE_ROWS ? in - i : SB_TILE_ROWS;
                SB_KERNEL(rows, width / SB_LANES, n_stretches, stretch, SB_GO_ON, sum + (size_t)i * padded, padded);
                for (int s = 0; s < n_stretches; s++) stretch[s].a += rows;
            }
        }
}

static void conv_weight_gradient(sb_ops *ops, sb_conv *conv, int n, const void *const *x, const void *const *dy)
{
    (void)ops;
    int out = outputs(conv);
#pragma omp for collapse(2) schedule(dynamic) /* upsampled terms skip points: the pieces are not alike */
    for (int p = 0; p < POINTS; p++)
        for (int o = 0; o < out; o += SB_TILE_COLUMNS)
            if (!(conv->upsampled && SB_WINOGRAD_SKIPS(p))) weight_columns(conv, p, o, n, x, dy);
}

const sb_conv_form SB_NATIVE(sb_conv_winograd) = {
    .weights_size = weights_size,
    .accumulator_size = accumulator_size,
    .scratch_size = scratch_size,
    .input_size = input_size,
    .gradient_size = gradient_size,
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

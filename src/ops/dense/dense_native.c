/* Dense layers of the native backend. In the forward pass samples are lanes, so that the weights are read as they lie; in
 * the gradients they are rows, or steps, of the micro-kernel. */
#include "ops/kernel_native.h"
#include "ops/native.h"

#include <omp.h>
#include <string.h>

/* STEPS: steps of a piece of chains, whose columns are packed in the first-level cache. STRIP: rows that read them. */
enum { STEPS = 256, STRIP = 16 * SB_TILE_ROWS };

/* ---- gradients ---- */

/* packed[n_k][width] = n columns of steps first .. of b, zeros after them. */
static void pack_columns(const sb_stretch *s, int first, int n_k, int column, int n, int width, sb_real *packed)
{
    const sb_real *b = s->b + (size_t)first * s->b_row + column;
    if (n == SB_TILE_COLUMNS) {
        for (int k = 0; k < n_k; k++, b += s->b_row, packed += SB_TILE_COLUMNS)
            for (int j = 0; j < SB_TILE_COLUMNS; j += SB_LANES) sb_vec_store(packed + j, sb_vec_load(b + j));
        return;
    }
    for (int k = 0; k < n_k; k++, b += s->b_row, packed += width)
        for (int j = 0; j < width; j += SB_LANES) sb_vec_store(packed + j, sb_vec_load_n(b + j, sb_lanes_at(j, n)));
}

/* HEIGHT: a column of a tile in whole vectors. PACKED_TILE: the distance of tiles, some cache lines more than needed,
 * so that the lines of a step are in different sets of the first-level cache. */
enum { HEIGHT = (SB_TILE_ROWS + SB_LANES - 1) / SB_LANES * SB_LANES, PACKED_TILE = STEPS * HEIGHT + 32 };

/* packed[tile] = [n_k][HEIGHT], the rows of a from step `first` on. In a, rows are adjacent and steps distant. After a
 * tile's rows the vector has some rows of the next tile. */
static void pack_rows(int n_rows, const sb_stretch *s, int first, int n_k, sb_real *packed)
{
    int begin[STRIP / SB_TILE_ROWS];
    const int n_tiles = sb_tiles_of(n_rows);
    for (int tile = 0; tile < n_tiles; tile++) begin[tile] = sb_tile_begin(n_rows, tile);
    for (int k = 0; k < n_k; k++) {
        const sb_real *a = s->a + (first + k) * s->a_step;
        for (int tile = 0; tile < n_tiles; tile++)
            for (int m = 0; m < HEIGHT && begin[tile] + m < n_rows; m += SB_LANES)
                sb_vec_store(packed + tile * PACKED_TILE + k * HEIGHT + m,
                             sb_vec_load_n(a + begin[tile] + m, sb_lanes_at(begin[tile] + m, n_rows)));
    }
}

/* n_rows rows of n numbers. */
static void copy_rows(sb_real *to, ptrdiff_t to_row, const sb_real *from, ptrdiff_t from_row, int n_rows, int n)
{
    for (int m = 0; m < n_rows; m++) memcpy(to + m * to_row, from + m * from_row, (size_t)n * sizeof *to);
}

/* A tile of c, n columns wide, goes on for one piece; whole vectors are summed in their place. */
static void product_tile(int n_rows, int n, int width, const sb_stretch *piece, sb_kernel_start start, sb_real *c,
                         ptrdiff_t c_row)
{
    sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS];
    if (n == width) {
        SB_KERNEL(n_rows, width / SB_LANES, 1, piece, start, c, c_row);
        return;
    }
    if (start == SB_GO_ON) {
        memset(tile, 0, sizeof tile);
        copy_rows(tile, width, c, c_row, n_rows, n);
    }
    SB_KERNEL(n_rows, width / SB_LANES, 1, piece, start, tile, width);
    copy_rows(c, c_row, tile, width, n_rows, n);
}

/* One block of columns of a strip for steps k .. k + n_k - 1. rows: as pack_rows has them, NULL where they lie step
 * after step. */
static void product_block(int n_rows, int n_columns, int column, const sb_stretch *s, int k, int n_k,
                          const sb_real *rows, sb_real *c)
{
    const int left = n_columns - column, n = left < SB_TILE_COLUMNS ? left : SB_TILE_COLUMNS;
    const int width = sb_whole_vectors(n);
    const bool in_place = n == width && sb_tiles_of(n_rows) == 1; /* one tile meets each number of b once */
    sb_real packed[STEPS * SB_TILE_COLUMNS];
    if (!in_place) pack_columns(s, k, n_k, column, n, width, packed);
    for (int tile = 0; tile < sb_tiles_of(n_rows); tile++) {
        const int m = sb_tile_begin(n_rows, tile), height = sb_tile_begin(n_rows, tile + 1) - m;
        sb_stretch piece = {n_k, s->a + m * s->a_row + k * s->a_step, s->a_row, s->a_step, NULL, packed, width};
        if (in_place) {
            piece.b = s->b + (size_t)k * s->b_row + column;
            piece.b_row = s->b_row;
        }
        if (rows) {
            piece.a = rows + tile * PACKED_TILE;
            piece.a_row = 1;
            piece.a_step = HEIGHT;
        }
        product_tile(height, n, width, &piece, k ? SB_GO_ON : SB_FROM_ZERO, c + (size_t)m * n_columns + column,
                     n_columns);
    }
}

/* Columns column .. end - 1 of a strip. */
static void product_strip(int n_rows, int n_columns, int column, int end, const sb_stretch *s, sb_real *c)
{
    sb_real rows[STRIP / SB_TILE_ROWS * PACKED_TILE];
    const bool is_packed = s->a_step != 1;
    for (int k = 0; k < s->n_k; k += STEPS) {
        const int n_k = s->n_k - k < STEPS ? s->n_k - k : STEPS;
        if (is_packed) pack_rows(n_rows, s, k, n_k, rows);
        for (int j = column; j < end; j += SB_TILE_COLUMNS)
            product_block(n_rows, n_columns, j, s, k, n_k, is_packed ? rows : NULL, c);
    }
}

/* Pieces that n rows or blocks of columns are cut into, of at most `most` each and at least `least`. A product has
 * `others` times this many, and where those are few they are made a multiple of the threads, so that none has more than
 * another. */
static int pieces_of(int n, int most, int least, int others)
{
    enum { MANY = 8 };
    const int threads = omp_get_num_threads(), pieces = (n + most - 1) / most;
    if (pieces * others >= MANY * threads || pieces * others % threads == 0) return pieces;
    const int shared = (pieces + threads - 1) / threads * threads, limit = (n + least - 1) / least;
    return shared < limit ? shared : limit;
}

/* c[n_rows][n_columns] = chain over k of a * b, b being [n_k][n_columns] with the stride b_row, divided among threads.
 * What packed rows meet is some blocks of columns. */
static void product(int n_rows, int n_columns, const sb_stretch *s, sb_real *c)
{
    const int blocks = (n_columns + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
    const int n_j = pieces_of(blocks, s->a_step != 1 ? 4 : 1, 1, 1);
    const int n_i = pieces_of(n_rows, STRIP, SB_TILE_ROWS, n_j);
#pragma omp for collapse(2) schedule(static)
    for (int i = 0; i < n_i; i++)
        for (int j = 0; j < n_j; j++) {
            const int row = sb_piece_begin(n_rows, n_i, i), height = sb_piece_begin(n_rows, n_i, i + 1) - row;
            const int column = sb_piece_begin(blocks, n_j, j) * SB_TILE_COLUMNS;
            const int end = sb_piece_begin(blocks, n_j, j + 1) * SB_TILE_COLUMNS;
            sb_stretch strip = *s;
            strip.a += (ptrdiff_t)row * s->a_row;
            product_strip(height, n_columns, column, end < n_columns ? end : n_columns, &strip,
                          c + (size_t)row * n_columns);
        }
}

/* ---- forward ---- */

/* A tile is a group of samples wide. This many samples are turned at a time; and rows of weights, outputs, that meet all of
 * them while they are in the second-level cache. */
enum { GROUP = SB_TILE_COLUMNS, TURNED = 256, OUTPUTS = 4 * SB_TILE_ROWS };
_Static_assert(TURNED % GROUP == 0, "whole groups are turned");

static size_t scratch_size(const sb_dense *layer, int n)
{
    const int samples = n < TURNED ? (n + GROUP - 1) / GROUP * GROUP : TURNED;
    return (size_t)layer->in * samples * sizeof(sb_real);
}

/* turned[group][in][GROUP]: n samples, zeros to the end of the last vector. */
static void turn_samples(const sb_real *x, int n, int in, sb_real *turned)
{
#pragma omp for collapse(2) schedule(static)
    for (int lane = 0; lane < n; lane += SB_LANES)
        for (int i = 0; i < in; i += SB_LANES)
            sb_vec_turn(x + (size_t)lane * in + i, (size_t)in, sb_lanes_at(lane, n), sb_lanes_at(i, in),
                        turned + ((size_t)(lane / GROUP) * in + i) * GROUP + lane % GROUP, GROUP, SB_LANES);
}

/* n_vecs vectors of each row of sums[n_rows][GROUP], outputs from `first` on: what stands after a sum. */
static void finish_sums(const sb_dense *layer, int first, int n_rows, int n_vecs, bool relu, sb_real *sums)
{
    for (int m = 0; m < n_rows; m++)
        for (int v = 0; v < n_vecs; v++) {
            sb_real *at = sums + m * GROUP + v * SB_LANES;
            sb_vec sum = sb_vec_load(at);
            if (layer->bias) sum = sum + sb_vec_all(layer->bias[first + m]);
            if (relu) sum = sb_vec_choose(sum < sb_vec_all(0), sb_vec_all(0), sum); /* as sb_relu */
            sb_vec_store(at, sum);
        }
}

/* Outputs first .. first + n_rows - 1 of n samples of a group. */
static void forward_tiles(const sb_dense *layer, const sb_real *turned, int first, int n_rows, int n, bool relu,
                          sb_real *y)
{
    sb_real sums[OUTPUTS * GROUP];
    const int n_vecs = (n + SB_LANES - 1) / SB_LANES, in = layer->in;
    for (int tile = 0; tile < sb_tiles_of(n_rows); tile++) {
        const int m = sb_tile_begin(n_rows, tile), height = sb_tile_begin(n_rows, tile + 1) - m;
        const sb_stretch s = {in, layer->weight + (size_t)(first + m) * in, in, 1, NULL, turned, GROUP};
        SB_KERNEL(height, n_vecs, 1, &s, SB_FROM_ZERO, sums + m * GROUP, GROUP);
    }
    if (layer->bias || relu) finish_sums(layer, first, n_rows, n_vecs, relu, sums);
    for (int lane = 0; lane < n; lane += SB_LANES)
        for (int m = 0; m < n_rows; m += SB_LANES) {
            const int rows = sb_lanes_at(m, n_rows);
            sb_vec_turn(sums + m * GROUP + lane, GROUP, rows, sb_lanes_at(lane, n),
                        y + (size_t)lane * layer->out + first + m, (size_t)layer->out, rows);
        }
}

/* With so few samples most lanes would hold none: outputs are the lanes then, and the weights turned in registers. */
enum { FEW = SB_LANES / 4, FEW_VECS = 2 };

/* sum[sample][v] of n_vecs vectors of outputs from `first` on go on over inputs i .. i + SB_LANES - 1, or up to the last. */
static inline __attribute__((always_inline)) void add_inputs(const sb_dense *layer, const sb_real *x, int n, int first,
                                                             int n_vecs, int i, int n_in, sb_vec (*sum)[FEW_VECS])
{
    sb_vec w[FEW_VECS][SB_LANES];
    for (int v = 0; v < n_vecs; v++) {
        const int o = first + v * SB_LANES, rows = sb_lanes_at(o, layer->out);
        for (int l = 0; l < SB_LANES; l++)
            w[v][l] = l < rows ? sb_vec_load_n(layer->weight + (size_t)(o + l) * layer->in + i, n_in) : sb_vec_all(0);
        sb_vec_transpose(w[v]);
    }
    for (int sample = 0; sample < n; sample++)
        for (int k = 0; k < n_in; k++)
            for (int v = 0; v < n_vecs; v++)
                sum[sample][v] = sb_vec_fma(sb_vec_all(x[(size_t)sample * layer->in + i + k]), w[v][k], sum[sample][v]);
}

/* n_vecs vectors of outputs from `first` on of n samples, at most FEW. */
static void forward_of_few(const sb_dense *layer, const sb_real *x, int n, int first, int n_vecs, bool relu, sb_real *y)
{
    sb_vec sum[FEW][FEW_VECS];
    for (int sample = 0; sample < FEW; sample++)
        for (int v = 0; v < FEW_VECS; v++) sum[sample][v] = sb_vec_all(0);
    const int whole = layer->in / SB_LANES * SB_LANES;
    for (int i = 0; i < whole; i += SB_LANES) add_inputs(layer, x, n, first, n_vecs, i, SB_LANES, sum);
    if (whole < layer->in) add_inputs(layer, x, n, first, n_vecs, whole, layer->in - whole, sum);
    for (int sample = 0; sample < n; sample++)
        for (int v = 0; v < n_vecs; v++) {
            const int o = first + v * SB_LANES, lanes = sb_lanes_at(o, layer->out);
            sb_vec at = sum[sample][v];
            if (layer->bias) at = at + sb_vec_load_n(layer->bias + o, lanes);
            if (relu) at = sb_vec_choose(at < sb_vec_all(0), sb_vec_all(0), at); /* as sb_relu */
            sb_vec_store_n(y + (size_t)sample * layer->out + o, at, lanes);
        }
}

static void forward_few(const sb_dense *layer, const sb_tensor *x, bool relu, sb_tensor *y)
{
    enum { STEP = FEW_VECS * SB_LANES };
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o += STEP) {
        const int vecs = (layer->out - o + SB_LANES - 1) / SB_LANES;
        if (vecs < FEW_VECS)
            forward_of_few(layer, x->x, x->n, o, vecs, relu, y->x);
        else
            forward_of_few(layer, x->x, x->n, o, FEW_VECS, relu, y->x);
    }
}

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_tensor *x, sb_tensor *y, bool relu)
{
    (void)ops;
    if (x->n <= FEW) {
        forward_few(layer, x, relu, y);
        return;
    }
    sb_real *turned = layer->scratch;
    for (int first = 0; first < x->n; first += TURNED) {
        const int n = x->n - first < TURNED ? x->n - first : TURNED, groups = (n + GROUP - 1) / GROUP;
        const int pieces = pieces_of(layer->out, OUTPUTS, SB_TILE_ROWS, groups);
        turn_samples(x->x + (size_t)first * layer->in, n, layer->in, turned);
#pragma omp for collapse(2) schedule(static)
        for (int i = 0; i < pieces; i++)
            for (int lane = 0; lane < n; lane += GROUP) {
                const int o = sb_piece_begin(layer->out, pieces, i), end = sb_piece_begin(layer->out, pieces, i + 1);
                forward_tiles(layer, turned + (size_t)lane * layer->in, o, end - o, n - lane < GROUP ? n - lane : GROUP,
                              relu, y->x + (size_t)(first + lane) * layer->out);
            }
    }
}

static void dense_data_gradient(sb_ops *ops, const sb_dense *layer, const sb_tensor *dy, sb_tensor *dx)
{
    (void)ops;
    const sb_stretch s = {layer->out, dy->x, layer->out, 1, NULL, layer->weight, layer->in};
    product(dy->n, layer->in, &s, dx->x);
}

/* As many chains side by side as hide the latency of an addition. */
enum { BIAS_VECS = 4 };

/* The bias gradient of BIAS_VECS vectors of outputs from `first` on, as far as there are this many. */
static void sum_bias(const sb_dense *layer, const sb_tensor *dy, int first)
{
    const int n = layer->out - first;
    if (n < BIAS_VECS * SB_LANES) {
        for (int o = first; o < layer->out; o += SB_LANES) {
            const int lanes = sb_lanes_at(o, layer->out);
            sb_vec sum = sb_vec_all(0);
            for (int sample = 0; sample < dy->n; sample++)
                sum = sum + sb_vec_load_n(dy->x + (size_t)sample * layer->out + o, lanes);
            sb_vec_store_n(layer->bias_grad + o, sum, lanes);
        }
        return;
    }
    sb_vec sum[BIAS_VECS];
    for (int v = 0; v < BIAS_VECS; v++) sum[v] = sb_vec_all(0);
    for (int sample = 0; sample < dy->n; sample++)
        for (int v = 0; v < BIAS_VECS; v++)
            sum[v] = sum[v] + sb_vec_load(dy->x + (size_t)sample * layer->out + first + v * SB_LANES);
    for (int v = 0; v < BIAS_VECS; v++) sb_vec_store(layer->bias_grad + first + v * SB_LANES, sum[v]);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_tensor *x, const sb_tensor *dy)
{
    (void)ops;
    const sb_stretch s = {dy->n, dy->x, 1, layer->out, NULL, x->x, layer->in};
    product(layer->out, layer->in, &s, layer->weight_grad);
    if (!layer->bias_grad) return;
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o += BIAS_VECS * SB_LANES) sum_bias(layer, dy, o);
}

/* Rows of the outer product dy x^T; Adam updates the weights of each as soon as it is formed, and the gradient is not
 * stored. */
static void dense_learn_one(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy,
                            const sb_block *weight, const sb_block *bias, const sb_adam_rates *rates)
{
    (void)ops;
    const sb_adam_rates r = *rates;
    const sb_block w = *weight, b = *bias;
    const int in = layer->in;
#pragma omp for schedule(static) nowait
    for (int o = 0; o < layer->out; o++) {
        const sb_real d = dy[o];
        const long row = (long)o * in;
#pragma omp simd
        for (int i = 0; i < in; i++) sb_adam_at(&w, &r, row + i, SB_FMA(d, x[i], 0));
    }
#pragma omp for simd schedule(static)
    for (int o = 0; o < layer->out; o++) sb_adam_at(&b, &r, o, 0 + dy[o]);
}

void SB_NATIVE(sb_dense_native)(sb_ops *ops)
{
    ops->dense_scratch_size = scratch_size;
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
    ops->dense_learn_one = dense_learn_one;
}

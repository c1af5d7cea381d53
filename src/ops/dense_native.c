/* Dense layers of the native backend. Samples are rows of the micro-kernel, so that one sample and a hundred run
 * through the same loops; only the forward pass needs the weights the other way round. */
#include "ops/kernel_native.h"
#include "ops/native.h"

#include <string.h>

/* A piece of chains, of so many steps, whose columns lie packed in the first-level cache; rows that walk over them. */
enum { STEPS = 256, STRIP = 16 * SB_TILE_ROWS };

/* packed[n_k][width] = n columns of steps first .. of b, zeros behind them. */
static void pack_columns(const sb_stretch *s, int first, int n_k, int column, int n, int width, sb_real *packed)
{
    const sb_real *b = s->b + (size_t)first * s->b_row + column;
    for (int k = 0; k < n_k; k++, b += s->b_row, packed += width)
        for (int j = 0; j < width; j += SB_LANES) sb_vec_store(packed + j, sb_vec_load_n(b + j, sb_lanes_at(j, n)));
}

/* n_rows rows of the tile [n_rows][width], n columns of them, to or from c. */
static void copy_rows(sb_real *to, ptrdiff_t to_row, const sb_real *from, ptrdiff_t from_row, int n_rows, int n)
{
    for (int m = 0; m < n_rows; m++) memcpy(to + m * to_row, from + m * from_row, (size_t)n * sizeof *to);
}

/* A tile of c goes on for one piece; whole vectors are summed in their place. */
static void product_tile(int n_rows, int n, int width, const sb_stretch *piece, sb_kernel_start start, sb_real *c,
                         ptrdiff_t c_row)
{
    sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS] = {0};
    if (n == width) {
        SB_KERNEL(n_rows, width / SB_LANES, 1, piece, start, c, c_row);
        return;
    }
    if (start == SB_GO_ON) copy_rows(tile, width, c, c_row, n_rows, n);
    SB_KERNEL(n_rows, width / SB_LANES, 1, piece, start, tile, width);
    copy_rows(c, c_row, tile, width, n_rows, n);
}

/* Rows of nearly equal tiles, so that the last is not a thin one. */
static void product_strip(int n_rows, int n_columns, int column, const sb_stretch *s, sb_real *c)
{
    const int left = n_columns - column, n = left < SB_TILE_COLUMNS ? left : SB_TILE_COLUMNS;
    const int width = sb_whole_vectors(n), passes = (n_rows + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    sb_real packed[STEPS * SB_TILE_COLUMNS];
    for (int k = 0; k < s->n_k; k += STEPS) {
        const int n_k = s->n_k - k < STEPS ? s->n_k - k : STEPS;
        pack_columns(s, k, n_k, column, n, width, packed);
        for (int pass = 0, row = 0; pass < passes; pass++) {
            const int rows = (n_rows - row + passes - pass - 1) / (passes - pass);
            const sb_stretch piece = {n_k,  s->a + row * s->a_row + k * s->a_step, s->a_row, s->a_step, NULL, packed,
                                      width};
            product_tile(rows, n, width, &piece, k ? SB_GO_ON : SB_FROM_ZERO, c + (size_t)row * n_columns + column,
                         n_columns);
            row += rows;
        }
    }
}

/* c[n_rows][n_columns] = chain over k of a * b, b being [n_k][n_columns] with b_row apart, shared among threads. */
static void product(int n_rows, int n_columns, const sb_stretch *s, sb_real *c)
{
#pragma omp for collapse(2) schedule(static)
    for (int column = 0; column < n_columns; column += SB_TILE_COLUMNS)
        for (int row = 0; row < n_rows; row += STRIP) {
            sb_stretch strip = *s;
            strip.a += (ptrdiff_t)row * s->a_row;
            product_strip(n_rows - row < STRIP ? n_rows - row : STRIP, n_columns, column, &strip,
                          c + (size_t)row * n_columns);
        }
}

/* to[in][out'] = from[out][in] transposed, out' in whole vectors, zeros behind out. */
static void transpose(const sb_real *from, int out, int in, sb_real *to)
{
    int padded = sb_whole_vectors(out);
#pragma omp for collapse(2) schedule(static)
    for (int o = 0; o < padded; o += SB_LANES)
        for (int i = 0; i < in; i += SB_LANES) {
            const int rows = sb_lanes_at(o, out), columns = sb_lanes_at(i, in);
            sb_vec_turn(from + (size_t)o * in + i, (size_t)in, rows, columns, to + (size_t)i * padded + o,
                        (size_t)padded, SB_LANES);
        }
}

static size_t scratch_size(const sb_dense *layer, int n)
{
    (void)n;
    return (size_t)layer->in * sb_whole_vectors(layer->out) * sizeof(sb_real);
}

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_tensor *x, sb_tensor *y, bool relu)
{
    (void)ops;
    transpose(layer->weight, layer->out, layer->in, layer->scratch);
    const sb_stretch s = {layer->in, x->x, layer->in, 1, NULL, layer->scratch, sb_whole_vectors(layer->out)};
    product(x->n, layer->out, &s, y->x);
    if (!layer->bias && !relu) return;
#pragma omp for schedule(static)
    for (int sample = 0; sample < x->n; sample++) {
        sb_real *row = y->x + (size_t)sample * layer->out;
        for (int o = 0; o < layer->out; o++) {
            sb_real sum = layer->bias ? row[o] + layer->bias[o] : row[o];
            row[o] = relu ? sb_relu(sum) : sum;
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

/* The bias gradient of BIAS_VECS vectors of outputs from `first` on, as far as there are so many. */
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

/* Rows of the outer product dy x^T, each met by Adam as soon as it is formed: the gradient is never stored. */
static void dense_learn_one(sb_ops *ops, const sb_dense *layer, const sb_real *x, const sb_real *dy,
                            const sb_block *weight, const sb_block *bias, const sb_adam_rates *rates)
{
    (void)ops;
    const sb_adam_rates r = *rates;
    const sb_block w = *weight, b = *bias;
    const int in = layer->in;
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o++) {
        const sb_real d = dy[o];
        const long row = (long)o * in;
#pragma omp simd
        for (int i = 0; i < in; i++) sb_adam_at(&w, &r, row + i, SB_FMA(d, x[i], 0));
        sb_adam_at(&b, &r, o, 0 + d);
    }
}

void SB_NATIVE(sb_dense_native)(sb_ops *ops)
{
    ops->dense_scratch_size = scratch_size;
    ops->dense_forward = dense_forward;
    ops->dense_data_gradient = dense_data_gradient;
    ops->dense_weight_gradient = dense_weight_gradient;
    ops->dense_learn_one = dense_learn_one;
}

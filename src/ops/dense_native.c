/* Dense layers of the native backend. Samples are rows of the micro-kernel, so that one sample and a hundred run
 * through the same loops; only the forward pass needs the weights the other way round. */
#include "ops/kernel_native.h"
#include "ops/native.h"

/* 0, step, 2 step, ...: where the micro-kernel finds the next factor of a chain. */
static void fill_offsets(int32_t *offset, int n, int step)
{
#pragma omp for schedule(static)
    for (int k = 0; k < n; k++) offset[k] = k * step;
}

/* c[n_rows][n_columns] = chain over k of a * b, b being [n_k][n_columns] with b_row apart, tiles shared among threads.
 * Columns beyond the last whole vector go through a tile of their own. */
static void product(int n_rows, int n_columns, const sb_stretch *s, sb_real *c)
{
    int whole = n_columns / SB_LANES * SB_LANES;
#pragma omp for collapse(2) schedule(static)
    for (int column = 0; column < n_columns; column += SB_TILE_COLUMNS)
        for (int row = 0; row < n_rows; row += SB_TILE_ROWS) {
            int rows = n_rows - row < SB_TILE_ROWS ? n_rows - row : SB_TILE_ROWS;
            int columns = whole - column < SB_TILE_COLUMNS ? whole - column : SB_TILE_COLUMNS;
            sb_stretch at = *s;
            at.a += (ptrdiff_t)row * s->a_row;
            at.b += column;
            if (columns > 0)
                SB_KERNEL(rows, columns / SB_LANES, 1, &at, SB_FROM_ZERO, c + (size_t)row * n_columns + column,
                          n_columns);
        }
    if (whole == n_columns) return;
#pragma omp for schedule(static)
    for (int row = 0; row < n_rows; row++)
        for (int column = whole; column < n_columns; column++) {
            sb_real sum = 0;
            for (int k = 0; k < s->n_k; k++)
                sum =
                    SB_FMA(s->a[(ptrdiff_t)row * s->a_row + s->a_offset[k]], s->b[(size_t)k * s->b_row + column], sum);
            c[(size_t)row * n_columns + column] = sum;
        }
}

/* to[in][out'] = from[out][in] transposed, out' in whole vectors, zeros behind out. */
static void transpose(const sb_real *from, int out, int in, sb_real *to)
{
    int padded = sb_whole_vectors(out);
#pragma omp for collapse(2) schedule(static)
    for (int o = 0; o < padded; o += SB_LANES)
        for (int i = 0; i < in; i += SB_LANES) {
            sb_vec v[SB_LANES];
            int rows = sb_lanes_at(o, out), columns = sb_lanes_at(i, in);
            for (int l = 0; l < SB_LANES; l++)
                v[l] = l < rows ? sb_vec_load_n(from + (size_t)(o + l) * in + i, columns) : sb_vec_all(0);
            sb_vec_transpose(v);
            for (int l = 0; l < columns; l++) sb_vec_store(to + (size_t)(i + l) * padded + o, v[l]);
        }
}

static size_t scratch_size(const sb_dense *layer, int n)
{
    size_t transposed = (size_t)layer->in * sb_whole_vectors(layer->out);
    int longest = layer->in > layer->out ? layer->in : layer->out;
    if (n > longest) longest = n;
    return transposed * sizeof(sb_real) + (size_t)longest * sizeof(int32_t);
}

static int32_t *offsets_of(const sb_dense *layer)
{
    return (int32_t *)((sb_real *)layer->scratch + (size_t)layer->in * sb_whole_vectors(layer->out));
}

static void dense_forward(sb_ops *ops, const sb_dense *layer, const sb_tensor *x, sb_tensor *y, bool relu)
{
    (void)ops;
    int32_t *offset = offsets_of(layer);
    fill_offsets(offset, layer->in, 1);
    transpose(layer->weight, layer->out, layer->in, layer->scratch);
    const sb_stretch s = {layer->in, x->x, layer->in, offset, layer->scratch, sb_whole_vectors(layer->out)};
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
    int32_t *offset = offsets_of(layer);
    fill_offsets(offset, layer->out, 1);
    const sb_stretch s = {layer->out, dy->x, layer->out, offset, layer->weight, layer->in};
    product(dy->n, layer->in, &s, dx->x);
}

static void dense_weight_gradient(sb_ops *ops, sb_dense *layer, const sb_tensor *x, const sb_tensor *dy)
{
    (void)ops;
    int32_t *offset = offsets_of(layer);
    fill_offsets(offset, dy->n, layer->out);
    const sb_stretch s = {dy->n, dy->x, 1, offset, x->x, layer->in};
    product(layer->out, layer->in, &s, layer->weight_grad);
    if (!layer->bias_grad) return;
#pragma omp for schedule(static)
    for (int o = 0; o < layer->out; o++) {
        sb_real sum = 0;
        for (int sample = 0; sample < dy->n; sample++) sum += dy->x[(size_t)sample * layer->out + o];
        layer->bias_grad[o] = sum;
    }
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

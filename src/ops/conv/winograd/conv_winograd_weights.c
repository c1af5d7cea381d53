/* Weights of the form `winograd`: into the Winograd domain for each pass, and their gradient out of it. */
#include "ops/conv/winograd/conv_winograd.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The 3x3 weights between product row k and column j: forward rows are inputs, backward rows are outputs. */
static const sb_real *taps_at(const sb_conv *conv, bool backward, int k, int j)
{
    size_t o = (size_t)(backward ? k : j), i = (size_t)(backward ? j : k);
    return conv->params.weight + (o * conv->shape.in + i) * TAPS;
}

/* Load the taps of n_rows weights, with a stride of `row` elements, as vectors of weights, padded with zeros. */
ALWAYS_INLINE void load_taps(const sb_real *from, size_t row, int n_rows, sb_vec g[TAPS])
{
    for (int first = 0; first < TAPS; first += SB_LANES) {
        const int n = sb_lanes_at(first, TAPS);
        sb_vec v[SB_LANES];
        for (int l = 0; l < SB_LANES; l++) v[l] = l < n_rows ? sb_vec_load_n(from + l * row + first, n) : sb_vec_all(0);
        sb_vec_transpose(v);
        for (int tap = 0; tap < n; tap++) g[first + tap] = v[tap];
    }
}

/* U of one vector of columns, to u + p * point_size. */
static void put_domain(const sb_vec g[TAPS], bool streamed, sb_real *u, size_t point_size)
{
    sb_vec out[POINTS];
    domain_of_taps(g, out);
    UNROLL_POINTS
    for (int p = 0; p < POINTS; p++)
        if (streamed)
            sb_vec_stream(u + p * point_size, out[p]);
        else
            sb_vec_store(u + p * point_size, out[p]);
}

static void pack(const sb_conv *conv, bool backward)
{
    int n_k = backward ? sb_conv_outputs(&conv->shape) : conv->shape.in,
        n = backward ? conv->shape.in : sb_conv_outputs(&conv->shape);
    const size_t point_size = (size_t)n_k * sb_whole_vectors(n), row = backward ? TAPS : (size_t)conv->shape.in * TAPS;
    const bool few = few_tiles(&conv->shape);
    const int columns = block_columns(&conv->shape);
    const bool streamed = is_streamed(conv->space.packed, point_size, conv->shape.n);
#pragma omp for schedule(static) nowait
    for (int k = 0; k < n_k; k++)
        for (int first = 0; first < n; first += columns) {
            const int width = width_at(n, first, columns);
            for (int j = 0; j < width; j += SB_LANES) {
                sb_vec g[TAPS];
                load_taps(taps_at(conv, backward, k, first + j), row, sb_lanes_at(first + j, n), g);
                if (!few) {
                    put_domain(g, streamed, block_at(conv, 0, n_k, first, n) + (size_t)k * width + j, point_size);
                    continue;
                }
                sb_real *to = taps_of_block(conv, n_k, first) + (size_t)k * TAPS * width + j;
                for (int tap = 0; tap < TAPS; tap++) sb_vec_store(to + tap * width, g[tap]);
            }
        }
    sb_stream_end();
#pragma omp barrier
}

void SB_NATIVE(sb_winograd_begin)(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    pack(conv, false);
}

void SB_NATIVE(sb_winograd_turn)(sb_ops *ops, sb_conv *conv)
{
    pack(conv, true);
    const size_t pairs = (size_t)conv->shape.in * sb_whole_vectors(sb_conv_outputs(&conv->shape));
    if (!conv->shape.whole) ops->zero(ops, conv->space.accumulator, POINTS * pairs * sizeof(sb_real));
}

/* ---- out of the domain ---- */

/* n numbers of each of n_rows rows, from vectors with a lane for each row. Taps of neighbors lie side by side: stored in
 * whole vectors, since some CPUs take ten times as long to store under a mask. */
static void store_numbers(const sb_vec *number, int n, size_t row, int n_rows, sb_real *to)
{
    for (int first = 0; first < n; first += SB_LANES) {
        const int lanes = sb_lanes_at(first, n);
        sb_vec v[SB_LANES];
        for (int k = 0; k < SB_LANES; k++) v[k] = k < lanes ? number[first + k] : sb_vec_all(0);
        sb_vec_transpose(v);
        for (int l = 0; l < n_rows; l++) sb_vec_store_n(to + l * row + first, v[l], lanes);
    }
}

void SB_NATIVE(sb_winograd_leave)(const sb_conv *conv, const sb_real *sum, size_t point_size, size_t row, int o, int i,
                                  int n_in)
{
    const size_t in = (size_t)conv->shape.in;
    sb_vec g[TAPS * SB_LANES];
    for (int k = 0; k < n_in; k++) {
        sb_vec u[POINTS], half[3 * 6];
        UNROLL_POINTS
        for (int p = 0; p < POINTS; p++) u[p] = sb_vec_load(sum + p * point_size + k * row);
        UNROLL_POINTS
        for (int j = 0; j < 6; j++) winograd_weight_adjoint(u + j, 6, half + j, 6);
        UNROLL_POINTS
        for (int y = 0; y < 3; y++) winograd_weight_adjoint(half + 6 * y, 1, g + TAPS * k + 3 * y, 1);
    }
    store_numbers(g, TAPS * n_in, in * TAPS, sb_lanes_at(o, sb_conv_outputs(&conv->shape)),
                  conv->params.weight_grad + ((size_t)o * in + i) * TAPS);
}

/* Blocks of columns, so that each line of the accumulator is fetched once. */
static void leave_accumulator(const sb_conv *conv)
{
    const int out = sb_conv_outputs(&conv->shape), in = conv->shape.in, padded = sb_whole_vectors(out);
    const sb_real *sum = conv->space.accumulator;
#pragma omp for schedule(static)
    for (int first = 0; first < out; first += SB_TILE_COLUMNS)
        for (int i = 0; i < in; i += SB_LANES)
            for (int o = first; o < out && o < first + SB_TILE_COLUMNS; o += SB_LANES) SB_NATIVE(sb_winograd_leave)
    (conv, sum + (size_t)i * padded + o, (size_t)in * padded, padded, o, i, sb_lanes_at(i, in));
}

void SB_NATIVE(sb_winograd_end)(sb_ops *ops, sb_conv *conv)
{
    (void)ops;
    if (!conv->shape.whole) leave_accumulator(conv);
#pragma omp barrier
}

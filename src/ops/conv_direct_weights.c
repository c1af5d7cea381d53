/* The weight gradient of a convolution in the form `direct`: the chains of order.h in tiles of the accumulator; what
 * lies where stands in conv_direct.h. */
#include "ops/conv_direct.h"

/* The accumulator's tile += the rows of one sample of a frame. */
static void add_sample(const sb_conv *conv, const weight_tile *at, const sb_real *row_operand,
                       const sb_real *column_operand, int sample)
{
    const sb_conv_shape *shape = &conv->shape;
    const sb_real *a = row_of(shape, at->rows, row_operand, sample, at->kernel_row, 0) + at->m;
    const sb_real *b = row_of(shape, at->columns, column_operand, sample, at->kernel_row, 0) + at->j;
    const sb_lines lines = {shape->h, row_of(shape, at->rows, row_operand, sample, at->kernel_row, 1) + at->m - a,
                            row_of(shape, at->columns, column_operand, sample, at->kernel_row, 1) + at->j - b};
    const sb_stretch s = {shape->w, a, 1, at->rows.pixel, NULL, b, at->columns.pixel};
    SB_NATIVE(sb_kernel_lines)
    (at->n_rows, at->width / SB_LANES, &s, &lines, accumulator_at(conv, at), accumulator_pitch(at));
}

/* Frames of samples that one call adds up: those from `first` to `end` of each. */
typedef struct batch {
    int n_frames, first, end;
    const void *const *x, *const *dy;
} batch;

static void sum_tile(const sb_conv *conv, const weight_tile *at, const batch *of)
{
    const bool swapped = at->columns.is_input;
    for (int frame = 0; frame < of->n_frames; frame++)
        for (int sample = of->first; sample < of->end; sample++)
            add_sample(conv, at, swapped ? of->dy[frame] : of->x[frame], swapped ? of->x[frame] : of->dy[frame],
                       sample);
}

/* The two sides of a weight gradient. */
typedef struct sides {
    side rows, columns;
    int n_m, n_j; /* tiles of a row of the kernel: so many times so many */
} sides;

static sides sides_of(const sb_conv *conv)
{
    const bool swapped = outputs_are_rows(&conv->shape);
    sides s = {swapped ? output_side(conv) : input_side(conv), swapped ? input_side(conv) : output_side(conv), 0, 0};
    s.n_m = (s.rows.n + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    s.n_j = (s.columns.n + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
    return s;
}

/* Tile number i of all, by one thread; of nearly equal height, so that none is a thin one. */
static void sum_tile_number(const sb_conv *conv, const sides *s, int i, const batch *of)
{
    const int pass = i % s->n_m, m = pass * s->rows.n / s->n_m, n_rows = (pass + 1) * s->rows.n / s->n_m - m;
    const int j = i / s->n_m % s->n_j * SB_TILE_COLUMNS;
    const weight_tile at = {s->rows, s->columns, i / s->n_m / s->n_j, m, n_rows, j, block_width(s->columns.n, j)};
    sum_tile(conv, &at, of);
}

/* Samples of which what is read stays in the first-level cache while all tiles walk over it. */
static int samples_at_once(const sb_conv *conv)
{
    enum { CACHED_BYTES = 1 << 15 };
    const sb_conv_shape *shape = &conv->shape;
    const size_t input = input_pixels(shape) * input_side(conv).pixel;
    const size_t gradient = (size_t)shape->h * shape->w * output_side(conv).pixel;
    const size_t n = CACHED_BYTES / sizeof(sb_real) / (input + gradient);
    return n < 1 ? 1 : (int)n;
}

/* Of a batch, some samples at a time: a thread has the same tiles of all of them, so that nobody waits. */
void SB_NATIVE(sb_direct_weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                          const void *const *dy)
{
    (void)ops;
    const sides s = sides_of(conv);
    const int n = conv->shape.n, n_tiles = conv->shape.kernel * s.n_m * s.n_j, step = samples_at_once(conv);
    if (n == 1) {
        const batch all = {n_frames, 0, 1, x, dy};
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < n_tiles; i++) sum_tile_number(conv, &s, i, &all);
        return;
    }
    for (int frame = 0; frame < n_frames; frame++)
        for (int first = 0; first < n; first += step) {
            const batch some = {1, first, first + step < n ? first + step : n, x + frame, dy + frame};
#pragma omp for schedule(static) nowait
            for (int i = 0; i < n_tiles; i++) sum_tile_number(conv, &s, i, &some);
        }
}

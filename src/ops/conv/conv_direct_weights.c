/* The weight gradient of a convolution in the form `direct`: the chains of order.h in tiles of the accumulator;
 * conv_direct.h has the layout. */
#include "ops/conv/conv_direct.h"

/* What one pass over all tiles adds up: rows of samples of a frame. */
typedef struct piece {
    const void *x, *dy;
    int sample, end, y, n_rows;
} piece;

/* The accumulator's tile += the chains of one sample. */
static void add_rows(const sb_conv *conv, const weight_tile *at, const sb_real *row_operand,
                     const sb_real *column_operand, int sample, const piece *of)
{
    const sb_conv_shape *shape = &conv->shape;
    const sb_real *a = row_of(shape, at->rows, row_operand, sample, at->kernel_row, of->y) + at->m;
    const sb_real *b = row_of(shape, at->columns, column_operand, sample, at->kernel_row, of->y) + at->j;
    const sb_lines lines = {of->n_rows,
                            row_of(shape, at->rows, row_operand, sample, at->kernel_row, of->y + 1) + at->m - a,
                            row_of(shape, at->columns, column_operand, sample, at->kernel_row, of->y + 1) + at->j - b};
    const sb_stretch s = {shape->w, a, 1, at->rows.pixel, NULL, b, at->columns.pixel};
    SB_NATIVE(sb_kernel_lines)
    (at->n_rows, at->width / SB_LANES, &s, &lines, accumulator_at(conv, at), accumulator_pitch(at));
}

static void sum_tile(const sb_conv *conv, const weight_tile *at, const piece *of)
{
    const bool swapped = at->columns.is_input;
    for (int sample = of->sample; sample < of->end; sample++)
        add_rows(conv, at, swapped ? of->dy : of->x, swapped ? of->x : of->dy, sample, of);
}

/* The two sides of a weight gradient. */
typedef struct sides {
    side rows, columns;
    int n_m; /* tiles of the rows, of nearly equal height, so that none is a thin one */
} sides;

static sides sides_of(const sb_conv *conv)
{
    const bool swapped = outputs_are_rows(&conv->shape);
    sides s = {swapped ? output_side(conv) : input_side(conv), swapped ? input_side(conv) : output_side(conv), 0};
    s.n_m = (s.rows.n + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    return s;
}

/* Numbers that fit into the first-level cache, so that all tiles read them from there. */
enum { CACHED = (1 << 15) / sizeof(sb_real) };

static int rows_at_once(const sb_conv *conv)
{
    const sb_conv_shape *shape = &conv->shape;
    const size_t row = (size_t)(shape->w + reach_of(shape)) * shape->in + (size_t)shape->w * output_side(conv).pixel;
    const int n = (int)(CACHED / row) - reach_of(shape);
    return n < 1 ? 1 : n < shape->h ? n : shape->h;
}

static int samples_at_once(const sb_conv *conv)
{
    const sb_conv_shape *shape = &conv->shape;
    const size_t input = input_pixels(shape) * input_side(conv).pixel;
    const size_t gradient = (size_t)shape->h * shape->w * output_side(conv).pixel;
    const size_t n = CACHED / (input + gradient);
    return n < 1 ? 1 : (int)n;
}

/* A thread has the same tiles of every piece, so that no one waits. */
static void sum_tiles(const sb_conv *conv, const sides *s, const piece *of)
{
#pragma omp for collapse(3) schedule(static) nowait
    for (int row = 0; row < conv->shape.kernel; row++)
        for (int j = 0; j < s->columns.n; j += SB_TILE_COLUMNS)
            for (int tile = 0; tile < s->n_m; tile++) {
                const int m = tile * s->rows.n / s->n_m, n_rows = (tile + 1) * s->rows.n / s->n_m - m;
                const weight_tile at = {s->rows, s->columns, row, m, n_rows, j, block_width(s->columns.n, j)};
                sum_tile(conv, &at, of);
            }
}

/* Some rows at a time, or some samples. */
void SB_NATIVE(sb_direct_weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                          const void *const *dy)
{
    (void)ops;
    const sides s = sides_of(conv);
    const int h = conv->shape.h, n = conv->shape.n;
    const int samples = samples_at_once(conv), rows = samples > 1 ? h : rows_at_once(conv);
    for (int frame = 0; frame < n_frames; frame++)
        for (int sample = 0; sample < n; sample += samples)
            for (int y = 0; y < h; y += rows) {
                const piece of = {x[frame], dy[frame],
                                  sample,   sample + samples < n ? sample + samples : n,
                                  y,        y + rows < h ? rows : h - y};
                sum_tiles(conv, &s, &of);
            }
}

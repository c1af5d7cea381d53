/* The weight gradient of a convolution in the form `direct`: the chains of order.h in tiles of the accumulator; what
 * lies where stands in conv_direct.h. */
#include "ops/conv_direct.h"

/* Rows of so few pixels are summed side by side. */
enum { SHORT_ROW = 24 };

/* total[n_rows][width] += the rows of one sample of a frame, which are short. */
static void add_lines(const sb_conv *conv, const weight_tile *at, const sb_real *row_operand,
                      const sb_real *column_operand, int sample, sb_real *total)
{
    const sb_conv_shape *shape = &conv->shape;
    const sb_real *a = row_of(shape, at->rows, row_operand, sample, at->tap, 0) + at->m;
    const sb_real *b = row_of(shape, at->columns, column_operand, sample, at->tap, 0) + at->j;
    const sb_lines lines = {shape->h, row_of(shape, at->rows, row_operand, sample, at->tap, 1) + at->m - a,
                            row_of(shape, at->columns, column_operand, sample, at->tap, 1) + at->j - b};
    for (int m = 0; m < at->n_rows; m += SB_LINE_ROWS) {
        const sb_stretch s = {shape->w, a + m, 1, packed_parts(conv).pixel_offset, b, at->columns.pixel};
        const int n_rows = at->n_rows - m < SB_LINE_ROWS ? at->n_rows - m : SB_LINE_ROWS;
        SB_NATIVE(sb_kernel_lines)(n_rows, at->width / SB_LANES, &s, &lines, total + m * at->width, at->width);
    }
}

/* total[n_rows][width] += the rows of one sample of a frame. */
static void add_sample(const sb_conv *conv, const weight_tile *at, const sb_real *row_operand,
                       const sb_real *column_operand, int sample, sb_real *total)
{
    const sb_conv_shape *shape = &conv->shape;
    if (shape->w < SHORT_ROW) {
        add_lines(conv, at, row_operand, column_operand, sample, total);
        return;
    }
    for (int y = 0; y < shape->h; y++) {
        sb_real tile[SB_TILE_ROWS * SB_TILE_COLUMNS];
        const sb_real *a = row_of(shape, at->rows, row_operand, sample, at->tap, y) + at->m;
        const sb_real *b = row_of(shape, at->columns, column_operand, sample, at->tap, y) + at->j;
        const sb_stretch row = {shape->w, a, 1, packed_parts(conv).pixel_offset, b, at->columns.pixel};
        SB_KERNEL(at->n_rows, at->width / SB_LANES, 1, &row, SB_FROM_ZERO, tile, at->width);
        for (int k = 0; k < at->n_rows * at->width; k++) total[k] += tile[k];
    }
}

/* Frames of samples that one call adds up: those from `first` to `end` of each. */
typedef struct batch {
    int n_frames, first, end;
    const void *const *x, *const *dy;
} batch;

static void sum_tile(const sb_conv *conv, const weight_tile *at, int channels, const batch *of)
{
    sb_real total[SB_TILE_ROWS * SB_TILE_COLUMNS];
    int pitch = at->columns.pixel, width = at->width;
    sb_real *sum = (sb_real *)conv->space.accumulator + ((size_t)at->tap * channels + at->m) * pitch + at->j;
    for (int m = 0; m < at->n_rows; m++)
        memcpy(total + m * width, sum + (size_t)m * pitch, (size_t)width * sizeof *sum);
    bool swapped = at->columns.is_input;
    for (int frame = 0; frame < of->n_frames; frame++)
        for (int sample = of->first; sample < of->end; sample++)
            add_sample(conv, at, swapped ? of->dy[frame] : of->x[frame], swapped ? of->x[frame] : of->dy[frame], sample,
                       total);
    for (int m = 0; m < at->n_rows; m++)
        memcpy(sum + (size_t)m * pitch, total + m * width, (size_t)width * sizeof *sum);
}

/* The two sides of a weight gradient. Of one input channel the taps of a row of the kernel are the rows of a tile, for
 * they lie one behind the other as channels do: `step` taps at a time. */
typedef struct sides {
    side rows, columns;
    int channels, step; /* of the rows' side at a tap */
} sides;

static sides sides_of(const sb_conv *conv)
{
    const bool swapped = outputs_are_rows(conv);
    sides s = {swapped ? output_side(conv) : input_side(conv), swapped ? input_side(conv) : output_side(conv), 0, 1};
    s.channels = s.rows.n;
    if (s.rows.is_input && s.rows.n == 1) s.rows.n = s.step = conv->shape.kernel;
    return s;
}

/* Tile number i of all; by one thread. */
static void sum_tile_number(const sb_conv *conv, const sides *s, int i, const batch *of)
{
    const int n_m = (s->rows.n + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    const int n_j = (s->columns.n + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
    const int m = i % n_m * SB_TILE_ROWS, j = i / n_m % n_j * SB_TILE_COLUMNS, tap = i / n_m / n_j * s->step;
    const int n_rows = s->rows.n - m < SB_TILE_ROWS ? s->rows.n - m : SB_TILE_ROWS;
    const weight_tile at = {s->rows, s->columns, tap, m, n_rows, j, block_width(s->columns.n, j)};
    sum_tile(conv, &at, s->channels, of);
}

static int tiles_of(const sb_conv *conv, const sides *s)
{
    const int n_m = (s->rows.n + SB_TILE_ROWS - 1) / SB_TILE_ROWS;
    const int n_j = (s->columns.n + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS;
    return sb_conv_taps(&conv->shape) / s->step * n_m * n_j;
}

/* Samples whose operands stay in the second-level cache while all tiles walk over them. */
static int samples_at_once(const sb_conv *conv)
{
    enum { CACHED_BYTES = 1 << 18 };
    const size_t input = input_pixels(&conv->shape) * input_side(conv).pixel;
    const size_t gradient = gradient_pixels(&conv->shape) * output_side(conv).pixel;
    const size_t n = CACHED_BYTES / sizeof(sb_real) / (input + gradient);
    return n < 1 ? 1 : (int)n;
}

/* Of a batch, some samples at a time: a thread has the same tiles of all of them, so that nobody waits. */
void SB_NATIVE(sb_direct_weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                          const void *const *dy)
{
    (void)ops;
    const sides s = sides_of(conv);
    const int n = conv->shape.n, n_tiles = tiles_of(conv, &s), step = samples_at_once(conv);
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

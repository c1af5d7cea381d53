/* Weight gradients of the form `winograd`: 36 points, each a matrix product of its own over the tiles of all frames. Where
 * each element comes from: conv_winograd.h. */
#include "ops/conv/winograd/conv_winograd.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* This many tiles of this many inputs and columns are packed at once, and lie in the second-level cache then: inputs in blocks of
 * SB_TILE_ROWS, columns in blocks of SB_TILE_COLUMNS, which the micro-kernel reads one after the other. As columns of a
 * wide tensor they would share few places of the first-level cache. */
enum {
    TILES_AT_ONCE = 128,
    INPUTS_AT_ONCE = 192 / SB_TILE_ROWS * SB_TILE_ROWS,
    COLUMNS_AT_ONCE = 192 / SB_TILE_COLUMNS * SB_TILE_COLUMNS
};

/* Elements of a block, of inputs with what a whole vector may write beyond the last tile. */
enum { INPUT_BLOCK = TILES_AT_ONCE * SB_TILE_ROWS + SB_LANES, COLUMN_BLOCK = TILES_AT_ONCE * SB_TILE_COLUMNS };

typedef struct operands {
    const sb_conv *conv;
    int n_tiles, of_frame; /* of all frames; of one */
    const void *const *x, *const *dy;
} operands;

ALWAYS_INLINE void fetch(const sb_real *from, int n)
{
    enum { LINE = 64 / sizeof(sb_real) };
    for (int j = 0; j < n; j += LINE) __builtin_prefetch(from + j);
}

/* Rows are too short and too distant for a CPU to prefetch them by itself, so some are prefetched, even after the last
 * one. The number of rows of n elements that make 2 KB. */
static int rows_early(int n)
{
    const int rows = 2048 / (n * (int)sizeof(sb_real));
    return rows < 1 ? 1 : rows;
}

/* n_rows rows of n inputs. Vectors are stored whole, and what of them is too much is written over by the next row. */
static void pack_inputs(const sb_real *from, size_t row, int n_rows, int n, sb_real *to)
{
    const size_t early = row * rows_early(n);
    for (int t = 0; t < n_rows; t++, from += row, to += SB_TILE_ROWS) {
        fetch(from + early, n);
        sb_real *block = to;
        for (int i = 0; i < n; i += SB_TILE_ROWS, block += INPUT_BLOCK)
            for (int k = 0; k < SB_TILE_ROWS && i + k < n; k += SB_LANES)
                sb_vec_store(block + k, sb_vec_load_n(from + i + k, sb_lanes_at(i + k, n)));
    }
}

/* And of n columns, whole vectors. */
static void pack_columns(const sb_real *from, size_t row, int n_rows, int n, sb_real *to)
{
    const size_t early = row * rows_early(n);
    for (int t = 0; t < n_rows; t++, from += row, to += SB_TILE_COLUMNS) {
        fetch(from + early, n);
        sb_real *block = to;
        for (int j = 0; j < n; j += SB_TILE_COLUMNS, block += COLUMN_BLOCK)
            for (int k = 0; k < SB_TILE_COLUMNS && j + k < n; k += SB_LANES)
                sb_vec_store(block + k, sb_vec_load(from + j + k));
    }
}

/* n inputs, or columns, from `at` on, of this many tiles from `first` on, counted over all frames. */
static void pack(const operands *of, int p, int first, int n_tiles, bool inputs, int at, int n, sb_real *to)
{
    const sb_conv_shape *shape = &of->conv->shape;
    const int row = operand_row(shape, inputs ? shape->in : sb_whole_vectors(sb_conv_outputs(shape)));
    const size_t point = p * point_stride(shape, row);
    for (int done = 0, run; done < n_tiles; done += run) {
        const int frame = (first + done) / of->of_frame, t = (first + done) % of->of_frame;
        run = of->of_frame - t < n_tiles - done ? of->of_frame - t : n_tiles - done;
        const sb_real *from = (const sb_real *)(inputs ? of->x : of->dy)[frame] + point + (size_t)t * row + at;
        if (inputs)
            pack_inputs(from, (size_t)row, run, n, to + done * SB_TILE_ROWS);
        else
            pack_columns(from, (size_t)row, run, n, to + done * SB_TILE_COLUMNS);
    }
}

/* One block of columns over packed tiles, while the sums of the next inputs are asked for. */
static void add_columns(int n_tiles, const sb_real *v, int n_in, const sb_real *m, int width, sb_kernel_start start,
                        sb_real *sum, int row)
{
    for (int i = 0; i < n_in; i += SB_TILE_ROWS, v += INPUT_BLOCK) {
        const int rows = n_in - i < SB_TILE_ROWS ? n_in - i : SB_TILE_ROWS;
        const sb_stretch s = {n_tiles, v, 1, SB_TILE_ROWS, NULL, m, SB_TILE_COLUMNS};
        sb_real *to = sum + (size_t)i * row;
        for (int k = rows; k < 2 * rows && i + k < n_in; k++) fetch(to + (size_t)k * row, width);
        SB_KERNEL(rows, width / SB_LANES, 1, &s, start, to, row);
    }
}

/* sum[i'][o'], rows with the stride `row`, = or += the chain over all tiles, for n_in inputs from i on and n_out
 * columns from o on. */
static void add_inputs(const operands *of, int p, int i, int n_in, int o, int n_out, sb_kernel_start start,
                       sb_real *sum, int row)
{
    sb_real v[INPUTS_AT_ONCE / SB_TILE_ROWS * INPUT_BLOCK], m[COLUMNS_AT_ONCE / SB_TILE_COLUMNS * COLUMN_BLOCK];
    const int pieces = (of->n_tiles + TILES_AT_ONCE - 1) / TILES_AT_ONCE; /* of nearly equal length */
    for (int piece = 0, first = 0, n; piece < pieces; piece++, first += n, start = SB_GO_ON) {
        n = (of->n_tiles - first + pieces - piece - 1) / (pieces - piece);
        pack(of, p, first, n, true, i, n_in, v);
        for (int j = 0; j < n_out; j += SB_TILE_COLUMNS) {
            const int in_pack = j % COLUMNS_AT_ONCE, left = n_out - j;
            if (in_pack == 0) pack(of, p, first, n, false, o + j, left < COLUMNS_AT_ONCE ? left : COLUMNS_AT_ONCE, m);
            const int width = left < SB_TILE_COLUMNS ? left : SB_TILE_COLUMNS;
            add_columns(n, v, n_in, m + in_pack / SB_TILE_COLUMNS * COLUMN_BLOCK, width, start, sum + j, row);
        }
    }
}

/* This many tiles meet all inputs where they lie: their columns fill half of the first-level cache. */
enum { TILES_IN_PLACE = 100 };

/* The factors of n tiles from `first` on, a stretch for each frame. */
static int stretches_of(const operands *of, int p, int first, int n, int i, int o, sb_stretch stretch[SB_STRETCHES_MAX])
{
    const sb_conv_shape *shape = &of->conv->shape;
    const int in = operand_row(shape, shape->in), out = operand_row(shape, sb_whole_vectors(sb_conv_outputs(shape)));
    int n_stretches = 0;
    for (int done = 0, run; done < n; done += run) {
        const int frame = (first + done) / of->of_frame, t = (first + done) % of->of_frame;
        run = of->of_frame - t < n - done ? of->of_frame - t : n - done;
        const sb_real *x = (const sb_real *)of->x[frame] + p * point_stride(shape, in) + (size_t)t * in + i,
                      *dy = (const sb_real *)of->dy[frame] + p * point_stride(shape, out) + (size_t)t * out + o;
        stretch[n_stretches++] = (sb_stretch){run, x, 1, in, NULL, dy, out};
    }
    return n_stretches;
}

/* Tiles of one piece: at most TILES_IN_PLACE, of at most SB_STRETCHES_MAX frames. */
static int piece_in_place(const operands *of, int first)
{
    const int frame_end = (first / of->of_frame + SB_STRETCHES_MAX) * of->of_frame, left = of->n_tiles - first;
    const int n = left < TILES_IN_PLACE ? left : TILES_IN_PLACE;
    return frame_end - first < n ? frame_end - first : n;
}

/* As add_inputs. While a tile is computed, the sums of the next rows are asked for, and their inputs, once. */
static void add_in_place(const operands *of, int p, int i, int n_in, int o, int n_out, sb_kernel_start start,
                         sb_real *sum, int row)
{
    for (int first = 0, n; first < of->n_tiles; first += n, start = SB_GO_ON) {
        n = piece_in_place(of, first);
        for (int j = 0; j < n_out; j += SB_TILE_COLUMNS) {
            const int width = n_out - j < SB_TILE_COLUMNS ? n_out - j : SB_TILE_COLUMNS;
            sb_stretch stretch[SB_STRETCHES_MAX];
            const int n_stretches = stretches_of(of, p, first, n, i, o + j, stretch);
            for (int k = 0; k < n_in; k += SB_TILE_ROWS) {
                const int rows = n_in - k < SB_TILE_ROWS ? n_in - k : SB_TILE_ROWS;
                sb_real *to = sum + (size_t)k * row + j;
                for (int m = rows; m < 2 * rows && k + m < n_in; m++) fetch(to + (size_t)m * row, width);
                for (int s = 0; j == 0 && k + rows < n_in && s < n_stretches; s++)
                    fetch_rows(stretch[s].a + rows, stretch[s].n_k, stretch[s].a_step, rows);
                SB_KERNEL(rows, width / SB_LANES, n_stretches, stretch, start, to, row);
                for (int s = 0; s < n_stretches; s++) stretch[s].a += rows;
            }
        }
    }
}

void SB_NATIVE(sb_winograd_add_tiles)(const sb_conv *conv, int n_frames, const void *const *x, const void *const *dy,
                                      int p, int i, int n_in, int o, int n_out, sb_kernel_start start, sb_real *sum,
                                      int row)
{
    const operands of = {conv, n_frames * tiles(&conv->shape), tiles(&conv->shape), x, dy};
    if (!FACTORS_ARE_PACKED) {
        add_in_place(&of, p, i, n_in, o, n_out, start, sum, row);
        return;
    }
    for (int k = 0; k < n_in; k += INPUTS_AT_ONCE) {
        const int n = n_in - k < INPUTS_AT_ONCE ? n_in - k : INPUTS_AT_ONCE;
        add_inputs(&of, p, i + k, n, o, n_out, start, sum + (size_t)k * row, row);
    }
}

void SB_NATIVE(sb_winograd_weight_gradient)(sb_ops *ops, sb_conv *conv, int n_frames, const void *const *x,
                                            const void *const *dy)
{
    (void)ops;
    if (conv->shape.whole) {
        SB_NATIVE(sb_winograd_whole_gradient)(conv, n_frames, x, dy);
        return;
    }
    const int in = conv->shape.in, padded = sb_whole_vectors(sb_conv_outputs(&conv->shape));
    const int n_blocks = (padded + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS, run = blocks_in_a_run(n_blocks);
#pragma omp for collapse(2) schedule(dynamic) nowait
    for (int p = 0; p < POINTS; p++)
        for (int begin = 0; begin < n_blocks; begin += run) {
            const int o = begin * SB_TILE_COLUMNS, end = o + run * SB_TILE_COLUMNS,
                      n_out = (end < padded ? end : padded) - o;
            sb_real *sum = (sb_real *)conv->space.accumulator + (size_t)p * in * padded + o;
            if (!(conv->shape.upsampled && SB_WINOGRAD_SKIPS(p)))
                SB_NATIVE(sb_winograd_add_tiles)(conv, n_frames, x, dy, p, 0, in, o, n_out, SB_GO_ON, sum, padded);
        }
}

/* Weight gradients of the form `winograd`: 36 points, each a matrix product of its own over the tiles of all frames. Where
 * each element comes from: conv_winograd.h. */
#include "ops/conv_winograd.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* While a tile is computed: the accumulator's next rows, and with `fetch` the inputs of the next rows. */
ALWAYS_INLINE void fetch_next(int n_stretches, const sb_stretch *stretch, int in, int n_rows, int width,
                              const sb_real *sum, int padded, bool fetch)
{
    for (int m = 0; m < n_rows; m++)
        for (int j = 0; j < width; j += SB_LANES) __builtin_prefetch(sum + (size_t)m * padded + j, 1);
    for (const sb_stretch *s = stretch; fetch && n_rows > 0 && s < stretch + n_stretches; s++)
        fetch_rows(s->a + SB_TILE_ROWS + n_rows - 1, s->n_k, in, 1);
}

/* Rows of a piece one behind the other, for the tiles that walk over them again and again: as columns of a wide tensor
 * they share few places of the first-level cache. */
static void pack_columns(sb_stretch *s, int width, sb_real *packed)
{
    for (int k = 0; k < s->n_k; k++)
        for (int j = 0; j < width; j += SB_LANES)
            sb_vec_store(packed + (size_t)k * width + j, sb_vec_load(s->b + k * s->b_row + j));
    s->b = packed, s->b_row = width;
}

/* Where a frame is one piece, several frames make one call of the kernel. */
static void weight_columns(const sb_conv *conv, int p, int o, int n_frames, bool fetch, const void *const *x,
                           const void *const *dy)
{
    int n_tiles = tiles(&conv->shape), in = conv->shape.in, padded = sb_whole_vectors(sb_conv_outputs(&conv->shape));
    int width = block_width(sb_conv_outputs(&conv->shape), o);
    sb_real *sum = (sb_real *)conv->space.accumulator + (size_t)p * in * padded + o;
    const int pieces = (n_tiles + TILES_PER_PIECE - 1) / TILES_PER_PIECE; /* of nearly equal length */
    int frames_at_once = n_tiles <= TILES_PER_PIECE ? (TILES_PER_PIECE + n_tiles - 1) / n_tiles : 1;
    if (frames_at_once > SB_STRETCHES_MAX) frames_at_once = SB_STRETCHES_MAX;
    for (int frame = 0; frame < n_frames; frame += frames_at_once)
        for (int piece = 0, first = 0, n_k; piece < pieces; piece++, first += n_k) {
            int n_stretches = 0;
            n_k = (n_tiles - first + pieces - piece - 1) / (pieces - piece);
            sb_stretch stretch[SB_STRETCHES_MAX];
            sb_real packed[2 * TILES_PER_PIECE * SB_TILE_COLUMNS]; /* frames_at_once have less than twice a piece */
            for (int f = frame; f < n_frames && f < frame + frames_at_once; f++, n_stretches++) {
                const sb_real *v = (const sb_real *)x[f] + p * point_stride(&conv->shape, in);
                const sb_real *m = (const sb_real *)dy[f] + p * point_stride(&conv->shape, padded);
                stretch[n_stretches] =
                    (sb_stretch){n_k, v + (size_t)first * in, 1, in, NULL, m + (size_t)first * padded + o, padded};
                if (in > SB_TILE_ROWS)
                    pack_columns(&stretch[n_stretches], width, packed + (size_t)n_stretches * n_k * width);
            }
            for (int i = 0; i < in; i += SB_TILE_ROWS) {
                int rows = in - i < SB_TILE_ROWS ? in - i : SB_TILE_ROWS, left = in - i - rows;
                fetch_next(n_stretches, stretch, in, left < SB_TILE_ROWS ? left : SB_TILE_ROWS, width,
                           sum + (size_t)(i + rows) * padded, padded, fetch);
                SB_KERNEL(rows, width / SB_LANES, n_stretches, stretch, SB_GO_ON, sum + (size_t)i * padded, padded);
                for (int s = 0; s < n_stretches; s++) stretch[s].a += rows;
            }
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
    int out = sb_conv_outputs(&conv->shape), n_blocks = (out + SB_TILE_COLUMNS - 1) / SB_TILE_COLUMNS,
        run = blocks_in_a_run(n_blocks);
#pragma omp for collapse(2) schedule(dynamic) nowait
    for (int p = 0; p < POINTS; p++)
        for (int begin = 0; begin < n_blocks; begin += run)
            for (int block = begin; block < n_blocks && block < begin + run; block++)
                if (!(conv->shape.upsampled && SB_WINOGRAD_SKIPS(p)))
                    weight_columns(conv, p, block * SB_TILE_COLUMNS, n_frames, block == begin, x, dy);
}

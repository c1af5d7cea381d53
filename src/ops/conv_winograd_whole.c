/* Weight gradients of the form `winograd` where all frames of a window come at once: sums leave the Winograd domain as soon
 * as they are complete, and lie in a near cache until then. Four times the weights need neither be zeroed, nor added to,
 * nor read in memory. */
#include "ops/conv_winograd.h"

#include <string.h>

/* A patch of the weights: rows are inputs, columns outputs; and tiles of all frames whose factors stay in the first-level
 * cache together. */
enum { COLUMNS = 32, PITCH = 48, ROWS = PITCH / SB_TILE_ROWS * SB_TILE_ROWS, TILES_AT_ONCE = 96 };

typedef struct patch {
    const sb_conv *conv;
    int i, o, n_rows, width; /* width: whole vectors */
    const void *const *x, *const *dy;
    sb_real sum[POINTS][ROWS * COLUMNS];
    sb_real v[TILES_AT_ONCE * PITCH], m[TILES_AT_ONCE * COLUMNS];
} patch;

/* Numbers that lie `row` apart, one row behind the other. */
static void pack_rows(const sb_real *from, size_t row, int n_rows, int n, sb_real *to, int pitch)
{
    for (int k = 0; k < n_rows; k++)
        for (int j = 0; j < n; j += SB_LANES)
            sb_vec_store(to + k * pitch + j, sb_vec_load_n(from + k * row + j, sb_lanes_at(j, n)));
}

/* The factors of n tiles at point p, counted over all frames. */
static void pack_tiles(patch *at, int p, int first, int n)
{
    const sb_conv_shape *shape = &at->conv->shape;
    const int of_frame = tiles(shape), padded = sb_whole_vectors(sb_conv_outputs(shape));
    const size_t v_point = p * point_stride(shape, shape->in), m_point = p * point_stride(shape, padded);
    for (int done = 0, run; done < n; done += run) {
        const int frame = (first + done) / of_frame, t = (first + done) % of_frame;
        run = of_frame - t < n - done ? of_frame - t : n - done;
        const sb_real *v = (const sb_real *)at->x[frame] + v_point + (size_t)t * shape->in + at->i;
        const sb_real *m = (const sb_real *)at->dy[frame] + m_point + (size_t)t * padded + at->o;
        pack_rows(v, shape->in, run, at->n_rows, at->v + done * PITCH, PITCH);
        pack_rows(m, padded, run, at->width, at->m + done * COLUMNS, COLUMNS);
    }
}

/* The sums of point p over those tiles. */
static void add_tiles(patch *at, int p, int n_tiles, sb_kernel_start start)
{
    for (int j = 0; j < at->width; j += SB_TILE_COLUMNS) {
        const int width = at->width - j < SB_TILE_COLUMNS ? at->width - j : SB_TILE_COLUMNS;
        for (int i = 0; i < at->n_rows; i += SB_TILE_ROWS) {
            const int n_rows = at->n_rows - i < SB_TILE_ROWS ? at->n_rows - i : SB_TILE_ROWS;
            const sb_stretch s = {n_tiles, at->v + i, 1, PITCH, NULL, at->m + j, COLUMNS};
            SB_KERNEL(n_rows, width / SB_LANES, 1, &s, start, at->sum[p] + i * COLUMNS + j, COLUMNS);
        }
    }
}

static void leave_patch(const patch *at)
{
    for (int i = 0; i < at->n_rows; i += SB_LANES)
        for (int j = 0; j < at->width; j += SB_LANES)
            SB_NATIVE(sb_winograd_leave)
            (at->conv, at->sum[0] + i * COLUMNS + j, ROWS * COLUMNS, COLUMNS, at->o + j, at->i + i,
             sb_lanes_at(i, at->n_rows));
}

static void gradient_of_patch(patch *at, int n_tiles)
{
    const bool upsampled = at->conv->shape.upsampled;
    for (int p = 0; p < POINTS; p++)
        if (n_tiles == 0 || (upsampled && SB_WINOGRAD_SKIPS(p))) memset(at->sum[p], 0, sizeof at->sum[p]);
    for (int first = 0, n; first < n_tiles; first += n) {
        n = n_tiles - first < TILES_AT_ONCE ? n_tiles - first : TILES_AT_ONCE;
        for (int p = 0; p < POINTS; p++) {
            if (upsampled && SB_WINOGRAD_SKIPS(p)) continue;
            pack_tiles(at, p, first, n);
            add_tiles(at, p, n, first ? SB_GO_ON : SB_FROM_ZERO);
        }
    }
    leave_patch(at);
}

void SB_NATIVE(sb_winograd_whole_gradient)(const sb_conv *conv, int n_frames, const void *const *x,
                                           const void *const *dy)
{
    const int in = conv->shape.in, padded = sb_whole_vectors(sb_conv_outputs(&conv->shape));
#pragma omp for collapse(2) schedule(dynamic) nowait
    for (int o = 0; o < padded; o += COLUMNS)
        for (int i = 0; i < in; i += ROWS) {
            patch at;
            at.conv = conv, at.i = i, at.o = o, at.x = x, at.dy = dy;
            at.n_rows = in - i < ROWS ? in - i : ROWS;
            at.width = padded - o < COLUMNS ? padded - o : COLUMNS;
            gradient_of_patch(&at, n_frames * tiles(&conv->shape));
        }
}

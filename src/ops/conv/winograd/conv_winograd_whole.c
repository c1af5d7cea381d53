/* Weight gradients of the form `winograd` where all frames of a window come at once: sums leave the Winograd domain as soon
 * as they are complete, and lie in a near cache until then. Four times the weights need neither be zeroed, nor added to,
 * nor read in memory. */
#include "ops/conv/winograd/conv_winograd.h"

#include <string.h>

/* A patch of the weights: rows are inputs, columns outputs. As large as the stack of a thread takes, of which some systems
 * give 2 MB: the operands, which may lie in memory, are read once for each row of patches, and once for each column. Packed
 * factors want room there, too. */
enum { COLUMNS = (FACTORS_ARE_PACKED ? 256 : 512) / sizeof(sb_real), ROWS = 96 / SB_TILE_ROWS * SB_TILE_ROWS };

typedef struct patch {
    int i, o, n_rows, width; /* width: whole vectors */
    sb_real sum[POINTS][ROWS * COLUMNS];
} patch;

static void leave_patch(const sb_conv *conv, const patch *at)
{
    for (int i = 0; i < at->n_rows; i += SB_LANES)
        for (int j = 0; j < at->width; j += SB_LANES) SB_NATIVE(sb_winograd_leave)
    (conv, at->sum[0] + i * COLUMNS + j, ROWS * COLUMNS, COLUMNS, at->o + j, at->i + i, sb_lanes_at(i, at->n_rows));
}

void SB_NATIVE(sb_winograd_whole_gradient)(const sb_conv *conv, int n_frames, const void *const *x,
                                           const void *const *dy)
{
    const int in = conv->shape.in, padded = sb_whole_vectors(sb_conv_outputs(&conv->shape));
#pragma omp for collapse(2) schedule(dynamic) nowait
    for (int o = 0; o < padded; o += COLUMNS)
        for (int i = 0; i < in; i += ROWS) {
            patch at;
            at.i = i, at.o = o;
            at.n_rows = in - i < ROWS ? in - i : ROWS;
            at.width = padded - o < COLUMNS ? padded - o : COLUMNS;
            for (int p = 0; p < POINTS; p++)
                if (n_frames == 0 || (conv->shape.upsampled && SB_WINOGRAD_SKIPS(p)))
                    memset(at.sum[p], 0, sizeof at.sum[p]);
                else
                    SB_NATIVE(sb_winograd_add_tiles)
            (conv, n_frames, x, dy, p, i, at.n_rows, o, at.width, SB_FROM_ZERO, at.sum[p], COLUMNS);
            leave_patch(conv, &at);
        }
}

/* The last transform of a product in the Winograd domain and the LSTM cell that reads the result, in one kernel: the sums
 * before the nonlinearities do not pass through memory. The same as sb_tiles_output and then sb_lstm_forward.
 *
 * A block has 32 consecutive tiles of one channel of the cell, with all four gates: columns are transformed, then rows,
 * and then each thread has a pixel. */
#pragma once

#include "ops/kernels/domain_transforms.h"

typedef struct sb_tiles_cell_args {
    long n;                  /* channels of the cell * pitch of the tiles */
    const sb_real *m, *bias; /* [36][4 channels][tiles]; [4 channels] or NULL */
    sb_real *gates;          /* [samples][4][channels][h][w]: activations */
    const sb_real *peephole, *c_old;
    sb_real *c, *h;
    sb_domain_maps maps; /* of the cell: its channels are those of one gate */
} sb_tiles_cell_args;

enum {
    SB_CELL_GATES = 4,
    SB_CELL_PITCH = SB_TILES_OF_BLOCK + 8, /* so that threads of neighboring pixels read from different banks */
    sb_tiles_cell_threads = SB_CELL_GATES * 6 * SB_TILES_OF_BLOCK,
    sb_tiles_cell_resident = 2
};

typedef struct sb_tiles_cell_shared {
    sb_real x[SB_CELL_GATES][SB_TILES_TILE][6][SB_CELL_PITCH];
} sb_tiles_cell_shared;

typedef sb_tiles_own sb_tiles_cell_own;

SB_HOST_DEVICE int sb_tiles_cell_steps(const sb_tiles_cell_args *k, sb_spot at)
{
    (void)k, (void)at;
    return 3;
}

/* Column j of a gate. */
SB_HOST_DEVICE void sb_tiles_cell_column(const sb_tiles_cell_args *k, sb_spot at, int gate, int j, int lane,
                                         sb_tiles_cell_shared *shared)
{
    const long point = SB_CELL_GATES * k->n; /* elements of a point */
    const sb_real *from = k->m + j * point + gate * k->n + (long)at.x * SB_TILES_OF_BLOCK + lane;
    sb_real m[6], half[SB_TILES_TILE];
    SB_UNROLL
    for (int i = 0; i < 6; i++) m[i] = from[6 * i * point];
    sb_winograd_output(m, 1, half, 1);
    SB_UNROLL
    for (int i = 0; i < SB_TILES_TILE; i++) shared->x[gate][i][j][lane] = half[i];
}

/* Row i of a gate, which replaces what it is made of. */
SB_HOST_DEVICE void sb_tiles_cell_row(const sb_tiles_cell_args *k, int gate, int i, const sb_tiles_own *own,
                                      sb_tiles_cell_shared *shared)
{
    sb_real half[6], out[SB_TILES_TILE], bias = k->bias ? k->bias[gate * k->maps.channels + own->place.channel] : 0;
    SB_UNROLL
    for (int j = 0; j < 6; j++) half[j] = shared->x[gate][i][j][own->lane];
    sb_winograd_output(half, 1, out, 1);
    SB_UNROLL
    for (int j = 0; j < SB_TILES_TILE; j++) shared->x[gate][i][j][own->lane] = out[j] + bias;
}

/* The cell at a pixel of a tile. */
SB_HOST_DEVICE void sb_tiles_cell_pixel(const sb_tiles_cell_args *k, const sb_domain_place *place, int i, int j,
                                        int lane, const sb_tiles_cell_shared *shared)
{
    const int y = place->top + i, x = place->left + j, size = k->maps.h * k->maps.w;
    const long sample = (long)k->maps.channels * size; /* elements of the cell */
    if (y >= k->maps.h || x >= k->maps.w) return;
    const long in_sample = (long)place->channel * size + y * k->maps.w + x, before = place->map - place->channel;
    const long at = before * size + in_sample;
    sb_real z[SB_CELL_GATES], c, h, *gate = k->gates + SB_CELL_GATES * before * size + in_sample;
    const sb_real *peephole = k->peephole + in_sample;
    SB_UNROLL
    for (int g = 0; g < SB_CELL_GATES; g++) z[g] = shared->x[g][i][j][lane];
    sb_lstm_cell(&z[0], &z[1], &z[2], &z[3], peephole[0], peephole[sample], peephole[2 * sample], k->c_old[at], &c, &h);
    SB_UNROLL
    for (int g = 0; g < SB_CELL_GATES; g++) gate[g * sample] = z[g];
    k->c[at] = c, k->h[at] = h;
}

SB_HOST_DEVICE void sb_tiles_cell_step(const sb_tiles_cell_args *k, sb_spot at, int step, sb_tiles_cell_shared *shared,
                                       sb_tiles_own *own)
{
    if (step == 0) {
        sb_tiles_begin(at, &k->maps, k->n, own);
        if (own->place.exists) sb_tiles_cell_column(k, at, own->line / 6, own->line % 6, own->lane, shared);
    } else if (step == 1) {
        if (own->place.exists && own->line < SB_CELL_GATES * SB_TILES_TILE)
            sb_tiles_cell_row(k, own->line / SB_TILES_TILE, own->line % SB_TILES_TILE, own, shared);
    } else if (at.thread < SB_TILES_TILE * SB_TILES_TILE * SB_TILES_OF_BLOCK) {
        /* neighboring threads have neighboring pixels */
        const int of_row = SB_TILES_TILE * SB_TILES_OF_BLOCK, in_row = at.thread % of_row;
        const int lane = in_row / SB_TILES_TILE;
        const sb_domain_place place = sb_tiles_place_at(at.x * SB_TILES_OF_BLOCK + lane, &k->maps, k->n);
        if (place.exists) sb_tiles_cell_pixel(k, &place, at.thread / of_row, in_row % SB_TILES_TILE, lane, shared);
    }
}

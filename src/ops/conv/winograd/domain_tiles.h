/* Tiles of the products of `winograd` on a GPU: which kernel computes a product of m rows and n columns. All have the
 * same bits; the choice changes the time alone. SAMEBITS_CUDA_TILES sets it (docs/running.md).
 *
 *     const sb_domain_tile *tile = sb_domain_tile_for(SB_DOMAIN_FORWARD, m, n, SB_WINOGRAD_POINTS, gpu->processors, name);
 *     sb_grid grid = {sb_blocks(n, tile->n), sb_blocks(m, tile->m), SB_WINOGRAD_POINTS};
 *     gpu->kernel(gpu, tile->kernel, grid, &args, sizeof args);
 *
 * A benchmark that forces every tile in turn:
 *
 *     gpu->forms.tiles = true;
 *     for (int i = 0; i < sb_domain_tiles_count(kind); i++) gpu->forms.tile = sb_domain_tiles_name(kind, i), run(gpu);
 */
#pragma once

/* Rows ROW(X, name, alone, busy), see sb_domain_tile; a tile is named by its rows and columns. The cycles of tall, flat
 * and narrow, 64x80, 32x80 and 64x24, follow from times of an H200 (results/checks/h200); all others are estimates. */
#define SB_DOMAIN_FORWARD_TILES(ROW, X)                                                                                \
    ROW(X, 128x128, 213, 197)                                                                                          \
    ROW(X, 64x128, 116, 100)                                                                                           \
    ROW(X, 64x64, 116, 53)                                                                                             \
    ROW(X, 96x80, 116, 103)                                                                                            \
    ROW(X, 48x80, 116, 53)                                                                                             \
    ROW(X, 128x24, 80, 48)                                                                                             \
    ROW(X, 64x32, 80, 32)                                                                                              \
    ROW(X, tall, 107, 100)                                                                                             \
    ROW(X, flat, 71, 49)                                                                                               \
    ROW(X, narrow, 53, 29)
#define SB_DOMAIN_WEIGHT_TILES(ROW, X)                                                                                 \
    ROW(X, 128x64, 110, 100)                                                                                           \
    ROW(X, 64x64, 110, 53)                                                                                             \
    ROW(X, 48x48, 72, 36)

typedef enum sb_domain_tile_kind { SB_DOMAIN_FORWARD, SB_DOMAIN_WEIGHT } sb_domain_tile_kind;

typedef struct sb_domain_tile {
    const char *name;
    int kernel;   /* SB_KERNEL_... */
    int m, n;     /* rows and columns of c */
    int resident; /* blocks that fit into a processor */
    int alone;    /* cycles for one term of all chains of a block that has a processor for itself */
    int busy;     /* cycles for the same that each block of a full processor adds */
} sb_domain_tile;

/* The tiles of a kind: their number, and the name of one, 0 to count - 1. The text is static. */
int sb_domain_tiles_count(sb_domain_tile_kind kind);
const char *sb_domain_tiles_name(sb_domain_tile_kind kind, int i);

/* The name as a static text. NULL: no tile of any kind has it. */
const char *sb_domain_tiles_find(const char *name);

/* The tile for a product of m x n at `points` points of the domain. It is the one with this name; if no tile of the kind
 * has the name or it is NULL, the one that a device with this number of processors computes in the least time. The
 * blocks of a processor take busy cycles each, but never less than each group of `resident` blocks takes alone. Of tiles
 * that take the same time it is the one whose blocks take fewest cycles in all. */
const sb_domain_tile *sb_domain_tile_for(sb_domain_tile_kind kind, int m, int n, int points, int processors,
                                         const char *name);

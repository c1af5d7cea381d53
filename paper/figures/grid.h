/* Predicted frames as one picture: the true frames above, below them a row for each arm (its lowest seed), CPUs before
 * GPUs, below the two targets of a setting their difference, a column for each frame. Pixels are magnified without
 * smoothing, so that one sees what the network computed. */
#pragma once

#include "core/status.h"
#include "core/text/writer.h"
#include "paper/effects/arms.h"
#include "paper/results/condition.h"
#include "paper/results/runs.h"

#include <stddef.h>

enum { SB_GRID_GREY = 128, SB_GRID_FACTOR_MAX = 64 };
enum { SB_GRID_COLUMNS = 8, SB_GRID_GAP = 4, SB_GRID_CELL = 120 }; /* the last two in pixels */

typedef struct sb_frame_grid {
    size_t n_rows;        /* with the true frames; 0: no run file had frames, no picture */
    size_t n_differences; /* rows of them */
    size_t n_columns;
    char (*label)[320]; /* [n_rows] */
    long *seed;         /* [n_rows]; the first one, of the true frames, means nothing */
    int64_t frame[SB_GRID_COLUMNS];
    size_t frame_h, frame_w;
    int scale; /* screen pixels for a pixel of a frame */
} sb_frame_grid;

/* Draw FOLDER/NAME.png. Rows that cannot be drawn are notes. A failed call leaves nothing to free. */
sb_status sb_grid_draw(sb_frame_grid *grid, const sb_group *group, const sb_results *results, const char *folder,
                       const char *name, sb_notes *notes);
void sb_grid_free(sb_frame_grid *grid);

/* Blit one frame [h][w][3] into the picture [height][width][3] at (x, y), each pixel scale x scale. It must fit. */
void sb_grid_blit(uint8_t *picture, size_t width, size_t x, size_t y, const uint8_t *frame, size_t h, size_t w,
                  int scale);

/* 128 + factor * (a - b) of n bytes, factor being the largest power of two up to 64 with which no byte is cut off, at
 * least 1. Returns it; 0: a and b are equal. */
int sb_grid_difference(uint8_t *difference, const uint8_t *a, const uint8_t *b, size_t n);

/* A sentence of the caption on the rows of differences, after a space; nothing where there are none. */
void sb_grid_write_differences(sb_writer *out, const sb_frame_grid *grid);

/* What becomes of a picture that gnuplot drew: its colours follow the reader's scheme, light or dark; what gnuplot would
 * show by a script of its own when the pointer rests on a point is the point's title; its remarks about itself are
 * gone. */

/* The file PATH.part that gnuplot wrote, finished; it stays PATH.part. SB_E_INTEGRITY: it has a colour that
 * sb_style_colours lacks, or words at a point that none of our scripts wrote. */
sb_status sb_picture_finish(const char *path);

/* One frame of the walk: a column of samples at a time, ground by perspective, walls by a ray through the grid of
 * cells, then what stands free, from far to near. Four samples make a pixel. */
#ifndef SB_DATASETS_SYNTH_WALK_RENDER_H
#define SB_DATASETS_SYNTH_WALK_RENDER_H

#include "datasets/synth/walk_figure.h"
#include "datasets/synth/walk_path.h"
#include "datasets/synth/walk_world.h"

typedef struct sb_renderer sb_renderer;

/* For frames of w by h pixels. The world stays the caller's and must outlive the renderer. */
sb_status sb_renderer_make(sb_renderer **renderer, const sb_world *world, int w, int h);
void sb_renderer_free(sb_renderer *renderer); /* NULL is fine */

/* Draw into rgb [h][w][3]. */
void sb_renderer_draw(sb_renderer *renderer, const sb_camera *camera, uint8_t *rgb);

#endif

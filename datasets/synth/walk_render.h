/* One frame of the walk: a column of samples at a time, ground by perspective, walls by a ray through the grid of
 * cells, then what stands free, from far to near. Four samples make a pixel. */
#ifndef SB_DATASETS_SYNTH_WALK_RENDER_H
#define SB_DATASETS_SYNTH_WALK_RENDER_H

#include "core/status.h"
#include "datasets/synth/walk_texture.h"
#include "datasets/synth/walk_world.h"

#include <stdint.h>

/* A walking person, seen from any side at any moment of the stride: drawn once as rounded limbs, coloured when used. */

enum {
    SB_FIGURE_VIEWS = 32,  /* around; view 0 walks towards the viewer's right */
    SB_FIGURE_PHASES = 32, /* of a stride of two steps */
    SB_FIGURE_W = 64,
    SB_FIGURE_H = 128,
    SB_FIGURE_SCALE = 66, /* texels to the metre, for a person of 1.75 m */
};

typedef enum sb_part {
    SB_PART_NONE,
    SB_PART_SKIN,
    SB_PART_HAIR,
    SB_PART_TOP,
    SB_PART_LEGS,
    SB_PART_SHOES,
    SB_PART_BAG,
    SB_PART_N,
} sb_part;

/* part << 5 | shade; [view][phase][x][y], y downwards, the feet on the last row */
typedef struct sb_walk_figures {
    uint8_t texel[SB_FIGURE_VIEWS][SB_FIGURE_PHASES][SB_FIGURE_W][SB_FIGURE_H];
} sb_walk_figures;

/* NULL and a sentence when memory is short. The caller frees it with free(). */
sb_walk_figures *sb_walk_figures_draw(void);

/* The colours of one person, for each part and shade. */
typedef struct sb_clothes {
    sb_texel of[SB_PART_N << 5];
} sb_clothes;
void sb_figure_dress(sb_clothes *clothes, uint32_t look);

/* The way of the walker whose eyes we see through: where the head is and looks, frame by frame, at 30 frames a second.
 */

typedef struct sb_camera {
    int32_t x, y, eye; /* Q16 m: place (not wrapped), height of the eye */
    int heading;       /* angle, 0 along +x, growing towards +y */
    int32_t pitch;     /* Q16: tangent of the angle upwards */
    int32_t roll;      /* Q16: tangent of the tilt */
    int32_t sun;       /* Q16: strength of the sunlight, 1 without clouds */
    int64_t time;      /* Q16 seconds */
} sb_camera;

enum { SB_WALK_FPS = 30 };

typedef struct sb_path sb_path;

/* A way along the streets of sb_world, long enough for n_frames. */
sb_status sb_path_make(sb_path **path, uint32_t seed, int n_frames);
void sb_path_free(sb_path *path); /* NULL is fine */

/* The next frame's camera. */
sb_camera sb_path_next(sb_path *path);

typedef struct sb_renderer sb_renderer;

/* For frames of w by h pixels. The world stays the caller's and must outlive the renderer. */
sb_status sb_renderer_make(sb_renderer **renderer, const sb_world *world, int w, int h);
void sb_renderer_free(sb_renderer *renderer); /* NULL is fine */

/* Draw into rgb [h][w][3]. */
void sb_renderer_draw(sb_renderer *renderer, const sb_camera *camera, uint8_t *rgb);

#endif

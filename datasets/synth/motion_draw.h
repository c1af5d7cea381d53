/* One picture that moves evenly to the left: the simplest video with motion in it. Whole-number arithmetic, as the walk
 * (fixed.h). */
#ifndef SB_DATASETS_SYNTH_MOTION_DRAW_H
#define SB_DATASETS_SYNTH_MOTION_DRAW_H

#include "datasets/synth/walk_texture.h"

enum {
    SB_MOTION_SUBPIXELS = 256,
    SB_MOTION_PERIOD = 256
}; /* steps of a pixel; pixels after which the picture repeats */

typedef struct sb_motion {
    int w, h;
    uint32_t speed; /* steps a frame */
    sb_texture picture;
} sb_motion;

/* Paint the picture of a seed: noise of several sizes, each colour its own. The caller frees it. */
sb_status sb_motion_make(sb_motion *motion, uint32_t seed, int w, int h, uint32_t speed);
void sb_motion_free(sb_motion *motion); /* zeros are fine */

/* Frame number `frame` into rgb [h][w][3]. */
void sb_motion_draw(const sb_motion *motion, uint32_t frame, uint8_t *rgb);

#endif

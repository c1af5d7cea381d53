/* The verbs that draw data sets, each next to its option table in synth_NAME.c. */
#ifndef SB_DATASETS_SYNTH_SYNTH_H
#define SB_DATASETS_SYNTH_SYNTH_H

#include "core/command/options.h"
#include "datasets/synth/walk_texture.h"

#include <stdint.h>

extern const sb_command sb_verb_synth_walk, sb_verb_synth_motion, sb_verb_synth_digits, sb_verb_synth_shapes;

enum { SB_DIGIT_SIDE = 28, SB_DIGIT_BYTES = SB_DIGIT_SIDE * SB_DIGIT_SIDE };

/* Draw picture number `index` of a seed, the same on every machine; returns which digit it is. */
uint8_t sb_digit_draw(uint32_t seed, uint32_t index, uint8_t image[SB_DIGIT_BYTES]);

enum { SB_SHAPE_SIDE = 32, SB_SHAPE_CHANNELS = 3, SB_SHAPE_BYTES = SB_SHAPE_SIDE * SB_SHAPE_SIDE * SB_SHAPE_CHANNELS };

/* "disc\nring\n...": the kinds by their numbers. */
extern const char sb_shape_classes[];

/* Draw picture number `index` of a seed, [32][32][3], the same on every machine; returns of which kind it is. */
uint8_t sb_shape_draw(uint32_t seed, uint32_t index, uint8_t image[SB_SHAPE_BYTES]);

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

/* One coloured shape of ten kinds on a ground of another colour, 32 by 32 pixels: its place, size, turn, colours and
 * the noise over it vary, and say nothing of its kind. A mirrored or slightly shifted shape is of the same kind. */
#ifndef SB_DATASETS_SYNTH_SHAPE_DRAW_H
#define SB_DATASETS_SYNTH_SHAPE_DRAW_H

#include <stdint.h>

enum { SB_SHAPE_SIDE = 32, SB_SHAPE_CHANNELS = 3, SB_SHAPE_BYTES = SB_SHAPE_SIDE * SB_SHAPE_SIDE * SB_SHAPE_CHANNELS };

/* "disc\nring\n...": the kinds by their numbers. */
extern const char sb_shape_classes[];

/* Draw picture number `index` of a seed, [32][32][3], the same on every machine; returns of which kind it is. */
uint8_t sb_shape_draw(uint32_t seed, uint32_t index, uint8_t image[SB_SHAPE_BYTES]);

#endif

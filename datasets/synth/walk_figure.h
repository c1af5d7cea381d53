/* A walking person, seen from any side at any moment of the stride: drawn once as rounded limbs, coloured when used. */
#ifndef SB_DATASETS_SYNTH_WALK_FIGURE_H
#define SB_DATASETS_SYNTH_WALK_FIGURE_H

#include "datasets/synth/walk_texture.h"

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

#endif

/* The surfaces of the walk: what each is called, what it looks like, how large one period of it is. */
#ifndef SB_DATASETS_SYNTH_WALK_SURFACES_H
#define SB_DATASETS_SYNTH_WALK_SURFACES_H

#include "datasets/synth/walk_texture.h"

typedef enum sb_surface {
    SB_GROUND_GRASS,
    SB_GROUND_GRAVEL,
    SB_GROUND_ASPHALT,
    SB_GROUND_PAVING, /* small stones, laid in rows */
    SB_GROUND_SLABS,  /* large slabs */
    SB_GROUND_N,
    SB_WALL_HEDGE = SB_GROUND_N,
    SB_WALL_BRICK,
    SB_WALL_STONE,
    SB_FACADE_PLASTER, /* upper storeys; the ground floor of each follows it */
    SB_FACADE_PLASTER_DOOR,
    SB_FACADE_BRICK,
    SB_FACADE_BRICK_DOOR,
    SB_FACADE_STONE,
    SB_FACADE_STONE_DOOR,
    SB_FACADE_BOARDS,
    SB_FACADE_BOARDS_DOOR,
    SB_SKY, /* u: all around; v: from the zenith down to the horizon */
    SB_TREE_ROUND,
    SB_TREE_TALL,
    SB_TREE_WIDE,
    SB_BUSH,
    SB_LAMP,
    SB_BENCH,
    SB_SURFACE_N,
} sb_surface;

/* Paint all of them into texture[SB_SURFACE_N]; on failure none is left. */
sb_status sb_surfaces_paint(sb_texture texture[SB_SURFACE_N], uint32_t seed);
void sb_surfaces_free(sb_texture texture[SB_SURFACE_N]);

/* The painters by file: walk_ground.c, walk_walls.c, walk_plants.c. */
sb_painter sb_paint_grass, sb_paint_gravel, sb_paint_asphalt, sb_paint_paving, sb_paint_slabs;
sb_painter sb_paint_hedge, sb_paint_brick_wall, sb_paint_stone_wall;
sb_painter sb_paint_plaster_upper, sb_paint_plaster_door, sb_paint_brick_upper, sb_paint_brick_door;
sb_painter sb_paint_stone_upper, sb_paint_stone_door, sb_paint_boards_upper, sb_paint_boards_door;
sb_painter sb_paint_sky, sb_paint_tree_round, sb_paint_tree_tall, sb_paint_tree_wide, sb_paint_bush;
sb_painter sb_paint_lamp, sb_paint_bench;

#endif

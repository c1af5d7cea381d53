#include "datasets/synth/walk_texture.h"

typedef struct row {
    sb_painter *paint;
    int log2_w, log2_h;
} row;

static const row rows[SB_SURFACE_N] = {
    [SB_GROUND_GRASS] = {sb_paint_grass, 8, 8},
    [SB_GROUND_GRAVEL] = {sb_paint_gravel, 8, 8},
    [SB_GROUND_ASPHALT] = {sb_paint_asphalt, 8, 8},
    [SB_GROUND_PAVING] = {sb_paint_paving, 8, 8},
    [SB_GROUND_SLABS] = {sb_paint_slabs, 8, 8},
    [SB_WALL_HEDGE] = {sb_paint_hedge, 8, 8},
    [SB_WALL_BRICK] = {sb_paint_brick_wall, 8, 8},
    [SB_WALL_STONE] = {sb_paint_stone_wall, 8, 8},
    [SB_FACADE_PLASTER] = {sb_paint_plaster_upper, 9, 8},
    [SB_FACADE_PLASTER_DOOR] = {sb_paint_plaster_door, 9, 8},
    [SB_FACADE_BRICK] = {sb_paint_brick_upper, 9, 8},
    [SB_FACADE_BRICK_DOOR] = {sb_paint_brick_door, 9, 8},
    [SB_FACADE_STONE] = {sb_paint_stone_upper, 9, 8},
    [SB_FACADE_STONE_DOOR] = {sb_paint_stone_door, 9, 8},
    [SB_FACADE_BOARDS] = {sb_paint_boards_upper, 9, 8},
    [SB_FACADE_BOARDS_DOOR] = {sb_paint_boards_door, 9, 8},
    [SB_SKY] = {sb_paint_sky, 10, 8},
    [SB_TREE_ROUND] = {sb_paint_tree_round, 8, 8},
    [SB_TREE_TALL] = {sb_paint_tree_tall, 8, 8},
    [SB_TREE_WIDE] = {sb_paint_tree_wide, 8, 8},
    [SB_BUSH] = {sb_paint_bush, 7, 7},
    [SB_LAMP] = {sb_paint_lamp, 5, 8},
    [SB_BENCH] = {sb_paint_bench, 7, 6},
};

sb_status sb_surfaces_paint(sb_texture texture[SB_SURFACE_N], uint32_t seed)
{
    for (int i = 0; i < SB_SURFACE_N; i++) texture[i] = (sb_texture){0};
    sb_status status = SB_OK;
    for (uint32_t i = 0; i < SB_SURFACE_N && status == SB_OK; i++)
        status = sb_texture_paint(&texture[i], rows[i].log2_w, rows[i].log2_h, rows[i].paint, seed + 1000 * i);
    if (status != SB_OK) sb_surfaces_free(texture);
    return status;
}

void sb_surfaces_free(sb_texture texture[SB_SURFACE_N])
{
    for (int i = 0; i < SB_SURFACE_N; i++) sb_texture_free(&texture[i]);
}

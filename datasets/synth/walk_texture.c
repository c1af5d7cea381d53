#include "datasets/synth/walk_texture.h"

#include <stdlib.h>

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

static sb_texel mean4(sb_texel a, sb_texel b, sb_texel c, sb_texel d)
{
    sb_texel mean = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t sum = (a >> shift & 255) + (b >> shift & 255) + (c >> shift & 255) + (d >> shift & 255);
        mean |= (sum + 2) / 4 << shift;
    }
    return mean;
}

static void halve(const sb_texel *from, sb_texel *to, int w, int h)
{
    for (int x = 0; x < w; x++)
        for (int y = 0; y < h; y++) {
            const sb_texel *at = from + (size_t)(2 * x) * (size_t)(2 * h) + 2 * y;
            to[(size_t)x * (size_t)h + (size_t)y] = mean4(at[0], at[1], at[2 * h], at[2 * h + 1]);
        }
}

sb_status sb_texture_paint(sb_texture *texture, int log2_w, int log2_h, sb_painter *paint, uint32_t seed)
{
    *texture = (sb_texture){.log2_w = log2_w, .log2_h = log2_h};
    int smaller = log2_w < log2_h ? log2_w : log2_h;
    for (int level = 0; level <= smaller && level < SB_TEXTURE_MIPS; level++) {
        int w = 1 << (log2_w - level), h = 1 << (log2_h - level);
        sb_texel *mip = malloc((size_t)w * (size_t)h * sizeof *mip);
        if (!mip) {
            sb_texture_free(texture);
            return sb_fail(SB_E_MEMORY, "samebits-data synth: not enough memory for the textures");
        }
        texture->mip[texture->n_mips++] = mip;
        if (level > 0) {
            halve(texture->mip[level - 1], mip, w, h);
            continue;
        }
        for (int x = 0; x < w; x++)
            for (int y = 0; y < h; y++) mip[(size_t)x * (size_t)h + (size_t)y] = paint(seed, x, y);
    }
    return SB_OK;
}

void sb_texture_free(sb_texture *texture)
{
    for (int level = 0; level < texture->n_mips; level++) free(texture->mip[level]);
    *texture = (sb_texture){0};
}

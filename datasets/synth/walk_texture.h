/* Pictures that surfaces of the walk are covered with: painted by arithmetic, halved again and again for the distance,
 * and repeated without a seam. */
#pragma once

#include "core/status.h"

#include <stdint.h>

/* 0xAABBGGRR, colours already multiplied by alpha. */
typedef uint32_t sb_texel;

enum { SB_TEXTURE_MIPS = 10 };

typedef struct sb_texture {
    int log2_w, log2_h, n_mips;
    sb_texel *mip[SB_TEXTURE_MIPS]; /* each [w][h]: a column of the picture lies in one piece; v grows downwards */
} sb_texture;

static inline sb_texel sb_texel_of(int r, int g, int b)
{
    r = r < 0 ? 0 : r > 255 ? 255 : r;
    g = g < 0 ? 0 : g > 255 ? 255 : g;
    b = b < 0 ? 0 : b > 255 ? 255 : b;
    return 0xff000000u | (uint32_t)b << 16 | (uint32_t)g << 8 | (uint32_t)r;
}

/* a + (b - a) * f / 256 in each of the four bytes, f in [0, 255]. */
static inline sb_texel sb_texel_lerp(sb_texel a, sb_texel b, uint32_t f)
{
    uint32_t even = ((a & 0xff00ff) * (256 - f) + (b & 0xff00ff) * f) >> 8 & 0xff00ff;
    uint32_t odd = ((a >> 8 & 0xff00ff) * (256 - f) + (b >> 8 & 0xff00ff) * f) & 0xff00ff00;
    return even | odd;
}

/* The texel at u, v (Q16, one period each), between its four neighbours, at a level of halving. */
static inline sb_texel sb_texture_at(const sb_texture *texture, int level, uint32_t u, uint32_t v)
{
    int log2_w = texture->log2_w - level, log2_h = texture->log2_h - level;
    const sb_texel *mip = texture->mip[level];
    uint32_t x = (u & 0xffff) << log2_w >> 8, y = (v & 0xffff) << log2_h >> 8; /* Q8 texels */
    uint32_t left = x >> 8, right = (left + 1) & ((1u << log2_w) - 1);
    uint32_t top = y >> 8, bottom = (top + 1) & ((1u << log2_h) - 1);
    sb_texel a = sb_texel_lerp(mip[left << log2_h | top], mip[left << log2_h | bottom], y & 255);
    sb_texel b = sb_texel_lerp(mip[right << log2_h | top], mip[right << log2_h | bottom], y & 255);
    return sb_texel_lerp(a, b, x & 255);
}

/* The level at which a texel is about as large as a sample: texels_per_sample in Q16. */
static inline int sb_texture_level(const sb_texture *texture, int64_t texels_per_sample)
{
    int level = 0;
    while (level < texture->n_mips - 1 && texels_per_sample > 3 << 15) texels_per_sample >>= 1, level++;
    return level;
}

/* The colour of one texel. */
typedef sb_texel sb_painter(uint32_t seed, int x, int y);

/* Paint a picture of 2^log2_w by 2^log2_h and its halvings. The caller frees it. */
sb_status sb_texture_paint(sb_texture *texture, int log2_w, int log2_h, sb_painter *paint, uint32_t seed);
void sb_texture_free(sb_texture *texture);

/* The surfaces of the walk: what each is called, what it looks like, how large one period of it is. */

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

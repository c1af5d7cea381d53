/* Where the sun reaches the ground: shadows of walls and houses, the dapple under trees, dark foot of every wall. */
#include "datasets/synth/fixed.h"
#include "datasets/synth/walk_render.h"

#include <string.h>

enum { WRAP = SB_WORLD_LIGHT - 1, STEP_MM = 250, REACH = 64, UNLIT = 0, LIT = 230 };

static int height_at(const sb_world *world, int32_t x, int32_t y)
{
    return world->cell[y >> 16 & (SB_WORLD_M - 1)][x >> 16 & (SB_WORLD_M - 1)].height;
}

/* Walk from a place towards the sun until something is in the way. */
static int is_lit(const sb_world *world, int32_t x, int32_t y)
{
    int32_t dx = sb_fix_mul(SB_SUN_X, SB_MM(STEP_MM)), dy = sb_fix_mul(SB_SUN_Y, SB_MM(STEP_MM));
    int32_t rise = sb_fix_mul(SB_SUN_SLOPE, SB_MM(STEP_MM)), z = 0;
    for (int i = 0; i < REACH; i++) {
        x += dx, y += dy, z += rise;
        if ((int64_t)height_at(world, x, y) * SB_ONE > 10 * (int64_t)z) return 0;
    }
    return 1;
}

static void cast_walls(sb_world *world)
{
    for (int j = 0; j < SB_WORLD_LIGHT; j++)
        for (int i = 0; i < SB_WORLD_LIGHT; i++) {
            int32_t x = (2 * i + 1) * (SB_ONE / SB_LIGHT_PER_M / 2), y = (2 * j + 1) * (SB_ONE / SB_LIGHT_PER_M / 2);
            world->light[j][i] = is_lit(world, x, y) ? LIT : UNLIT;
        }
}

static void darken(sb_world *world, int i, int j, int percent)
{
    uint8_t *light = &world->light[j & WRAP][i & WRAP];
    *light = (uint8_t)(*light * percent / 100);
}

/* The crown of a tree throws a ragged, dappled ellipse, away from the sun by its height. */
static void cast_prop(sb_world *world, const sb_prop *prop)
{
    int is_plant = prop->surface >= SB_TREE_ROUND && prop->surface <= SB_BUSH;
    if (!is_plant && prop->surface != SB_BENCH) return;
    int32_t up = prop->surface == SB_BUSH || !is_plant ? prop->h / 3 : prop->h * 3 / 5;
    int32_t away = (int32_t)((int64_t)up * SB_ONE / SB_SUN_SLOPE);
    int cx = (prop->x - sb_fix_mul(SB_SUN_X, away)) / (SB_ONE / SB_LIGHT_PER_M);
    int cy = (prop->y - sb_fix_mul(SB_SUN_Y, away)) / (SB_ONE / SB_LIGHT_PER_M);
    int r = prop->w / 3 / (SB_ONE / SB_LIGHT_PER_M) + 1;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++) {
            int rough = sb_noise_sum(world->seed + 40, (cx + dx) & WRAP, (cy + dy) & WRAP, 3, 10);
            if ((dx * dx + dy * dy) * 160 > r * r * (90 + rough)) continue;
            if (!is_plant || rough < 165) darken(world, cx + dx, cy + dy, is_plant ? 22 : 60);
        }
}

/* Soft edges: the mean of three neighbours, along x or y. */
static void soften(sb_world *world)
{
    static uint8_t line[SB_WORLD_LIGHT];
    for (int j = 0; j < SB_WORLD_LIGHT; j++) {
        memcpy(line, world->light[j], sizeof line);
        for (int i = 0; i < SB_WORLD_LIGHT; i++)
            world->light[j][i] = (uint8_t)((line[(i - 1) & WRAP] + 2 * line[i] + line[(i + 1) & WRAP]) / 4);
    }
    for (int i = 0; i < SB_WORLD_LIGHT; i++) {
        for (int j = 0; j < SB_WORLD_LIGHT; j++) line[j] = world->light[j][i];
        for (int j = 0; j < SB_WORLD_LIGHT; j++)
            world->light[j][i] = (uint8_t)((line[(j - 1) & WRAP] + 2 * line[j] + line[(j + 1) & WRAP]) / 4);
    }
}

void sb_world_shine(sb_world *world)
{
    cast_walls(world);
    for (int i = 0; i < world->n_props; i++) cast_prop(world, &world->prop[i]);
    soften(world);
    /* Large, faint differences, so that no two places of a street look alike. */
    for (int j = 0; j < SB_WORLD_LIGHT; j++)
        for (int i = 0; i < SB_WORLD_LIGHT; i++) {
            int uneven = (sb_noise_sum(world->seed + 41, i, j, 6, 10) - 128) / 6;
            world->light[j][i] = (uint8_t)sb_clamp(world->light[j][i] + uneven, 0, 255);
        }
}

int sb_world_light(const sb_world *world, int32_t x, int32_t y)
{
    /* Q8 in light points; a point lies in the middle of its square. */
    int i = x / (SB_ONE / SB_LIGHT_PER_M / 256) - 128, j = y / (SB_ONE / SB_LIGHT_PER_M / 256) - 128;
    int fx = i & 255, fy = j & 255;
    const uint8_t *top = world->light[j >> 8 & WRAP], *bottom = world->light[((j >> 8) + 1) & WRAP];
    int left = i >> 8 & WRAP, right = (left + 1) & WRAP;
    int a = top[left] * (256 - fx) + top[right] * fx, b = bottom[left] * (256 - fx) + bottom[right] * fx;
    return (a * (256 - fy) + b * fy) >> 16;
}

/* Things that stand free and are seen through at their edges: trees, bushes, lamps, benches. */
#include "datasets/synth/fixed.h"
#include "datasets/synth/walk_texture.h"

static const sb_texel nothing = 0;

/* A crown made of round clumps of leaves inside an ellipse (centre, half axes in texels of a picture of `side`). The
 * light comes from the upper left. */
typedef struct crown {
    int x, y, rx, ry;
    int n_clumps, clump; /* and the radius of one */
    int r, g, b;
} crown;

static sb_texel crown_at(const crown *c, uint32_t seed, int x, int y)
{
    int best = -1000, inside = 0;
    int rough = (sb_noise_sum(seed + 40, x, y, 3, 8) - 128) / 10;
    for (int i = 0; i < c->n_clumps; i++) {
        int angle = sb_pick(seed, (uint32_t)i, 1, 0, 65535), reach = sb_pick(seed, (uint32_t)i, 2, 5, 100);
        int cx = c->x + (int)((int64_t)sb_fix_cos(angle) * c->rx * reach / 100 >> 16);
        int cy = c->y + (int)((int64_t)sb_fix_sin(angle) * c->ry * reach / 100 >> 16);
        int r = sb_pick(seed, (uint32_t)i, 3, c->clump * 2 / 3, c->clump * 4 / 3) + rough;
        int dx = x - cx, dy = y - cy;
        if (dx * dx + dy * dy >= r * r) continue;
        inside = 1;
        int lit = (-dx - 2 * dy) * 24 / r - sb_pick(seed, (uint32_t)i, 4, 0, 20);
        if (lit > best) best = lit;
    }
    if (!inside) return nothing;
    int leaf = (int)(sb_mix(seed + 6, (uint32_t)(x / 2), (uint32_t)(y / 2)) >> 24) - 128;
    int low = (y - c->y) * 18 / c->ry; /* darker below */
    int shade = best / 2 + leaf / 5 + (leaf > 100 ? 14 : 0) - low;
    if (leaf < -122) return nothing; /* gaps */
    return sb_texel_of(c->r + shade, c->g + shade, c->b + shade / 2);
}

static sb_texel trunk_at(uint32_t seed, int x, int y, int centre, int top, int width)
{
    int bend = (sb_noise(seed + 8, 0, y, 6, 8) - 128) / 32;
    int in = x - centre - bend, half = width + (y > 236 ? (y - 236) / 4 : 0);
    if (y < top || in < -half || in > half) return nothing;
    int bark = (sb_noise_sum(seed + 11, 4 * x, y, 3, 8) - 128) / 8;
    return sb_texel_of(92 + bark - in * 4, 78 + bark - in * 4, 62 + bark - in * 3);
}

static sb_texel tree(const crown *c, uint32_t seed, int x, int y, int trunk_width)
{
    sb_texel leaves = crown_at(c, seed, x, y);
    return leaves ? leaves : trunk_at(seed, x, y, 128, c->y, trunk_width);
}

sb_texel sb_paint_tree_round(uint32_t seed, int x, int y)
{
    static const crown c = {128, 92, 84, 62, 70, 24, 82, 104, 46};
    return tree(&c, seed, x, y, 7);
}

sb_texel sb_paint_tree_tall(uint32_t seed, int x, int y)
{
    static const crown c = {128, 110, 44, 88, 70, 18, 58, 84, 44};
    return tree(&c, seed, x, y, 6);
}

sb_texel sb_paint_tree_wide(uint32_t seed, int x, int y)
{
    static const crown c = {128, 84, 98, 48, 80, 22, 104, 116, 52};
    return tree(&c, seed, x, y, 9);
}

sb_texel sb_paint_bush(uint32_t seed, int x, int y)
{
    static const crown c = {64, 76, 40, 34, 44, 17, 78, 100, 48};
    return crown_at(&c, seed, x, y);
}

sb_texel sb_paint_lamp(uint32_t seed, int x, int y)
{
    int in = x - 16;
    (void)seed;
    if (y < 10) return in >= -6 && in <= 6 ? sb_texel_of(52, 56, 58) : nothing;
    if (y < 30)
        return in >= -8 && in <= 8 ? sb_texel_of(226 - 2 * (y - 10), 224 - 2 * (y - 10), 208 - 2 * (y - 10)) : nothing;
    int half = y > 232 ? 4 : 2;
    return in >= -half && in <= half ? sb_texel_of(62 - 4 * in, 68 - 4 * in, 68 - 4 * in) : nothing;
}

sb_texel sb_paint_bench(uint32_t seed, int x, int y)
{
    int slat = (int)(sb_mix(seed, 0, (uint32_t)(y / 5)) >> 28) - 8;
    int in_back = y >= 6 && y < 26 && y % 7 != 5 && x > 4 && x < 123;
    int in_seat = y >= 34 && y < 39 && x > 2 && x < 125;
    int in_leg = y >= 26 && ((x > 14 && x < 19) || (x > 108 && x < 113));
    if (in_back || in_seat) return sb_texel_of(128 + slat, 92 + slat, 60 + slat);
    return in_leg ? sb_texel_of(58, 58, 60) : nothing;
}

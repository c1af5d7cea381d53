/* Ground and sky. A period of ground is 4 m by 4 m in 256 by 256 texels. */
#include "datasets/synth/fixed.h"
#include "datasets/synth/walk_texture.h"

static sb_texel grey_of(int r, int g, int b, int shade)
{
    return sb_texel_of(r + shade, g + shade, b + shade);
}

sb_texel sb_paint_grass(uint32_t seed, int x, int y)
{
    int patch = sb_noise_sum(seed, x, y, 6, 8) - 128;           /* drier and lusher places */
    int blades = sb_noise_sum(seed + 50, 3 * x, y, 3, 8) - 128; /* fine, longer one way */
    int dry = sb_noise_sum(seed + 90, x, y, 5, 8);
    int shade = patch / 4 + blades / 2;
    int yellow = dry > 150 ? (dry - 150) / 2 : 0;
    return sb_texel_of(88 + shade + yellow, 112 + shade + yellow / 2, 52 + shade / 2);
}

sb_texel sb_paint_gravel(uint32_t seed, int x, int y)
{
    int pebbles = (int)(sb_mix(seed, (uint32_t)(x / 2), (uint32_t)(y / 2)) >> 27) - 16;
    int grain = sb_noise_sum(seed + 10, x, y, 2, 8) - 128;
    int worn = sb_noise_sum(seed + 20, x, y, 6, 8) - 128;
    return grey_of(172, 156, 130, pebbles / 2 + grain / 5 + worn / 5);
}

sb_texel sb_paint_asphalt(uint32_t seed, int x, int y)
{
    int grain = (int)(sb_mix(seed, (uint32_t)x, (uint32_t)y) >> 27) - 16;
    int patch = sb_noise_sum(seed + 10, x, y, 7, 8) - 128;
    int crack = sb_noise_sum(seed + 20, x, y, 6, 8) - 128;
    int shade = grain / 2 + patch / 6;
    if (crack > -2 && crack < 2) shade -= 14;
    return grey_of(98, 98, 102, shade);
}

/* Stones of w by h texels in rows shifted by half, with joints: brightness of the stone, or the joint's depth. */
static int stone_shade(uint32_t seed, int x, int y, int w, int h, int joint, int spread)
{
    int row = y / h, shifted = x + (row & 1 ? w / 2 : 0);
    int column = shifted / w % (256 / w);
    int in_x = shifted % w, in_y = y % h;
    if (in_x < joint || in_y < joint) return -30 + sb_noise_sum(seed + 5, x, y, 3, 8) / 16;
    int edge = in_x == joint || in_y == joint ? 6 : in_x == w - 1 || in_y == h - 1 ? -8 : 0;
    return edge + sb_pick(seed, (uint32_t)column, (uint32_t)row, -spread, spread);
}

sb_texel sb_paint_paving(uint32_t seed, int x, int y)
{
    int shade = stone_shade(seed, x, y, 16, 16, 1, 14) + (sb_noise_sum(seed + 10, x, y, 4, 8) - 128) / 6;
    int warm = sb_pick(seed + 3, (uint32_t)(x / 16), (uint32_t)(y / 16), -5, 5);
    return sb_texel_of(150 + shade + warm, 142 + shade, 132 + shade - warm);
}

sb_texel sb_paint_slabs(uint32_t seed, int x, int y)
{
    int shade = stone_shade(seed, x, y, 64, 32, 1, 7) + (sb_noise_sum(seed + 10, x, y, 5, 8) - 128) / 6;
    int grain = (int)(sb_mix(seed, (uint32_t)x, (uint32_t)y) >> 28) - 8;
    return grey_of(176, 170, 160, shade + grain / 2);
}

/* Hills and far trees as a ragged, hazy line above the horizon, in texels above it. */
static int skyline_height(uint32_t seed, int x)
{
    return 4 + sb_noise(seed, x, 0, 7, 10) / 24 + sb_noise(seed + 1, x, 0, 4, 10) / 40 +
           sb_noise(seed + 2, x, 0, 1, 10) / 90;
}

sb_texel sb_paint_sky(uint32_t seed, int x, int y)
{
    int above = 255 - y; /* the horizon is below the last texel */
    int blue = above > 200 ? 200 : above;
    int r = 204 - blue * 104 / 200, g = 218 - blue * 74 / 200, b = 232 - blue * 22 / 200;
    if (above < skyline_height(seed + 7, x)) {
        int leaf = sb_noise_sum(seed + 70, x, y, 3, 10) / 8;
        return sb_texel_of(118 + leaf, 134 + leaf, 132 + leaf);
    }
    /* Clouds lie in layers: squeezed towards the horizon. */
    int stretched = 40000 / (above + 60);
    int cloud = sb_noise_sum(seed, x, stretched & 1023, 7, 10) - 118;
    cloud = sb_clamp(cloud * 5, 0, 220);
    int body = 236 - sb_noise_sum(seed + 30, x, (stretched + 10) & 1023, 6, 10) / 6;
    r += (body + 8 - r) * cloud / 256, g += (body + 9 - g) * cloud / 256, b += (body + 14 - b) * cloud / 256;
    return sb_texel_of(r, g, b);
}

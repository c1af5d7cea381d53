/* Walls and houses. A period of wall is 2 m by 2 m in 256 by 256 texels; a period of facade is one storey, 6 m wide and
 * 3 m high, in 512 by 256, its top first. */
#include "datasets/synth/fixed.h"
#include "datasets/synth/walk_texture.h"

typedef struct colour {
    int r, g, b;
} colour;

static sb_texel texel(colour c, int shade)
{
    return sb_texel_of(c.r + shade, c.g + shade, c.b + shade);
}

static int grain(uint32_t seed, int x, int y, int amount)
{
    return ((int)(sb_mix(seed, (uint32_t)x, (uint32_t)y) >> 24) - 128) * amount / 128;
}

sb_texel sb_paint_hedge(uint32_t seed, int x, int y)
{
    int clumps = sb_noise_sum(seed, x, y, 5, 8) - 128;
    int leaves = sb_noise(seed + 20, x, y, 2, 8) - 128 + grain(seed + 9, x / 2, y / 2, 60);
    int shade = clumps / 3 + leaves / 4;
    int bright = leaves > 60 ? 18 : 0; /* leaves that catch the light */
    return sb_texel_of(52 + shade + bright, 76 + shade + bright, 34 + shade / 2 + bright / 3);
}

/* Bricks or blocks of w by h texels; width is the picture's, so that rows close without a seam. */
static sb_texel masonry(uint32_t seed, int x, int y, int width, int w, int h, int joint, colour stone, colour mortar,
                        int spread)
{
    int row = y / h, shifted = (x + (row & 1 ? w / 2 : 0)) % width;
    int column = shifted / w, in_x = shifted % w, in_y = y % h;
    int weather = (sb_noise_sum(seed + 30, x, y, 6, 8) - 128) / 8;
    if (in_x < joint || in_y < joint) return texel(mortar, weather + grain(seed, x, y, 6));
    int shade = sb_pick(seed, (uint32_t)column, (uint32_t)row, -spread, spread) + weather + grain(seed + 1, x, y, 8);
    int red = sb_pick(seed + 2, (uint32_t)column, (uint32_t)row, -spread / 2, spread / 2);
    return sb_texel_of(stone.r + shade + red, stone.g + shade, stone.b + shade);
}

sb_texel sb_paint_brick_wall(uint32_t seed, int x, int y)
{
    return masonry(seed, x, y, 256, 32, 10, 1, (colour){142, 92, 72}, (colour){166, 156, 142}, 14);
}

sb_texel sb_paint_stone_wall(uint32_t seed, int x, int y)
{
    return masonry(seed, x, y, 256, 64, 32, 2, (colour){158, 150, 134}, (colour){118, 112, 102}, 16);
}

/* What a house is made of, without its openings. */
typedef sb_texel material(uint32_t seed, int x, int y);

static sb_texel plaster(uint32_t seed, int x, int y)
{
    int stain = (sb_noise_sum(seed, x, y, 7, 9) - 128) / 8;
    int streak = (sb_noise(seed + 4, x, 0, 3, 9) - 128) / 24;
    return texel((colour){206, 196, 176}, stain + streak + grain(seed, x, y, 5));
}

static sb_texel brick(uint32_t seed, int x, int y)
{
    return masonry(seed, x, y, 512, 16, 6, 1, (colour){152, 102, 82}, (colour){170, 158, 146}, 12);
}

static sb_texel stone(uint32_t seed, int x, int y)
{
    return masonry(seed, x, y, 512, 64, 32, 1, (colour){184, 174, 152}, (colour){140, 132, 118}, 8);
}

static sb_texel boards(uint32_t seed, int x, int y)
{
    int in_board = y % 16, board = y / 16;
    int shade = sb_pick(seed, (uint32_t)board, 1, -6, 6) + (sb_noise(seed + 2, x, y * 4, 5, 9) - 128) / 20;
    if (in_board < 2) shade -= 26;
    return texel((colour){172, 180, 178}, shade + grain(seed, x, y, 4));
}

/* Glass shows the sky above and the street below; behind some of it hangs a curtain. */
static sb_texel glass(uint32_t seed, int which, int in_x, int in_y, int w, int h)
{
    int sky = in_y * 100 / h;
    int cloud = (sb_noise_sum(seed + (uint32_t)which, in_x, in_y, 5, 8) - 128) / 5;
    colour c = {92 - sky / 2 + cloud, 108 - sky / 2 + cloud, 124 - sky / 2 + cloud};
    int curtain = sb_pick(seed + 77, (uint32_t)which, 0, 0, 2); /* none, both sides, half down */
    int fold = (sb_noise(seed + 5, in_x, 0, 2, 8) - 128) / 8;
    if ((curtain == 1 && (in_x < w / 4 || in_x > w - w / 4)) || (curtain == 2 && in_y < h / 3))
        c = (colour){178 + fold, 174 + fold, 166 + fold};
    if (in_y < 6 || in_x < 3) c = (colour){c.r / 2, c.g / 2, c.b / 2}; /* the wall's shadow on it */
    return texel(c, 0);
}

enum { FRAME = 5, SILL = 8 };

/* An opening of the wall: glass in a frame with bars, a sill below; the shadow it throws. Returns 0 outside of it. */
static sb_texel window_at(uint32_t seed, int which, int x, int y, int left, int top, int w, int h)
{
    int in_x = x - left, in_y = y - top;
    if (in_x < -4 || in_x >= w + 4 || in_y < 0 || in_y >= h + SILL + 5) return 0;
    if (in_y >= h + SILL) return in_x >= 0 && in_x < w ? sb_texel_of(104, 98, 90) : 0; /* shadow under the sill */
    if (in_y >= h) return sb_texel_of(196, 192, 184);
    if (in_x < 0 || in_x >= w) return 0;
    int bar = in_x - w / 2;
    if (in_x < FRAME || in_x >= w - FRAME || in_y < FRAME || in_y >= h - FRAME || (bar >= -2 && bar < 2) ||
        (in_y > h / 3 && in_y < h / 3 + 4))
        return sb_texel_of(214, 210, 202);
    return glass(seed, which, in_x, in_y, w, h);
}

static sb_texel door_at(uint32_t seed, int x, int y, int left, int top, int w)
{
    static const colour paints[] = {{74, 52, 38}, {44, 66, 58}, {96, 44, 40}, {52, 60, 84}};
    int in_x = x - left, in_y = y - top;
    if (in_x < 0 || in_x >= w || in_y < 0) return 0;
    if (in_x < 4 || in_x >= w - 4 || in_y < 5) return sb_texel_of(188, 182, 172);
    colour paint = paints[seed & 3];
    int panel_x = in_x % (w / 2), panel_y = in_y % 52;
    int shade = panel_x < 8 || panel_y < 8 ? 0 : panel_x < 10 || panel_y < 10 ? -20 : 8;
    return texel(paint, shade + grain(seed, x / 2, y / 2, 4));
}

static sb_texel upper_storey(material *made_of, uint32_t seed, int x, int y)
{
    sb_texel opening = window_at(seed, 0, x, y, 77, 51, 102, 128);
    if (!opening) opening = window_at(seed, 1, x, y, 333, 51, 102, 128);
    if (opening) return opening;
    if (y < 8) return texel((colour){198, 190, 174}, y < 6 ? 0 : -40); /* a ledge between the storeys */
    return made_of(seed, x, y);
}

static sb_texel ground_storey(material *made_of, uint32_t seed, int x, int y)
{
    sb_texel opening = door_at(seed, x, y, 84, 76, 88);
    if (!opening) opening = window_at(seed, 2, x, y, 250, 66, 190, 120);
    if (opening) return opening;
    if (y > 222) return masonry(seed + 3, x, y, 512, 64, 34, 1, (colour){128, 122, 114}, (colour){98, 94, 88}, 7);
    return made_of(seed, x, y);
}

sb_texel sb_paint_plaster_upper(uint32_t seed, int x, int y)
{
    return upper_storey(plaster, seed, x, y);
}

sb_texel sb_paint_plaster_door(uint32_t seed, int x, int y)
{
    return ground_storey(plaster, seed, x, y);
}

sb_texel sb_paint_brick_upper(uint32_t seed, int x, int y)
{
    return upper_storey(brick, seed, x, y);
}

sb_texel sb_paint_brick_door(uint32_t seed, int x, int y)
{
    return ground_storey(brick, seed, x, y);
}

sb_texel sb_paint_stone_upper(uint32_t seed, int x, int y)
{
    return upper_storey(stone, seed, x, y);
}

sb_texel sb_paint_stone_door(uint32_t seed, int x, int y)
{
    return ground_storey(stone, seed, x, y);
}

sb_texel sb_paint_boards_upper(uint32_t seed, int x, int y)
{
    return upper_storey(boards, seed, x, y);
}

sb_texel sb_paint_boards_door(uint32_t seed, int x, int y)
{
    return ground_storey(boards, seed, x, y);
}

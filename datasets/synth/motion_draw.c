#include "datasets/synth/motion_draw.h"

#include "datasets/synth/fixed.h"

enum { LOG2_PERIOD = 8, LOG2_CELL = 4 };
_Static_assert(1 << LOG2_PERIOD == SB_MOTION_PERIOD, "the texture is one period");
_Static_assert(SB_MOTION_SUBPIXELS << LOG2_PERIOD == 1 << 16, "a period is what sb_texture_at takes: Q16");

static sb_texel paint(uint32_t seed, int x, int y)
{
    int rgb[3];
    for (uint32_t c = 0; c < 3; c++) rgb[c] = sb_noise_sum(sb_mix(seed, c, 0), x, y, LOG2_CELL, LOG2_PERIOD);
    return sb_texel_of(rgb[0], rgb[1], rgb[2]);
}

sb_status sb_motion_make(sb_motion *motion, uint32_t seed, int w, int h, uint32_t speed)
{
    *motion = (sb_motion){.w = w, .h = h, .speed = speed};
    return sb_texture_paint(&motion->picture, LOG2_PERIOD, LOG2_PERIOD, paint, seed);
}

void sb_motion_free(sb_motion *motion)
{
    sb_texture_free(&motion->picture);
}

void sb_motion_draw(const sb_motion *motion, uint32_t frame, uint8_t *rgb)
{
    const uint32_t moved = frame * motion->speed; /* whole periods drop out of it, also where it wraps */
    for (uint32_t y = 0; y < (uint32_t)motion->h; y++)
        for (uint32_t x = 0; x < (uint32_t)motion->w; x++) {
            sb_texel texel =
                sb_texture_at(&motion->picture, 0, x * SB_MOTION_SUBPIXELS + moved, y * SB_MOTION_SUBPIXELS);
            for (int c = 0; c < 3; c++) *rgb++ = (uint8_t)(texel >> 8 * c);
        }
}

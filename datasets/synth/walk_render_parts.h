/* What the files of the renderer share: walk_render.c, walk_columns.c, walk_billboards.c. */
#pragma once

#include "datasets/synth/walk_render.h"

#include <stddef.h>

enum {
    SB_FAR_M = 110,      /* nothing is drawn beyond */
    SB_HAZE_STEPS = 256, /* haze is known at that number of distances up to SB_FAR_M */
};

/* Light as three factors in Q8, one for each colour. */
typedef struct sb_light {
    int r, g, b;
} sb_light;

/* Everything about the frame being drawn, in samples: there are twice as many as pixels, both ways. */
struct sb_renderer {
    const sb_world *world;
    sb_walk_figures *figures;
    int w, h;          /* samples */
    int focal;         /* samples: the distance at which a metre covers `focal` */
    int *column_angle; /* [w] angle of a column from the middle */
    sb_texel *colour;  /* [w][h] */
    uint16_t *depth;   /* [w][h] in 1/256 m */
    uint8_t haze[SB_HAZE_STEPS];
    uint8_t tone[256];
    sb_camera camera; /* of this frame */
    int32_t forward_x, forward_y;
    int sun; /* Q8 */
};

/* Where the horizon is in a column, in samples from the top, Q8. */
static inline int sb_horizon(const sb_renderer *r, int column)
{
    int64_t tilt = (int64_t)r->camera.roll * (column - r->w / 2) + (int64_t)r->camera.pitch * r->focal;
    return r->h * 128 + (int)(tilt >> 8);
}

/* The light of a place that gets this much sun (0 to 255), Q8. Shadows are a little blue. */
static inline sb_light sb_light_of(const sb_renderer *r, int sunlit)
{
    int sun = sunlit * r->sun >> 8;
    return (sb_light){100 + (sun * 212 >> 8), 108 + (sun * 196 >> 8), 124 + (sun * 160 >> 8)};
}

static inline int sb_haze_at(const sb_renderer *r, int32_t distance)
{
    int64_t step = (int64_t)distance * SB_HAZE_STEPS / (SB_FAR_M * 65536);
    return r->haze[step >= SB_HAZE_STEPS ? SB_HAZE_STEPS - 1 : step];
}

/* A texel in some light and haze; its alpha stays. Colours are multiplied by alpha, and so is the haze. */
static inline sb_texel sb_shade(sb_texel texel, sb_light light, int haze)
{
    uint32_t alpha = texel >> 24;
    uint32_t r = (texel & 255) * (uint32_t)light.r >> 8, g = (texel >> 8 & 255) * (uint32_t)light.g >> 8,
             b = (texel >> 16 & 255) * (uint32_t)light.b >> 8;
    r = r > alpha ? alpha : r, g = g > alpha ? alpha : g, b = b > alpha ? alpha : b;
    uint32_t clear = 256 - (uint32_t)haze, mist = alpha * (uint32_t)haze / 255;
    r = (r * clear + 204 * mist) >> 8, g = (g * clear + 214 * mist) >> 8, b = (b * clear + 224 * mist) >> 8;
    return alpha << 24 | b << 16 | g << 8 | r;
}

/* Ground, walls and sky of one column (walk_columns.c). */
void sb_render_column(sb_renderer *r, int column);

/* Trees, lamps, benches and people (walk_billboards.c). */
void sb_render_billboards(sb_renderer *r);

/* One frame of the walk: a column of samples at a time, ground by perspective, walls by a ray through the grid of
 * cells, then what stands free, from far to near. Four samples make a pixel. */
#pragma once

#include "core/status.h"
#include "datasets/synth/walk_texture.h"

#include <stddef.h>
#include <stdint.h>

/* The place that is walked through: a town of 256 m by 256 m that goes on for ever by repeating. Streets lie on a
 * lattice of 32 m; between them houses, gardens, parks and yards. */

enum {
    SB_WORLD_M = 256, /* metres around */
    SB_BLOCK_M = 32,  /* from street to street */
    SB_WORLD_BLOCKS = SB_WORLD_M / SB_BLOCK_M,
    SB_LIGHT_PER_M = 4, /* light is known at that number of points of a metre */
    SB_WORLD_LIGHT = SB_WORLD_M * SB_LIGHT_PER_M,
    SB_WORLD_PROPS = 4096, /* at most */
    SB_WORLD_WALKERS = 480,
};

typedef enum sb_street { SB_STREET_PAVED, SB_STREET_GREEN, SB_STREET_ASPHALT } sb_street;

typedef struct sb_world_cell { /* one square metre */
    uint8_t height;            /* of what stands on it, in decimetres; 0: free ground */
    uint8_t wall;              /* sb_surface of its sides */
    uint8_t tint;              /* which of the house colours */
    uint8_t ground;            /* sb_surface */
} sb_world_cell;

typedef struct sb_prop { /* stands free and always faces the walker */
    int32_t x, y, w, h;  /* Q16 m: place of its foot, width, height */
    uint8_t surface, tint;
} sb_prop;

typedef struct sb_walker { /* keeps to one side of one street for ever */
    int32_t start, across; /* Q16 m along the street at time 0; across it */
    int32_t speed;         /* Q16 m a second, negative: towards smaller coordinates */
    int32_t height;        /* Q16 m */
    uint8_t along_x;       /* else along y */
    uint32_t look;         /* seed of clothes, hair and skin */
} sb_walker;

typedef struct sb_world {
    uint32_t seed;
    sb_world_cell cell[SB_WORLD_M][SB_WORLD_M];    /* [y][x] */
    uint8_t light[SB_WORLD_LIGHT][SB_WORLD_LIGHT]; /* [y][x] sunlight that reaches the ground, 0 to 255 */
    int n_props;
    sb_prop prop[SB_WORLD_PROPS];
    sb_walker walker[SB_WORLD_WALKERS];
    sb_texture texture[SB_SURFACE_N];
} sb_world;

/* Build it from a seed. NULL and a sentence when memory is short. */
sb_world *sb_world_make(uint32_t seed);
void sb_world_free(sb_world *world); /* NULL is fine */

/* The street along lattice line `line` (along x, or along y). */
sb_street sb_world_street(const sb_world *world, int along_x, int line);

/* Sunlight at a place (Q16 m, any), 0 to 255, smooth. */
int sb_world_light(const sb_world *world, int32_t x, int32_t y);

/* Fill world->light from what is in the world (walk_light.c). */
void sb_world_shine(sb_world *world);

/* The direction the sun shines from: its height falls by 1 over this much ground, Q16. */
#define SB_SUN_X     SB_MM(620)
#define SB_SUN_Y     SB_MM(-784)
#define SB_SUN_SLOPE SB_MM(850) /* metres up for each metre along */

/* A walking person, seen from any side at any moment of the stride: drawn once as rounded limbs, coloured when used. */

enum {
    SB_FIGURE_VIEWS = 32,  /* around; view 0 walks towards the viewer's right */
    SB_FIGURE_PHASES = 32, /* of a stride of two steps */
    SB_FIGURE_W = 64,
    SB_FIGURE_H = 128,
    SB_FIGURE_SCALE = 66, /* texels to the metre, for a person of 1.75 m */
};

typedef enum sb_part {
    SB_PART_NONE,
    SB_PART_SKIN,
    SB_PART_HAIR,
    SB_PART_TOP,
    SB_PART_LEGS,
    SB_PART_SHOES,
    SB_PART_BAG,
    SB_PART_N,
} sb_part;

/* part << 5 | shade; [view][phase][x][y], y downwards, the feet on the last row */
typedef struct sb_walk_figures {
    uint8_t texel[SB_FIGURE_VIEWS][SB_FIGURE_PHASES][SB_FIGURE_W][SB_FIGURE_H];
} sb_walk_figures;

/* NULL and a sentence when memory is short. The caller frees it with free(). */
sb_walk_figures *sb_walk_figures_draw(void);

/* The colours of one person, for each part and shade. */
typedef struct sb_clothes {
    sb_texel of[SB_PART_N << 5];
} sb_clothes;
void sb_figure_dress(sb_clothes *clothes, uint32_t look);

/* The way of the walker whose eyes we see through: where the head is and looks, frame by frame, at 30 frames a second.
 */

typedef struct sb_camera {
    int32_t x, y, eye; /* Q16 m: place (not wrapped), height of the eye */
    int heading;       /* angle, 0 along +x, growing towards +y */
    int32_t pitch;     /* Q16: tangent of the angle upwards */
    int32_t roll;      /* Q16: tangent of the tilt */
    int32_t sun;       /* Q16: strength of the sunlight, 1 without clouds */
    int64_t time;      /* Q16 seconds */
} sb_camera;

enum { SB_WALK_FPS = 30 };

typedef struct sb_path sb_path;

/* A way along the streets of sb_world, long enough for n_frames. */
sb_status sb_path_make(sb_path **path, uint32_t seed, int n_frames);
void sb_path_free(sb_path *path); /* NULL is fine */

/* The next frame's camera. */
sb_camera sb_path_next(sb_path *path);

typedef struct sb_renderer sb_renderer;

/* For frames of w by h pixels. The world stays the caller's and must outlive the renderer. */
sb_status sb_renderer_make(sb_renderer **renderer, const sb_world *world, int w, int h);
void sb_renderer_free(sb_renderer *renderer); /* NULL is fine */

/* Draw into rgb [h][w][3]. */
void sb_renderer_draw(sb_renderer *renderer, const sb_camera *camera, uint8_t *rgb);

/* What the files of the renderer share: walk_render.c, walk_columns.c, walk_billboards.c. */

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

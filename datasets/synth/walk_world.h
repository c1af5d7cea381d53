/* The place that is walked through: a town of 256 m by 256 m that goes on for ever by repeating. Streets lie on a
 * lattice of 32 m; between them houses, gardens, parks and yards. */
#ifndef SB_DATASETS_SYNTH_WALK_WORLD_H
#define SB_DATASETS_SYNTH_WALK_WORLD_H

#include "datasets/synth/walk_texture.h"

#include <stdint.h>

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

#endif

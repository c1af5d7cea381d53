#include "datasets/synth/walk_render.h"

#include "datasets/synth/fixed.h"

#include <stdlib.h>

enum { KNOT_M = 4, FASTEST_MM = 1700 };

typedef struct place {
    int32_t x, y;
} place;

/* The way is a quadratic B-spline: knots every 4 m along the streets, so that it rounds the corners. */
struct sb_path {
    uint32_t seed;
    place *knot; /* [n_knots] */
    int n_knots;
    int64_t at;      /* Q16 knots walked */
    int64_t steps;   /* Q16 strides of two steps */
    int32_t heading; /* Q16 angle units, smoothed; wraps with the turn */
    int frame;
};

/* Knots from crossing to crossing, turning at random, now and then off the middle of the street. */
static void lay_knots(sb_path *path)
{
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    int x = sb_pick(path->seed, 1, 0, 0, SB_WORLD_BLOCKS - 1) * SB_BLOCK_M;
    int y = sb_pick(path->seed, 1, 1, 0, SB_WORLD_BLOCKS - 1) * SB_BLOCK_M;
    int direction = sb_pick(path->seed, 1, 2, 0, 3);
    for (int i = 0; i < path->n_knots; i++) {
        if (i % (SB_BLOCK_M / KNOT_M) == 0 && i > 0) {
            static const int turns[] = {0, 0, 1, 3, 1, 3};
            direction = (direction + turns[sb_pick(path->seed, 2, (uint32_t)i, 0, 5)]) & 3;
        }
        int32_t aside = SB_MM(sb_pick(path->seed, 3, (uint32_t)i, -700, 700));
        path->knot[i] = (place){x * SB_ONE + aside * (dx[direction] == 0), y * SB_ONE + aside * (dy[direction] == 0)};
        x += KNOT_M * dx[direction];
        y += KNOT_M * dy[direction];
    }
}

sb_status sb_path_make(sb_path **path, uint32_t seed, int n_frames)
{
    *path = calloc(1, sizeof **path);
    int n_knots = (int)((int64_t)n_frames * FASTEST_MM / 1000 / SB_WALK_FPS / KNOT_M) + 8;
    if (*path) (*path)->knot = calloc((size_t)n_knots, sizeof *(*path)->knot);
    if (!*path || !(*path)->knot) {
        sb_path_free(*path);
        return sb_fail(SB_E_MEMORY, "samebits-data synth: not enough memory for the way");
    }
    (*path)->seed = sb_mix(seed, 3, 4);
    (*path)->n_knots = n_knots;
    (*path)->at = SB_ONE / 2;
    lay_knots(*path);
    return SB_OK;
}

void sb_path_free(sb_path *path)
{
    if (!path) return;
    free(path->knot);
    free(path);
}

/* Place and direction at the point reached. */
static place along(const sb_path *path, int *heading)
{
    const place *p = path->knot + (path->at >> 16);
    int64_t u = path->at & 0xffff, v = SB_ONE - u;
    int64_t a = v * v >> 17, c = u * u >> 17, b = SB_ONE - a - c;
    int64_t dx = v * (p[1].x - p[0].x) + u * (p[2].x - p[1].x), dy = v * (p[1].y - p[0].y) + u * (p[2].y - p[1].y);
    *heading = sb_fix_atan2(dy >> 16, dx >> 16);
    return (place){(int32_t)((a * p[0].x + b * p[1].x + c * p[2].x) >> 16),
                   (int32_t)((a * p[0].y + b * p[1].y + c * p[2].y) >> 16)};
}

/* Follow a direction the way a head does: a little late and without jerks. */
static void turn_towards(sb_path *path, int heading)
{
    int behind = (int16_t)(uint16_t)(heading - (path->heading >> 16));
    if (path->frame == 0)
        path->heading = heading * SB_ONE;
    else
        path->heading = (int32_t)((uint32_t)path->heading + (uint32_t)(behind * (SB_ONE / 14)));
}

/* Wander of one kind: its period in milliseconds, its reach in the unit of the result. */
static int32_t wander(const sb_path *path, uint32_t kind, int64_t time, int period_ms, int32_t reach)
{
    return (int32_t)((int64_t)sb_wander(path->seed + kind, time * 1000 / period_ms) * reach >> 16);
}

sb_camera sb_path_next(sb_path *path)
{
    int64_t time = (int64_t)path->frame * SB_ONE / SB_WALK_FPS;
    int heading;
    place at = along(path, &heading);
    turn_towards(path, heading);
    int stride = (int)(path->steps & 0xffff); /* 65536: left and right */
    int32_t up = sb_fix_sin(2 * stride), sway = sb_fix_sin(stride);
    int32_t forward_x = sb_fix_cos(path->heading >> 16), forward_y = sb_fix_sin(path->heading >> 16);
    int32_t aside = sb_fix_mul(sway, SB_MM(22));
    sb_camera camera = {
        .x = at.x - sb_fix_mul(forward_y, aside),
        .y = at.y + sb_fix_mul(forward_x, aside),
        .eye = SB_MM(1640) + sb_fix_mul(up, SB_MM(30)),
        /* Looking about: slow and wide, quick and small; the step turns the head a little. */
        .heading = (path->heading >> 16) + wander(path, 50, time, 3700, 3600) + wander(path, 51, time, 700, 640) +
                   sb_fix_mul(sway, 90),
        .pitch = SB_MM(-35) + wander(path, 52, time, 4100, SB_MM(70)) + wander(path, 53, time, 550, SB_MM(14)) +
                 sb_fix_mul(sb_fix_sin(2 * stride + 9000), SB_MM(9)),
        .roll = wander(path, 54, time, 2300, SB_MM(16)) + sb_fix_mul(sway, SB_MM(13)),
        .sun = SB_MM(760) + wander(path, 55, time, 7000, SB_MM(240)),
        .time = time,
    };
    int32_t speed = SB_MM(1350) + wander(path, 56, time, 5000, SB_MM(250));
    path->at += speed / (SB_WALK_FPS * KNOT_M);
    path->steps += speed * 10 / 14 / SB_WALK_FPS; /* a stride is 1.4 m */
    path->frame++;
    return camera;
}

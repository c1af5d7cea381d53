#include "datasets/synth/fixed.h"
#include "datasets/synth/walk_render.h"

enum { WRAP = SB_WORLD_M - 1 };

/* One column while it is drawn: its ray, and how far down it is still open. */
typedef struct column {
    sb_texel *colour;
    uint16_t *depth;
    int angle;
    int32_t ray_x, ray_y; /* Q16: metres along for each metre of depth */
    int horizon;          /* Q8 */
    int open;             /* samples 0 .. open-1 are not drawn yet */
} column;

static uint16_t depth_of(int32_t distance)
{
    return (uint16_t)(distance >> 8);
}

/* Sample row (Q8) of a height above the ground at a distance. */
static int64_t row_of(const sb_renderer *r, const column *c, int32_t height, int32_t distance)
{
    return c->horizon + ((int64_t)(r->camera.eye - height) * r->focal * 256) / distance;
}

/* ---- ground: from the row `top` down ---- */

static void draw_ground(const sb_renderer *r, column *c, int top)
{
    if (top < 0) top = 0;
    int64_t reach = (int64_t)r->camera.eye * r->focal * 256;
    for (int y = c->open - 1; y >= top; y--) {
        int below = y * 256 + 128 - c->horizon; /* Q8 */
        int64_t distance = below > 0 ? reach / below : (int64_t)SB_FAR_M << 16;
        if (distance > (int64_t)SB_FAR_M << 16) distance = (int64_t)SB_FAR_M << 16;
        int32_t x = r->camera.x + sb_fix_mul(c->ray_x, (int32_t)distance);
        int32_t yy = r->camera.y + sb_fix_mul(c->ray_y, (int32_t)distance);
        const sb_texture *texture = &r->world->texture[r->world->cell[yy >> 16 & WRAP][x >> 16 & WRAP].ground];
        /* 64 texels to the metre; a sample covers distance / focal across and more along. */
        int level = sb_texture_level(texture, distance * 80 / r->focal);
        sb_texel texel = sb_texture_at(texture, level, (uint32_t)x >> 2, (uint32_t)yy >> 2);
        sb_light light = sb_light_of(r, sb_world_light(r->world, x, yy));
        c->colour[y] = sb_shade(texel, light, sb_haze_at(r, (int32_t)distance));
        c->depth[y] = depth_of((int32_t)distance);
    }
    if (top < c->open) c->open = top;
}

/* ---- walls ---- */

typedef struct wall {
    int32_t distance; /* depth of its foot */
    int32_t along;    /* Q16 m: where along the wall the ray meets it */
    int side;         /* 0: faces -x, 1: +x, 2: -y, 3: +y */
    sb_world_cell cell;
} wall;

/* What paint does to the light on a house. */
static sb_light tinted(sb_light light, int tint)
{
    static const sb_light tints[8] = {{256, 256, 256}, {262, 240, 206}, {232, 240, 250}, {256, 226, 200},
                                      {226, 236, 220}, {250, 246, 224}, {216, 214, 214}, {258, 232, 222}};
    const sb_light *t = &tints[tint & 7];
    return (sb_light){light.r * t->r >> 8, light.g * t->g >> 8, light.b * t->b >> 8};
}

static sb_light wall_light(const sb_renderer *r, const wall *w)
{
    /* The sun stands over +x, -y. */
    static const int sunlit[4] = {20, 178, 222, 34};
    return tinted(sb_light_of(r, sunlit[w->side]), w->cell.tint);
}

/* Hedges have no straight top. */
static int32_t wall_height(const wall *w)
{
    int32_t height = w->cell.height * (SB_ONE / 10);
    if (w->cell.wall != SB_WALL_HEDGE) return height;
    return height + (sb_noise_sum(5, w->along >> 10, w->side * 64, 5, 14) - 128) * 90;
}

/* The texel of a wall at a height; *ledge: a cornice or a coping, which is lighter. */
static sb_texel wall_texel(const sb_renderer *r, const wall *w, int32_t height, int32_t z, int level)
{
    int surface = w->cell.wall;
    uint32_t u = (uint32_t)w->along / 2, v = (uint32_t)(-z) / 2; /* 2 m to the period */
    if (surface >= SB_FACADE_PLASTER) {
        if (z > height - SB_MM(350)) return z > height - SB_MM(60) || z < height - SB_MM(290) ? 0xff78828a : 0xffa4b0b6;
        int storey = z / (3 * SB_ONE);
        surface += storey == 0;
        u = (uint32_t)w->along / 6;
        v = (uint32_t)(3 * SB_ONE - 1 - (z - storey * 3 * SB_ONE)) / 3;
    } else if (surface != SB_WALL_HEDGE && z > height - SB_MM(90)) {
        return 0xff98a6ac;
    }
    return sb_texture_at(&r->world->texture[surface], level, u, v);
}

static void draw_wall(const sb_renderer *r, column *c, const wall *w)
{
    int32_t height = wall_height(w);
    int top = (int)((row_of(r, c, height, w->distance) + 127) >> 8);
    if (top < 0) top = 0;
    if (top >= c->open) return;
    const sb_texture *texture = &r->world->texture[w->cell.wall];
    int texels_per_m = w->cell.wall >= SB_FACADE_PLASTER ? 85 : 128;
    int level = sb_texture_level(texture, (int64_t)w->distance * texels_per_m / r->focal);
    sb_light light = wall_light(r, w);
    int haze = sb_haze_at(r, w->distance);
    int32_t per_sample = w->distance / r->focal;
    int32_t z = r->camera.eye - (int32_t)((int64_t)(top * 256 + 128 - c->horizon) * w->distance / r->focal >> 8);
    for (int y = top; y < c->open; y++, z -= per_sample) {
        if (z >= height) z = height - 1;
        int32_t at = z < 0 ? 0 : z;
        sb_light here = light;
        if (at < SB_ONE / 2) { /* less of the sky reaches the foot of a wall */
            int open_sky = 186 + (at * 70 >> 15);
            here = (sb_light){here.r * open_sky >> 8, here.g * open_sky >> 8, here.b * open_sky >> 8};
        }
        c->colour[y] = sb_shade(wall_texel(r, w, height, at, level), here, haze);
        c->depth[y] = depth_of(w->distance);
    }
    c->open = top;
}

/* ---- the ray through the cells ---- */

typedef struct axis { /* the ray's crossings of the lines x = n, or y = n */
    int cell, step;
    int64_t next, each; /* Q16 depth of the next crossing, and from one to the next */
} axis;

static axis axis_of(int32_t from, int32_t ray)
{
    axis a = {.cell = from >> 16, .step = ray < 0 ? -1 : 1};
    int64_t speed = ray < 0 ? -(int64_t)ray : ray;
    if (speed < 16) speed = 16; /* nearly along the lines: the next one is out of reach */
    int64_t first = ray < 0 ? from & 0xffff : SB_ONE - (from & 0xffff);
    a.each = ((int64_t)1 << 32) / speed;
    a.next = first * SB_ONE / speed;
    return a;
}

/* Follow the ray from cell to cell; wherever the world steps up, there is a wall. Draws until nothing is left to see.
 */
static void draw_walls(const sb_renderer *r, column *c)
{
    axis x = axis_of(r->camera.x, c->ray_x), y = axis_of(r->camera.y, c->ray_y);
    int before = r->world->cell[y.cell & WRAP][x.cell & WRAP].height;
    int ground_is_drawn = 0;
    while (c->open > 0) {
        int across_x = x.next < y.next;
        axis *a = across_x ? &x : &y;
        int64_t distance = a->next;
        if (distance > (int64_t)SB_FAR_M << 16) break;
        a->next += a->each;
        a->cell += a->step;
        const sb_world_cell *cell = &r->world->cell[y.cell & WRAP][x.cell & WRAP];
        int higher = cell->height > before;
        before = cell->height;
        if (!higher || distance < SB_ONE / 16) continue;
        wall w = {.distance = (int32_t)distance, .cell = *cell};
        w.side = across_x ? (a->step > 0 ? 0 : 1) : (a->step > 0 ? 2 : 3);
        w.along =
            across_x ? r->camera.y + sb_fix_mul(c->ray_y, w.distance) : r->camera.x + sb_fix_mul(c->ray_x, w.distance);
        w.along &= SB_WORLD_M * SB_ONE - 1;
        if (!ground_is_drawn) draw_ground(r, c, (int)((row_of(r, c, 0, w.distance) + 127) >> 8));
        ground_is_drawn = 1;
        draw_wall(r, c, &w);
    }
    if (!ground_is_drawn) draw_ground(r, c, (c->horizon + 127) >> 8);
}

static void draw_sky(const sb_renderer *r, column *c)
{
    const sb_texture *sky = &r->world->texture[SB_SKY];
    /* The picture goes once around; clouds drift. */
    uint32_t u = (uint32_t)(r->camera.heading + c->angle) + (uint32_t)(r->camera.time >> 13);
    int level = sb_texture_level(sky, (int64_t)SB_ONE * 163 / r->focal);
    for (int y = 0; y < c->open; y++) {
        int64_t above = (int64_t)(c->horizon - y * 256 - 128) * 256 / r->focal; /* Q16 tangent */
        int v = 65535 - 256 - sb_clamp((int)(above * 65536 / 58000), 0, 64000);
        sb_texel texel = sb_texture_at(sky, level, u, (uint32_t)v);
        int bright = 236 + (r->sun >> 4);
        c->colour[y] = sb_shade(texel, (sb_light){bright, bright, bright}, 0);
        c->depth[y] = 0xffff;
    }
}

void sb_render_column(sb_renderer *r, int at)
{
    /* Columns lie on a plane one metre ahead; the right hand is heading + a quarter turn. */
    int32_t aside = (int32_t)((int64_t)(2 * at + 1 - r->w) * SB_ONE / (2 * r->focal));
    column c = {
        .colour = r->colour + (size_t)at * (size_t)r->h,
        .depth = r->depth + (size_t)at * (size_t)r->h,
        .angle = r->column_angle[at],
        .ray_x = r->forward_x - sb_fix_mul(r->forward_y, aside),
        .ray_y = r->forward_y + sb_fix_mul(r->forward_x, aside),
        .horizon = sb_horizon(r, at),
        .open = r->h,
    };
    draw_walls(r, &c);
    draw_sky(r, &c);
}

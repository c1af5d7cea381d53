#include "datasets/synth/fixed.h"
#include "datasets/synth/walk_render.h"

#include <stdlib.h>

enum { NEAREST_MM = 350, FADE_MM = 1100, SHOWN_MAX = 1024 };

/* Something that stands upright and faces the viewer. */
typedef struct billboard {
    int32_t distance, aside; /* Q16 m ahead, to the right */
    int32_t w, h;            /* Q16 m */
    int kind;                /* sb_surface, or -1 for a walker */
    int which;               /* of the walkers */
    int sunlit;
    int view, phase; /* of a walker */
} billboard;

/* The nearest copy of a place of the repeating world, seen from the camera. */
static int32_t nearest_copy(int32_t difference)
{
    int32_t around = SB_WORLD_M * SB_ONE;
    return (int32_t)((uint32_t)(difference + around / 2) & (uint32_t)(around - 1)) - around / 2;
}

/* Into view coordinates; 0: at the back, too far or too far aside. */
static int locate(const sb_renderer *r, int32_t x, int32_t y, billboard *b)
{
    int32_t dx = nearest_copy((x & (SB_WORLD_M * SB_ONE - 1)) - (r->camera.x & (SB_WORLD_M * SB_ONE - 1)));
    int32_t dy = nearest_copy((y & (SB_WORLD_M * SB_ONE - 1)) - (r->camera.y & (SB_WORLD_M * SB_ONE - 1)));
    b->distance = sb_fix_mul(dx, r->forward_x) + sb_fix_mul(dy, r->forward_y);
    b->aside = sb_fix_mul(dy, r->forward_x) - sb_fix_mul(dx, r->forward_y);
    if (b->distance < SB_MM(NEAREST_MM) || b->distance > (SB_FAR_M - 15) * SB_ONE) return 0;
    int64_t edge = (b->aside < 0 ? -(int64_t)b->aside : b->aside) - b->w;
    return edge * r->focal * 2 < (int64_t)b->distance * r->w;
}

static int gather_props(const sb_renderer *r, billboard *list)
{
    int n = 0;
    for (int i = 0; i < r->world->n_props && n < SHOWN_MAX; i++) {
        const sb_prop *prop = &r->world->prop[i];
        billboard b = {.w = prop->w, .h = prop->h, .kind = prop->surface, .sunlit = 150 + 10 * prop->tint};
        if (locate(r, prop->x, prop->y, &b)) list[n++] = b;
    }
    return n;
}

static int gather_walkers(const sb_renderer *r, billboard *list, int n)
{
    for (int i = 0; i < SB_WORLD_WALKERS && n < SHOWN_MAX; i++) {
        const sb_walker *walker = &r->world->walker[i];
        int64_t way = (int64_t)walker->speed * r->camera.time >> 16;
        int32_t along = (int32_t)((walker->start + way) & (SB_WORLD_M * SB_ONE - 1));
        int32_t x = walker->along_x ? along : walker->across, y = walker->along_x ? walker->across : along;
        billboard b = {.kind = -1,
                       .which = i,
                       .h = (int32_t)((int64_t)walker->height * SB_FIGURE_H * 1000 / (SB_FIGURE_SCALE * 1750))};
        b.w = b.h * SB_FIGURE_W / SB_FIGURE_H;
        if (!locate(r, x, y, &b)) continue;
        int heading = (walker->along_x ? 0 : 0x4000) + (walker->speed < 0 ? 0x8000 : 0);
        int seen_from = r->camera.heading + sb_fix_atan2(b.aside, b.distance);
        /* View 0 walks to the right of the viewer: a quarter turn from the line of sight. */
        int turn = 0x4000 - (heading - seen_from);
        b.view = (turn + 65536 / SB_FIGURE_VIEWS / 2) / (65536 / SB_FIGURE_VIEWS) & (SB_FIGURE_VIEWS - 1);
        int64_t stride = (int64_t)walker->height * 4 / 5; /* two steps */
        int64_t walked = way < 0 ? -way : way;
        b.phase = (int)((walked * SB_FIGURE_PHASES / stride + i * 5) & (SB_FIGURE_PHASES - 1));
        b.sunlit = sb_world_light(r->world, x, y);
        list[n++] = b;
    }
    return n;
}

static int farther_first(const void *a, const void *b)
{
    const billboard *p = a, *q = b;
    if (p->distance != q->distance) return p->distance < q->distance ? 1 : -1;
    return p->aside < q->aside ? -1 : p->aside > q->aside;
}

/* Where a billboard's samples come from. */
typedef struct source {
    const sb_texture *texture; /* NULL: a figure */
    int level;
    const uint8_t (*figure)[SB_FIGURE_H];
    sb_clothes clothes;
} source;

static sb_texel sample(const source *s, uint32_t u, uint32_t v)
{
    if (s->texture) return sb_texture_at(s->texture, s->level, u, v);
    return s->clothes.of[s->figure[u * SB_FIGURE_W >> 16][v * SB_FIGURE_H >> 16]];
}

static sb_texel over(sb_texel front, sb_texel back)
{
    uint32_t through = 256 - (front >> 24) - (front >> 31);
    uint32_t even = (back & 0xff00ff) * through >> 8 & 0xff00ff, odd = (back >> 8 & 0xff00ff) * through & 0xff00ff00;
    return front + even + odd;
}

/* How much of something very near is left: it fades before the eye would walk into it. Q8. */
static uint32_t fade_of(int32_t distance)
{
    if (distance >= SB_MM(FADE_MM)) return 256;
    return (uint32_t)((int64_t)(distance - SB_MM(NEAREST_MM)) * 256 / (SB_MM(FADE_MM) - SB_MM(NEAREST_MM)));
}

static void draw_strip(sb_renderer *r, const billboard *b, const source *s, int column, uint32_t u, sb_light light)
{
    int horizon = sb_horizon(r, column);
    int64_t scale = (int64_t)r->focal * 256;
    int64_t bottom = horizon + (int64_t)r->camera.eye * scale / b->distance;
    int64_t top = horizon + (int64_t)(r->camera.eye - b->h) * scale / b->distance;
    int64_t first = (top + 127) >> 8, last = (bottom - 128) >> 8;
    if (first < 0) first = 0;
    if (last > r->h - 1) last = r->h - 1;
    int haze = sb_haze_at(r, b->distance);
    uint32_t fade = fade_of(b->distance);
    uint16_t depth = (uint16_t)(b->distance >> 8);
    size_t base = (size_t)column * (size_t)r->h;
    for (int64_t y = first; y <= last; y++) {
        if (r->depth[base + (size_t)y] < depth) continue;
        uint32_t v = (uint32_t)((y * 256 + 128 - top) * 65536 / (bottom - top));
        sb_texel texel = sb_shade(sample(s, u, v > 65535 ? 65535 : v), light, haze);
        if (texel >> 24 == 0) continue;
        if (fade < 256) texel = sb_texel_lerp(0, texel, fade);
        r->colour[base + (size_t)y] = over(texel, r->colour[base + (size_t)y]);
    }
}

/* A soft, dark patch where a walker touches the ground; without it people seem to float. */
static void draw_contact(sb_renderer *r, const billboard *b)
{
    int64_t middle = (int64_t)r->w / 2 + (int64_t)b->aside * r->focal / b->distance;
    int64_t half = (int64_t)SB_MM(340) * r->focal / b->distance;
    int64_t foot = (int64_t)r->camera.eye * r->focal / b->distance; /* rows below the horizon */
    int64_t tall = half * r->camera.eye / b->distance;
    if (half < 2 || tall < 1) return;
    for (int64_t x = middle - half < 0 ? 0 : middle - half; x < middle + half && x < r->w; x++) {
        int64_t y0 = foot + (sb_horizon(r, (int)x) >> 8);
        for (int64_t y = y0 - tall < 0 ? 0 : y0 - tall; y < y0 + tall && y < r->h; y++) {
            int64_t out = (x - middle) * (x - middle) * 256 / (half * half) + (y - y0) * (y - y0) * 256 / (tall * tall);
            size_t at = (size_t)x * (size_t)r->h + (size_t)y;
            if (out >= 256 || r->depth[at] + 128 < b->distance >> 8) continue;
            r->colour[at] = sb_texel_lerp(r->colour[at], 0xff000000u, (uint32_t)(256 - out) * 110 >> 8);
        }
    }
}

static void draw_billboard(sb_renderer *r, const billboard *b)
{
    if (b->kind < 0) draw_contact(r, b);
    source s = {0};
    if (b->kind >= 0) {
        s.texture = &r->world->texture[b->kind];
        int64_t texels_per_m = (int64_t)(1 << s.texture->log2_h) * SB_ONE / b->h;
        s.level = sb_texture_level(s.texture, texels_per_m * b->distance / r->focal);
    } else {
        s.figure = r->figures->texel[b->view][b->phase];
        sb_figure_dress(&s.clothes, r->world->walker[b->which].look);
    }
    int64_t middle = (int64_t)r->w * 128 + (int64_t)b->aside * r->focal * 256 / b->distance; /* Q8 columns */
    int64_t half = (int64_t)b->w * r->focal * 128 / b->distance;
    if (half < 1) return;
    int64_t first = (middle - half + 127) >> 8, last = (middle + half - 128) >> 8;
    if (first < 0) first = 0;
    if (last > r->w - 1) last = r->w - 1;
    sb_light light = sb_light_of(r, b->sunlit);
    for (int64_t column = first; column <= last; column++) {
        int64_t u = (column * 256 + 128 - (middle - half)) * 65536 / (2 * half);
        draw_strip(r, b, &s, (int)column, (uint32_t)sb_clamp((int)u, 0, 65535), light);
    }
}

void sb_render_billboards(sb_renderer *r)
{
    static billboard list[SHOWN_MAX];
    int n = gather_walkers(r, list, gather_props(r, list));
    qsort(list, (size_t)n, sizeof *list, farther_first);
    for (int i = 0; i < n; i++) draw_billboard(r, &list[i]);
}

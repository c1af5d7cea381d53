#include "datasets/synth/walk_render.h"

#include "datasets/synth/fixed.h"

#include <stdlib.h>

/* What a camera does to brightness: more contrast in the middle, less at both ends. Of 0 to 255, steepest at 112. */
static uint8_t tone(int value)
{
    int out = (value - 112) * 11 / 8;
    int bent = out - out * (out < 0 ? -out : out) / 900;
    return (uint8_t)sb_clamp(116 + bent, 0, 255);
}

sb_status sb_renderer_make(sb_renderer **renderer, const sb_world *world, int w, int h)
{
    sb_renderer *r = *renderer = calloc(1, sizeof *r);
    if (!r) return sb_fail(SB_E_MEMORY, "samebits-data synth: not enough memory for a frame");
    r->world = world;
    r->w = 2 * w, r->h = 2 * h;
    r->focal = r->w * 652 / 1000; /* 75 degrees from left to right */
    if (r->focal < 1) r->focal = 1;
    size_t n = (size_t)r->w * (size_t)r->h;
    r->column_angle = calloc((size_t)r->w, sizeof *r->column_angle);
    r->colour = calloc(n, sizeof *r->colour);
    r->depth = calloc(n, sizeof *r->depth);
    if (!r->column_angle || !r->colour || !r->depth || !(r->figures = sb_walk_figures_draw())) {
        sb_renderer_free(r);
        *renderer = NULL;
        return sb_fail(SB_E_MEMORY, "samebits-data synth: not enough memory for a frame of %dx%d", w, h);
    }
    for (int i = 0; i < 256; i++) r->tone[i] = tone(i);
    for (int x = 0; x < r->w; x++) r->column_angle[x] = sb_fix_atan2(2 * x + 1 - r->w, 2 * r->focal);
    /* Haze takes the same share of what is left with each step. */
    int64_t clear = SB_ONE;
    for (int i = 0; i < SB_HAZE_STEPS; i++) {
        r->haze[i] = (uint8_t)((SB_ONE - clear) * 210 >> 16);
        clear = clear * (SB_ONE - 350) >> 16;
    }
    return SB_OK;
}

void sb_renderer_free(sb_renderer *r)
{
    if (!r) return;
    free(r->figures);
    free(r->depth);
    free(r->colour);
    free(r->column_angle);
    free(r);
}

/* The mean of four samples, toned. */
static void join_samples(const sb_renderer *r, uint8_t *rgb)
{
    int w = r->w / 2, h = r->h / 2;
    for (int x = 0; x < w; x++) {
        const sb_texel *left = r->colour + (size_t)(2 * x) * (size_t)r->h, *right = left + r->h;
        for (int y = 0; y < h; y++) {
            sb_texel a = left[2 * y], b = left[2 * y + 1], c = right[2 * y], d = right[2 * y + 1];
            uint32_t even = ((a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x20002) >> 2;
            uint32_t odd = ((a >> 8 & 255) + (b >> 8 & 255) + (c >> 8 & 255) + (d >> 8 & 255) + 2) >> 2;
            uint8_t *pixel = rgb + 3 * ((size_t)y * (size_t)w + (size_t)x);
            pixel[0] = r->tone[even & 255], pixel[1] = r->tone[odd], pixel[2] = r->tone[even >> 16 & 255];
        }
    }
}

void sb_renderer_draw(sb_renderer *r, const sb_camera *camera, uint8_t *rgb)
{
    r->camera = *camera;
    r->forward_x = sb_fix_cos(camera->heading);
    r->forward_y = sb_fix_sin(camera->heading);
    r->sun = sb_clamp(camera->sun >> 8, 0, 256);
    for (int column = 0; column < r->w; column++) sb_render_column(r, column);
    sb_render_billboards(r);
    join_samples(r, rgb);
}

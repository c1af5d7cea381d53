#include "datasets/synth/digit_draw.h"

#include "datasets/synth/digit_strokes.h"
#include "datasets/synth/fixed.h"

#include <string.h>

enum {
    UNIT = 256,       /* places are in 1/256 pixel */
    PIECES = 8,       /* straight pieces of a curve */
    POINTS_MAX = 128, /* of a digit after cutting its curves into pieces */
};

typedef struct spot {
    int x, y;
    int pen_down; /* a line leads here from the spot before */
} spot;

typedef struct writing {
    spot spot[POINTS_MAX];
    int n;
    int pen; /* half the width of the line */
} writing;

/* The hand: the random numbers of one digit, drawn in order. */
typedef struct hand {
    uint32_t seed, index, n_drawn;
} hand;

/* Bell-shaped around 0, within -reach and reach: the mean of three even ones. */
static int waver(hand *h, int reach)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += sb_pick(h->seed, h->index, h->n_drawn++, -reach, reach);
    return sum / 3;
}

static void put(writing *w, int x, int y, int pen_down)
{
    if (w->n < POINTS_MAX) w->spot[w->n++] = (spot){x, y, pen_down};
}

/* A corner of the box of the strokes, moved a little, in UNIT per stroke unit. */
static spot corner(hand *h, const sb_stroke_point *p)
{
    return (spot){.x = p->x * UNIT + waver(h, 14 * UNIT), .y = p->y * UNIT + waver(h, 14 * UNIT)};
}

static void put_curve(writing *w, spot a, spot control, spot b)
{
    for (int i = 1; i <= PIECES; i++) {
        int u = PIECES - i;
        put(w, (u * u * a.x + 2 * u * i * control.x + i * i * b.x) / (PIECES * PIECES),
            (u * u * a.y + 2 * u * i * control.y + i * i * b.y) / (PIECES * PIECES), 1);
    }
}

static void write_strokes(writing *w, hand *h, const sb_stroke_point *p)
{
    for (; p->x >= 0; p++) {
        spot at = corner(h, p++);
        put(w, at.x, at.y, 0);
        for (; p->x >= 0; p += 2) {
            spot control = corner(h, p), end = corner(h, p + 1);
            put_curve(w, at, control, end);
            at = end;
        }
    }
}

/* Slant, turn and stretch, all a little, and a slow bend of the whole. */
static void distort(writing *w, hand *h)
{
    int slant = waver(h, 240) + 30, turn = waver(h, 3600), wide = 256 + waver(h, 110), bend = waver(h, 40);
    int64_t c = sb_fix_cos(turn), s = sb_fix_sin(turn);
    for (int i = 0; i < w->n; i++) {
        int y = w->spot[i].y - 70 * UNIT, x = (w->spot[i].x - 50 * UNIT) * wide / 256 - y * slant / 512;
        x += (int)((int64_t)y * y / (70 * UNIT) * bend / 256);
        w->spot[i].x = (int)((x * c - y * s) >> 16);
        w->spot[i].y = (int)((x * s + y * c) >> 16);
    }
}

/* Into a box of 20 pixels, the line's width included, by the longer side. */
static void fit(writing *w)
{
    int left = w->spot[0].x, right = left, top = w->spot[0].y, bottom = top;
    for (int i = 1; i < w->n; i++) {
        if (w->spot[i].x < left) left = w->spot[i].x;
        if (w->spot[i].x > right) right = w->spot[i].x;
        if (w->spot[i].y < top) top = w->spot[i].y;
        if (w->spot[i].y > bottom) bottom = w->spot[i].y;
    }
    int64_t longer = right - left > bottom - top ? right - left : bottom - top, room = 20 * UNIT - 2 * w->pen;
    if (longer < 1) longer = 1;
    for (int i = 0; i < w->n; i++) {
        w->spot[i].x = (int)((w->spot[i].x - (left + right) / 2) * room / longer) + SB_DIGIT_SIDE * UNIT / 2;
        w->spot[i].y = (int)((w->spot[i].y - (top + bottom) / 2) * room / longer) + SB_DIGIT_SIDE * UNIT / 2;
    }
}

/* Ink of one straight piece: full within the pen, falling off over about a pixel outside. */
static void ink_piece(const writing *w, const spot *a, const spot *b, uint8_t image[SB_DIGIT_BYTES])
{
    enum { SOFT = UNIT * 5 / 4 };
    int reach = w->pen + SOFT;
    int x0 = sb_clamp(((a->x < b->x ? a->x : b->x) - reach) / UNIT, 0, SB_DIGIT_SIDE - 1);
    int x1 = sb_clamp(((a->x > b->x ? a->x : b->x) + reach) / UNIT, 0, SB_DIGIT_SIDE - 1);
    int y0 = sb_clamp(((a->y < b->y ? a->y : b->y) - reach) / UNIT, 0, SB_DIGIT_SIDE - 1);
    int y1 = sb_clamp(((a->y > b->y ? a->y : b->y) + reach) / UNIT, 0, SB_DIGIT_SIDE - 1);
    int64_t dx = b->x - a->x, dy = b->y - a->y, length2 = dx * dx + dy * dy;
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            int64_t px = x * UNIT + UNIT / 2 - a->x, py = y * UNIT + UNIT / 2 - a->y, along = px * dx + py * dy;
            if (along > 0 && length2 > 0) {
                if (along > length2) along = length2;
                px -= dx * along / length2, py -= dy * along / length2;
            }
            int distance = (int)sb_isqrt((uint64_t)(px * px + py * py));
            int ink = sb_clamp((reach - distance) * 255 / SOFT, 0, 255);
            uint8_t *pixel = &image[y * SB_DIGIT_SIDE + x];
            if (ink > *pixel) *pixel = (uint8_t)ink;
        }
}

static void ink(const writing *w, uint8_t image[SB_DIGIT_BYTES])
{
    memset(image, 0, SB_DIGIT_BYTES);
    for (int i = 1; i < w->n; i++)
        if (w->spot[i].pen_down) ink_piece(w, &w->spot[i - 1], &w->spot[i], image);
}

/* Move the writing so that its centre of mass comes to the middle, by whole pixels. */
static void centre(writing *w, const uint8_t image[SB_DIGIT_BYTES])
{
    int64_t mass = 0, at_x = 0, at_y = 0;
    for (int i = 0; i < SB_DIGIT_BYTES; i++) {
        mass += image[i];
        at_x += (int64_t)image[i] * (2 * (i % SB_DIGIT_SIDE) + 1);
        at_y += (int64_t)image[i] * (2 * (i / SB_DIGIT_SIDE) + 1);
    }
    if (mass == 0) return;
    int dx = (int)((SB_DIGIT_SIDE * mass - at_x + mass) / (2 * mass)) * UNIT;
    int dy = (int)((SB_DIGIT_SIDE * mass - at_y + mass) / (2 * mass)) * UNIT;
    for (int i = 0; i < w->n; i++) w->spot[i].x += dx, w->spot[i].y += dy;
}

uint8_t sb_digit_draw(uint32_t seed, uint32_t index, uint8_t image[SB_DIGIT_BYTES])
{
    hand h = {.seed = sb_mix(seed, 77, 0), .index = index};
    writing w = {.n = 0};
    int digit = sb_pick(h.seed, index, h.n_drawn++, 0, 9);
    int way = sb_pick(h.seed, index, h.n_drawn++, 0, SB_DIGIT_WAYS - 1);
    w.pen = UNIT * 5 / 8 + waver(&h, UNIT / 2);
    write_strokes(&w, &h, sb_digit_strokes(digit, way));
    distort(&w, &h);
    fit(&w);
    ink(&w, image);
    centre(&w, image);
    ink(&w, image);
    return (uint8_t)digit;
}

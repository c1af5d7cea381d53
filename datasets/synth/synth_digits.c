#include "datasets/synth/fixed.h"
#include "datasets/synth/synth.h"

#include <string.h>

/* How the ten digits are written: each as a few strokes, in one or more ways. */

/* Quadratic curves: the points of a stroke are start, (control, end), (control, end), ... in a box of 100 by 140 units,
 * y downwards. A point whose x is negative ends the stroke, a second one the digit. */
typedef struct sb_stroke_point {
    int16_t x, y;
} sb_stroke_point;

enum { SB_DIGIT_WAYS = 3 };

#define LIFT                                                                                                           \
    {                                                                                                                  \
        -1, 0                                                                                                          \
    }

static const sb_stroke_point zero_round[] = {{55, 2},  {5, 0},  {8, 72}, {12, 140}, {52, 138}, {96, 136},
                                             {94, 66}, {92, 2}, {50, 4}, LIFT,      LIFT};
static const sb_stroke_point zero_open[] = {{70, 12}, {40, -8}, {18, 40}, {-0, 110}, {40, 136}, {84, 146},
                                            {92, 80}, {96, 16}, {52, 2},  LIFT,      LIFT};
static const sb_stroke_point one_plain[] = {{52, 2}, {50, 70}, {46, 138}, LIFT, LIFT};
static const sb_stroke_point one_flag[] = {{30, 32}, {46, 20}, {56, 2}, {54, 70}, {52, 138}, LIFT, LIFT};
static const sb_stroke_point one_foot[] = {{32, 28},  {48, 18},  {54, 2},   {53, 70}, {52, 136}, LIFT,
                                           {28, 137}, {52, 137}, {78, 136}, LIFT,     LIFT};
static const sb_stroke_point two_curl[] = {{12, 34},  {20, -2},  {56, 2},   {94, 8},   {80, 52}, {66, 90}, {10, 134},
                                           {30, 112}, {46, 124}, {66, 138}, {94, 128}, LIFT,     LIFT};
static const sb_stroke_point two_corner[] = {{14, 30},  {24, 0},   {54, 2},   {90, 6}, {84, 40}, {76, 80},
                                             {10, 136}, {50, 136}, {94, 134}, LIFT,    LIFT};
static const sb_stroke_point three_round[] = {{14, 20},  {34, -4},  {62, 4},  {92, 16},  {74, 46},
                                              {62, 62},  {36, 64},  {90, 66}, {90, 100}, {84, 140},
                                              {40, 136}, {18, 134}, {8, 116}, LIFT,      LIFT};
static const sb_stroke_point three_flat[] = {{12, 6},   {48, 4},   {84, 4},   {60, 32}, {40, 56}, {92, 60}, {90, 98},
                                             {84, 142}, {36, 136}, {16, 132}, {8, 118}, LIFT,     LIFT};
static const sb_stroke_point four_open[] = {{24, 6}, {18, 40}, {12, 74},  {50, 80}, {90, 74}, LIFT,
                                            {76, 8}, {72, 70}, {66, 138}, LIFT,     LIFT};
static const sb_stroke_point four_closed[] = {{64, 4}, {36, 44}, {8, 90},   {50, 94}, {96, 92}, LIFT,
                                              {64, 4}, {66, 70}, {64, 138}, LIFT,     LIFT};
static const sb_stroke_point five_hat[] = {{28, 8},   {22, 34},  {18, 60},  {52, 44},  {76, 64},
                                           {100, 96}, {66, 128}, {38, 146}, {10, 122}, LIFT,
                                           {28, 8},   {58, 8},   {90, 4},   LIFT,      LIFT};
static const sb_stroke_point five_flow[] = {{88, 6},   {56, 2},   {32, 8},   {26, 34},  {22, 60}, {80, 50}, {86, 90},
                                            {84, 140}, {40, 138}, {18, 136}, {10, 118}, LIFT,     LIFT};
static const sb_stroke_point six_loop[] = {{70, 4},  {30, 24}, {16, 80}, {10, 138}, {50, 138}, {92, 136}, {86, 94},
                                           {78, 62}, {46, 72}, {22, 82}, {20, 110}, LIFT,      LIFT};
static const sb_stroke_point six_slim[] = {{58, 2},  {20, 50}, {18, 92}, {18, 140}, {50, 138}, {82, 134}, {80, 106},
                                           {74, 76}, {44, 88}, {28, 94}, {20, 108}, LIFT,      LIFT};
static const sb_stroke_point seven_plain[] = {{10, 14}, {50, 10}, {90, 8}, {62, 60}, {42, 138}, LIFT, LIFT};
static const sb_stroke_point seven_hook[] = {{12, 30}, {12, 10},  {22, 10}, {56, 14}, {90, 8},
                                             {70, 60}, {52, 138}, LIFT,     LIFT};
static const sb_stroke_point seven_bar[] = {{10, 12}, {50, 12}, {90, 8},  {66, 60}, {40, 138}, LIFT,
                                            {34, 70}, {56, 70}, {80, 66}, LIFT,     LIFT};
static const sb_stroke_point eight_flow[] = {{80, 20}, {56, -8},  {28, 12},  {6, 36},   {46, 62},
                                             {94, 90}, {80, 118}, {54, 150}, {24, 124}, {4, 94},
                                             {46, 68}, {92, 36},  {78, 16},  LIFT,      LIFT};
static const sb_stroke_point eight_rings[] = {{52, 64}, {14, 56}, {22, 28}, {34, -4},  {60, 4},   {88, 18},  {76, 44},
                                              {68, 60}, {50, 66}, {12, 84}, {16, 112}, {26, 144}, {58, 138}, {92, 126},
                                              {84, 96}, {76, 74}, {50, 66}, LIFT,      LIFT};
static const sb_stroke_point nine_straight[] = {{80, 24}, {60, -8}, {32, 10},  {4, 36}, {26, 60}, {58, 76},
                                                {80, 22}, {80, 80}, {72, 138}, LIFT,    LIFT};
static const sb_stroke_point nine_curved[] = {{80, 30},  {68, -4},  {38, 4},   {6, 20},  {18, 52},
                                              {38, 80},  {76, 44},  {82, 30},  {80, 22}, {88, 100},
                                              {68, 124}, {44, 146}, {20, 126}, LIFT,     LIFT};

/* A way to write a digit; every digit has SB_DIGIT_WAYS, some of them the same. */
static const sb_stroke_point *digit_strokes(int digit, int way)
{
    static const sb_stroke_point *const ways[10][SB_DIGIT_WAYS] = {
        {zero_round, zero_open, zero_round},   {one_plain, one_flag, one_foot},
        {two_curl, two_corner, two_corner},    {three_round, three_round, three_flat},
        {four_open, four_open, four_closed},   {five_hat, five_flow, five_hat},
        {six_loop, six_slim, six_loop},        {seven_plain, seven_hook, seven_bar},
        {eight_flow, eight_rings, eight_flow}, {nine_straight, nine_curved, nine_straight},
    };
    return ways[digit][way];
}

/* One handwritten-like digit of 28 by 28, white on black, as MNIST has them: the writing fills about 20 by 20 and its
 * centre of mass lies in the middle. */

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
    write_strokes(&w, &h, digit_strokes(digit, way));
    distort(&w, &h);
    fit(&w);
    ink(&w, image);
    centre(&w, image);
    ink(&w, image);
    return (uint8_t)digit;
}

static const sb_option options[] = {SB_PICTURES_OPTIONS("digits.h5", "60000", "seed of the handwriting")};

static sb_status synth_digits(const sb_call *call)
{
    static const sb_pictures digits = {.draw = sb_digit_draw,
                                       .side = SB_DIGIT_SIDE,
                                       .channels = 1,
                                       .kind = "mnist",
                                       .source = "samebits-data synth digits"};
    return sb_pictures_write(&digits, call);
}

const sb_command sb_verb_synth_digits = {
    .program = "samebits-data",
    .verb = "synth digits",
    .summary = "make images like handwritten digits in the format of MNIST, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(sb_pictures_values),
    .epilogue = "The program uses whole numbers only, so the same seed gives the same images on every machine.\n",
    .run = synth_digits,
};

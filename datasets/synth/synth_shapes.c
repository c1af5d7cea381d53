#include "datasets/synth/fixed.h"
#include "datasets/synth/synth.h"

#include <stdbool.h>
#include <stdlib.h>

/* One coloured shape of ten kinds on a ground of another colour, 32 by 32 pixels: its place, size, turn, colours and
 * the noise over it vary, and say nothing of its kind. A mirrored or slightly shifted shape is of the same kind. */

enum {
    UNIT = 256,     /* places in the picture are in 1/256 pixel */
    RADIUS = 1000,  /* places in a shape are in 1/1000 of its radius */
    SAMPLES = 3,    /* of a pixel, across and down */
    NOISE = 10,     /* brightness, up and down, of each byte */
    CONTRAST = 240, /* between shape and ground at least, over the three colours */
    DOTS_MOST = 2,  /* small dots of other colours on the ground */
};

/* ---- the kinds: is that place in the shape? ---- */

typedef struct corner {
    int x, y;
} corner;

static bool in_disc(int x, int y, int radius)
{
    return x * x + y * y <= radius * radius;
}

static bool in_box(int x, int y, int half_w, int half_h)
{
    return abs(x) <= half_w && abs(y) <= half_h;
}

/* By the number of edges to the right of the place. */
static bool in_polygon(int x, int y, int n, const corner *p)
{
    bool inside = false;
    for (int i = 0, j = n - 1; i < n; j = i++) {
        if ((p[i].y > y) == (p[j].y > y)) continue;
        const int64_t dy = p[j].y - p[i].y, left = (int64_t)(x - p[i].x) * dy;
        const int64_t right = (int64_t)(p[j].x - p[i].x) * (y - p[i].y);
        if (dy > 0 ? left < right : left > right) inside = !inside;
    }
    return inside;
}

static bool disc(int x, int y)
{
    return in_disc(x, y, RADIUS);
}

static bool ring(int x, int y)
{
    return in_disc(x, y, RADIUS) && !in_disc(x, y, 560);
}

static bool square(int x, int y)
{
    return in_box(x, y, 850, 850);
}

static bool triangle(int x, int y)
{
    static const corner corners[] = {{0, -1000}, {950, 800}, {-950, 800}};
    return in_polygon(x, y, 3, corners);
}

static bool cross(int x, int y)
{
    return in_box(x, y, 300, RADIUS) || in_box(x, y, RADIUS, 300);
}

static bool star(int x, int y)
{
    static const corner corners[] = {{0, -1100}, {247, -340}, {1046, -340}, {400, 130},    {647, 890},
                                     {0, 420},   {-647, 890}, {-400, 130},  {-1046, -340}, {-247, -340}};
    return in_polygon(x, y, 10, corners);
}

static bool crescent(int x, int y)
{
    return in_disc(x, y, RADIUS) && !in_disc(x, y + 480, 830);
}

static bool bars(int x, int y)
{
    return in_box(x, y, 950, 850) && abs(y) >= 270;
}

static bool hourglass(int x, int y)
{
    return in_box(x, y, 900, 950) && abs(x) <= 60 + abs(y) * 840 / 950;
}

static bool frame(int x, int y)
{
    return in_box(x, y, 880, 880) && !in_box(x, y, 480, 480);
}

const char sb_shape_classes[] = "disc\nring\nsquare\ntriangle\ncross\nstar\ncrescent\nbars\nhourglass\nframe";
static bool (*const kinds[])(int x, int y) = {disc, ring,     square, triangle,  cross,
                                              star, crescent, bars,   hourglass, frame};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* ---- the picture ---- */

/* The random numbers of one picture, drawn in order. */
typedef struct hand {
    uint32_t seed, index, n_drawn;
} hand;

static int draw(hand *h, int low, int high)
{
    return sb_pick(h->seed, h->index, h->n_drawn++, low, high);
}

typedef struct colour {
    int of[SB_SHAPE_CHANNELS];
} colour;

static colour draw_colour(hand *h)
{
    colour c;
    for (int k = 0; k < SB_SHAPE_CHANNELS; k++) c.of[k] = draw(h, 0, 255);
    return c;
}

static int contrast(const colour *a, const colour *b)
{
    int sum = 0;
    for (int k = 0; k < SB_SHAPE_CHANNELS; k++) sum += abs(a->of[k] - b->of[k]);
    return sum;
}

/* A colour that stands out against both ends of the ground. */
static colour draw_other(hand *h, const colour ground[2])
{
    colour c;
    do {
        c = draw_colour(h);
    } while (contrast(&c, &ground[0]) < CONTRAST || contrast(&c, &ground[1]) < CONTRAST);
    return c;
}

/* From one colour on the left, or above, to another that is not far from it. */
static void draw_ground(hand *h, uint8_t image[SB_SHAPE_BYTES], colour ground[2])
{
    const bool down = draw(h, 0, 1);
    ground[0] = draw_colour(h);
    for (int k = 0; k < SB_SHAPE_CHANNELS; k++) ground[1].of[k] = sb_clamp(ground[0].of[k] + draw(h, -40, 40), 0, 255);
    for (int y = 0; y < SB_SHAPE_SIDE; y++)
        for (int x = 0; x < SB_SHAPE_SIDE; x++)
            for (int k = 0; k < SB_SHAPE_CHANNELS; k++) {
                const int at = down ? y : x, last = SB_SHAPE_SIDE - 1;
                *image++ = (uint8_t)((ground[0].of[k] * (last - at) + ground[1].of[k] * at) / last);
            }
}

/* A shape in its place. */
typedef struct placed {
    bool (*holds)(int x, int y);
    int x, y, radius; /* in UNIT */
    int32_t cosine, sine;
} placed;

/* Of the samples of a pixel those that lie in the shape. */
static int count_samples(const placed *p, int x, int y)
{
    int n = 0;
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++) {
            const int64_t dx = x * UNIT + (2 * j + 1) * UNIT / (2 * SAMPLES) - p->x;
            const int64_t dy = y * UNIT + (2 * i + 1) * UNIT / (2 * SAMPLES) - p->y;
            const int64_t u = (dx * p->cosine + dy * p->sine) / SB_ONE, v = (dy * p->cosine - dx * p->sine) / SB_ONE;
            n += p->holds((int)(u * RADIUS / p->radius), (int)(v * RADIUS / p->radius));
        }
    return n;
}

static void put(const placed *p, const colour *c, uint8_t image[SB_SHAPE_BYTES])
{
    enum { ALL = SAMPLES * SAMPLES };
    for (int y = 0; y < SB_SHAPE_SIDE; y++)
        for (int x = 0; x < SB_SHAPE_SIDE; x++) {
            const int n = count_samples(p, x, y);
            uint8_t *pixel = image + (y * SB_SHAPE_SIDE + x) * SB_SHAPE_CHANNELS;
            for (int k = 0; n && k < SB_SHAPE_CHANNELS; k++)
                pixel[k] = (uint8_t)((pixel[k] * (ALL - n) + c->of[k] * n + ALL / 2) / ALL);
        }
}

static void put_dots(hand *h, uint8_t image[SB_SHAPE_BYTES])
{
    for (int n = draw(h, 0, DOTS_MOST); n > 0; n--) {
        const placed dot = {.holds = disc,
                            .x = draw(h, 0, SB_SHAPE_SIDE * UNIT),
                            .y = draw(h, 0, SB_SHAPE_SIDE * UNIT),
                            .radius = draw(h, UNIT, 5 * UNIT / 2),
                            .cosine = SB_ONE};
        const colour c = draw_colour(h);
        put(&dot, &c, image);
    }
}

static void put_noise(const hand *h, uint8_t image[SB_SHAPE_BYTES])
{
    const uint32_t seed = sb_mix(h->seed, h->index, 1);
    for (uint32_t i = 0; i < SB_SHAPE_BYTES; i++)
        image[i] = (uint8_t)sb_clamp(image[i] + sb_pick(seed, i, 0, -NOISE, NOISE), 0, 255);
}

uint8_t sb_shape_draw(uint32_t seed, uint32_t index, uint8_t image[SB_SHAPE_BYTES])
{
    enum { MIDDLE = SB_SHAPE_SIDE * UNIT / 2, DEGREE = 65536 / 360 };
    hand h = {.seed = sb_mix(seed, 78, 0), .index = index};
    colour ground[2];
    const int kind = draw(&h, 0, N_KINDS - 1);
    draw_ground(&h, image, ground);
    put_dots(&h, image);
    const int turn = draw(&h, -20 * DEGREE, 20 * DEGREE), radius = draw(&h, 8 * UNIT, 13 * UNIT);
    const int reach = MIDDLE - radius + UNIT; /* it may leave the picture by a pixel */
    const placed shape = {.holds = kinds[kind],
                          .x = MIDDLE + draw(&h, -reach, reach),
                          .y = MIDDLE + draw(&h, -reach, reach),
                          .radius = radius,
                          .cosine = sb_fix_cos(turn),
                          .sine = sb_fix_sin(turn)};
    const colour c = draw_other(&h, ground);
    put(&shape, &c, image);
    put_noise(&h, image);
    return (uint8_t)kind;
}

static const sb_option options[] = {SB_PICTURES_OPTIONS("shapes.h5", "50000", "seed of the pictures")};

static sb_status synth_shapes(const sb_call *call)
{
    static const sb_pictures shapes = {.draw = sb_shape_draw,
                                       .side = SB_SHAPE_SIDE,
                                       .channels = SB_SHAPE_CHANNELS,
                                       .kind = "images",
                                       .source = "samebits-data synth shapes",
                                       .classes = sb_shape_classes};
    return sb_pictures_write(&shapes, call);
}

const sb_command sb_verb_synth_shapes = {
    .program = "samebits-data",
    .verb = "synth shapes",
    .summary = "make colored shapes of ten kinds in the format of CIFAR-10, the same bytes everywhere",
    .options = options,
    .values_bytes = sizeof(sb_pictures_values),
    .epilogue = "The program uses whole numbers only, so the same seed gives the same images on every machine.\n",
    .run = synth_shapes,
};

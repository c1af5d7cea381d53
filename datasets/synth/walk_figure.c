#include "datasets/synth/walk_render.h"

#include "datasets/synth/fixed.h"

#include <stdlib.h>
#include <string.h>

/* Millimetres: x forwards, y to the left, z up. */
typedef struct point {
    int x, y, z;
} point;

typedef struct limb {
    point from, to;
    int r0, r1; /* radius at both ends */
    sb_part part;
} limb;

enum { LIMBS_MAX = 32 };

typedef struct body {
    limb limb[LIMBS_MAX];
    int n;
} body;

static void add(body *b, sb_part part, point from, point to, int r0, int r1)
{
    b->limb[b->n++] = (limb){from, to, r0, r1, part};
}

/* The far end of a limb that hangs from a joint, swung forwards by an angle. */
static point hang(point joint, int length, int angle)
{
    return (point){joint.x + (int)((int64_t)length * sb_fix_sin(angle) >> 16), joint.y,
                   joint.z - (int)((int64_t)length * sb_fix_cos(angle) >> 16)};
}

/* An angle in degrees, in angle units. */
static int degrees(int d)
{
    return d * 65536 / 360;
}

/* Amplitude in degrees times the sine of a phase. */
static int swing(int amplitude, int phase)
{
    return (int)((int64_t)degrees(amplitude) * sb_fix_sin(phase) >> 16);
}

static void add_leg(body *b, point hip, int phase)
{
    int thigh = swing(26, phase) + degrees(4);
    /* The knee bends while the leg comes forwards, most in the middle of that. */
    int lift = sb_fix_cos(phase - 3000);
    int knee = degrees(6) + (lift > 0 ? (int)((int64_t)degrees(52) * lift >> 16) : 0);
    point knee_at = hang(hip, 420, thigh), ankle = hang(knee_at, 420, thigh - knee);
    int tilt = thigh - knee;
    point toe = {ankle.x + (int)((int64_t)190 * sb_fix_cos(tilt) >> 16), ankle.y,
                 ankle.z - 35 + (int)((int64_t)190 * sb_fix_sin(tilt) >> 17)};
    add(b, SB_PART_LEGS, hip, knee_at, 92, 66);
    add(b, SB_PART_LEGS, knee_at, ankle, 64, 46);
    add(b, SB_PART_SHOES, (point){ankle.x - 30, ankle.y, ankle.z - 30}, toe, 46, 38);
}

static void add_arm(body *b, point shoulder, int phase)
{
    int upper = swing(-22, phase), outwards = shoulder.y > 0 ? 40 : -40;
    point elbow = hang(shoulder, 280, upper);
    elbow.y += outwards;
    point hand = hang(elbow, 250, upper + degrees(20) + swing(-10, phase));
    add(b, SB_PART_TOP, shoulder, elbow, 56, 46);
    add(b, SB_PART_TOP, elbow, hand, 44, 34);
    add(b, SB_PART_SKIN, hand, hang(hand, 70, upper + degrees(20)), 40, 30);
}

static body pose(int phase)
{
    body b = {0};
    int rise = (int)(20 * (int64_t)sb_fix_cos(2 * phase) >> 16); /* highest when the legs pass each other */
    int z = 880 - rise;
    int twist = (int)(25 * (int64_t)sb_fix_sin(phase) >> 16); /* shoulders against hips */
    add_leg(&b, (point){twist, 85, z}, phase);
    add_leg(&b, (point){-twist, -85, z}, phase + 32768);
    add(&b, SB_PART_LEGS, (point){0, 70, z + 40}, (point){0, -70, z + 40}, 115, 115);
    add(&b, SB_PART_TOP, (point){0, 0, z + 110}, (point){10, 0, z + 420}, 130, 150);
    add(&b, SB_PART_TOP, (point){15 - twist, 120, z + 500}, (point){15 + twist, -120, z + 500}, 82, 82);
    add(&b, SB_PART_BAG, (point){-130, 0, z + 220}, (point){-130, 0, z + 460}, 90, 100);
    add_arm(&b, (point){10 - twist, 190, z + 510}, phase);
    add_arm(&b, (point){10 + twist, -190, z + 510}, phase + 32768);
    add(&b, SB_PART_SKIN, (point){20, 0, z + 560}, (point){30, 0, z + 640}, 55, 55);
    add(&b, SB_PART_SKIN, (point){45, 0, z + 690}, (point){40, 0, z + 750}, 86, 92);
    add(&b, SB_PART_HAIR, (point){12, 0, z + 735}, (point){22, 0, z + 775}, 98, 100);
    return b;
}

/* A point as the viewer sees it: across, height, and nearness. */
static point turned(point p, int view)
{
    int angle = view * (65536 / SB_FIGURE_VIEWS);
    int64_t c = sb_fix_cos(angle), s = sb_fix_sin(angle);
    return (point){(int)((p.x * c - p.y * s) >> 16), (int)((p.x * s + p.y * c) >> 16), p.z};
}

/* The texels that lie between two places (in mm) along one side of a picture of n texels that begins at `begin` mm. */
static void texels_between(int low, int high, int begin, int n, int *first, int *last)
{
    *first = sb_clamp((low - begin) * SB_FIGURE_SCALE / 1000 - 1, 0, n);
    *last = sb_clamp((high - begin) * SB_FIGURE_SCALE / 1000 + 1, -1, n - 1);
}

/* Draw one limb: a disc of changing radius drawn out along a line, shaded like a ball lit from the upper left. */
static void draw_limb(const limb *l, int view, uint8_t texel[SB_FIGURE_W][SB_FIGURE_H],
                      int near[SB_FIGURE_W][SB_FIGURE_H])
{
    point a = turned(l->from, view), b = turned(l->to, view);
    int64_t dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
    int r_max = l->r0 > l->r1 ? l->r0 : l->r1, left, right, low, high;
    texels_between((a.x < b.x ? a.x : b.x) - r_max, (a.x > b.x ? a.x : b.x) + r_max,
                   -SB_FIGURE_W * 500 / SB_FIGURE_SCALE, SB_FIGURE_W, &left, &right);
    texels_between((a.z < b.z ? a.z : b.z) - r_max, (a.z > b.z ? a.z : b.z) + r_max, 0, SB_FIGURE_H, &low, &high);
    for (int i = left; i <= right; i++)
        for (int k = SB_FIGURE_H - 1 - high; k < SB_FIGURE_H - low; k++) {
            int x = (2 * i + 1 - SB_FIGURE_W) * 500 / SB_FIGURE_SCALE;
            int z = (2 * (SB_FIGURE_H - k) - 1) * 500 / SB_FIGURE_SCALE;
            int64_t along = (x - a.x) * dx + (z - a.z) * dz; /* of length2 */
            int t = length2 == 0 ? 0 : along <= 0 ? 0 : along >= length2 ? 1024 : (int)(along * 1024 / length2);
            int r = l->r0 + (l->r1 - l->r0) * t / 1024;
            int out_x = x - a.x - (int)(dx * t / 1024), out_z = z - a.z - (int)(dz * t / 1024);
            int rest = r * r - out_x * out_x - out_z * out_z;
            if (rest < 0) continue;
            int towards = (int)sb_isqrt((uint64_t)rest);
            int depth = a.y + (b.y - a.y) * t / 1024 - towards; /* smaller is nearer: the viewer stands at -y */
            if (depth >= near[i][k]) continue;
            near[i][k] = depth;
            int shade = 16 + (-5 * out_x + 6 * out_z + 6 * towards) / r - 2;
            texel[i][k] = (uint8_t)(l->part << 5 | sb_clamp(shade, 0, 31));
        }
}

sb_walk_figures *sb_walk_figures_draw(void)
{
    static int near[SB_FIGURE_W][SB_FIGURE_H];
    sb_walk_figures *figures = calloc(1, sizeof *figures);
    if (!figures) {
        sb_fail(SB_E_MEMORY, "samebits-data synth: not enough memory for the people");
        return NULL;
    }
    for (int phase = 0; phase < SB_FIGURE_PHASES; phase++) {
        body b = pose(phase * (65536 / SB_FIGURE_PHASES));
        for (int view = 0; view < SB_FIGURE_VIEWS; view++) {
            for (int i = 0; i < SB_FIGURE_W * SB_FIGURE_H; i++) near[i / SB_FIGURE_H][i % SB_FIGURE_H] = 1 << 20;
            for (int i = 0; i < b.n; i++) draw_limb(&b.limb[i], view, figures->texel[view][phase], near);
        }
    }
    return figures;
}

typedef struct colour {
    int r, g, b;
} colour;

static colour choose(const colour *from, int n, uint32_t look, uint32_t what)
{
    return from[sb_pick(look, what, 0, 0, n - 1)];
}

void sb_figure_dress(sb_clothes *clothes, uint32_t look)
{
    static const colour skins[] = {{224, 178, 150}, {206, 160, 128}, {168, 118, 88}, {112, 78, 58}};
    static const colour hairs[] = {{44, 34, 28}, {72, 50, 34}, {120, 86, 52}, {150, 146, 140}, {30, 28, 28}};
    static const colour tops[] = {{170, 52, 48},  {52, 84, 130},  {196, 192, 182}, {62, 64, 70},    {90, 120, 80},
                                  {204, 164, 80}, {120, 90, 130}, {60, 110, 116},  {210, 206, 200}, {140, 70, 50}};
    static const colour trousers[] = {{50, 58, 78}, {44, 44, 48}, {128, 112, 88}, {84, 80, 76}, {72, 92, 122}};
    static const colour bags[] = {{70, 60, 50}, {50, 60, 90}, {120, 50, 50}};
    colour part[SB_PART_N] = {
        [SB_PART_SKIN] = choose(skins, 4, look, 1),
        [SB_PART_HAIR] = choose(hairs, 5, look, 2),
        [SB_PART_TOP] = choose(tops, 10, look, 3),
        [SB_PART_LEGS] = choose(trousers, 5, look, 4),
        [SB_PART_SHOES] = {48, 44, 42},
    };
    /* Who carries no bag has a back of the shirt's colour. */
    part[SB_PART_BAG] = sb_pick(look, 5, 0, 0, 2) ? part[SB_PART_TOP] : choose(bags, 3, look, 6);
    memset(clothes, 0, sizeof *clothes);
    for (int p = SB_PART_SKIN; p < SB_PART_N; p++)
        for (int shade = 0; shade < 32; shade++) {
            int light = 110 + shade * 7; /* of 256 */
            clothes->of[p << 5 | shade] =
                sb_texel_of(part[p].r * light / 256, part[p].g * light / 256, part[p].b * light / 256);
        }
}

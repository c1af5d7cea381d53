#include "datasets/synth/fixed.h"

int32_t sb_fix_sin(int angle)
{
    /* Fold into the first quarter, then the odd polynomial of degree 7 (Taylor's first terms, the last one fitted) in
     * Q30. */
    unsigned turn = (unsigned)angle & 0xffff;
    unsigned quarter = turn & 0x3fff;
    if (turn & 0x4000) quarter = 0x4000 - quarter;
    int64_t x = (int64_t)quarter << 16; /* Q30, 1 = a quarter turn */
    int64_t x2 = x * x >> 30;
    int64_t sum = 4858470;               /* 0.0045248: makes sin(1) = 1 */
    sum = 85569270 - (x2 * sum >> 30);   /* 0.0796926 */
    sum = 693598670 - (x2 * sum >> 30);  /* 0.6459641 */
    sum = 1686629713 - (x2 * sum >> 30); /* pi/2 */
    int32_t value = (int32_t)((x * sum >> 30) >> 14);
    if (value > SB_ONE) value = SB_ONE;
    return turn & 0x8000 ? -value : value;
}

int32_t sb_fix_cos(int angle)
{
    return sb_fix_sin(angle + 0x4000);
}

int sb_fix_atan2(int64_t y, int64_t x)
{
    /* Turn the vector onto the x axis by ever smaller known angles (CORDIC); their sum is the answer. In 1/65536 of an
     * angle unit. */
    static const int32_t angle_of[] = {536870912, 316933406, 167458907, 85004756, 42667331, 21354465,
                                       10679838,  5340245,   2670163,   1335087,  667544,   333772,
                                       166886,    83443,     41722,     20861,    10430,    5215};
    int64_t sum = 0;
    if (x == 0 && y == 0) return 0;
    while ((x < 0 ? -x : x) < 1 << 24 && (y < 0 ? -y : y) < 1 << 24) x *= 2, y *= 2;
    if (x < 0) {
        sum = y >= 0 ? (int64_t)1 << 31 : -((int64_t)1 << 31);
        x = -x, y = -y;
    }
    for (int i = 0; i < (int)(sizeof angle_of / sizeof *angle_of); i++) {
        int64_t dx = x >> i, dy = y >> i;
        if (y > 0)
            x += dy, y -= dx, sum += angle_of[i];
        else
            x -= dy, y += dx, sum -= angle_of[i];
    }
    return (int16_t)(uint16_t)((sum + 0x8000) >> 16);
}

uint32_t sb_isqrt(uint64_t value)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= value) root += bit;
    return (uint32_t)root;
}

/* 3f^2 - 2f^3 for f in Q8, as Q8. */
static int smooth(int f)
{
    return f * f * (768 - 2 * f) >> 16;
}

static int lerp(int a, int b, int f)
{
    return a + ((b - a) * f >> 8);
}

int sb_noise(uint32_t seed, int x, int y, int log2_cell, int log2_period)
{
    unsigned mask = (1u << (log2_period - log2_cell)) - 1;
    unsigned left = (unsigned)(x >> log2_cell) & mask, top = (unsigned)(y >> log2_cell) & mask;
    unsigned right = (left + 1) & mask, bottom = (top + 1) & mask;
    int fx = smooth(((x & ((1 << log2_cell) - 1)) << 8) >> log2_cell);
    int fy = smooth(((y & ((1 << log2_cell) - 1)) << 8) >> log2_cell);
    int a = lerp(sb_mix(seed, left, top) >> 24, sb_mix(seed, right, top) >> 24, fx);
    int b = lerp(sb_mix(seed, left, bottom) >> 24, sb_mix(seed, right, bottom) >> 24, fx);
    return lerp(a, b, fy);
}

int sb_noise_sum(uint32_t seed, int x, int y, int log2_cell, int log2_period)
{
    int sum = 0, weights = 0;
    for (int cell = log2_cell, weight = 128; cell >= 0 && weight > 3; cell--, weight /= 2) {
        sum += weight * sb_noise(seed + (uint32_t)cell, x, y, cell, log2_period);
        weights += weight;
    }
    return sum / weights;
}

int32_t sb_wander(uint32_t seed, int64_t t)
{
    uint32_t at = (uint32_t)(t >> 16);
    int64_t f = t & 0xffff;
    int64_t ease = f * f / SB_ONE * (3 * SB_ONE - 2 * f) >> 16;
    int64_t a = (int32_t)(sb_mix(seed, at, 7) >> 15) - SB_ONE, b = (int32_t)(sb_mix(seed, at + 1, 7) >> 15) - SB_ONE;
    return (int32_t)(a + ((b - a) * ease >> 16));
}

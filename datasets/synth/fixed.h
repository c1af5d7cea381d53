/* Arithmetic of the synthetic scenes: whole numbers only, so that every machine makes the same bytes. No float, no
 * libm.
 *
 * Lengths are metres in Q16 (65536 to the metre), factors are Q16, angles are 65536 to the turn. Shifting a negative
 * number right keeps its sign, as all compilers this is built with define it. */
#pragma once

#include "core/pick.h"

enum { SB_ONE = 1 << 16 }; /* 1 in Q16 */

/* A length written in millimetres, as Q16 metres. */
#define SB_MM(mm) ((int32_t)((int64_t)(mm)*SB_ONE / 1000))

static inline int32_t sb_fix_mul(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 16);
}

static inline int sb_clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* Q16; error below 3e-5. */
int32_t sb_fix_sin(int angle);
int32_t sb_fix_cos(int angle);

/* The angle of (x, y), 0 along +x, in [-32768, 32767]; error below 2. (0, 0) gives 0. */
int sb_fix_atan2(int64_t y, int64_t x);

/* The largest whole number whose square is not above value. */
uint32_t sb_isqrt(uint64_t value);

/* Value noise, 0 to 255, smooth, on a lattice of 2^log2_cell pixels that repeats after 2^log2_period pixels. */
int sb_noise(uint32_t seed, int x, int y, int log2_cell, int log2_period);

/* Noise of several sizes, from cells of 2^log2_cell down to one pixel, each half as strong: 0 to 255. */
int sb_noise_sum(uint32_t seed, int x, int y, int log2_cell, int log2_period);

/* Smooth motion: noise over time t (Q16, one lattice point per unit), Q16 in [-1, 1]. */
int32_t sb_wander(uint32_t seed, int64_t t);

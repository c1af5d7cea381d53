/* Whole numbers that are the same for the same place, on every machine: what made data sets draw. */
#pragma once

#include <stdint.h>

/* A well mixed 32-bit word for a place: two rounds of Wellons' lowbias32. */
static inline uint32_t sb_mix(uint32_t seed, uint32_t a, uint32_t b)
{
    uint32_t x = seed * 0x9e3779b9u ^ a * 0x85ebca6bu ^ b * 0xc2b2ae35u;
    for (int i = 0; i < 2; i++) {
        x ^= x >> 16;
        x *= 0x7feb352du;
        x ^= x >> 15;
        x *= 0x846ca68bu;
        x ^= x >> 16;
    }
    return x;
}

/* A whole number in [low, high]. */
static inline int sb_pick(uint32_t seed, uint32_t a, uint32_t b, int low, int high)
{
    return low + (int)((uint64_t)sb_mix(seed, a, b) * (uint32_t)(high - low + 1) >> 32);
}

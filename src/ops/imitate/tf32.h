/* TF32, the format that tensor cores have multiplied since 2020: float32 with 10 bits of fraction instead of 23. The
 * product of two of them has 22 bits, so it is exact in float32. Sums are in float32. */
#pragma once

#include "ops/real.h"

#include <stdint.h>
#include <string.h>

/* Round to nearest, ties to even; the low 13 bits become zero. A NaN is unchanged. */
static inline float sb_tf32_round(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t rounded = (bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu;
    bits = (bits & 0x7fffffffu) > 0x7f800000u ? bits : rounded;
    memcpy(&x, &bits, sizeof x);
    return x;
}

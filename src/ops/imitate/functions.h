/* exp, tanh, sigmoid, division and square root with errors as on a GPU: the rounded exact value, moved by up to the
 * number of units in the last place that the CUDA C++ Programming Guide allows (Mathematical Functions, tables "with
 * maximum ULP error"; the values of the releases that the study's library was built with).
 *
 *     expf       2     standard function, full range
 *     tanhf      2     standard function, full range
 *     x / y      2     compiled without -prec-div=true, as by -use_fast_math
 *     sqrtf      3     compiled without -prec-sqrt=true, before compute capability 5.2
 *
 * The error, in [-n, n], is a hash of the bits of the arguments, so the results have the same bits on every CPU. The
 * real functions have smaller errors for most arguments, and similar errors for neighboring arguments; here errors are
 * uniform over the allowed range. The sigmoid is no function of CUDA's: 1 / (1 + exp(-x)), as in math.h.
 *
 * The exact value is formed in double with a relative error below 1e-14, and moves only where it is finite and normal;
 * tanh and sigmoid never leave [-1, 1].
 * tests/test_imitations.c checks each bound.
 */
#pragma once

#include "ops/real.h"

#include <stdint.h>
#include <string.h>

enum { SB_DEVICE_EXP_ULP = 2, SB_DEVICE_TANH_ULP = 2, SB_DEVICE_DIVIDE_ULP = 2, SB_DEVICE_SQRT_ULP = 3 };

static inline uint32_t sb_device_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The finalizer of MurmurHash3, a bijection that spreads every bit. */
static inline uint32_t sb_device_hash(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}

/* x moved by a number of units in the last place that follows from the hash, at most `most`; the sign is kept. */
static inline float sb_device_move(float x, uint32_t hash, uint32_t most)
{
    const uint32_t bits = sb_device_bits(x), size = bits & 0x7fffffffu;
    const uint32_t moved = bits + (uint32_t)((uint64_t)hash * (2 * most + 1) >> 32) - most;
    const uint32_t kept = size > 0x00800010u && size < 0x7f7ffff0u ? moved : bits;
    float y;
    memcpy(&y, &kept, sizeof y);
    return y;
}

/* e^x in double for |x| <= 180: x = n log 2 + r, Taylor's series to r^13 for |r| <= log(2) / 2. */
static inline double sb_device_exact_exp(double x)
{
    static const double inverse[] = {1.0 / 6227020800.0,
                                     1.0 / 479001600.0,
                                     1.0 / 39916800.0,
                                     1.0 / 3628800.0,
                                     1.0 / 362880.0,
                                     1.0 / 40320.0,
                                     1.0 / 5040.0,
                                     1.0 / 720.0,
                                     1.0 / 120.0,
                                     1.0 / 24.0,
                                     1.0 / 6.0,
                                     0.5,
                                     1.0,
                                     1.0};
    const double shifted = x * 0x1.71547652b82fep+0 + 0x1.8p52, n = shifted - 0x1.8p52;
    const double r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33; /* n times the first part is exact */
    double sum = inverse[0];
    for (int k = 1; k < 14; k++) sum = sum * r + inverse[k];
    const uint64_t bits = (uint64_t)((int64_t)n + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

/* Clamped as in math.h. */
static inline float sb_exp(float x)
{
    float clamped = x < -87.0f ? -87.0f : x;
    clamped = clamped > 88.0f ? 88.0f : clamped;
    return sb_device_move((float)sb_device_exact_exp(clamped), sb_device_hash(sb_device_bits(x) ^ 0x65787066u),
                          SB_DEVICE_EXP_ULP);
}

/* Below 2^-6 the series to x^7, whose next term is below 2^-48 of it. */
static inline float sb_tanh(float x)
{
    const double size = x < 0 ? -(double)x : (double)x, z = size * size;
    const double small = size * (1 + z * (-1.0 / 3 + z * (2.0 / 15 - z * (17.0 / 315))));
    const double clamped = size > 44 ? 44 : size;
    const double e = sb_device_exact_exp(-2 * clamped), large = (1 - e) / (1 + e);
    const double exact = size < 0x1p-6 ? small : size >= 0 ? large : size;
    const float moved =
        sb_device_move((float)exact, sb_device_hash(sb_device_bits(x) ^ 0x74616e68u), SB_DEVICE_TANH_ULP);
    const float bounded = moved > 1 ? 1 : moved;
    return x < 0 ? -bounded : bounded;
}

static inline float sb_device_divide(float a, float b)
{
    const uint32_t hash = sb_device_hash(sb_device_hash(sb_device_bits(a)) ^ sb_device_bits(b));
    return sb_device_move(a / b, hash, SB_DEVICE_DIVIDE_ULP);
}

static inline float sb_device_sqrt(float x)
{
    return sb_device_move(sqrtf(x), sb_device_hash(sb_device_bits(x) ^ 0x73717274u), SB_DEVICE_SQRT_ULP);
}

static inline float sb_sigmoid(float x)
{
    const float y = sb_device_divide(1.0f, 1.0f + sb_exp(-x));
    return y > 1 ? 1 : y;
}

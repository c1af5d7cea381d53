/* exp, sigmoid and tanh in one written order of operations, without libm: the same bits from gcc, clang and nvcc, from
 * scalar and vector code. tests/test_math.c checks each bound on every 61st float.
 *
 * Polynomials: minimax (Remez) fits made for this file, coefficients rounded to float. Bounds are differences from the
 * exact value, in units in the last place (ulp) of float.
 *
 * The float64 build uses libm: its tests have tolerances and compare no bits.
 */
#pragma once

#include "ops/real.h"

#include <stdint.h>
#include <string.h>

#ifdef SB_DEVICE_FUNCTIONS

#include "ops/imitate/functions.h"

#elif defined(SB_REAL_IS_DOUBLE)

SB_HOST_DEVICE sb_real sb_exp(sb_real x)
{
    return exp(x);
}

SB_HOST_DEVICE sb_real sb_sigmoid(sb_real x)
{
    return 1 / (1 + exp(-x));
}

SB_HOST_DEVICE sb_real sb_tanh(sb_real x)
{
    return tanh(x);
}

#else

/* 2^n for n in [-126, 127], by its bits. */
SB_HOST_DEVICE float sb_power_of_two(int32_t n)
{
    uint32_t bits = (uint32_t)(n + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* e^r - 1 for x = n log 2 + r, |r| <= log(2)/2, x clamped to [-87, 88] (so that neither 2^n nor e^x is subnormal or
 * infinite). e^r = 1 + r + r^2 q(r). */
SB_HOST_DEVICE float sb_exp_rest(float x, int32_t *exponent)
{
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    const float round_to_integer = 0x1.8p23f;
    float shifted = SB_FUSED(x, 0x1.715476p+0f, round_to_integer);
    float n = shifted - round_to_integer;
    float r = SB_FUSED(n, -0x1.62e400p-1f, x); /* log 2, high part: its product with n is exact */
    r = SB_FUSED(n, -0x1.7f7d1cp-20f, r);      /* low part */
    float q = 0x1.6a2352p-10f;
    q = SB_FUSED(q, r, 0x1.123a6cp-7f);
    q = SB_FUSED(q, r, 0x1.5558f4p-5f);
    q = SB_FUSED(q, r, 0x1.555490p-3f);
    q = SB_FUSED(q, r, 0x1.fffffcp-2f);
    *exponent = (int32_t)n;
    return SB_FUSED(r * r, q, r);
}

/* e^x for x clamped to [-87, 88]. Error below 1.02 ulp + the clamp. */
SB_HOST_DEVICE float sb_exp(float x)
{
    int32_t n;
    float e = sb_exp_rest(x, &n) + 1.0f;
    return e * sb_power_of_two(n);
}

/* 1 / (1 + e^-x). Error below 2.5 ulp for x >= -87; e^-87 below that. */
SB_HOST_DEVICE float sb_sigmoid(float x)
{
    return 1.0f / (1.0f + sb_exp(-x));
}

/* tanh x: odd polynomial for |x| < 0.625, else 1 - 2 / (e^2|x| + 1) with the sign of x. Error below 1.4 ulp. */
SB_HOST_DEVICE float sb_tanh(float x)
{
    float z = x * x;
    float p = -0x1.76ac30p-8f;
    p = SB_FUSED(p, z, 0x1.5256dcp-6f);
    p = SB_FUSED(p, z, -0x1.b8444ap-5f);
    p = SB_FUSED(p, z, 0x1.110768p-3f);
    p = SB_FUSED(p, z, -0x1.555534p-2f);
    float small = SB_FUSED(p * z, x, x);
    float size = x < 0 ? -x : x;
    float large = 1.0f - 2.0f / (sb_exp(2 * size) + 1.0f);
    large = x < 0 ? -large : large;
    return size < 0.625f ? small : large;
}

#endif

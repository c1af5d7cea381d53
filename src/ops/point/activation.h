/* The activation functions of core/rows/activations.h in one written order of operations: SB_ACTIVATION_VALUE(id) is
 * the value at x, SB_ACTIVATION_GRADIENT(id) is dy times the derivative at x. Only celu reads alpha, which is not 0.
 * The float build does not use libm, as in ops/math.h.
 *
 *     linear    x                                 dy
 *     relu      max(x, 0)                         dy where x > 0, else 0
 *     sigmoid   s = 1 / (1 + e^-x)                dy (s (1 - s))
 *     tanh      t = tanh x                        dy (1 - t t)
 *     celu      x > 0: x; alpha expm1(x / alpha)  dy where x > 0, else dy e^(x / alpha)
 *     gelu      x Phi(x)                          dy (Phi(x) + x e^(-x x / 2) / sqrt(2 pi))
 *                                                 Phi(x) = (1 + erf(x / sqrt 2)) / 2
 *     silu      x s, s = 1 / (1 + e^-x)           dy fma(x s, 1 - s, s)
 *     gelutanh  x (1 + t) / 2, t = tanh(u),       dy ((1 + t) / 2 + x (1 - t t) / 2 u')
 *               u = b (x + c x^3)                 u' = b (1 + 3 c x^2), b = sqrt(2 / pi), c = 0.044715
 *
 * Every value of a NaN is NaN. The imitations of a GPU compute the activations by the same code (ops/imitate/).
 */
#pragma once

#include "core/rows/activations.h"
#include "ops/order.h"

#ifdef SB_REAL_IS_DOUBLE

SB_HOST_DEVICE sb_real sb_expm1(sb_real x)
{
    return expm1(x);
}

SB_HOST_DEVICE sb_real sb_erf(sb_real x)
{
    return erf(x);
}

#else

/* e^x - 1 for x clamped as sb_exp's is. Error below 1.5 ulp + the clamp: with x = n log 2 + r it is
 * 2^n (e^r - 1) + (2^n - 1), and the last difference is exact for -24 <= n <= 24. */
SB_HOST_DEVICE float sb_expm1(float x)
{
    int32_t n;
    float p = sb_exp_rest(x, &n), power = sb_power_of_two(n);
    return SB_FUSED(power, p, power - 1.0f);
}

/* The error function: x + x p(x^2) for |x| < 0.9375, else 1 - e^(t q(t)) with t = min(|x|, 4) and the sign of x; at 4
 * the result is exactly 1 in float. Minimax fits made for this file, coefficients rounded to float. Error below 1.2
 * ulp. */
SB_HOST_DEVICE float sb_erf(float x)
{
    float z = x * x;
    float p = -0x1.36b84cp-11f;
    p = SB_FUSED(p, z, 0x1.466dcep-8f);
    p = SB_FUSED(p, z, -0x1.b66a02p-6f);
    p = SB_FUSED(p, z, 0x1.ce185ap-4f);
    p = SB_FUSED(p, z, -0x1.8126dcp-2f);
    p = SB_FUSED(p, z, 0x1.06eba6p-3f);
    float small = SB_FUSED(p, x, x);
    float size = x < 0 ? -x : x;
    float t = size > 4.0f ? 4.0f : size;
    float q = -0x1.8f2ec2p-17f;
    q = SB_FUSED(q, t, 0x1.597984p-12f);
    q = SB_FUSED(q, t, -0x1.e0fbb8p-9f);
    q = SB_FUSED(q, t, 0x1.8642b8p-6f);
    q = SB_FUSED(q, t, -0x1.b36bb2p-4f);
    q = SB_FUSED(q, t, -0x1.452d3ap-1f);
    q = SB_FUSED(q, t, -0x1.20efc4p+0f);
    float large = 1.0f - sb_exp(q * t);
    large = x < 0 ? -large : large;
    return size < 0.9375f ? small : large;
}

#endif

#define SB_ACTIVATION_VALUE(id)    sb_##id##_value
#define SB_ACTIVATION_GRADIENT(id) sb_##id##_gradient

SB_HOST_DEVICE sb_real sb_linear_value(sb_real x, sb_real alpha)
{
    (void)alpha;
    return x;
}

SB_HOST_DEVICE sb_real sb_linear_gradient(sb_real x, sb_real dy, sb_real alpha)
{
    (void)x, (void)alpha;
    return dy;
}

SB_HOST_DEVICE sb_real sb_relu_value(sb_real x, sb_real alpha)
{
    (void)alpha;
    return sb_relu(x);
}

SB_HOST_DEVICE sb_real sb_relu_gradient(sb_real x, sb_real dy, sb_real alpha)
{
    (void)alpha;
    return x > 0 ? dy : 0;
}

SB_HOST_DEVICE sb_real sb_sigmoid_value(sb_real x, sb_real alpha)
{
    (void)alpha;
    return sb_sigmoid(x);
}

SB_HOST_DEVICE sb_real sb_sigmoid_gradient(sb_real x, sb_real dy, sb_real alpha)
{
    (void)alpha;
    sb_real s = sb_sigmoid(x);
    return dy * (s * (1 - s));
}

SB_HOST_DEVICE sb_real sb_tanh_value(sb_real x, sb_real alpha)
{
    (void)alpha;
    return sb_tanh(x);
}

SB_HOST_DEVICE sb_real sb_tanh_gradient(sb_real x, sb_real dy, sb_real alpha)
{
    (void)alpha;
    sb_real t = sb_tanh(x);
    return dy * SB_FMA(-t, t, 1);
}

SB_HOST_DEVICE sb_real sb_celu_value(sb_real x, sb_real alpha)
{
    sb_real below = alpha * sb_expm1(SB_DIVIDE(x, alpha));
    return x > 0 ? x : below;
}

SB_HOST_DEVICE sb_real sb_celu_gradient(sb_real x, sb_real dy, sb_real alpha)
{
    sb_real below = dy * sb_exp(SB_DIVIDE(x, alpha));
    return x > 0 ? dy : below;
}

/* The standard normal distribution function Phi(x). */
SB_HOST_DEVICE sb_real sb_normal_share(sb_real x)
{
    return (sb_real)0.5 * (1 + sb_erf(x * (sb_real)0x1.6a09e667f3bcdp-1));
}

SB_HOST_DEVICE sb_real sb_gelu_value(sb_real x, sb_real alpha)
{
    (void)alpha;
    return x * sb_normal_share(x);
}

SB_HOST_DEVICE sb_real sb_gelu_gradient(sb_real x, sb_real dy, sb_real alpha)
{
    (void)alpha;
    sb_real density = sb_exp((sb_real)-0.5 * x * x) * (sb_real)0x1.9884533d43651p-2;
    return dy * SB_FMA(x, density, sb_normal_share(x));
}

SB_HOST_DEVICE sb_real sb_silu_value(sb_real x, sb_real alpha)
{
    (void)alpha;
    return x * sb_sigmoid(x);
}

SB_HOST_DEVICE sb_real sb_silu_gradient(sb_real x, sb_real dy, sb_real alpha)
{
    (void)alpha;
    sb_real s = sb_sigmoid(x);
    return dy * SB_FMA(x * s, 1 - s, s);
}

/* u of x, and u' in *slope. */
SB_HOST_DEVICE sb_real sb_gelu_tanh_argument(sb_real x, sb_real *slope)
{
    const sb_real b = (sb_real)0x1.9884533d43651p-1, c = (sb_real)0.044715, squared = c * (x * x);
    *slope = b * SB_FMA(3, squared, 1);
    return b * SB_FMA(squared, x, x);
}

SB_HOST_DEVICE sb_real sb_gelu_tanh_value(sb_real x, sb_real alpha)
{
    (void)alpha;
    sb_real slope, t = sb_tanh(sb_gelu_tanh_argument(x, &slope));
    return x * SB_FMA((sb_real)0.5, t, (sb_real)0.5);
}

SB_HOST_DEVICE sb_real sb_gelu_tanh_gradient(sb_real x, sb_real dy, sb_real alpha)
{
    (void)alpha;
    sb_real slope, t = sb_tanh(sb_gelu_tanh_argument(x, &slope));
    sb_real half = (sb_real)0.5 * SB_FMA(-t, t, 1);
    return dy * SB_FMA(x * half, slope, SB_FMA((sb_real)0.5, t, (sb_real)0.5));
}

/* Value and gradient of an activation that is known only at run time. */
SB_HOST_DEVICE sb_real sb_activation_value(sb_activation kind, sb_real x, sb_real alpha)
{
#define SB_VALUE_CASE(id, name)                                                                                        \
    case SB_ACTIVATION_##id:                                                                                           \
        return SB_ACTIVATION_VALUE(id)(x, alpha);
    switch (kind) {
        SB_ACTIVATIONS(SB_VALUE_CASE)
    default:
        return x;
    }
#undef SB_VALUE_CASE
}

SB_HOST_DEVICE sb_real sb_activation_gradient(sb_activation kind, sb_real x, sb_real dy, sb_real alpha)
{
#define SB_GRADIENT_CASE(id, name)                                                                                     \
    case SB_ACTIVATION_##id:                                                                                           \
        return SB_ACTIVATION_GRADIENT(id)(x, dy, alpha);
    switch (kind) {
        SB_ACTIVATIONS(SB_GRADIENT_CASE)
    default:
        return dy;
    }
#undef SB_GRADIENT_CASE
}

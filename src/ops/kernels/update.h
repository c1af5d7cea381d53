/* The rules of the optimizers as elementwise kernels, one for each row of core/rows/optimizers.h; their CPU twins are
 * in update_native.c. */
#pragma once

#include "ops/kernels/kernel.h"
#include "ops/optimizer/rules.h"

/* rates: device memory, for they change from update to update, and the launch does not. */
#define SB_UPDATE_KERNEL(A, id, name, title, states, kind, ...)                                                        \
    typedef struct sb_##id##_args {                                                                                    \
        long n;                                                                                                        \
        sb_block block;                                                                                                \
        const sb_##id##_rates *rates;                                                                                  \
    } sb_##id##_args;                                                                                                  \
    SB_HOST_DEVICE void sb_##id##_each(const sb_##id##_args *k, long i)                                                \
    {                                                                                                                  \
        sb_##id##_at(&k->block, k->rates, i, SB_GRADIENT_##kind(&k->block, i));                                        \
    }                                                                                                                  \
    SB_KERNELS_BEFORE_##kind(id)

#define SB_KERNELS_BEFORE_ELEMENTWISE(id)

/* The first step of a quasi-Newton rule; the chains of the products of the states, lane[b][k][l] being lane l of block
 * b for product k; the coefficients. */
#define SB_KERNELS_BEFORE_QUASI_NEWTON(id)                                                                             \
    typedef struct sb_##id##_pair_args {                                                                               \
        long n;                                                                                                        \
        sb_block block;                                                                                                \
        const sb_##id##_rates *rates;                                                                                  \
    } sb_##id##_pair_args;                                                                                             \
    SB_HOST_DEVICE void sb_##id##_pair_each(const sb_##id##_pair_args *k, long i)                                      \
    {                                                                                                                  \
        sb_##id##_pair_at(&k->block, k->rates, i);                                                                     \
    }                                                                                                                  \
    typedef struct sb_##id##_product_lanes_args {                                                                      \
        long n; /* SB_ORDER_LANES for each product of each block */                                                    \
        sb_block block;                                                                                                \
        double *lane;                                                                                                  \
    } sb_##id##_product_lanes_args;                                                                                    \
    SB_HOST_DEVICE void sb_##id##_product_lanes_each(const sb_##id##_product_lanes_args *k, long i)                    \
    {                                                                                                                  \
        const long l = i % SB_ORDER_LANES, product = i / SB_ORDER_LANES, size = (long)k->block.n;                      \
        const sb_##id##_factors of = sb_##id##_factors_of((int)(product % SB_PRODUCTS_##id));                          \
        const long first = product / SB_PRODUCTS_##id * SB_ORDER_BLOCK;                                                \
        const long end = size - first < SB_ORDER_BLOCK ? size : first + SB_ORDER_BLOCK;                                \
        const sb_real *a = k->block.state[of.a], *b = k->block.state[of.b];                                            \
        double sum = 0;                                                                                                \
        for (long at = first + l; at < end; at += SB_ORDER_LANES) sum = fma((double)a[at], (double)b[at], sum);        \
        k->lane[i] = sum;                                                                                              \
    }                                                                                                                  \
    typedef struct sb_##id##_coefficients_args {                                                                       \
        long n; /* 1 */                                                                                                \
        double *product, *coefficient;                                                                                 \
        const sb_##id##_rates *rates;                                                                                  \
    } sb_##id##_coefficients_args;                                                                                     \
    SB_HOST_DEVICE void sb_##id##_coefficients_each(const sb_##id##_coefficients_args *k, long i)                      \
    {                                                                                                                  \
        (void)i;                                                                                                       \
        sb_##id##_coefficients_of(k->product, k->rates, k->coefficient);                                               \
    }

/* The first step of a layer-wise rule, lane by lane of order.h: lane[2 b][l] and lane[2 b + 1][l] are the chains of
 * lane l of block b over the weights and over the directions. */
#define SB_KERNELS_BEFORE_LAYERWISE(id)                                                                                \
    typedef struct sb_##id##_lanes_args {                                                                              \
        long n; /* SB_ORDER_LANES for each block */                                                                    \
        sb_block block;                                                                                                \
        const sb_##id##_rates *rates;                                                                                  \
        double *lane;                                                                                                  \
    } sb_##id##_lanes_args;                                                                                            \
    SB_HOST_DEVICE void sb_##id##_lanes_each(const sb_##id##_lanes_args *k, long i)                                    \
    {                                                                                                                  \
        const long b = i / SB_ORDER_LANES, l = i % SB_ORDER_LANES, size = (long)k->block.n;                            \
        const long first = b * SB_ORDER_BLOCK, end = size - first < SB_ORDER_BLOCK ? size : first + SB_ORDER_BLOCK;    \
        double w = 0, u = 0;                                                                                           \
        for (long at = first + l; at < end; at += SB_ORDER_LANES) {                                                    \
            const double direction = sb_##id##_direction_at(&k->block, k->rates, at, k->block.grad[at]);               \
            const double weight = k->block.weight[at];                                                                 \
            w = fma(weight, weight, w);                                                                                \
            u = fma(direction, direction, u);                                                                          \
        }                                                                                                              \
        k->lane[2 * b * SB_ORDER_LANES + l] = w;                                                                       \
        k->lane[(2 * b + 1) * SB_ORDER_LANES + l] = u;                                                                 \
    }

SB_OPTIMIZERS(SB_UPDATE_KERNEL, SB_NO_STATE, )

typedef struct sb_trust_rate_args {
    long n; /* 1 */
    double *norm;
    const sb_trust *trust;
    sb_real *rate;
} sb_trust_rate_args;

SB_HOST_DEVICE void sb_trust_rate_each(const sb_trust_rate_args *k, long i)
{
    k->rate[i] = sb_trust_rate(k->norm, *k->trust);
}

typedef struct sb_gradient_divisor_args {
    long n; /* 1 */
    const double *norm2;
    long tensors;
    double limit;
    sb_real *divisor;
} sb_gradient_divisor_args;

SB_HOST_DEVICE void sb_gradient_divisor_each(const sb_gradient_divisor_args *k, long i)
{
    k->divisor[i] = sb_gradient_divisor_of(k->tensors, k->norm2, k->limit);
}

/* L-BFGS: quasi-Newton steps from the gradient g and the last ten pairs of a step s and of the change y of the gradient
 * over it (Liu and Nocedal, Mathematical Programming 45, 1989). The two loops come from Nocedal and Wright,
 * Numerical Optimization, algorithm 7.4. They use only the scalar products of the vectors, and give the coefficients of
 * the vectors in the step (Chen, Wang and Zhou, NIPS 2014).
 *
 * Each update has one gradient. The step is lr times the direction, and the very first has the length lr. The line
 * search uses gradients alone. If the slope along the last step is now positive and more than 0.8 of its earlier size,
 * the step was too long. It is taken back to the point where a parabola has slope zero, but to no less than a tenth
 * (the second half of the approximate Wolfe conditions, Hager and Zhang, SIAM Journal on Optimization 16, 2005, with
 * delta 0.1). The loss is not used, and may rise where it is not convex.
 *
 * States: g where the last step began; y1 ... y10, s1 ... s10. Update t = 1, 2, ... ends the pair that began with the
 * step of update t - 1 and is number (t - 2) mod 10 from 0 on; the pair of a step that is taken back stays, because it
 * is valid, too. Vectors that were never written are zero, and the pair that they make is left out. */
#pragma once

#include "core/rows/setting.h"
#include "ops/optimizer/block.h"

#include <assert.h>

enum {
    SB_LBFGS_PAIRS = 10,
    SB_LBFGS_VECTORS = 1 + 2 * SB_LBFGS_PAIRS, /* numbered as the states are */
    SB_LBFGS_LOWER = 1 + SB_LBFGS_PAIRS,       /* g and all y, with which all vectors are multiplied */
    SB_LBFGS_TRIANGLE = SB_LBFGS_LOWER * (SB_LBFGS_LOWER + 1) / 2,
    SB_PRODUCTS_lbfgs = SB_LBFGS_TRIANGLE + SB_LBFGS_PAIRS * SB_LBFGS_LOWER,
    SB_COEFFICIENTS_lbfgs = SB_LBFGS_VECTORS + 1 + SB_LBFGS_PAIRS,
};
static_assert((int)SB_LBFGS_VECTORS == (int)SB_STATES_lbfgs, "a state for each vector");

typedef struct sb_lbfgs_rates {
    sb_real lr, decay;
    sb_real ended, begun; /* the pair that this update ends, and the one that its step begins: 0 to 9 */
} sb_lbfgs_rates;

static inline sb_lbfgs_rates sb_lbfgs_rates_of(const sb_settings *settings, double lr, long t)
{
    sb_lbfgs_rates rates = {(sb_real)lr, (sb_real)settings->weight_decay, 0, 0};
    rates.ended = (sb_real)((t + SB_LBFGS_PAIRS - 2) % SB_LBFGS_PAIRS);
    rates.begun = (sb_real)((t + SB_LBFGS_PAIRS - 1) % SB_LBFGS_PAIRS);
    return rates;
}

SB_HOST_DEVICE int sb_lbfgs_y(int pair)
{
    return 1 + pair;
}

SB_HOST_DEVICE int sb_lbfgs_s(int pair)
{
    return SB_LBFGS_LOWER + pair;
}

/* g' = g + decay w */
SB_HOST_DEVICE sb_real sb_lbfgs_gradient_at(const sb_block *b, const sb_lbfgs_rates *rates, long i)
{
    return sb_flush(SB_FMA(rates->decay, b->weight[i], b->grad[i]));
}

/* y = g' - g where the step began */
SB_HOST_DEVICE void sb_lbfgs_pair_at(const sb_block *b, const sb_lbfgs_rates *rates, long i)
{
    b->state[sb_lbfgs_y((int)rates->ended)][i] = sb_flush(sb_lbfgs_gradient_at(b, rates, i) - b->state[0][i]);
}

/* The two vectors of product number k, in the order of the rows of a lower triangle without the products of two s. */
typedef struct sb_lbfgs_factors {
    int a, b;
} sb_lbfgs_factors;

SB_HOST_DEVICE sb_lbfgs_factors sb_lbfgs_factors_of(int k)
{
    sb_lbfgs_factors factors = {SB_LBFGS_LOWER, 0};
    if (k < SB_LBFGS_TRIANGLE) {
        factors.a = 0;
        while (k > factors.a) k -= ++factors.a;
        factors.b = k;
    } else {
        factors.a += (k - SB_LBFGS_TRIANGLE) / SB_LBFGS_LOWER;
        factors.b = (k - SB_LBFGS_TRIANGLE) % SB_LBFGS_LOWER;
    }
    return factors;
}

SB_HOST_DEVICE double sb_lbfgs_product_of(const double *product, int a, int b)
{
    const int more = a > b ? a : b, less = a > b ? b : a;
    return product[more < SB_LBFGS_LOWER ? more * (more + 1) / 2 + less
                                         : SB_LBFGS_TRIANGLE + (more - SB_LBFGS_LOWER) * SB_LBFGS_LOWER + less];
}

/* The product of vector v with the sum of the first n vectors by their coefficients: a chain of fused multiply-adds. */
SB_HOST_DEVICE double sb_lbfgs_along(const double *product, const double *coefficient, int n, int v)
{
    double sum = 0;
    for (int u = 0; u < n; u++) sum = fma(coefficient[u], sb_lbfgs_product_of(product, u, v), sum);
    return sum;
}

/* Whether the curvature along a step is positive, by the condition of L-BFGS-B (Byrd, Lu, Nocedal and Zhu, SIAM Journal
 * on Scientific Computing 16, 1995, eq. 3.9): s y > 2^-52 y y. */
SB_HOST_DEVICE bool sb_lbfgs_is_usable(const double *product, int pair)
{
    const int s = sb_lbfgs_s(pair), y = sb_lbfgs_y(pair);
    return sb_lbfgs_product_of(product, s, y) > 0x1p-52 * sb_lbfgs_product_of(product, y, y);
}

/* The share of the ended step that is kept: 1, or less if the step was too long. */
SB_HOST_DEVICE double sb_lbfgs_share(const double *product, int pair)
{
    const int s = sb_lbfgs_s(pair), y = sb_lbfgs_y(pair);
    const double before = sb_lbfgs_product_of(product, s, 0), change = sb_lbfgs_product_of(product, s, y);
    if (!(before < 0 && before + change > -0.8 * before)) return 1;
    const double share = -before / change;
    return share < 0.1 ? 0.1 : share;
}

/* The two loops from g' = g + y of the newest pair: coefficient [SB_LBFGS_VECTORS] of the direction. The Hessian is
 * the newest usable pair's at first, y y / s y; without any, |g'|. */
SB_HOST_DEVICE void sb_lbfgs_direction_of(const double *product, int newest, double *coefficient)
{
    double *alpha = &coefficient[SB_LBFGS_VECTORS + 1], scale = 0;
    for (int v = 0; v < SB_LBFGS_VECTORS; v++) coefficient[v] = v == 0 || v == sb_lbfgs_y(newest);
    const double g = sb_lbfgs_along(product, coefficient, SB_LBFGS_LOWER, 0);
    const double gg = g + sb_lbfgs_along(product, coefficient, SB_LBFGS_LOWER, sb_lbfgs_y(newest));
    for (int k = 0; k < SB_LBFGS_PAIRS; k++) {
        const int pair = (newest + SB_LBFGS_PAIRS - k) % SB_LBFGS_PAIRS, s = sb_lbfgs_s(pair), y = sb_lbfgs_y(pair);
        if (!sb_lbfgs_is_usable(product, pair)) continue;
        const double sy = sb_lbfgs_product_of(product, s, y);
        alpha[pair] = sb_lbfgs_along(product, coefficient, SB_LBFGS_LOWER, s) / sy;
        coefficient[y] -= alpha[pair];
        if (scale == 0) scale = sy / sb_lbfgs_product_of(product, y, y);
    }
    if (scale == 0) scale = gg == 0 ? 0 : 1 / sqrt(gg);
    for (int v = 0; v < SB_LBFGS_VECTORS; v++) coefficient[v] *= scale;
    for (int k = SB_LBFGS_PAIRS; k-- > 0;) {
        const int pair = (newest + SB_LBFGS_PAIRS - k) % SB_LBFGS_PAIRS, s = sb_lbfgs_s(pair), y = sb_lbfgs_y(pair);
        if (!sb_lbfgs_is_usable(product, pair)) continue;
        const double sy = sb_lbfgs_product_of(product, s, y);
        coefficient[s] = alpha[pair] - sb_lbfgs_along(product, coefficient, SB_LBFGS_VECTORS, y) / sy;
    }
}

/* coefficient [SB_COEFFICIENTS_lbfgs]: the step is the sum of the vectors, each times its coefficient; after them,
 * whether it begins where the last one did (1), and not where that ended (0), and the alpha of each pair in the two
 * loops. All in double, with one rounding for each operation that is written here. */
SB_HOST_DEVICE void sb_lbfgs_coefficients_of(const double *product, const sb_lbfgs_rates *rates, double *coefficient)
{
    const int newest = (int)rates->ended;
    const double share = sb_lbfgs_share(product, newest);
    coefficient[SB_LBFGS_VECTORS] = share < 1;
    for (int pair = 0; pair < SB_LBFGS_PAIRS; pair++) coefficient[SB_LBFGS_VECTORS + 1 + pair] = 0;
    if (share < 1) {
        for (int v = 0; v < SB_LBFGS_VECTORS; v++) coefficient[v] = 0;
        coefficient[sb_lbfgs_s(newest)] = share - 1;
    } else {
        sb_lbfgs_direction_of(product, newest, coefficient);
        for (int v = 0; v < SB_LBFGS_VECTORS; v++) coefficient[v] *= -(double)rates->lr;
    }
}

/* The step of element i: a chain of fused multiply-adds over the vectors in double, added to the weight, rounded once.
 * s is what the weight moved by from where the step began, and g the gradient there. */
SB_HOST_DEVICE void sb_lbfgs_at(const sb_block *b, const sb_lbfgs_rates *rates, long i, sb_real g)
{
    const double *coefficient = b->coefficient;
    const bool again = coefficient[SB_LBFGS_VECTORS] != 0;
    double step = 0;
    (void)g;
    for (int v = 0; v < SB_LBFGS_VECTORS; v++) step = fma(coefficient[v], (double)b->state[v][i], step);
    const sb_real w = (sb_real)((double)b->weight[i] + step);
    const sb_real moved = again ? b->state[sb_lbfgs_s((int)rates->ended)][i] : 0;
    b->state[0][i] = again ? b->state[0][i] : sb_lbfgs_gradient_at(b, rates, i);
    b->state[sb_lbfgs_s((int)rates->begun)][i] = sb_flush(moved + (w - b->weight[i]));
    b->weight[i] = w;
}

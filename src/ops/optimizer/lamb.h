/* LAMB: Adam's direction, at a rate for each tensor (You et al., arXiv 1904.00962). States m, v. */
#pragma once

#include "core/power.h"
#include "ops/optimizer/trust.h"

typedef struct sb_lamb_rates {
    sb_real one_minus_1, one_minus_2;   /* 1 - beta1, 1 - beta2 */
    sb_real correction_1, correction_2; /* 1 - beta1^t, 1 - beta2^t */
    sb_real epsilon, decay;
} sb_lamb_rates;

/* Of update t = 1, 2, ... Tensors of rank 1 have no decay, and their ratio is 1. */
static inline sb_lamb_rates sb_lamb_rates_of(const sb_settings *settings, long t, bool is_vector)
{
    sb_lamb_rates rates;
    rates.one_minus_1 = (sb_real)(1 - settings->beta1);
    rates.one_minus_2 = (sb_real)(1 - settings->beta2);
    rates.correction_1 = (sb_real)(1 - sb_power(settings->beta1, t));
    rates.correction_2 = (sb_real)(1 - sb_power(settings->beta2, t));
    rates.epsilon = (sb_real)settings->eps;
    rates.decay = is_vector ? 0 : (sb_real)settings->weight_decay;
    return rates;
}

/* phi(|w|) / |u| */
static inline sb_trust sb_lamb_trust_of(const sb_settings *settings, double lr, bool is_vector)
{
    sb_trust trust = sb_trust_of(settings, lr);
    if (is_vector) trust.eta = 0;
    return trust;
}

/* m += (1 - beta1)(g - m); v += (1 - beta2)(g g - v) */
SB_HOST_DEVICE void sb_lamb_moments(sb_real w, sb_real g, sb_real state[], sb_lamb_rates r)
{
    (void)w;
    sb_real *m = &state[0], *v = &state[1];
    *m = sb_flush(SB_FMA(r.one_minus_1, g - *m, *m));
    *v = sb_flush(SB_FMA(r.one_minus_2, SB_FMA(g, g, -*v), *v));
}

/* u = (m / correction_1) / (sqrt(v / correction_2) + epsilon) + decay w */
SB_HOST_DEVICE sb_real sb_lamb_direction(sb_real w, sb_real g, const sb_real state[], sb_lamb_rates r)
{
    (void)g;
    const sb_real m = SB_DIVIDE(state[0], r.correction_1), v = SB_DIVIDE(state[1], r.correction_2);
    return SB_FMA(r.decay, w, SB_DIVIDE(m, SB_SQRT(v) + r.epsilon));
}

/* w -= rate u */
SB_HOST_DEVICE void sb_lamb_element(sb_real *w, sb_real g, sb_real state[], sb_lamb_rates r, sb_real rate)
{
    *w = SB_FMA(-rate, sb_lamb_direction(*w, g, state, r), *w);
}

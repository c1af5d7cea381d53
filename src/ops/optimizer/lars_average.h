/* LARS as the paper on LAMB restates it: along a moving average of gradients (You et al., arXiv 1904.00962). No tensor
 * is left out. State v. */
#pragma once

#include "ops/optimizer/trust.h"

typedef struct sb_lars_average_rates {
    sb_real one_minus_1, decay;
} sb_lars_average_rates;

static inline sb_lars_average_rates sb_lars_average_rates_of(const sb_settings *settings, long t, bool is_vector)
{
    (void)t, (void)is_vector;
    sb_lars_average_rates rates = {(sb_real)(1 - settings->beta1), (sb_real)settings->weight_decay};
    return rates;
}

/* phi(|w|) / |v| */
static inline sb_trust sb_lars_average_trust_of(const sb_settings *settings, double lr, bool is_vector)
{
    (void)is_vector;
    return sb_trust_of(settings, lr);
}

/* g' = g + decay w; v += (1 - beta1)(g' - v) */
SB_HOST_DEVICE void sb_lars_average_moments(sb_real w, sb_real g, sb_real state[], sb_lars_average_rates r)
{
    sb_real *v = &state[0];
    *v = sb_flush(SB_FMA(r.one_minus_1, SB_FMA(r.decay, w, g) - *v, *v));
}

SB_HOST_DEVICE sb_real sb_lars_average_direction(sb_real w, sb_real g, const sb_real state[], sb_lars_average_rates r)
{
    (void)w, (void)g, (void)r;
    return state[0];
}

/* w -= rate v */
SB_HOST_DEVICE void sb_lars_average_element(sb_real *w, sb_real g, sb_real state[], sb_lars_average_rates r,
                                            sb_real rate)
{
    (void)g, (void)r;
    *w = SB_FMA(-rate, state[0], *w);
}

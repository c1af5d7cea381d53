/* Stochastic gradient descent. No states. */
#pragma once

#include "core/rows/setting.h"
#include "ops/order.h"

typedef struct sb_sgd_rates {
    sb_real lr, decay;
} sb_sgd_rates;

static inline sb_sgd_rates sb_sgd_rates_of(const sb_settings *settings, double lr, long t)
{
    (void)t;
    sb_sgd_rates rates = {(sb_real)lr, (sb_real)settings->weight_decay};
    return rates;
}

/* g' = g + decay w; w -= lr g' */
SB_HOST_DEVICE void sb_sgd_element(sb_real *w, sb_real g, sb_real state[], sb_sgd_rates r)
{
    (void)state;
    *w = SB_FMA(-r.lr, SB_FMA(r.decay, *w, g), *w);
}

/* Stochastic gradient descent with momentum, the rate inside the velocity. State v. */
#pragma once

#include "core/rows/setting.h"
#include "ops/order.h"

typedef struct sb_momentum_rates {
    sb_real lr, momentum, decay;
} sb_momentum_rates;

static inline sb_momentum_rates sb_momentum_rates_of(const sb_settings *settings, double lr, long t)
{
    (void)t;
    sb_momentum_rates rates = {(sb_real)lr, (sb_real)settings->momentum, (sb_real)settings->weight_decay};
    return rates;
}

/* g' = g + decay w; v = momentum v + lr g'; w -= v */
SB_HOST_DEVICE void sb_momentum_element(sb_real *w, sb_real g, sb_real state[], sb_momentum_rates r)
{
    sb_real *v = &state[0], d = r.lr * SB_FMA(r.decay, *w, g);
    *v = sb_flush(SB_FMA(r.momentum, *v, d));
    *w = *w - *v;
}

/* Stochastic gradient descent along a moving average of gradients. State v. */
#pragma once

#include "core/rows/setting.h"
#include "ops/order.h"

typedef struct sb_momentum_average_rates {
    sb_real lr, momentum, share, decay;
} sb_momentum_average_rates;

static inline sb_momentum_average_rates sb_momentum_average_rates_of(const sb_settings *settings, double lr, long t)
{
    (void)t;
    sb_momentum_average_rates rates = {(sb_real)lr, (sb_real)settings->momentum, (sb_real)(1 - settings->momentum),
                                       (sb_real)settings->weight_decay};
    return rates;
}

/* g' = g + decay w; v = momentum v + (1 - momentum) g'; w -= lr v */
SB_HOST_DEVICE void sb_momentum_average_element(sb_real *w, sb_real g, sb_real state[], sb_momentum_average_rates r)
{
    sb_real *v = &state[0];
    *v = sb_flush(r.momentum * *v + r.share * SB_FMA(r.decay, *w, g));
    *w = SB_FMA(-r.lr, *v, *w);
}

/* Adagrad: the gradient over the root of the sum of all its squares so far. State v. */
#pragma once

#include "core/rows/setting.h"
#include "ops/order.h"

typedef struct sb_adagrad_rates {
    sb_real lr, epsilon, decay;
} sb_adagrad_rates;

static inline sb_adagrad_rates sb_adagrad_rates_of(const sb_settings *settings, double lr, long t)
{
    (void)t;
    sb_adagrad_rates rates = {(sb_real)lr, (sb_real)settings->eps, (sb_real)settings->weight_decay};
    return rates;
}

/* g' = g + decay w; v += g' g'; w -= lr g' / (sqrt(v) + epsilon) */
SB_HOST_DEVICE void sb_adagrad_element(sb_real *w, sb_real g, sb_real state[], sb_adagrad_rates r)
{
    sb_real *v = &state[0], decayed = SB_FMA(r.decay, *w, g);
    *v = sb_flush(SB_FMA(decayed, decayed, *v));
    *w = *w - SB_DIVIDE(r.lr * decayed, SB_SQRT(*v) + r.epsilon);
}

/* RMSprop: the gradient over the root of a moving mean of its squares. State v. */
#pragma once

#include "core/rows/setting.h"
#include "ops/order.h"

typedef struct sb_rmsprop_rates {
    sb_real lr, one_minus_2, epsilon, decay;
} sb_rmsprop_rates;

static inline sb_rmsprop_rates sb_rmsprop_rates_of(const sb_settings *settings, double lr, long t)
{
    (void)t;
    sb_rmsprop_rates rates = {(sb_real)lr, (sb_real)(1 - settings->beta2), (sb_real)settings->eps,
                              (sb_real)settings->weight_decay};
    return rates;
}

/* g' = g + decay w; v += (1 - beta2)(g' g' - v); w -= lr g' / (sqrt(v) + epsilon) */
SB_HOST_DEVICE void sb_rmsprop_element(sb_real *w, sb_real g, sb_real state[], sb_rmsprop_rates r)
{
    sb_real *v = &state[0], decayed = SB_FMA(r.decay, *w, g);
    *v = sb_flush(SB_FMA(r.one_minus_2, SB_FMA(decayed, decayed, -*v), *v));
    *w = *w - SB_DIVIDE(r.lr * decayed, SB_SQRT(*v) + r.epsilon);
}

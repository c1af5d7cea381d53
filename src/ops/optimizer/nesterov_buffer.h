/* Nesterov's momentum in PyTorch's form: the rate is outside the velocity. State v. */
#pragma once

#include "core/rows/setting.h"
#include "ops/order.h"

typedef struct sb_nesterov_buffer_rates {
    sb_real lr, momentum, decay;
} sb_nesterov_buffer_rates;

static inline sb_nesterov_buffer_rates sb_nesterov_buffer_rates_of(const sb_settings *settings, double lr, long t)
{
    (void)t;
    sb_nesterov_buffer_rates rates = {(sb_real)lr, (sb_real)settings->momentum, (sb_real)settings->weight_decay};
    return rates;
}

/* g' = g + decay w; v = momentum v + g'; w -= lr (g' + momentum v) */
SB_HOST_DEVICE void sb_nesterov_buffer_element(sb_real *w, sb_real g, sb_real state[], sb_nesterov_buffer_rates r)
{
    sb_real *v = &state[0], decayed = SB_FMA(r.decay, *w, g);
    *v = sb_flush(SB_FMA(r.momentum, *v, decayed));
    *w = SB_FMA(-r.lr, SB_FMA(r.momentum, *v, decayed), *w);
}

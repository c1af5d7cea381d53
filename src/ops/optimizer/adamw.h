/* Adam as published, with weight decay decoupled from the gradient (Loshchilov and Hutter, arXiv 1711.05101):
 * epsilon is added to the root of the corrected v. States m, v. */
#pragma once

#include "core/power.h"
#include "core/rows/setting.h"
#include "ops/order.h"

typedef struct sb_adamw_rates {
    sb_real decay; /* lr weight_decay, formed in double */
    sb_real step;  /* lr / (1 - beta1^t) */
    sb_real root;  /* sqrt(1 - beta2^t) */
    sb_real one_minus_1, one_minus_2, epsilon;
} sb_adamw_rates;

/* Of update t = 1, 2, ... */
static inline sb_adamw_rates sb_adamw_rates_of(const sb_settings *settings, double lr, long t)
{
    sb_adamw_rates rates;
    rates.decay = (sb_real)(lr * settings->weight_decay);
    rates.step = (sb_real)(lr / (1 - sb_power(settings->beta1, t)));
    rates.root = (sb_real)sqrt(1 - sb_power(settings->beta2, t));
    rates.one_minus_1 = (sb_real)(1 - settings->beta1);
    rates.one_minus_2 = (sb_real)(1 - settings->beta2);
    rates.epsilon = (sb_real)settings->eps;
    return rates;
}

/* w -= lr decay w; m += (1 - beta1)(g - m); v += (1 - beta2)(g g - v); w -= step m / (sqrt(v) / root + epsilon) */
SB_HOST_DEVICE void sb_adamw_element(sb_real *w, sb_real g, sb_real state[], sb_adamw_rates r)
{
    sb_real *m = &state[0], *v = &state[1];
    *m = sb_flush(SB_FMA(r.one_minus_1, g - *m, *m));
    *v = sb_flush(SB_FMA(r.one_minus_2, SB_FMA(g, g, -*v), *v));
    *w = *w - r.decay * *w;
    *w = *w - SB_DIVIDE(r.step * *m, SB_DIVIDE(SB_SQRT(*v), r.root) + r.epsilon);
}

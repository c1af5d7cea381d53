/* Adam as the library of the study has it: epsilon is added to the root of the uncorrected v. States m, v. */
#pragma once

#include "core/power.h"
#include "core/rows/setting.h"
#include "ops/order.h"

typedef struct sb_adam_rates {
    sb_real step;        /* lr sqrt(1 - beta2^t) / (1 - beta1^t), formed in double */
    sb_real one_minus_1; /* 1 - beta1, formed in double */
    sb_real one_minus_2; /* 1 - beta2 */
    sb_real epsilon;
} sb_adam_rates;

/* Of update t = 1, 2, ... */
static inline sb_adam_rates sb_adam_rates_of(const sb_settings *settings, double lr, long t)
{
    const double beta1 = settings->beta1, beta2 = settings->beta2;
    sb_adam_rates rates;
    rates.step = (sb_real)(lr * sqrt(1 - sb_power(beta2, t)) / (1 - sb_power(beta1, t)));
    rates.one_minus_1 = (sb_real)(1 - beta1);
    rates.one_minus_2 = (sb_real)(1 - beta2);
    rates.epsilon = (sb_real)settings->eps;
    return rates;
}

/* m += (1 - beta1)(g - m); v += (1 - beta2)(g g - v); w -= step m / (sqrt(v) + epsilon) */
SB_HOST_DEVICE void sb_adam_element(sb_real *w, sb_real g, sb_real state[], sb_adam_rates r)
{
    sb_real *m = &state[0], *v = &state[1];
    *m = sb_flush(SB_FMA(r.one_minus_1, g - *m, *m));
    *v = sb_flush(SB_FMA(r.one_minus_2, SB_FMA(g, g, -*v), *v));
    *w = *w - SB_DIVIDE(r.step * *m, SB_SQRT(*v) + r.epsilon);
}

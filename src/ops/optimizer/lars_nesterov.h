/* LARS with Nesterov's momentum. State v. */
#pragma once

#include "ops/optimizer/lars.h"

typedef sb_lars_rates sb_lars_nesterov_rates;

static inline sb_lars_nesterov_rates sb_lars_nesterov_rates_of(const sb_settings *settings, long t, bool is_vector)
{
    return sb_lars_rates_of(settings, t, is_vector);
}

static inline sb_trust sb_lars_nesterov_trust_of(const sb_settings *settings, double lr, bool is_vector)
{
    return sb_lars_trust_of(settings, lr, is_vector);
}

SB_HOST_DEVICE void sb_lars_nesterov_moments(sb_real w, sb_real g, sb_real state[], sb_lars_nesterov_rates r)
{
    sb_lars_moments(w, g, state, r);
}

SB_HOST_DEVICE sb_real sb_lars_nesterov_direction(sb_real w, sb_real g, const sb_real state[], sb_lars_nesterov_rates r)
{
    return sb_lars_direction(w, g, state, r);
}

/* g' = g + decay w; v = momentum v + rate g'; w -= rate g' + momentum v */
SB_HOST_DEVICE void sb_lars_nesterov_element(sb_real *w, sb_real g, sb_real state[], sb_lars_nesterov_rates r,
                                             sb_real rate)
{
    sb_real *v = &state[0], d = rate * SB_FMA(r.decay, *w, g);
    *v = sb_flush(SB_FMA(r.momentum, *v, d));
    *w = *w - SB_FMA(r.momentum, *v, d);
}

/* LAMB without the correction of m and v, as the first version of the paper had it. States m, v. */
#pragma once

#include "ops/optimizer/lamb.h"

typedef sb_lamb_rates sb_lamb_uncorrected_rates;

static inline sb_lamb_uncorrected_rates sb_lamb_uncorrected_rates_of(const sb_settings *settings, long t,
                                                                     bool is_vector)
{
    sb_lamb_rates rates = sb_lamb_rates_of(settings, t, is_vector);
    rates.correction_1 = rates.correction_2 = 1;
    return rates;
}

static inline sb_trust sb_lamb_uncorrected_trust_of(const sb_settings *settings, double lr, bool is_vector)
{
    return sb_lamb_trust_of(settings, lr, is_vector);
}

SB_HOST_DEVICE void sb_lamb_uncorrected_moments(sb_real w, sb_real g, sb_real state[], sb_lamb_uncorrected_rates r)
{
    sb_lamb_moments(w, g, state, r);
}

SB_HOST_DEVICE sb_real sb_lamb_uncorrected_direction(sb_real w, sb_real g, const sb_real state[],
                                                     sb_lamb_uncorrected_rates r)
{
    return sb_lamb_direction(w, g, state, r);
}

SB_HOST_DEVICE void sb_lamb_uncorrected_element(sb_real *w, sb_real g, sb_real state[], sb_lamb_uncorrected_rates r,
                                                sb_real rate)
{
    sb_lamb_element(w, g, state, r, rate);
}

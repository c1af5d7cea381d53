/* LAMB as NVIDIA's apex has it: if the norm of all gradients is above the setting max_norm, they are first divided by
 * it (as in every optimizer with that setting). Tensors of rank 1 have a ratio but no decay. States m, v. */
#pragma once

#include "ops/optimizer/lamb.h"

typedef sb_lamb_rates sb_nvlamb_rates;

static inline sb_nvlamb_rates sb_nvlamb_rates_of(const sb_settings *settings, long t, bool is_vector)
{
    return sb_lamb_rates_of(settings, t, is_vector);
}

static inline sb_trust sb_nvlamb_trust_of(const sb_settings *settings, double lr, bool is_vector)
{
    (void)is_vector;
    return sb_trust_of(settings, lr);
}

SB_HOST_DEVICE void sb_nvlamb_moments(sb_real w, sb_real g, sb_real state[], sb_nvlamb_rates r)
{
    sb_lamb_moments(w, g, state, r);
}

SB_HOST_DEVICE sb_real sb_nvlamb_direction(sb_real w, sb_real g, const sb_real state[], sb_nvlamb_rates r)
{
    return sb_lamb_direction(w, g, state, r);
}

SB_HOST_DEVICE void sb_nvlamb_element(sb_real *w, sb_real g, sb_real state[], sb_nvlamb_rates r, sb_real rate)
{
    sb_lamb_element(w, g, state, r, rate);
}

/* LARS, layer-wise adaptive rates, as MLPerf's reference has it (You et al., arXiv 1708.03888). State v. */
#pragma once

#include "ops/optimizer/trust.h"

typedef struct sb_lars_rates {
    sb_real momentum, decay;
} sb_lars_rates;

/* Tensors of rank 1 have no decay, and their ratio is 1. */
static inline sb_lars_rates sb_lars_rates_of(const sb_settings *settings, long t, bool is_vector)
{
    (void)t;
    sb_lars_rates rates = {(sb_real)settings->momentum, is_vector ? 0 : (sb_real)settings->weight_decay};
    return rates;
}

/* eta |w| / (|g| + decay |w| + eps) */
static inline sb_trust sb_lars_trust_of(const sb_settings *settings, double lr, bool is_vector)
{
    sb_trust trust = {.lr = lr, .eta = is_vector ? 0 : settings->eta, .most = INFINITY};
    trust.decay = settings->weight_decay, trust.epsilon = settings->eps;
    return trust;
}

SB_HOST_DEVICE void sb_lars_moments(sb_real w, sb_real g, sb_real state[], sb_lars_rates r)
{
    (void)w, (void)g, (void)state, (void)r;
}

SB_HOST_DEVICE sb_real sb_lars_direction(sb_real w, sb_real g, const sb_real state[], sb_lars_rates r)
{
    (void)w, (void)state, (void)r;
    return g;
}

/* g' = g + decay w; v = momentum v + rate g'; w -= v */
SB_HOST_DEVICE void sb_lars_element(sb_real *w, sb_real g, sb_real state[], sb_lars_rates r, sb_real rate)
{
    sb_real *v = &state[0], d = rate * SB_FMA(r.decay, *w, g);
    *v = sb_flush(SB_FMA(r.momentum, *v, d));
    *w = *w - *v;
}

/* Shared by layer-wise rules: the trust ratio that scales the learning rate of each tensor (You et al., arXiv
 * 1708.03888 and 1904.00962), and the division of all gradients by their norm. In double, rounded once. */
#pragma once

#include "core/rows/setting.h"
#include "ops/order.h"

/* The numbers of a ratio, eta phi(|w|) / (|u| + decay |w| + epsilon), phi(z) = min(max(z, least), most); u is the
 * direction of the rule. */
typedef struct sb_trust {
    double lr, eta, least, most, decay, epsilon; /* eta 0: the ratio is 1 */
} sb_trust;

/* The ratio |w| / |u|, with the settings' phi. */
static inline sb_trust sb_trust_of(const sb_settings *settings, double lr)
{
    const bool is_limited = settings->phi.n == 2;
    sb_trust trust = {.lr = lr, .eta = 1, .most = INFINITY};
    if (is_limited) trust.least = settings->phi.item[0], trust.most = settings->phi.item[1];
    return trust;
}

/* The ratio from the squared norms. It is 1 if a norm is 0; otherwise a tensor that starts at zero would never
 * change. */
SB_HOST_DEVICE double sb_trust_ratio(double norm2_w, double norm2_u, sb_trust t)
{
    const double w = sqrt(norm2_w), u = sqrt(norm2_u);
    if (!(t.eta > 0 && w > 0 && u > 0)) return 1;
    const double phi = w < t.least ? t.least : w > t.most ? t.most : w;
    return t.eta * phi / (u + t.decay * w + t.epsilon);
}

/* norm: |w|^2 and |u|^2 are read, the ratio is written. Returns the learning rate of the tensor. */
SB_HOST_DEVICE sb_real sb_trust_rate(double *norm, sb_trust t)
{
    norm[2] = sb_trust_ratio(norm[0], norm[1], t);
    return (sb_real)(t.lr * norm[2]);
}

/* max(1, norm / limit), where norm is of all gradients together; norm2 [n]: the squared norm of each tensor. A NaN
 * stays NaN, so that a run that diverged shows it. */
SB_HOST_DEVICE sb_real sb_gradient_divisor_of(long n, const double *norm2, double limit)
{
    double total = 0;
    for (long i = 0; i < n; i++) total += norm2[i];
    const double times = sqrt(total) / limit;
    return times < 1 ? 1 : (sb_real)times;
}

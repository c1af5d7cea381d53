/* Softmax cross-entropy of one sample, formed in double and rounded once at its end. z: K logits with the stride
 * `step`.
 *
 *     log p_k = (z_k - max z) - log(sum over j of e^(z_j - max z)), j ascending, from 0
 *     loss    = (1 - a) (-log p_y) + a (sum over k of -log p_k) / K       a: label smoothing, over all classes
 *     dz_k    = factor ((p_k - a / K) - (1 - a) [k = y]),  p_k = e^(z_k - max z) / the same sum
 *
 * The float build has exp and log in double of its own, so that they have the same bits from every compiler and on
 * every device; in the float64 build they are libm's. A NaN among the logits makes the loss and the gradient NaN.
 */
#pragma once

#include "ops/real.h"

#include <stdint.h>
#include <string.h>

/* The class of a sample that has none, for one of its logits is NaN: wrong, whatever its label. */
enum { SB_NO_CLASS = 255, SB_CLASSES_MAX = SB_NO_CLASS };

#ifdef SB_REAL_IS_DOUBLE

SB_HOST_DEVICE double sb_exp_double(double x)
{
    return exp(x);
}

SB_HOST_DEVICE double sb_log_double(double x)
{
    return log(x);
}

#else

/* e^x for x <= 0; below -700 e^-700. Error below 1.1 ulp of double. x = n log 2 + r, |r| <= log(2)/2, and the Taylor
 * series of e^r, whose terms after the 14th are less than 2^-56. */
SB_HOST_DEVICE double sb_exp_double(double x)
{
    x = x < -700.0 ? -700.0 : x;
    const double round_to_integer = 0x1.8p52;
    const double shifted = fma(x, 0x1.71547652b82fep+0, round_to_integer), n = shifted - round_to_integer;
    double r = fma(n, -0x1.62e42fefa0000p-1, x); /* log 2, high part: n times it is exact */
    r = fma(n, -0x1.cf79abc9e3b3ap-40, r);
    double p = 1.0 / 6227020800.0;
    p = fma(p, r, 1.0 / 479001600.0);
    p = fma(p, r, 1.0 / 39916800.0);
    p = fma(p, r, 1.0 / 3628800.0);
    p = fma(p, r, 1.0 / 362880.0);
    p = fma(p, r, 1.0 / 40320.0);
    p = fma(p, r, 1.0 / 5040.0);
    p = fma(p, r, 1.0 / 720.0);
    p = fma(p, r, 1.0 / 120.0);
    p = fma(p, r, 1.0 / 24.0);
    p = fma(p, r, 1.0 / 6.0);
    p = fma(p, r, 0.5);
    double e = fma(r * r, p, r) + 1.0;
    uint64_t bits; /* its lowest ones are those of n, so that no conversion keeps loops from being vectorised */
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return e * power;
}

/* log x for normal x >= 1, not infinite. Error below 2.5 ulp of double. x = 2^n m, m in [sqrt(1/2), sqrt 2); log m = 2
 * atanh(s), s = (m - 1) / (m + 1), |s| < 0.1716, and the series of atanh, whose terms after s^23 are less than 2^-60
 * of it. */
SB_HOST_DEVICE double sb_log_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t n = (int64_t)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | (uint64_t)1023 << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 0x1.6a09e667f3bcdp+0) m *= 0.5, n++;
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    double p = 1.0 / 23.0;
    for (int k = 21; k >= 3; k -= 2) p = fma(p, z, 1.0 / k);
    double twice = 2.0 * s;
    double log_m = fma(twice * z, p, twice);
    return x != x ? x : fma((double)n, 0x1.62e42fefa39efp-1, log_m);
}

#endif

typedef struct sb_softmax {
    double largest, sum; /* max z, and the sum of e^(z_j - max z) */
    int predicted;       /* the class of the largest logit, the lowest where equal; SB_NO_CLASS: one is NaN */
} sb_softmax;

/* Exponentials are formed this many at a time, so that a CPU has them in its vectors, and a GPU in its registers. */
#ifdef __CUDA_ARCH__
enum { SB_SOFTMAX_AT_ONCE = 4 };
#else
enum { SB_SOFTMAX_AT_ONCE = 16 };
#endif

SB_HOST_DEVICE sb_softmax sb_softmax_of(const sb_real *z, long step, int classes)
{
    sb_softmax s = {(double)z[0], 0, 0};
    for (int k = 1; k < classes; k++)
        if ((double)z[k * step] > s.largest) s.largest = (double)z[k * step], s.predicted = k;
    for (int first = 0; first < classes; first += SB_SOFTMAX_AT_ONCE) {
        const int n = classes - first < SB_SOFTMAX_AT_ONCE ? classes - first : SB_SOFTMAX_AT_ONCE;
        const sb_real *some = z + first * step;
        double e[SB_SOFTMAX_AT_ONCE];
        for (int k = 0; k < n; k++) e[k] = sb_exp_double((double)some[k * step] - s.largest);
        for (int k = 0; k < n; k++) {
            if (some[k * step] != some[k * step]) s.predicted = SB_NO_CLASS;
            s.sum += e[k];
        }
    }
    return s;
}

/* The loss with smoothing a, and without: *entropy. */
SB_HOST_DEVICE double sb_softmax_loss(const sb_softmax *s, const sb_real *z, long step, int classes, int label,
                                      double a, double *entropy)
{
    const double log_sum = sb_log_double(s->sum);
    double all = 0;
    for (int k = 0; k < classes; k++) all += log_sum - ((double)z[k * step] - s->largest);
    *entropy = log_sum - ((double)z[label * step] - s->largest);
    return (1 - a) * *entropy + a * (all / classes);
}

/* The gradient of logit k, which is z_k. */
SB_HOST_DEVICE sb_real sb_softmax_gradient(const sb_softmax *s, sb_real z_k, int classes, int k, int label, double a,
                                           double factor)
{
    const double p = sb_exp_double((double)z_k - s->largest) / s->sum;
    return (sb_real)(factor * ((p - a / classes) - (k == label ? 1 - a : 0)));
}

/* total[0], [1]: the sums of n losses and entropies, ascending; [2]: samples whose prediction is their label. */
SB_HOST_DEVICE void sb_softmax_total(int n, const uint8_t *label, const double *loss, const double *entropy,
                                     const uint8_t *predicted, double total[3])
{
    double sum = 0, plain = 0, right = 0;
    for (int i = 0; i < n; i++) {
        sum += loss[i], plain += entropy[i];
        right += predicted[i] == label[i];
    }
    total[0] = sum, total[1] = plain, total[2] = right;
}

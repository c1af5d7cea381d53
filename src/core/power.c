#include "core/power.h"

#include <math.h>

/* sum over k < n of x^k c[k], by Horner's rule */
static double polynomial(double x, int n, const double *c)
{
    double sum = c[n - 1];
    for (int k = n - 2; k >= 0; k--) sum = fma(sum, x, c[k]);
    return sum;
}

/* 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1)/(m + 1), |s| < 0.172 for m in [sqrt(1/2), sqrt(2)]: the first term left out
 * is below 2^-64. frexp only splits the number. */
static double logarithm(double x)
{
    static const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0x1.6a09e667f3bcdp-1) m *= 2, exponent--;
    const double s = (m - 1) / (m + 1), z = s * s;
    double sum = 0;
    for (int k = 12; k >= 1; k--) sum = z * (sum + 1.0 / (2 * k + 1));
    return fma(exponent, ln2_high, fma(exponent, ln2_low, 2 * fma(s, sum, s)));
}

/* Taylor's series to the 14th power of what is left of x after whole powers of two, |rest| < 0.35: the first term left
 * out is below 2^-63. */
static double exponential(double x)
{
    static const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
    const double whole = floor(x / 0x1.62e42fefa39efp-1 + 0.5);
    const double rest = fma(-whole, ln2_low, fma(-whole, ln2_high, x));
    double sum = 1;
    for (int k = 14; k >= 1; k--) sum = fma(sum, rest / k, 1);
    return ldexp(sum, (int)whole);
}

double sb_power_real(double base, double x)
{
    const double whole = floor(x);
    return sb_power(base, (long)whole) * exponential((x - whole) * logarithm(base));
}

/* Taylor's series below pi / 4: the first terms left out are below 2^-60. Beyond, the quarter or half that is left of x
 * is exact, and so are cos(pi x) = -cos(pi (1 - x)) and sin(pi (1/2 - x)). */
double sb_cos_pi(double x)
{
    static const double pi = 0x1.921fb54442d18p+1;
    static const double cosine[] = {1,
                                    -1.0 / 2,
                                    1.0 / 24,
                                    -1.0 / 720,
                                    1.0 / 40320,
                                    -1.0 / 3628800,
                                    1.0 / 479001600,
                                    -1.0 / 87178291200.0,
                                    1.0 / 20922789888000.0};
    static const double sine[] = {1,
                                  -1.0 / 6,
                                  1.0 / 120,
                                  -1.0 / 5040,
                                  1.0 / 362880,
                                  -1.0 / 39916800,
                                  1.0 / 6227020800.0,
                                  -1.0 / 1307674368000.0,
                                  1.0 / 355687428096000.0};
    if (x > 0.5) return -sb_cos_pi(1 - x);
    const double angle = pi * (x > 0.25 ? 0.5 - x : x), z = angle * angle;
    return x > 0.25 ? angle * polynomial(z, 9, sine) : polynomial(z, 9, cosine);
}

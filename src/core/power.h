/* Powers and cosines in our own arithmetic: libm's are not the same everywhere. */
#pragma once

/* base^n, n >= 0, by repeated squaring: 2 log2(n) roundings at most on the way to a factor, so that the relative error
 * is below n 2^-52. */
static inline double sb_power(double base, long n)
{
    double power = 1;
    for (; n > 0; n >>= 1) {
        if (n & 1) power *= base;
        base *= base;
    }
    return power;
}

/* base^x, base in [2^-20, 2^20], x in [0, 2^20]; where the power is a normal number its relative error is below
 * (x + 16) 2^-50. */
double sb_power_real(double base, double x);

/* cos(pi x), x in [0, 1], within 2^-51. */
double sb_cos_pi(double x);

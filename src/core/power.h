/* Whole powers by repeated squaring: libm's pow is not the same everywhere. */
#ifndef SB_CORE_POWER_H
#define SB_CORE_POWER_H

/* base^n, n >= 0 */
static inline double sb_power(double base, long n)
{
    double power = 1;
    for (; n > 0; n >>= 1) {
        if (n & 1) power *= base;
        base *= base;
    }
    return power;
}

#endif

#include "core/random.h"

#include <Random123/philox.h>
#include <math.h>
#include <string.h>

sb_random4 sb_random_words(uint64_t seed, uint32_t stream, uint64_t index)
{
    philox4x32_ctr_t counter = {{(uint32_t)index, (uint32_t)(index >> 32), stream, 0}};
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t value = philox4x32(counter, key);
    return (sb_random4){{value.v[0], value.v[1], value.v[2], value.v[3]}};
}

void sb_random_permutation(uint64_t seed, uint32_t stream, int word, uint32_t n, uint32_t *order)
{
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    for (uint32_t i = n; i-- > 1;) {
        const uint32_t j = sb_random_integer(sb_random_words(seed, stream, i).word[word], i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

double sb_random_uniform(uint64_t seed, uint32_t stream, uint64_t index)
{
    sb_random4 r = sb_random_words(seed, stream, index);
    uint64_t bits = ((uint64_t)r.word[0] << 32 | r.word[1]) >> 12;
    return ((double)bits + 0.5) * 0x1p-52;
}

/* Natural logarithm for normal x > 0: x = 2^e m with m in [sqrt(1/2), sqrt(2)), log m = 2 atanh((m-1)/(m+1)) by its
 * series. With z^2 <= 0.0295 thirteen terms leave less than 1e-20. */
static double natural_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1022;
    bits = (bits & 0x000fffffffffffffu) | 0x3fe0000000000000u; /* m in [1/2, 1) */
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m < 0.70710678118654752) {
        m = 2 * m;
        exponent--;
    }
    double z = (m - 1) / (m + 1), zz = z * z, sum = 0;
    for (int k = 12; k >= 0; k--) sum = sum * zz + 1.0 / (2 * k + 1);
    /* log 2 in two parts, so that exponent * high is exact */
    return exponent * 0x1.62e42fefa3800p-1 + (exponent * 0x1.ef35793c76730p-45 + 2 * z * sum);
}

static double rational(const double p[8], const double q[7], double r)
{
    double above = p[7], below = q[6];
    for (int k = 6; k >= 0; k--) above = above * r + p[k];
    for (int k = 5; k >= 0; k--) below = below * r + q[k];
    return above / (below * r + 1);
}

double sb_normal_quantile(double p)
{
    /* Coefficients as published: |p - 1/2| <= 0.425; tails with r <= 5; far tails. */
    static const double a[8] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                3.3430575583588128105e4, 2.5090809287301226727e3};
    static const double b[7] = {4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
                                2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
                                5.2264952788528545610e3};
    static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[7] = {2.05319162663775882187e0,  1.67638483018380384940e0,  6.89767334985100004550e-1,
                                1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double f[7] = {5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
                                7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
                                2.04426310338993978564e-15};
    double q = p - 0.5;
    if (fabs(q) <= 0.425) return q * rational(a, b, 0.180625 - q * q);
    double r = sqrt(-natural_log(q < 0 ? p : 1 - p));
    double x = r <= 5 ? rational(c, d, r - 1.6) : rational(e, f, r - 5);
    return q < 0 ? -x : x;
}

double sb_random_normal(uint64_t seed, uint32_t stream, uint64_t index)
{
    return sb_normal_quantile(sb_random_uniform(seed, stream, index));
}

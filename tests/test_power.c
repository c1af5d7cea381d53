/* Own powers and cosines against libm's long double, which has 11 bits more, to the bounds of core/power.h; and their
 * bits, which are the same with every compiler. */
#include "support.h"

#include "core/hash.h"
#include "core/power.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

enum { POINTS = 200000 };

static void cosines_keep_their_bound(void **unused)
{
    (void)unused;
    const long double pi = 3.14159265358979323846264338327950288L;
    for (int i = 0; i <= POINTS; i++) {
        const double x = (double)i / POINTS, got = sb_cos_pi(x);
        const long double wanted = cosl(pi * x);
        if (!(fabsl(got - wanted) <= 0x1p-51L)) fail_msg("cos(pi %a) is %a, wanted %La", x, got, wanted);
    }
    assert_true(sb_cos_pi(0) == 1 && sb_cos_pi(1) == -1 && sb_cos_pi(0.5) == 0);
    assert_true(fabs(sb_cos_pi(1.0 / 3) - 0.5) <= 0x1p-51);
}

static void powers_keep_their_bound(void **unused)
{
    (void)unused;
    static const double longest[] = {1, 50, 700};
    for (int i = 0; i < POINTS; i++) {
        const double base = exp2(40 * sb_random_uniform(11, 0, (uint64_t)i) - 20);
        const double x = longest[i % 3] * sb_random_uniform(11, 1, (uint64_t)i), got = sb_power_real(base, x);
        const long double wanted = powl(base, x);
        if (wanted < 1e-300L || wanted > 1e300L) continue;
        if (!(fabsl(got - wanted) <= (x + 16) * 0x1p-50L * wanted))
            fail_msg("%a to the power of %a is %a, wanted %La", base, x, got, wanted);
    }
    assert_true(sb_power_real(0.5, 3) == 0.125 && sb_power_real(0.1, 0) == 1 && sb_power(3, 5) == 243);
    assert_true(sb_power(0.1, 0) == 1 && sb_power_real(1, 0.7) == 1);
    assert_true(fabs(sb_power_real(4, 2.5) - 32) <= 32 * 19 * 0x1p-50);
}

static void bits_are_the_same_everywhere(void **unused)
{
    (void)unused;
    static double value[2 * POINTS];
    char text[SB_HASH_TEXT];
    for (int i = 0; i < POINTS; i++) {
        value[2 * i] = sb_cos_pi((double)i / POINTS);
        value[2 * i + 1] = sb_power_real(1 - (double)i / (2 * POINTS), (double)(i % 997) / 31);
    }
    sb_hash_text(sb_hash_of(value, sizeof value / sizeof *value, sizeof *value), text);
    assert_string_equal(text, "d24393d8135adc433afd7a32567a64cd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cosines_keep_their_bound),
                                       cmocka_unit_test(powers_keep_their_bound),
                                       cmocka_unit_test(bits_are_the_same_everywhere)};
    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}

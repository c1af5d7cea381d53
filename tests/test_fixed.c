/* The arithmetic of the synthetic scenes: its accuracy, and that it is the same everywhere. */
#include "support.h"

#include "datasets/synth/fixed.h"

#include <math.h>
#include <stdlib.h>

static void sine_is_accurate(void **state)
{
    (void)state;
    int worst = 0;
    for (int angle = -70000; angle <= 70000; angle++) {
        int wrong = abs(sb_fix_sin(angle) - (int)lround(sin(angle * 6.283185307179586 / 65536) * 65536));
        if (wrong > worst) worst = wrong;
    }
    assert_true(worst <= 13); /* 2e-4 of one: the polynomial's own error */
    assert_int_equal(sb_fix_sin(0), 0);
    assert_int_equal(sb_fix_sin(0x4000), SB_ONE);
    assert_int_equal(sb_fix_cos(0x8000), -SB_ONE);
}

static void angles_come_back(void **state)
{
    (void)state;
    for (int angle = -32768; angle < 32768; angle += 7) {
        double turn = angle * 6.283185307179586 / 65536;
        int64_t x = llround(cos(turn) * 1e6), y = llround(sin(turn) * 1e6);
        int wrong = (int16_t)(sb_fix_atan2(y, x) - angle);
        if (abs(wrong) > 2) fail_msg("atan2 of angle %d is off by %d", angle, wrong);
    }
    assert_int_equal(sb_fix_atan2(0, 0), 0);
    assert_int_equal(sb_fix_atan2(5, 0), 0x4000);
}

static void square_roots_are_exact(void **state)
{
    (void)state;
    for (uint64_t root = 0; root < 70000; root += 13) {
        assert_int_equal(sb_isqrt(root * root), root);
        assert_int_equal(sb_isqrt(root * root + 2 * root), root);
    }
    assert_int_equal(sb_isqrt(UINT64_MAX), UINT32_MAX);
}

static void noise_is_smooth_and_repeats(void **state)
{
    (void)state;
    for (int i = 0; i < 256; i++) {
        assert_int_equal(sb_noise(3, i, 9, 4, 8), sb_noise(3, i + 256, 9 - 256, 4, 8));
        assert_in_range(sb_noise_sum(3, i, 77, 5, 8), 0, 255);
        assert_true(abs(sb_noise(3, i, 9, 4, 8) - sb_noise(3, i + 1, 9, 4, 8)) <= 256 * 3 / 2 / 16 + 2);
    }
    for (int64_t t = 0; t < 20 * SB_ONE; t += 97) {
        int32_t here = sb_wander(5, t);
        assert_true(here >= -SB_ONE && here <= SB_ONE);
        assert_true(abs(sb_wander(5, t + 97) - here) < 97 * 4);
    }
}

static void picks_fill_their_range(void **state)
{
    (void)state;
    int seen[6] = {0};
    for (uint32_t i = 0; i < 6000; i++) seen[sb_pick(1, i, 2, -2, 3) + 2]++;
    for (int i = 0; i < 6; i++) assert_in_range(seen[i], 850, 1150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_is_accurate),       cmocka_unit_test(angles_come_back),
        cmocka_unit_test(square_roots_are_exact), cmocka_unit_test(noise_is_smooth_and_repeats),
        cmocka_unit_test(picks_fill_their_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

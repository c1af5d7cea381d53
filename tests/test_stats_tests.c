/* The tests of the statistics against values computed elsewhere: SciPy 1.17.1 and NumPy 2.4.6 (brunnermunzel, levene
 * with center='median', ttest_1samp and ttest_ind with alternatives, nct; permutations by itertools), Holm by hand. */
#include "support.h"

#include "core/random.h"
#include "paper/statistics/stats.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { N_A = 6, N_B = 7 };
static const double a[N_A] = {5.21, 3.48, 11.32, 6.17, 2.89, 4.4};
static const double b[N_B] = {7.87, 4.41, 17.33, 9.42, 3.71, 6.17, 12.5};
static const double eight[] = {0.8, -0.1, 0.5, 0.3, -0.4, 0.9, 0.25, 0.05};

static void assert_near(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("got %.17g (%a), wanted %.17g within %g", got, got, wanted, tolerance);
}

static void take_logs(const double *x, size_t n, double *log_x)
{
    for (size_t i = 0; i < n; i++) log_x[i] = log(x[i]);
}

static void one_sided_sign_flips_count_one_side(void **state)
{
    (void)state;
    double turned[8], many[24];
    sb_sign_flips p, other;
    assert_int_equal(sb_stats_sign_flips(eight, 8, &p), SB_OK);
    assert_near(p.above, 0.0625, 0);
    for (int i = 0; i < 8; i++) turned[i] = -eight[i];
    assert_int_equal(sb_stats_sign_flips(turned, 8, &other), SB_OK);
    assert_true(other.above > 0.9);
    assert_near(other.below, p.above, 0);
    assert_near(other.above, p.below, 0);
    assert_near(other.two_sided, p.two_sided, 0);
    /* each choice is on one side or on both, where its sum is the one that was seen; the same of random ones */
    assert_true(p.above + p.below > 1);
    for (int i = 0; i < 24; i++) many[i] = (i % 3 ? 1 : -1) * (1 + 0.01 * i * i);
    assert_int_equal(sb_stats_sign_flips(many, 24, &p), SB_OK);
    assert_near(p.above + p.below, 1, 0.001);
    assert_near(p.two_sided, 2 * p.above, 0.02);
}

static void rank_sums_are_the_permutations(void **state)
{
    (void)state;
    double p;
    assert_int_equal(sb_stats_rank_sum(a, N_A, b, N_B, &p), SB_OK);
    assert_near(p, 254.0 / 1716, DBL_EPSILON); /* with a tie between the samples */
    assert_int_equal(sb_stats_rank_sum(b, N_B, a, N_A, &p), SB_OK);
    assert_near(p, 254.0 / 1716, DBL_EPSILON);
    const double low[] = {1, 2, 3, 4}, high[] = {5, 6, 7, 8};
    assert_int_equal(sb_stats_rank_sum(low, 4, high, 4, &p), SB_OK);
    assert_near(p, 2.0 / 70, DBL_EPSILON);
    assert_near(sb_stats_smallest_rank_sum_p(4, 4), 2.0 / 70, 1e-12);
    assert_int_equal(sb_stats_rank_sum(low, 4, low, 4, &p), SB_OK);
    assert_true(p == 1);
    assert_true(isnan(sb_stats_smallest_rank_sum_p(0, 4)));
}

static void brunner_munzel_is_scipys(void **state)
{
    (void)state;
    const double low[] = {1, 2, 3}, high[] = {5, 6, 7};
    double p;
    assert_int_equal(sb_stats_brunner_munzel(a, N_A, b, N_B, &p), SB_OK);
    assert_near(p, 0.11478054882716694, 1e-12);
    assert_int_equal(sb_stats_brunner_munzel(low, 3, high, 3, &p), SB_OK);
    assert_true(p == 0);
    assert_int_equal(sb_stats_brunner_munzel(low, 1, high, 3, &p), SB_OK);
    assert_true(isnan(p));
}

static void cliff_counts_who_is_above(void **state)
{
    (void)state;
    assert_near(sb_stats_cliff(a, N_A, b, N_B), -0.5, DBL_EPSILON);
    assert_near(sb_stats_cliff_pairs(eight, 8), 0.5, DBL_EPSILON);
    assert_true(isnan(sb_stats_cliff(a, 0, b, N_B)));
}

static void brown_forsythe_is_scipys(void **state)
{
    (void)state;
    double p;
    assert_int_equal(sb_stats_brown_forsythe(a, N_A, b, N_B, &p), SB_OK);
    assert_near(p, 0.3237017047196823, 1e-12);
    assert_int_equal(sb_stats_brown_forsythe_pairs(a, b, N_A, &p), SB_OK);
    assert_near(p, 0.03125, 0);
    const double flat[] = {2, 2, 2};
    assert_int_equal(sb_stats_brown_forsythe(flat, 3, flat, 3, &p), SB_OK);
    assert_true(isnan(p));
}

/* Of values without much skewness these are SciPy's two one-sided t tests. */
static void equivalence_is_two_one_sided_tests(void **state)
{
    (void)state;
    double d[N_A], log_a[N_A], log_b[N_B];
    for (int i = 0; i < N_A; i++) d[i] = log(b[i] / a[i]);
    sb_estimate paired = sb_stats_estimate(d, N_A);
    assert_near(paired.mean, 0.3476990925746575, 8 * DBL_EPSILON);
    assert_near(paired.se, 0.03557527009958923, 8 * DBL_EPSILON);
    assert_near(sb_stats_equivalence(paired, 0.5), 0.003927680519213408, 1e-12);
    assert_near(sb_stats_equivalence(paired, 0.8), 2.676169380003774e-05, 1e-12);
    assert_true(sb_stats_equivalence(paired, 0.3) > 0.5);
    take_logs(a, N_A, log_a);
    take_logs(b, N_B, log_b);
    sb_estimate welch = sb_stats_estimate_difference(log_a, N_A, log_b, N_B);
    assert_near(welch.df, 10.988051277910124, 1e-12);
    assert_near(sb_stats_equivalence(welch, 1.5), 0.0016420480720527656, 1e-12);
    assert_true(isnan(sb_stats_equivalence(sb_stats_estimate(d, 1), 0.5)));
    assert_true(isnan(sb_stats_equivalence(sb_stats_estimate(d, 4), 0.5))); /* no interval, no equivalence */
    assert_true(isnan(sb_stats_equivalence(sb_stats_estimate_difference(log_a, 4, log_b, N_B), 1.5)));
    assert_true(isnan(sb_stats_equivalence(paired, NAN)));
    const double equal[] = {0.1, 0.1, 0.1, 0.1, 0.1};
    assert_true(sb_stats_equivalence(sb_stats_estimate(equal, 5), 0.2) == 0);
    assert_true(sb_stats_equivalence(sb_stats_estimate(equal, 5), 0.05) == 1);
}

/* Values of which one lies far above the others: Student's tests would call them less than 0.05, the interval does not.
 * The p is SciPy's brentq of the interval's level. */
static void equivalence_is_that_of_the_interval(void **state)
{
    (void)state;
    const double far[] = {0.010, 0.012, 0.011, 0.013, 0.011, 0.060};
    const sb_estimate e = sb_stats_estimate(far, 6);
    double low, high;
    assert_near(sb_stats_equivalence(e, 0.05), 0.2157393932934617, 1e-10);
    assert_true(sb_stats_equivalence((sb_estimate){e.mean, e.se, e.df, 0}, 0.05) < SB_STATS_ALPHA);
    sb_stats_ends(e, 2 * SB_STATS_ALPHA, &low, &high);
    assert_true(low > 0 && high > 0.05);
    /* Whatever values, margin and level: p is below the level if and only if the interval lies inside. */
    int n_inside = 0;
    for (uint64_t trial = 0; trial < 2000; trial++) {
        double x[7];
        for (uint64_t i = 0; i < 7; i++) x[i] = exp(sb_random_normal(trial, 1, i)) - 1.2;
        const sb_estimate of = sb_stats_estimate(x, 7);
        const double margin = 0.1 + 3 * sb_random_uniform(trial, 2, 0),
                     level = 0.01 + 0.2 * sb_random_uniform(trial, 2, 1);
        sb_stats_ends(of, 2 * level, &low, &high);
        const bool inside = -margin < low && high < margin;
        n_inside += inside;
        if (inside != (sb_stats_equivalence(of, margin) < level))
            fail_msg("trial %d: [%g, %g], margin %g, p = %g at %g", (int)trial, low, high, margin,
                     sb_stats_equivalence(of, margin), level);
    }
    assert_true(n_inside > 300 && n_inside < 1700);
}

static void power_is_the_noncentral_t(void **state)
{
    (void)state;
    assert_near(sb_stats_power(0, 9, 0.05), 0.05, 1e-9);
    assert_near(sb_stats_power(1, 4, 0.05), 0.12224915207331252, 1e-9);
    assert_near(sb_stats_power(3, 9, 0.05), 0.7611566204263243, 1e-9);
    /* P(|mean| + k s < margin), mean normal around the shift, s of a chi distribution: scipy 1.16, integrate.quad */
    assert_near(sb_stats_power_equivalent(8, 0.5, 9, 6), 0.7970264165951276, 1e-9);
    assert_near(sb_stats_power_equivalent(5, -1.5, 23, 6), 0.016931453188834007, 1e-9);
    assert_near(sb_stats_power_equivalent(3, -0.5, 9, 0), 0.688679539832602, 1e-9); /* the two one-sided tests alone */
    assert_near(sb_stats_power_equivalent(0.1, 1.5, 9, 6), 0, 1e-9);
    const double cases[][2] = {{2, 5.653489266197107},
                               {4, 3.7610595538250196},
                               {9, 3.149632886450618},
                               {11.5, 3.064898165737661},
                               {30, 2.8953583001531964}};
    for (int i = 0; i < 5; i++)
        assert_near(sb_stats_detectable((sb_estimate){.se = 2, .df = cases[i][0]}), 2 * cases[i][1], 1e-4);
    assert_true(isnan(sb_stats_detectable((sb_estimate){.se = NAN, .df = NAN})));
}

static void holm_by_hand(void **state)
{
    (void)state;
    /* sorted 0.01 0.02 0.03 0.04 times 4 3 2 1: 0.04 0.06 0.06 0.04, never falling */
    const double p[] = {0.03, 0.01, NAN, 0.04, 0.02}, wanted[] = {0.06, 0.04, NAN, 0.06, 0.06};
    double adjusted[5];
    assert_int_equal(sb_stats_holm(p, 5, adjusted), SB_OK);
    for (int i = 0; i < 5; i++)
        if (i == 2)
            assert_true(isnan(adjusted[i]));
        else
            assert_near(adjusted[i], wanted[i], 2 * DBL_EPSILON);
    const double high[] = {0.7, 0.9};
    assert_int_equal(sb_stats_holm(high, 2, adjusted), SB_OK);
    assert_true(adjusted[0] == 1 && adjusted[1] == 1);
}

static void quantile_and_difference(void **state)
{
    (void)state;
    double x[] = {3, 1, 2, 10}, low, high;
    assert_near(sb_stats_quantile(x, 4, 0.95), 8.95, 16 * DBL_EPSILON); /* numpy.quantile */
    sb_stats_difference(a, N_A, b, N_B, &low, &high);
    assert_near(low, -8.431181874525965, 1e-11);
    assert_near(high, 1.711568692826944, 1e-11);
}

/* Alike, ten times apart, the same, exactly at the limit, and without spread. */
static void equal_spread(void **state)
{
    (void)state;
    const double one[] = {1, 2.1, 2.9, 4.2, 5}, near[] = {1.1, 1.9, 3.2, 3.9, 5.1}, wide[] = {1, 12, 31, 44, 53};
    assert_true(sb_stats_equal_spread_pairs(one, near, 5, 2) < 0.002);
    assert_float_equal(sb_stats_equal_spread_pairs(one, near, 5, 2), sb_stats_equal_spread_pairs(near, one, 5, 2),
                       1e-12);
    assert_true(sb_stats_equal_spread_pairs(one, wide, 5, 2) > 0.99);
    assert_float_equal(sb_stats_equal_spread_pairs(one, one, 5, 2), 0, 1e-12);
    /* Exactly twice apart: the larger p is that of t = 0. */
    const double x[] = {1, -1, 1, -1}, twice[] = {2, 2, -2, -2};
    assert_float_equal(sb_stats_equal_spread_pairs(twice, x, 4, 2), 0.5, 1e-12);
    assert_float_equal(sb_stats_equal_spread(twice, 4, x, 4, 2), 0.5, 1e-12);
    /* On a line, three times apart. */
    double thrice[5];
    for (int i = 0; i < 5; i++) thrice[i] = 3 * one[i];
    assert_float_equal(sb_stats_equal_spread_pairs(thrice, one, 5, 2), 1, 1e-12);
    assert_float_equal(sb_stats_equal_spread_pairs(one, thrice, 5, 2), 1, 1e-12);
    const double flat[] = {3, 3, 3, 3};
    assert_true(isnan(sb_stats_equal_spread_pairs(flat, x, 4, 2)) && isnan(sb_stats_equal_spread(x, 4, flat, 4, 2)));
}

/* Of one distribution: 1 in 495 of twelve runs; of samples apart: always; a hand-made pair of samples. */
static void separation(void **state)
{
    (void)state;
    const double low[] = {1, 2, 3, 4}, high[] = {11, 12, 13}, mixed[] = {1, 3};
    assert_float_equal(sb_separation_by_chance(4, 8), 1.0 / 495, 1e-12);
    assert_float_equal(sb_separation_of(low, 4, 4, low, 4, 8).normal, 1.0 / 495, 1e-9);
    assert_float_equal(sb_separation_of(high, 3, 4, low, 4, 8).resampled, 1, 1e-12);
    assert_float_equal(sb_separation_of(low, 4, 4, high, 3, 8).resampled, 0, 1e-12);
    /* One of {1, 3} above one of {1, 2, 3, 4}: 3 lies above 1 and 2, 1 above nothing. */
    assert_float_equal(sb_separation_of(mixed, 2, 1, low, 4, 1).resampled, 0.5 * 0.5, 1e-12);
    /* Both of two: the least is 3 with chance 1/4. */
    assert_float_equal(sb_separation_of(mixed, 2, 2, low, 4, 1).resampled, 0.25 * 0.5, 1e-12);
    /* One above one: the normal distribution of the difference of the logarithms, means 0.3 and 0. */
    const double above[] = {exp(0.4), exp(0.2)}, below[] = {exp(0.5), exp(-0.5)};
    const double z = 0.3 / sqrt(0.5 + 0.02), phi = 0.5 * erfc(-z / sqrt(2));
    assert_float_equal(sb_separation_of(above, 2, 1, below, 2, 1).normal, phi, 1e-9);
    assert_float_equal(sb_separation_of(below, 2, 1, above, 2, 1).normal, 1 - phi, 1e-9);
    /* Three above one that hardly spreads: each by itself. */
    const double sharp[] = {1, 1 + 1e-9};
    assert_float_equal(sb_separation_of(above, 2, 3, sharp, 2, 1).normal,
                       pow(0.5 * erfc(-0.3 / sqrt(0.02) / sqrt(2)), 3), 1e-6);
    const double equal[] = {2, 2};
    assert_true(isnan(sb_separation_of(equal, 2, 4, low, 4, 8).normal));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sided_sign_flips_count_one_side),
        cmocka_unit_test(rank_sums_are_the_permutations),
        cmocka_unit_test(brunner_munzel_is_scipys),
        cmocka_unit_test(cliff_counts_who_is_above),
        cmocka_unit_test(brown_forsythe_is_scipys),
        cmocka_unit_test(equivalence_is_two_one_sided_tests),
        cmocka_unit_test(equivalence_is_that_of_the_interval),
        cmocka_unit_test(power_is_the_noncentral_t),
        cmocka_unit_test(holm_by_hand),
        cmocka_unit_test(quantile_and_difference),
        cmocka_unit_test(equal_spread),
        cmocka_unit_test(separation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

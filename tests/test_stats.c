/* The statistics against values computed elsewhere: SciPy 1.17.1 and NumPy 2.4.6 (mean, std(ddof=1), median, gmean,
 * permutation_test with all permutations, t.ppf), intervals by their formula in NumPy. */
#include "support.h"

#include "paper/statistics/stats.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double copy[] = {0.00521, 0.00348, 0.01132, 0.00617, 0.00289};
static const double shared[] = {0.00787, 0.00441, 0.01733, 0.00942, 0.00371};
enum { N = 5 };

static void assert_near(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("got %.17g (%a), wanted %.17g within %g", got, got, wanted, tolerance);
}

static void summary_is_numpys(void **state)
{
    (void)state;
    sb_summary s;
    assert_int_equal(sb_stats_summary(copy, N, &s), SB_OK);
    assert_int_equal(s.n, N);
    assert_near(s.mean, 0.005814, N * DBL_EPSILON * 0.0058);
    assert_near(s.sd, 0.003346823867489892, 4 * N * DBL_EPSILON * 0.0034);
    assert_true(s.median == 0.00521 && s.min == 0.00289 && s.max == 0.01132);
    assert_int_equal(sb_stats_summary(shared, N, &s), SB_OK);
    assert_near(s.mean, 0.008548, N * DBL_EPSILON * 0.0085);
    assert_near(s.sd, 0.005451442011064596, 4 * N * DBL_EPSILON * 0.0055);
}

static void median_of_an_even_number_is_between(void **state)
{
    (void)state;
    double x[] = {4, 1, 3, 2}, min, median, max;
    sb_stats_spread(x, 4, &min, &median, &max);
    assert_true(min == 1 && median == 2.5 && max == 4);
}

/* Of a sample with a long upper end the upper side is Hall's, the lower one Student's. */
static void interval_is_widened_where_values_are_skewed(void **state)
{
    (void)state;
    sb_summary s;
    assert_int_equal(sb_stats_summary(copy, N, &s), SB_OK);
    assert_near(s.se, 0.0014967451352852293, 1e-17);
    assert_near(s.low, 0.0016583692954087086, 1e-14);
    assert_near(s.high, 0.019445190037628832, 1e-13);
    const double even[] = {-2, -1, 0, 1, 2}, equal[] = {3, 3, 3, 3, 3};
    double low, high;
    sb_stats_interval(even, N, &low, &high);
    assert_near(low, -1.9632432, 1e-6); /* 2.7764451 / sqrt(2) */
    assert_near(high, 1.9632432, 1e-6);
    sb_stats_interval(equal, N, &low, &high);
    assert_true(low == 3 && high == 3);
}

/* scipy.stats.beta.ppf, as Clopper and Pearson have it */
static void interval_of_a_probability_is_exact(void **state)
{
    (void)state;
    const struct {
        size_t hits, n;
        double low, high;
    } rows[] = {{557, 10000, 0.05128491552439578, 0.06037600790856429},
                {0, 20, 0, 0.1684334709830853},
                {20, 20, 0.8315665290169146, 1},
                {3, 10, 0.06673951117773447, 0.6524528500599973}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double low, high;
        sb_stats_binomial(rows[i].hits, rows[i].n, &low, &high);
        assert_near(low, rows[i].low, 1e-12);
        assert_near(high, rows[i].high, 1e-12);
    }
}

static void equal_values_give_equal_digits_in_any_order(void **state)
{
    (void)state;
    const double turned[] = {0.00289, 0.01132, 0.00521, 0.00617, 0.00348};
    sb_summary a, b;
    assert_int_equal(sb_stats_summary(copy, N, &a), SB_OK);
    assert_int_equal(sb_stats_summary(turned, N, &b), SB_OK);
    assert_memory_equal(&a, &b, sizeof a);
}

static void one_value_has_no_spread(void **state)
{
    (void)state;
    sb_summary s;
    assert_int_equal(sb_stats_summary(copy, 1, &s), SB_OK);
    assert_true(s.mean == copy[0] && s.median == copy[0]);
    assert_true(isnan(s.sd) && isnan(s.se) && isnan(s.low) && isnan(s.high));
}

static void four_values_have_no_interval(void **state)
{
    (void)state;
    sb_summary s;
    sb_ratio r;
    double low, high;
    assert_int_equal(sb_stats_summary(copy, 4, &s), SB_OK);
    assert_true(s.se > 0 && s.sd > 0 && isnan(s.low) && isnan(s.high));
    assert_int_equal(sb_stats_summary(copy, 5, &s), SB_OK);
    assert_true(s.low < s.mean && s.mean < s.high);
    assert_int_equal(sb_stats_ratio(shared, copy, 4, &r), SB_OK);
    assert_true(r.ratio > 1 && isnan(r.low) && isnan(r.high) && r.p == 0.125);
    sb_stats_difference(copy, 4, shared, 5, &low, &high);
    assert_true(isnan(low) && isnan(high));
    sb_stats_difference(copy, 5, shared, 5, &low, &high);
    assert_true(low < high);
}

static void ratio_is_the_geometric_mean_of_pairs(void **state)
{
    (void)state;
    sb_ratio r;
    assert_int_equal(sb_stats_ratio(shared, copy, N, &r), SB_OK);
    assert_int_equal(r.n, N);
    assert_near(r.ratio, 1.4185284786936072, 20 * DBL_EPSILON);
    assert_near(r.p, 0.0625, 0); /* all five the same way: 2 of 32 choices of signs */
    assert_near(r.low, 1.1795900288085657, 1e-12);
    assert_near(r.high, 1.6006583721756797, 1e-12);
    sb_ratio inverse;
    assert_int_equal(sb_stats_ratio(copy, shared, N, &inverse), SB_OK);
    assert_near(r.ratio * inverse.ratio, 1, 8 * DBL_EPSILON);
}

static void ratio_of_no_and_one_pair(void **state)
{
    (void)state;
    sb_ratio r;
    assert_int_equal(sb_stats_ratio(shared, copy, 0, &r), SB_OK);
    assert_true(r.n == 0 && isnan(r.ratio) && isnan(r.p));
    assert_int_equal(sb_stats_ratio(shared, copy, 1, &r), SB_OK);
    assert_near(r.ratio, 0.00787 / 0.00521, 4 * DBL_EPSILON);
    assert_true(isnan(r.low) && isnan(r.high) && r.p == 1);
}

static void ratios_are_written_as_fine_as_they_are(void **state)
{
    (void)state;
    const struct {
        sb_ratio ratio;
        const char *text;
    } cases[] = {
        {{5, 1.4861, 1.4, 1.594, 0.0625}, "1.49 [1.40, 1.59]"},
        {{5, 1.0041, 0.9982, 1.0101, 0.5}, "1.004 [0.998, 1.010]"},
        {{1, 1.4861, NAN, NAN, 1}, "1.49"},
        {{0, NAN, NAN, NAN, NAN}, "no pairs"},
    };
    char text[SB_RATIO_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_stats_ratio_text(&cases[i].ratio, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void sign_flips_are_scipys(void **state)
{
    (void)state;
    const double eight[] = {0.8, -0.1, 0.5, 0.3, -0.4, 0.9, 0.25, 0.05}, four[] = {1, 1, -1, 2};
    const double rounded[] = {0.4, 0.1, -0.1, -0.3, 0.2};
    double p;
    assert_int_equal(sb_stats_sign_flip(eight, 8, &p), SB_OK);
    assert_near(p, 0.125, 0);
    assert_int_equal(sb_stats_sign_flip(rounded, 5, &p), SB_OK);
    assert_near(p, 0.75, 0); /* 0.625 if sums that differ by rounding alone did not count as equal */
    assert_int_equal(sb_stats_sign_flip(four, 4, &p), SB_OK);
    assert_near(p, 0.5, 0);
    double same[SB_STATS_EXACT_PAIRS];
    for (int i = 0; i < SB_STATS_EXACT_PAIRS; i++) same[i] = 0.1 * (i + 1);
    assert_int_equal(sb_stats_sign_flip(same, SB_STATS_EXACT_PAIRS, &p), SB_OK);
    assert_near(p, sb_stats_smallest_p(SB_STATS_EXACT_PAIRS), 0);
    assert_near(sb_stats_smallest_p(5), 0.0625, 0);
}

static void more_pairs_than_can_be_tried_are_drawn(void **state)
{
    (void)state;
    const double d[] = {2.34, -2.26, 0.72,  -0.27, -0.15, 0.08, -1.72, 0.07, -0.57, 3.62, 0.53, -0.05,
                        0.02, -0.37, -0.76, -0.09, 0.78,  0.06, 1.26,  0.1,  0.32,  1.85, 0.85, -0.21};
    double p;
    assert_int_equal(sb_stats_sign_flip(d, 24, &p), SB_OK);
    /* exact by convolution of the 24 two-point distributions (NumPy); 5 sigma of 100,000 draws */
    assert_near(p, 0.31947457790374756, 5 * sqrt(0.32 * 0.68 / SB_STATS_SIGN_FLIPS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_is_numpys),
        cmocka_unit_test(median_of_an_even_number_is_between),
        cmocka_unit_test(interval_is_widened_where_values_are_skewed),
        cmocka_unit_test(interval_of_a_probability_is_exact),
        cmocka_unit_test(equal_values_give_equal_digits_in_any_order),
        cmocka_unit_test(one_value_has_no_spread),
        cmocka_unit_test(four_values_have_no_interval),
        cmocka_unit_test(ratio_is_the_geometric_mean_of_pairs),
        cmocka_unit_test(ratio_of_no_and_one_pair),
        cmocka_unit_test(ratios_are_written_as_fine_as_they_are),
        cmocka_unit_test(sign_flips_are_scipys),
        cmocka_unit_test(more_pairs_than_can_be_tried_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

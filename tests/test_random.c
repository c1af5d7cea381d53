/* Random numbers: Philox against its published answers, the normal quantile against SciPy, and the moments. */
#include "support.h"

#include "core/random.h"

#include <float.h>
#include <math.h>

static void philox_gives_its_published_words(void **state)
{
    (void)state;
    /* Random123's known answers (kat_vectors): philox4x32, 10 rounds, counter and key zero */
    sb_random4 r = sb_random_words(0, 0, 0);
    const uint32_t wanted[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    for (int i = 0; i < 4; i++) assert_int_equal(r.word[i], wanted[i]);
}

static void quantile_agrees_with_scipy(void **state)
{
    (void)state;
    /* scipy.stats.norm.ppf, SciPy 1.17.1 */
    static const double known[][2] = {
        {1.1102230246251565e-16, -8.209536151601387}, {1e-10, -6.361340902404056}, {1e-05, -4.264890793922825},
        {0.001, -3.090232306167813},   {0.02425, -1.972961051311885},   {0.075, -1.4395314709384563},
        {0.0750001, -1.4395307645017301}, {0.3, -0.5244005127080409},   {0.6, 0.2533471031357997},
        {0.925, 1.4395314709384563},   {0.99, 2.3263478740408408},      {0.999999, 4.753424308817087},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double got = sb_normal_quantile(known[i][0]), wanted = known[i][1];
        if (fabs(got - wanted) > 4 * DBL_EPSILON * fabs(wanted))
            fail_msg("p %g: got %.17g (%a), wanted %.17g (%a)", known[i][0], got, got, wanted, wanted);
    }
    assert_true(sb_normal_quantile(0.5) == 0);
}

static void deviates_have_the_moments_of_a_normal(void **state)
{
    (void)state;
    enum { N = 200000 };
    double sum = 0, squares = 0, fourth = 0;
    for (int i = 0; i < N; i++) {
        double x = sb_random_normal(1, 2, (uint64_t)i);
        sum += x, squares += x * x, fourth += x * x * x * x;
    }
    /* five standard errors of each estimate: 1/N, 2/N, 96/N are their variances */
    assert_true(fabs(sum / N) < 5 * sqrt(1.0 / N));
    assert_true(fabs(squares / N - 1) < 5 * sqrt(2.0 / N));
    assert_true(fabs(fourth / N - 3) < 5 * sqrt(96.0 / N));
}

static void streams_and_seeds_differ(void **state)
{
    (void)state;
    double x = sb_random_normal(1, 0, 0);
    assert_true(x != sb_random_normal(2, 0, 0) && x != sb_random_normal(1, 1, 0) && x != sb_random_normal(1, 0, 1));
    assert_true(x == sb_random_normal(1, 0, 0));
}

static void bits_are_fixed(void **state)
{
    (void)state;
    /* The start weights of every published run hang on these bits. */
    double sum = 0;
    for (int i = 0; i < 1000; i++) sum += sb_random_normal(1, 0, (uint64_t)i);
    if (sum != 0x1.8cf6a8251bc4p+4) fail_msg("sum of the first 1000 deviates is %a", sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_its_published_words),
        cmocka_unit_test(quantile_agrees_with_scipy),
        cmocka_unit_test(deviates_have_the_moments_of_a_normal),
        cmocka_unit_test(streams_and_seeds_differ),
        cmocka_unit_test(bits_are_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

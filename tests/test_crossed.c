/* Effects crossed by data sets and starts, against NumPy 2.4.6 and SciPy 1.17.1 by the formulas of crossed.h, and by
 * hand. */
#include "support.h"

#include "paper/statistics/crossed.h"

#include <math.h>

enum { DATA = 6, STARTS = 3 };
static const double effects[DATA * STARTS] = {0.50, 0.38, 0.47, 0.15, 0.02, 0.13, 0.46, 0.36, 0.26,
                                              0.58, 0.36, 0.36, 0.22, 0.10, 0.10, 0.10, 0.13, 0.25};

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12)) fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void a_table_is_numpys(void **state)
{
    (void)state;
    const sb_crossed c = sb_crossed_of(effects, DATA, STARTS);
    assert_near(c.mean, 0.27388888888888885);
    assert_near(c.data.mean_square, 0.07499222222222222);
    assert_near(c.start.mean_square, 0.01882222222222221);
    assert_near(c.rest.mean_square, 0.0054422222222222216);
    assert_true(c.data.df == 5 && c.start.df == 2 && c.rest.df == 10);
    assert_near(c.data.sd, 0.1522607412740833);
    assert_near(c.start.sd, 0.04722287581247036);
    assert_near(c.rest.sd, 0.07377141873532203);
    assert_near(c.low, 0.10194298115529285);
    assert_near(c.high, 0.4458347966224848);
    assert_near(c.new_low, -0.1642996992554891);
    assert_near(c.new_high, 0.7120774770332667);
}

/* Effects that are a sum of a data set's and a start's have no rest, and effects that are the same no variance at all. */
static void what_varies_is_told_apart(void **state)
{
    (void)state;
    static const double of_data[DATA] = {0.1, 0.3, 0.2, 0.5, 0.4, 0.6}, of_start[STARTS] = {-0.1, 0, 0.1};
    double effect[DATA * STARTS];
    for (int d = 0; d < DATA; d++)
        for (int s = 0; s < STARTS; s++) effect[d * STARTS + s] = of_data[d] + of_start[s];
    sb_crossed c = sb_crossed_of(effect, DATA, STARTS);
    assert_near(c.data.sd, sqrt(0.035)); /* the variance of 0.1, 0.2 ... 0.6 */
    assert_near(c.start.sd, 0.1);
    assert_true(c.rest.sd < 1e-8);
    assert_true(c.new_low < c.low && c.high < c.new_high);
    for (int i = 0; i < DATA * STARTS; i++) effect[i] = 0.25;
    c = sb_crossed_of(effect, DATA, STARTS);
    assert_true(c.low == 0.25 && c.new_high == 0.25 && c.data.sd == 0 && c.start.sd == 0 && c.rest.sd == 0);
    /* Starts that differ, and data sets that do not: less than the rest is none. */
    static const double rest[4] = {1, -1, -1, 1};
    c = sb_crossed_of(rest, 2, 2);
    assert_true(c.data.sd == 0 && c.start.sd == 0 && c.rest.sd == 2);
}

/* Restricted maximum likelihood of an incomplete table, by SciPy 1.16 from the likelihood itself, and by statsmodels 0.14;
 * of a complete one its variances are those of the analysis of variance. */
static void an_incomplete_table_is_scipys(void **state)
{
    (void)state;
    static const int absent[] = {1 * STARTS + 2, 3 * STARTS + 0, 4 * STARTS + 1, 4 * STARTS + 2};
    double some[DATA * STARTS];
    const sb_crossed whole = sb_crossed_of(effects, DATA, STARTS);
    sb_reml r = sb_reml_of(effects, DATA, STARTS);
    assert_float_equal(r.mean, whole.mean, 1e-12);
    assert_float_equal(sqrt(r.data), whole.data.sd, 1e-6);
    assert_float_equal(sqrt(r.start), whole.start.sd, 1e-6);
    assert_float_equal(sqrt(r.rest), whole.rest.sd, 1e-6);
    assert_float_equal(r.variance, 0.0049095245950995, 1e-6);
    for (int i = 0; i < DATA * STARTS; i++) some[i] = effects[i];
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) some[absent[i]] = NAN;
    r = sb_reml_of(some, DATA, STARTS);
    assert_float_equal(r.mean, 0.2749379018357672, 1e-7);
    assert_float_equal(r.variance, 0.003377183694051973, 1e-8);
    assert_float_equal(r.data, 0.017339005574089458, 1e-7);
    assert_float_equal(r.start, 0, 1e-8);
    assert_float_equal(r.rest, 0.00602920431301181, 1e-7);
    const sb_crossed c = sb_crossed_of(some, DATA, STARTS);
    assert_true(!c.complete && c.n == 14 && c.n_starts == 3);
    assert_true(c.new_low < c.low && c.low < c.mean && c.mean < c.high && c.high < c.new_high);
    /* H of 3, 2, 3, 2, 1 and 3 starts, K of 5, 5 and 4 data sets: the variances and degrees of freedom by hand */
    const double h = 6 / (3 / 3.0 + 2 / 2.0 + 1), k = 3 / (1 / 5.0 + 1 / 5.0 + 1 / 4.0);
    assert_float_equal(c.data.mean_square, r.rest + h * r.data, 1e-12);
    assert_float_equal(c.start.mean_square, r.rest + k * r.start, 1e-12);
    for (int i = 0; i < DATA; i++) some[i * STARTS + 1] = some[i * STARTS + 2] = NAN; /* one start: nothing is crossed */
    assert_true(isnan(sb_crossed_of(some, DATA, STARTS).mean));
}

/* One data set lacks most starts: the others' pairs count all the same, and the sign stays theirs. */
static void no_pair_is_dropped(void **state)
{
    (void)state;
    enum { SETS = 7, SIX = 6 };
    double effect[SETS * SIX];
    for (int d = 0; d < SETS; d++)
        for (int s = 0; s < SIX; s++) effect[d * SIX + s] = (s == 0 ? -0.5 : 0.4) + 0.01 * ((d * 5 + s * 3) % 7);
    for (int s = 2; s < SIX; s++) effect[6 * SIX + s] = NAN;
    const sb_crossed c = sb_crossed_of(effect, SETS, SIX);
    assert_true(c.n == 38 && c.mean > 0.2);
}

static void few_have_no_interval(void **state)
{
    (void)state;
    sb_crossed c = sb_crossed_of(effects, 4, STARTS);
    assert_true(!isnan(c.data.sd) && isnan(c.low) && isnan(c.new_low));
    c = sb_crossed_of(effects, DATA, 1);
    assert_true(isnan(c.mean) && isnan(c.data.sd) && isnan(c.new_high));
    c = sb_crossed_of(effects, 1, STARTS);
    assert_true(isnan(c.mean));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_numpys),
        cmocka_unit_test(what_varies_is_told_apart),
        cmocka_unit_test(an_incomplete_table_is_scipys),
        cmocka_unit_test(no_pair_is_dropped),
        cmocka_unit_test(few_have_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Verdicts word by word, and the margin from a one-ulp ensemble. */
#include "support.h"

#include "made_cells.h"
#include "paper/statistics/simulate.h"
#include "paper/statistics/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX = 40 };

typedef struct arms {
    sb_result a[MAX], b[MAX];
    const sb_result *of_a[MAX], *of_b[MAX];
} arms;

/* n pairs, or from disjoint seeds; B lies `shift` higher; weights differ. */
static void make_arms(arms *x, int n, bool paired, double shift, double noise)
{
    for (int i = 0; i < n; i++) {
        long seed_b = paired ? i + 1 : i + 101;
        x->a[i] = made_cell(i + 1, made_log_loss(7, 1, i + 1, noise));
        x->b[i] = made_cell(seed_b, made_log_loss(7, 2, seed_b, noise) + shift);
        x->b[i].weights = "v";
        x->of_a[i] = &x->a[i];
        x->of_b[i] = &x->b[i];
    }
}

static sb_metric judged = SB_METRIC_LAST;

static sb_verdict judge(const arms *x, size_t n_a, size_t n_b, double margin)
{
    sb_verdict v;
    sb_margin of = margin > 1 ? sb_ensemble_chosen(margin, "chosen") : sb_ensemble_none("none");
    sb_sample a = {n_a, x->of_a}, b = {n_b, x->of_b};
    assert_int_equal(sb_verdict_of(&v, a, b, judged, &of), SB_OK);
    return v;
}

static void equal_weights_are_the_same_bits(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 3, true, 0, 0);
    for (int i = 0; i < 3; i++) x.b[i].weights = "w";
    sb_verdict v = judge(&x, 3, 3, 1.05);
    assert_string_equal(sb_verdict_name[v.word], "same bits");
    assert_string_equal(v.reason, "the weights of all 3 pairs are equal");
    assert_true(v.ratio == 1);
    assert_int_equal(judge(&x, 1, 1, 0).word, SB_VERDICT_SAME_BITS); /* a fact needs no second run */
    x.b[1].weights = "v";
    assert_int_equal(judge(&x, 3, 3, 0).word, SB_VERDICT_UNDETERMINED);
}

static void a_shift_is_different(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 10, true, 0.2, 0.02);
    sb_verdict v = judge(&x, 10, 10, 1.05);
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    assert_true(v.paired && v.n == 10 && v.p == 2.0 / 1024);
    assert_true(fabs(log(v.ratio) + 0.2) < 0.03 && v.low < v.ratio && v.ratio < v.high && v.high < 1);
    assert_true(v.cliff == -1);
    assert_true(v.p_below == 1.0 / 1024 && v.p_above == 1);
    assert_true(v.detectable > 1 && v.detectable < 1.1);
}

static void equal_arms_are_equivalent_inside_a_margin(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 10, true, 0, 0.02);
    assert_int_equal(judge(&x, 10, 10, 1.06).word, SB_VERDICT_EQUIVALENT);
    sb_verdict v = judge(&x, 10, 10, 0);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_non_null(strstr(v.reason, "no margin to call it none"));
}

static void few_runs_are_undetermined(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 5, true, 1, 0.01);
    sb_verdict v = judge(&x, 5, 5, 0);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_string_equal(v.reason, "5 pairs cannot give a p below 0.0625");
    assert_true(isnan(v.detectable));
    assert_true(v.p_below == 1.0 / 32); /* a direction said beforehand can be shown with 5 */
    v = judge(&x, 1, 1, 1.05);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_string_equal(v.reason, "one pair says nothing about spread");
    assert_true(isnan(v.low) && isnan(v.p_equivalent));
}

static void seeds_without_partners_are_left_out(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 8, true, 0.3, 0.02);
    sb_verdict v = judge(&x, 8, 6, 0);
    assert_true(v.paired && v.n == 6);
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
}

static void other_seeds_are_compared_by_ranks(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 12, false, 2, 0.02);
    sb_verdict v = judge(&x, 5, 5, 0);
    assert_true(!v.paired && isnan(v.p_below));
    assert_string_equal(v.test, "permutation of rank sums");
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    assert_true(v.cliff == -1 && v.low < v.ratio && v.ratio < v.high);
    v = judge(&x, 12, 12, 0);
    assert_string_equal(v.test, "Brunner-Munzel");
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    v = judge(&x, 3, 3, 0);
    assert_string_equal(v.reason, "3 runs cannot give a p below 0.1");
}

/* A share of images can be 0, and a network that does not classify has none. */
static void what_is_0_or_absent_has_no_ratio(void **state)
{
    (void)state;
    static const char why[] = "a run has none of these losses, or one of 0, so that there is no ratio";
    arms x;
    make_arms(&x, 10, true, 0, 0.02);
    judged = SB_METRIC_ERROR;
    for (int i = 0; i < 10; i++) x.a[i].loss[judged] = 0.011 + 0.0001 * i, x.b[i].loss[judged] = 0.022 + 0.0001 * i;
    sb_verdict v = judge(&x, 10, 10, 0);
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    assert_true(v.ratio > 0.5 && v.ratio < 0.52);
    const double bad[] = {0, NAN};
    for (int i = 0; i < 2; i++) {
        sb_verdict *family = &v;
        x.b[3].loss[judged] = bad[i];
        v = judge(&x, 10, 10, 1.05);
        assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
        assert_string_equal(v.reason, why);
        assert_true(v.n == 10 && isnan(v.ratio) && isnan(v.p) && isnan(v.p_above));
        assert_int_equal(sb_verdict_family(&family, 1), SB_OK);
        assert_string_equal(v.reason, why);
    }
    for (int i = 0; i < 10; i++) x.b[i].weights = "w";
    assert_int_equal(judge(&x, 10, 10, 1.05).word, SB_VERDICT_SAME_BITS);
    judged = SB_METRIC_LAST;
}

static void a_family_adjusts(void **state)
{
    (void)state;
    static arms x[12];
    sb_verdict v[12], *of[12];
    for (int i = 0; i < 12; i++) {
        make_arms(&x[i], 9, true, 0.2, 0.02);
        v[i] = judge(&x[i], 9, 9, 0);
        of[i] = &v[i];
        assert_int_equal(v[i].word, SB_VERDICT_DIFFERENT); /* p = 2 / 512 each */
    }
    assert_int_equal(sb_verdict_family(of, 12), SB_OK);
    assert_true(fabs(v[0].p_holm - 12 * 2.0 / 512) < 1e-15);
    assert_int_equal(v[0].word, SB_VERDICT_DIFFERENT);
    make_arms(&x[0], 7, true, 0.2, 0.02); /* p = 2 / 128, times 12 */
    v[0] = judge(&x[0], 7, 7, 0);
    assert_int_equal(v[0].word, SB_VERDICT_DIFFERENT);
    assert_int_equal(sb_verdict_family(of, 1), SB_OK);
    assert_int_equal(v[0].word, SB_VERDICT_DIFFERENT);
}

/* Two arms that are equivalent for the margin of all seeds alone are not called so. */
static void no_equivalence_hangs_on_one_seed(void **state)
{
    (void)state;
    arms x;
    sb_verdict v;
    make_arms(&x, 10, true, 0, 0.02);
    const sb_sample a = {10, x.of_a}, b = {10, x.of_b};
    sb_margin margin = {.log_ratio = 0.05, .least = 0.05, .most = 0.05};
    assert_int_equal(sb_verdict_of(&v, a, b, SB_METRIC_LAST, &margin), SB_OK);
    assert_int_equal(v.word, SB_VERDICT_EQUIVALENT);
    margin.least = 0.002;
    assert_int_equal(sb_verdict_of(&v, a, b, SB_METRIC_LAST, &margin), SB_OK);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_non_null(strstr(v.reason, "but not within the 0.2 % that the ensemble gives without one seed"));
}

static void the_margin_comes_from_the_ensemble(void **state)
{
    (void)state;
    enum { SEEDS = 4, MEMBERS = 5 };
    sb_result cells[SEEDS * MEMBERS + 1];
    for (long s = 0; s < SEEDS; s++)
        for (long u = 0; u < MEMBERS; u++) {
            cells[s * MEMBERS + u] = made_cell(s + 1, made_log_loss(1, 0, s + 1, 0) + 0.01 * (double)u);
            cells[s * MEMBERS + u].ulp = u;
            cells[s * MEMBERS + u].study = u ? "ulp" : "base"; /* the run of ulp 0 belongs to another study */
        }
    cells[SEEDS * MEMBERS] = made_cell(9, 0); /* beside the ensemble: no member has its seed */
    sb_results results = {.n_cells = SEEDS * MEMBERS + 1, .cell = cells};
    sb_margin margin;
    assert_int_equal(sb_ensemble_margin(&results, &cells[0], SB_METRIC_LAST, &margin), SB_OK);
    assert_int_equal(margin.n_pairs, SEEDS * 10);
    assert_int_equal(margin.n_seeds, SEEDS);
    /* distances 0.01 to 0.04, of each seed 4 3 2 1: the last 4 of 40 are 0.04, so the 95th percentile is */
    assert_true(fabs(margin.log_ratio - 0.04) < 1e-12);
    assert_true(fabs(margin.least - 0.04) < 1e-12 && fabs(margin.most - 0.04) < 1e-12); /* all seeds are alike */
    assert_string_equal(margin.source,
                        "one-ulp ensemble of prednet 3 8 on walk, 10 updates: 20 runs of 4 seeds; 95 % of "
                        "40 pairs lie within 4.08 %, without one seed within 4.08 to 4.08 %");
    for (long u = 0; u < MEMBERS; u++) cells[u].loss[SB_METRIC_LAST] *= exp(0.02 * (double)u); /* one seed is wider */
    assert_int_equal(sb_ensemble_margin(&results, &cells[0], SB_METRIC_LAST, &margin), SB_OK);
    assert_true(margin.least < margin.log_ratio && margin.log_ratio < margin.most);
    assert_true(fabs(margin.least - 0.04) < 1e-12);       /* without that seed */
    assert_true(isnan(margin.low) && isnan(margin.high)); /* four seeds are too few */
    sb_result other = cells[0];
    other.channels = "3 16";
    assert_int_equal(sb_ensemble_margin(&results, &other, SB_METRIC_LAST, &margin), SB_OK);
    assert_true(isnan(margin.log_ratio));
    assert_string_equal(margin.source, "no one-ulp ensemble of prednet 3 16 on walk, 10 updates");
    results.n_cells = MEMBERS; /* one seed */
    assert_int_equal(sb_ensemble_margin(&results, &cells[0], SB_METRIC_LAST, &margin), SB_OK);
    assert_true(isnan(margin.log_ratio));
    assert_non_null(strstr(margin.source, "has only 10 pairs of 1 seed"));
}

/* Tukey's jackknife by hand: six seeds with a pair each, whose 95th percentile is 0.75 of the largest distance and 0.25 of
 * the one below it (of five: 0.8 and 0.2). The ends are NumPy's, of the pseudo-values by the formula of stats.h. */
static void a_margin_has_an_interval(void **state)
{
    (void)state;
    const sb_distance distance[] = {{0.010, 0}, {0.012, 1}, {0.009, 2}, {0.011, 3}, {0.013, 4}, {0.014, 5}};
    sb_distance turned[6];
    sb_margin margin, other;
    assert_int_equal(sb_margin_of(distance, 6, 6, &margin), SB_OK);
    assert_true(fabs(margin.log_ratio - 0.01375) < 1e-15);
    assert_true(fabs(margin.least - 0.0128) < 1e-15 && fabs(margin.most - 0.0138) < 1e-15);
    assert_true(fabs(margin.low - 0.012426790507558474) < 1e-9 && fabs(margin.high - 0.0223455363858968) < 1e-9);
    for (size_t i = 0; i < 6; i++) turned[i] = (sb_distance){distance[5 - i].log_ratio, i};
    assert_int_equal(sb_margin_of(turned, 6, 6, &other), SB_OK); /* seeds have no order */
    assert_true(fabs(other.low - margin.low) < 1e-12 && fabs(other.high - margin.high) < 1e-12);
    const sb_distance one_far[] = {{1e-6, 0}, {1e-6, 1}, {1e-6, 2}, {1e-6, 3}, {2e-6, 4}, {0.5, 5}};
    assert_int_equal(sb_margin_of(one_far, 6, 6, &margin), SB_OK);
    assert_true(margin.low < margin.least && isinf(margin.high)); /* one seed says nothing of how far others go */
    const sb_distance still[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};
    assert_int_equal(sb_margin_of(still, 6, 6, &margin), SB_OK);
    assert_true(margin.log_ratio == 0 && isnan(margin.low) && isnan(margin.high));
}

/* The truths of the simulated ensembles: the share of pairs of runs that are further apart is 5 %, by a sum over seeds. */
static void the_true_margins_are_those(void **state)
{
    (void)state;
    for (int s = 0; s < SB_N_MADE_SEEDS; s++) {
        double share = 0;
        for (int i = -800; i <= 800; i++) {
            const double z = i / 100.0, density = exp(-z * z / 2) / sqrt(2 * 3.14159265358979323846) / 100;
            share += density * erfc(sb_made_seeds[s].margin / (0.002 * exp(sb_made_seeds[s].unlike * z)));
        }
        if (fabs(share - 0.05) > 1e-7) fail_msg("%s: %.9f of the pairs", sb_made_seeds[s].name, share);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_weights_are_the_same_bits),
        cmocka_unit_test(a_shift_is_different),
        cmocka_unit_test(equal_arms_are_equivalent_inside_a_margin),
        cmocka_unit_test(few_runs_are_undetermined),
        cmocka_unit_test(seeds_without_partners_are_left_out),
        cmocka_unit_test(other_seeds_are_compared_by_ranks),
        cmocka_unit_test(what_is_0_or_absent_has_no_ratio),
        cmocka_unit_test(a_family_adjusts),
        cmocka_unit_test(no_equivalence_hangs_on_one_seed),
        cmocka_unit_test(the_margin_comes_from_the_ensemble),
        cmocka_unit_test(a_margin_has_an_interval),
        cmocka_unit_test(the_true_margins_are_those),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

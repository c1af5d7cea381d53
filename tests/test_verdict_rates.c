/* How often verdicts are wrong, on made results of known truth: 1,000 matrices of four comparisons each, as a family.
 * The bounds are those of the binomial distribution: 4.5 standard deviations, beyond which a right program comes once
 * in 100,000 runs, and the random numbers are fixed. */
#include "support.h"

#include "made_cells.h"
#include "paper/effects/verdict.h"
#include "paper/statistics/stats.h"

#include <math.h>

enum { MATRICES = 1000, ARMS = 4, SEEDS = 10 };

typedef struct rates {
    double words[SB_N_VERDICTS]; /* shares of all comparisons */
    double raw;                  /* share of comparisons with p < alpha */
    double family;               /* share of matrices in which any comparison is called different */
} rates;

/* One arm of `n` seeds against its reference; noise is that of one run, so a pair's has sqrt(2) of it. */
static void judge_arm(sb_verdict *v, uint64_t trial, int arm, int n, double shift, double noise,
                      const sb_margin *margin)
{
    sb_result cell[2][SEEDS];
    const sb_result *of[2][SEEDS];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < n; i++) {
            double log_loss = made_log_loss(trial, 1 + 2 * (uint32_t)arm + (uint32_t)side, i + 1, noise);
            cell[side][i] = made_cell(i + 1, log_loss + (side ? 0 : shift));
            cell[side][i].weights = side ? "w" : "v";
            of[side][i] = &cell[side][i];
        }
    sb_sample a = {(size_t)n, of[0]}, b = {(size_t)n, of[1]};
    assert_int_equal(sb_verdict_of(v, a, b, &(sb_verdict_rule){SB_METRIC_LAST, margin}), SB_OK);
}

static rates judge_matrices(uint64_t first, int n, double shift, double noise, const sb_margin *margin)
{
    rates r = {0};
    for (uint64_t trial = first; trial < first + MATRICES; trial++) {
        sb_verdict v[ARMS], *of[ARMS];
        bool any = false;
        for (int arm = 0; arm < ARMS; arm++) {
            judge_arm(&v[arm], trial, arm, n, shift, noise, margin);
            of[arm] = &v[arm];
            r.raw += (v[arm].p < SB_STATS_ALPHA) / (double)(MATRICES * ARMS);
        }
        assert_int_equal(sb_verdict_family(of, ARMS), SB_OK);
        for (int arm = 0; arm < ARMS; arm++) {
            r.words[v[arm].word] += 1.0 / (MATRICES * ARMS);
            any = any || v[arm].word == SB_VERDICT_DIFFERENT;
        }
        r.family += any / (double)MATRICES;
    }
    return r;
}

static void assert_share(double got, double wanted, double n, const char *what)
{
    double bound = 4.5 * sqrt(wanted * (1 - wanted) / n);
    if (!(fabs(got - wanted) <= bound)) fail_msg("%s: %.4f, wanted %.4f within %.4f", what, got, wanted, bound);
}

/* The exact test has steps: with 10 pairs the level nearest below 0.05 is 50 of 1024. */
static void false_alarms_are_as_many_as_alpha_allows(void **state)
{
    (void)state;
    sb_margin none = sb_ensemble_none("none");
    rates r = judge_matrices(1, SEEDS, 0, 0.03, &none);
    assert_share(r.raw, 50.0 / 1024, MATRICES * ARMS, "p below alpha where nothing differs");
    /* Four looks of independent arms, each at least at alpha / 4 as the steps allow: 12 of 1024. */
    assert_share(r.family, 1 - pow(1 - 12.0 / 1024, ARMS), MATRICES, "any false alarm in a family");
    assert_true(r.words[SB_VERDICT_EQUIVALENT] == 0 && r.words[SB_VERDICT_SAME_BITS] == 0);
}

static void equal_arms_come_out_equivalent_by_a_wide_margin(void **state)
{
    (void)state;
    sb_margin margin = sb_ensemble_chosen(exp(3 * sqrt(2) * 0.03), "three standard deviations of a pair");
    rates r = judge_matrices(20001, SEEDS, 0, 0.03, &margin);
    assert_share(r.words[SB_VERDICT_EQUIVALENT], 0.9606, MATRICES * ARMS, "equivalent, 10 pairs"); /* all by NumPy */
    r = judge_matrices(30001, 6, 0, 0.03, &margin);
    assert_share(r.words[SB_VERDICT_EQUIVALENT], 0.6457, MATRICES * ARMS, "equivalent, 6 pairs");
    r = judge_matrices(30001, 5, 0, 0.03, &margin);
    assert_true(r.words[SB_VERDICT_EQUIVALENT] == 0 && r.words[SB_VERDICT_DIFFERENT] == 0);
    /* A shift of just the margin is hardly ever called equivalent: six standard errors are more than the interval. */
    r = judge_matrices(40001, SEEDS, margin.log_ratio, 0.03, &margin);
    assert_share(r.words[SB_VERDICT_EQUIVALENT], 0.0001, MATRICES * ARMS, "equivalent at the margin");
}

static void power_is_as_predicted(void **state)
{
    (void)state;
    sb_margin none = sb_ensemble_none("none");
    double se = sqrt(2) * 0.03 / sqrt(SEEDS);
    double shift = sb_stats_detectable((sb_estimate){.se = se, .df = SEEDS - 1});
    rates r = judge_matrices(50001, SEEDS, shift, 0.03, &none);
    /* The prediction is a t test's; sign flips lose a little to the steps of their p. */
    assert_in_range(1000 * r.raw, 740, 830);
    r = judge_matrices(60001, SEEDS, 3 * shift, 0.03, &none);
    assert_true(r.words[SB_VERDICT_DIFFERENT] > 0.999);
}

static void few_seeds_are_never_different(void **state)
{
    (void)state;
    sb_margin margin = sb_ensemble_chosen(1.05, "chosen");
    for (int n = 1; n <= 5; n += 4) {
        rates r = judge_matrices(70001, n, 1, 0.03, &margin);
        assert_true(fabs(r.words[SB_VERDICT_UNDETERMINED] - 1) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_alarms_are_as_many_as_alpha_allows),
        cmocka_unit_test(equal_arms_come_out_equivalent_by_a_wide_margin),
        cmocka_unit_test(power_is_as_predicted),
        cmocka_unit_test(few_seeds_are_never_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

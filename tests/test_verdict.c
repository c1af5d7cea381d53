/* Verdicts word by word, and the margin from a one-ulp ensemble. */
#include "support.h"

#include "made_cells.h"
#include "paper/effects/verdict.h"
#include "paper/results/results.h"
#include "paper/statistics/stats.h"
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
static bool common; /* only starts that both have */

static sb_verdict judge(const arms *x, size_t n_a, size_t n_b, double margin)
{
    sb_verdict v;
    sb_margin of = margin > 1 ? sb_ensemble_chosen(margin, "chosen") : sb_ensemble_none("none");
    sb_sample a = {n_a, x->of_a}, b = {n_b, x->of_b};
    assert_int_equal(sb_verdict_of(&v, a, b, &(sb_verdict_rule){judged, &of, .common = common}), SB_OK);
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
    assert_string_equal(v.reason, "weights and losses of all 3 pairs are equal");
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
    assert_non_null(strstr(v.reason, "there is no margin for equivalence"));
}

static void few_runs_are_undetermined(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 5, true, 1, 0.01);
    sb_verdict v = judge(&x, 5, 5, 0);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_non_null(strstr(v.reason, "5 pairs cannot give a p below 0.0625; 1 more pair would decide"));
    assert_true(isnan(v.detectable));
    assert_true(v.p_below == 1.0 / 32); /* a direction said beforehand can be shown with 5 */
    v = judge(&x, 1, 1, 1.05);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_string_equal(v.reason, "one pair says nothing about spread");
    assert_true(isnan(v.low) && isnan(v.p_equivalent));
}

static void other_seeds_are_compared_by_ranks(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 12, false, 2, 0.02);
    sb_verdict v = judge(&x, 5, 5, 0);
    assert_true(!v.paired && v.p_below == v.p / 2);
    assert_string_equal(v.test, "permutation of rank sums");
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    assert_true(v.cliff == -1 && v.low < v.ratio && v.ratio < v.high);
    v = judge(&x, 12, 12, 0);
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    v = judge(&x, 3, 3, 0);
    assert_non_null(strstr(v.reason, "3 runs cannot give a p below 0.1"));
}

/* A share of images can be 0, the best of all, and a network that does not classify has none. */
static void what_is_0_or_absent_has_no_ratio(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 10, true, 0, 0.02);
    judged = SB_METRIC_ERROR;
    for (int i = 0; i < 10; i++) x.a[i].loss[judged] = 0.011 + 0.0001 * i, x.b[i].loss[judged] = 0.022 + 0.0001 * i;
    sb_verdict v = judge(&x, 10, 10, 0);
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    assert_true(v.ratio > 0.5 && v.ratio < 0.52);
    x.a[3].loss[judged] = 0;
    v = judge(&x, 10, 10, 1.05);
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    assert_true(v.n == 10 && isnan(v.ratio) && v.p == 2.0 / 1024 && v.direction == -1);
    assert_non_null(strstr(v.reason, "; 1 of 10 seeds of the first condition and 0 of 10 of the second have a loss of 0"));
    x.b[3].loss[judged] = NAN;
    v = judge(&x, 10, 10, 1.05);
    sb_verdict *family = &v;
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_non_null(strstr(v.reason, "a run has none of these losses"));
    assert_true(isnan(v.ratio) && isnan(v.p) && isnan(v.p_above));
    assert_int_equal(sb_verdict_family(&family, 1), SB_OK);
    assert_non_null(strstr(v.reason, "a run has none of these losses"));
    for (int i = 0; i < 10; i++) x.b[i].weights = "w", memcpy(x.b[i].loss, x.a[i].loss, sizeof x.a[i].loss);
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

/* A margin of an ensemble counts no further than is relevant, and not at all where it comes from one or two starts. */
static void a_margin_is_limited(void **state)
{
    (void)state;
    enum { SEEDS = 6 };
    sb_distance even[] = {{0.10, 0}, {0.11, 1}, {0.12, 2}, {0.13, 3}, {0.14, 4}, {0.15, 5}};
    sb_distance chaos[] = {{0.03, 0}, {0.03, 1}, {0.03, 2}, {0.03, 3}, {0.17, 4}, {0.20, 5}};
    sb_margin margin;
    assert_int_equal(sb_margin_of(even, SEEDS, SEEDS, &margin), SB_OK);
    assert_true(margin.judged == log(1.05));
    sb_ensemble_limit(&margin, 1.5);
    assert_true(margin.judged == margin.least && margin.least > 0.13);
    assert_int_equal(sb_margin_of(chaos, SEEDS, SEEDS, &margin), SB_OK);
    assert_true(margin.least > 0.1 && margin.without_two == 0.03 && isnan(margin.judged));
    assert_int_equal(sb_margin_of(even, 3, 3, &margin), SB_OK);
    assert_true(isnan(margin.without_two) && isnan(margin.judged));
}

static void a_margin_of_one_start_says_so(void **state)
{
    (void)state;
    arms x;
    sb_verdict v;
    make_arms(&x, 10, true, 0, 0.001);
    const sb_sample a = {10, x.of_a}, b = {10, x.of_b};
    sb_margin margin = {.judged = NAN, .log_ratio = log(1.199), .without_two = log(1.036), .n_seeds = 6};
    assert_int_equal(sb_verdict_of(&v, a, b, &(sb_verdict_rule){SB_METRIC_LAST, &margin}), SB_OK);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_non_null(strstr(v.reason, "margin of 19.9 % comes from one or two of its 6 seeds (3.6 % without them)"));
}

/* ---- pairs ---- */

/* Starts in common and equal there, the others ten times worse on one side: n a side. */
static sb_verdict judge_half(int n, int n_common, double margin)
{
    arms x;
    make_arms(&x, n, true, 0, 0.0001);
    for (int i = 0; i < n; i++) {
        x.b[i].seed = i + 1 + n - n_common;
        if (i < n_common)
            x.b[i].loss[0] = x.b[i].loss[1] = x.a[i + n - n_common].loss[0] * exp(0.0001 * (i % 3 - 1));
        else
            x.b[i].loss[0] = x.b[i].loss[1] = exp(-6 + log(10));
    }
    return judge(&x, (size_t)n, (size_t)n, margin);
}

static void half_paired_is_the_weaker_of_both(void **state)
{
    (void)state;
    sb_verdict v = judge_half(12, 12, 1.01);
    assert_int_equal(v.word, SB_VERDICT_EQUIVALENT);
    assert_null(strstr(v.reason, "in both conditions"));
    for (int n_common = 1; n_common < 12; n_common++) {
        v = judge_half(12, n_common, 1.01);
        if (v.word == SB_VERDICT_EQUIVALENT || v.word == SB_VERDICT_SAME_BITS) fail_msg("%d common: %s", n_common, v.reason);
        char sentence[80];
        snprintf(sentence, sizeof sentence, "%d of 12 seeds of the first condition and %d of 12 of the second are not in both", 12 - n_common, 12 - n_common);
        if (!strstr(v.reason, sentence)) fail_msg("%d common: %s", n_common, v.reason);
    }
    common = true;
    v = judge_half(12, 6, 1.01);
    assert_int_equal(v.word, SB_VERDICT_EQUIVALENT);
    assert_true(v.paired && v.n == 6);
    assert_non_null(strstr(v.reason, "6 of 12 seeds of the first condition and 6 of 12 of the second are not in both conditions; they are left out"));
    v = judge_half(12, 0, 1.01);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_string_equal(v.reason, "no seed is in both conditions");
    common = false;
}

/* ---- mean against ranks ---- */

static void mean_and_ranks_must_agree(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 12, false, -2, 0.02);
    sb_verdict v = judge(&x, 12, 12, 0);
    assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
    assert_true(v.direction == 1 && v.p_above < 0.001 && v.p_below > 0.99);
    x.b[3].loss[SB_METRIC_LAST] *= exp(40); /* all but one of B lie below A, and the mean far above */
    v = judge(&x, 12, 12, 0);
    assert_true(v.ratio < 1 && v.cliff > 0.5 && v.p < 0.05 && v.disagree && v.direction == 1);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_non_null(strstr(v.reason, "mean and ranks disagree, so no condition is named higher"));
    make_arms(&x, 13, true, -0.001, 0); /* seven pairs a little below, six far above */
    for (int i = 0; i < 6; i++) x.b[i].loss[SB_METRIC_LAST] = x.a[i].loss[SB_METRIC_LAST] * exp(1 + 0.1 * i);
    v = judge(&x, 13, 13, 0);
    assert_true(v.p < 0.05 && v.ratio < 1 && v.cliff > 0);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
}

/* ---- divergence, and losses of 0 ---- */

static void made_diverged(sb_result *cell)
{
    cell->diverged = true;
    for (int m = 0; m < SB_N_LOSSES; m++) cell->loss[m] = NAN;
    cell->weights = "nan";
}

static void a_diverged_run_is_the_worst(void **state)
{
    (void)state;
    for (int paired = 0; paired < 2; paired++) {
        arms x;
        make_arms(&x, 8, paired, 0.3, 0.001);
        made_diverged(&x.b[2]);
        made_diverged(&x.b[5]);
        sb_verdict v = judge(&x, 8, 8, 1.05);
        assert_int_equal(v.n, 8);
        assert_true(isnan(v.ratio) && isnan(v.low) && isnan(v.p_equivalent) && isnan(v.p_spread));
        assert_true(v.p < 0.05 && v.direction == -1 && v.cliff < -0.5);
        assert_int_equal(v.word, SB_VERDICT_DIFFERENT);
        assert_non_null(strstr(v.reason, "; 0 of 8 runs of the first condition and 2 of 8 of the second diverged"));
        if (paired) assert_true(v.p == 2.0 / 256); /* all eight pairs are below */
    }
    arms x;
    make_arms(&x, 8, true, -0.3, 0.001); /* six above, and two that are worse still on the other side */
    made_diverged(&x.b[2]);
    made_diverged(&x.b[5]);
    assert_int_equal(judge(&x, 8, 8, 1.05).word, SB_VERDICT_UNDETERMINED);
    for (int i = 0; i < 8; i++) made_diverged(&x.a[i]), made_diverged(&x.b[i]);
    sb_verdict v = judge(&x, 8, 8, 1.05);
    assert_int_equal(v.word, SB_VERDICT_SAME_BITS);
    x.b[0].weights = "other";
    v = judge(&x, 8, 8, 1.05);
    assert_int_equal(v.word, SB_VERDICT_UNDETERMINED);
    assert_true(v.p == 1 && v.direction == 0);
}

/* Signed ranks by hand: |d| = 1, 2, inf, 0, 2, whose mean ranks are 2, 3.5, 5, 1, 3.5. */
static void signed_ranks_take_ties_and_zeros(void **state)
{
    (void)state;
    double d[] = {-1, 2, INFINITY, 0, -2};
    const double wanted[] = {-2, 3.5, 5, 0, -3.5};
    assert_int_equal(sb_stats_signed_ranks(d, 5), SB_OK);
    for (int i = 0; i < 5; i++) assert_true(d[i] == wanted[i]);
}

static void no_p_is_zero(void **state)
{
    (void)state;
    arms x;
    make_arms(&x, 12, false, 5, 0.02); /* nothing overlaps */
    sb_verdict v = judge(&x, 12, 12, 1.05);
    assert_true(fabs(v.p - 2.0 / 2704156) < 1e-12 && fabs(v.p_below - 1.0 / 2704156) < 1e-12);
    make_arms(&x, 8, true, 0, 0); /* no spread at all */
    v = judge(&x, 8, 8, 1.05);
    assert_int_equal(v.word, SB_VERDICT_EQUIVALENT);
    assert_true(v.p_equivalent == 1.0 / 256);
}

/* ---- contradicting tables ---- */

static void equal_weights_want_equal_losses(void **state)
{
    (void)state;
    const struct {
        double factor;
        sb_verdict_word word;
        const char *says;
    } row[] = {{1, SB_VERDICT_SAME_BITS, "weights and losses of all 6 pairs are equal"},
               {1 + 5e-7, SB_VERDICT_SAME_BITS, "weights and losses"},
               {1.004, SB_VERDICT_EQUIVALENT, "a difference of 5 % or more"},
               {1.02, SB_VERDICT_UNDETERMINED, "the tables contradict each other: in 6 of 6 pairs"},
               {10, SB_VERDICT_UNDETERMINED, "the losses are up to 10 times as large"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        arms x;
        make_arms(&x, 6, true, 0, 0);
        for (int i = 0; i < 6; i++) x.b[i].weights = "w";
        for (int i = 0; i < 6; i++)
            for (int m = 0; m < SB_N_METRICS; m++) x.b[i].loss[m] *= row[k].factor;
        sb_verdict v = judge(&x, 6, 6, 1.05);
        if (v.word != row[k].word || !strstr(v.reason, row[k].says)) fail_msg("%g: %s", row[k].factor, v.reason);
    }
}

/* ---- replicates ---- */

/* Two moved runs of each start of A, one of which diverges in the end. */
static void replicates_are_averaged(void **state)
{
    (void)state;
    enum { STARTS = 6 };
    sb_result cell[4 * STARTS];
    const sb_result *a[STARTS], *b[STARTS];
    sb_results results = {.n_cells = 4 * STARTS, .cell = cell};
    const sb_margin none = sb_ensemble_none("none");
    sb_verdict v;
    for (int i = 0; i < STARTS; i++) {
        for (int k = 0; k < 4; k++) cell[4 * i + k] = made_cell(i + 1, -6 + 0.1 * i + 0.03 * k);
        for (int k = 1; k < 3; k++) cell[4 * i + k].ulp = k, cell[4 * i + k].study = "ulp", cell[4 * i + k].weights = k > 1 ? "x" : "y";
        cell[4 * i + 3].backend = "openblas";
        cell[4 * i + 3].weights = "v";
        a[i] = &cell[4 * i], b[i] = &cell[4 * i + 3];
    }
    assert_int_equal(sb_replicates_find(&results), SB_OK);
    assert_int_equal(sb_verdict_of(&v, (sb_sample){STARTS, a}, (sb_sample){STARTS, b}, &(sb_verdict_rule){SB_METRIC_LAST, &none}), SB_OK);
    assert_float_equal(log(v.ratio), 0.03 - 0.09, 1e-12); /* 0, 0.03 and 0.06 against 0.09 */
    assert_non_null(strstr(v.reason, "; runs averaged for each seed: 3 in the first condition, 1 in the second"));
    free(results.replicates);
    for (int i = 0; i < 4 * STARTS; i++) cell[i].n_replicates = 0;
    for (int i = 0; i < STARTS; i++) cell[4 * i + 3].weights = "w"; /* the bits of the unmoved run, and another loss: none */
    assert_int_equal(sb_replicates_find(&results), SB_OK);
    assert_int_equal(sb_result_runs(b[0]), 1);
    free(results.replicates);
    for (int i = 0; i < 4 * STARTS; i++) cell[i].n_replicates = 0;
    for (int i = 0; i < STARTS; i++) memcpy(cell[4 * i + 3].loss, cell[4 * i].loss, sizeof cell[0].loss);
    made_diverged(&cell[2]);
    assert_int_equal(sb_replicates_find(&results), SB_OK);
    assert_int_equal(sb_result_runs(b[0]), 3); /* the same bits: the same moved runs */
    assert_true(isinf(sb_result_value(a[0], SB_METRIC_LAST)) && isinf(sb_result_value(b[0], SB_METRIC_LAST)));
    free(results.replicates);
}

/* ---- power ---- */

/* By SciPy: the least n with |mean| >= (t(0.975) + t(0.8)) sd / sqrt(n), and with 6 sd / sqrt(n) < margin - |mean|. */
static void more_starts_would_decide(void **state)
{
    (void)state;
    sb_pilot plan = {0.05, 0.1, 6, true, 0.05, NAN, 6, 6};
    assert_int_equal(sb_stats_more_starts(&plan), 34 - 6);
    plan.margin = 0.2; /* (6 * 0.1 / 0.15)^2 = 16 */
    assert_int_equal(sb_stats_more_starts(&plan), 17 - 6);
    plan = (sb_pilot){0, 0.1, 6, true, 0.05, NAN, 6, 6};
    assert_int_equal(sb_stats_more_starts(&plan), 0);
    plan = (sb_pilot){1, 0.001, 4, true, 0.05 / 10, NAN, 6, 6}; /* 2 / 2^9 < 0.005 */
    assert_int_equal(sb_stats_more_starts(&plan), 9 - 4);
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
                        "40 pairs lie within 4.08 %; without one of the seeds 4.08 to 4.08 %; without two at least 4.08 %");
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
    sb_distance distance[] = {{0.010, 0}, {0.012, 1}, {0.009, 2}, {0.011, 3}, {0.013, 4}, {0.014, 5}};
    sb_distance turned[6];
    sb_margin margin, other;
    assert_int_equal(sb_margin_of(distance, 6, 6, &margin), SB_OK);
    assert_true(fabs(margin.log_ratio - 0.01375) < 1e-15);
    assert_true(fabs(margin.least - 0.0128) < 1e-15 && fabs(margin.most - 0.0138) < 1e-15);
    assert_true(fabs(margin.low - 0.012426790507558474) < 1e-9 && fabs(margin.high - 0.0223455363858968) < 1e-9);
    for (size_t i = 0; i < 6; i++) turned[i] = (sb_distance){distance[5 - i].log_ratio, i};
    assert_int_equal(sb_margin_of(turned, 6, 6, &other), SB_OK); /* seeds have no order */
    assert_true(fabs(other.low - margin.low) < 1e-12 && fabs(other.high - margin.high) < 1e-12);
    sb_distance one_far[] = {{1e-6, 0}, {1e-6, 1}, {1e-6, 2}, {1e-6, 3}, {2e-6, 4}, {0.5, 5}};
    assert_int_equal(sb_margin_of(one_far, 6, 6, &margin), SB_OK);
    assert_true(margin.low < margin.least && isinf(margin.high)); /* one seed says nothing of how far others go */
    sb_distance still[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};
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
        cmocka_unit_test(other_seeds_are_compared_by_ranks),
        cmocka_unit_test(what_is_0_or_absent_has_no_ratio),
        cmocka_unit_test(a_family_adjusts),
        cmocka_unit_test(a_margin_is_limited),
        cmocka_unit_test(a_margin_of_one_start_says_so),
        cmocka_unit_test(half_paired_is_the_weaker_of_both),
        cmocka_unit_test(mean_and_ranks_must_agree),
        cmocka_unit_test(a_diverged_run_is_the_worst),
        cmocka_unit_test(signed_ranks_take_ties_and_zeros),
        cmocka_unit_test(no_p_is_zero),
        cmocka_unit_test(equal_weights_want_equal_losses),
        cmocka_unit_test(replicates_are_averaged),
        cmocka_unit_test(more_starts_would_decide),
        cmocka_unit_test(the_margin_comes_from_the_ensemble),
        cmocka_unit_test(a_margin_has_an_interval),
        cmocka_unit_test(the_true_margins_are_those),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

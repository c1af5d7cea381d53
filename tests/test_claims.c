/* Claims on made results of known truth: each relation and outcome, and what is said of a file that makes no sense. */
#define CLAIM_FILE "claims_test.yaml"
#include "claim_trial.h"

#include "paper/claims/claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *claimant = "retraction"; /* who makes the claim that `judge` judges */
static const char *metric = "loss_last";    /* what it is about */

static sb_claim_result judge(sb_result *cell, size_t n, const char *relation, const char *lines, sb_claims *claims)
{
    return judge_claim(claimant, metric, cell, n, relation, lines, claims);
}

static void expect_outcome(int n, double shift, double noise, const char *relation, const char *lines,
                           const char *wanted)
{
    sb_result cell[MAX];
    sb_claims claims;
    size_t n_cells = make_study(cell, "a", "native", n, shift, noise);
    sb_claim_result result = judge(cell, n_cells, relation, lines, &claims);
    if (strcmp(sb_outcome_name[result.outcome], wanted) != 0)
        fail_msg("n %d, shift %g, %s: %s (%s), wanted %s", n, shift, relation, sb_outcome_name[result.outcome],
                 result.words, wanted);
    sb_claims_free(&claims);
}

static const char with_margin[] = "    of: {study: a, target: shared}\n    over: {study: a, target: copy}\n"
                                  "    each: setting\n    margin: '1.2'\n";
static const char on_gpu[] = "    of: {study: a, device: cpu, target: copy}\n    over: {study: a, device: gpu}\n";
static const char elsewhere[] = "    of: {study: b}\n    over: {study: a, target: copy}\n";

static void greater(void **state)
{
    (void)state;
    expect_outcome(5, 0.3, 0.03, "greater", NULL, "reproduced"); /* a direction said beforehand needs 5 pairs */
    expect_outcome(4, 0.3, 0.03, "greater", NULL, "undetermined");
    expect_outcome(10, 0, 0.03, "greater", NULL, "not reproduced");
    expect_outcome(10, 0, 0.03, "greater", with_margin, "refuted"); /* shown to be equal */
    expect_outcome(10, -0.3, 0.03, "greater", NULL, "refuted");
    expect_outcome(3, 0, 0, "greater", NULL, "refuted"); /* the same bits */
}

static void alike(void **state)
{
    (void)state;
    expect_outcome(10, 0, 0.03, "equivalent", with_margin, "reproduced");
    expect_outcome(10, 0, 0.03, "equivalent", NULL, "undetermined");
    expect_outcome(10, 0.3, 0.03, "equivalent", with_margin, "refuted");
    expect_outcome(10, 0, 0.03, "no difference", NULL, "reproduced");
    expect_outcome(5, 0.3, 0.03, "no difference", NULL, "undetermined");
    expect_outcome(10, 0.3, 0.03, "no difference", NULL, "refuted");
    expect_outcome(2, 0, 0, "same bits", NULL, "reproduced");
    expect_outcome(2, 0, 0.001, "same bits", NULL, "refuted");
}

/* Only a sentence of the study or its retraction is reproduced; and one that does not count is judged all the same. */
static void words_depend_on_who_claims(void **state)
{
    (void)state;
    static const struct {
        const char *by, *holds, *does_not;
    } row[] = {{"paper", "reproduced", "not reproduced"},
               {"retraction", "reproduced", "not reproduced"},
               {"samebits", "supported", "not supported"},
               {"us", "supported", "not supported"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        claimant = row[i].by;
        expect_outcome(10, 0.3, 0.03, "greater", NULL, row[i].holds);
        expect_outcome(10, 0, 0.03, "greater", NULL, row[i].does_not);
        expect_outcome(10, -0.3, 0.03, "greater", NULL, "refuted");
        expect_outcome(4, 0.3, 0.03, "greater", NULL, "undetermined");
    }
    claimant = "us";
    static const char uncounted[] = "    of: {study: a, target: shared}\n    over: {study: a, target: copy}\n"
                                    "    each: setting\n    uncounted: it cannot fail\n";
    sb_result cell[MAX];
    sb_claims claims;
    size_t count[SB_N_OUTCOMES];
    const size_t n = make_study(cell, "a", "native", 10, 0.3, 0.03);
    assert_int_equal(judge(cell, n, "greater", uncounted, &claims).outcome, SB_OUTCOME_SUPPORTED);
    assert_int_equal(sb_claims_count(&claims, count), 1);
    assert_int_equal(count[SB_OUTCOME_SUPPORTED], 0);
    sb_claims_free(&claims);
    judge(cell, n, "greater", NULL, &claims);
    assert_int_equal(sb_claims_count(&claims, count), 0);
    assert_int_equal(count[SB_OUTCOME_SUPPORTED], 1);
    sb_claims_free(&claims);
    claimant = "retraction";
}

/* Twice as many test images wrong, and then none wrong in one run. */
static void test_errors(void **state)
{
    (void)state;
    sb_result cell[MAX];
    sb_claims claims;
    const size_t n = make_study(cell, "a", "native", 8, -0.3, 0.03);
    for (size_t i = 0; i < n; i++) cell[i].loss[SB_METRIC_ERROR] = (i % 2 ? 0.02 : 0.01) + 0.0001 * (double)i;
    metric = "error";
    const sb_claim_result more = judge(cell, n, "greater", NULL, &claims);
    assert_int_equal(more.outcome, SB_OUTCOME_REPRODUCED);
    sb_claims_free(&claims);
    cell[4].loss[SB_METRIC_ERROR] = 0;
    static const char *const relations[] = {"greater", "equivalent", "no difference"};
    static const sb_outcome wanted[] = {SB_OUTCOME_REPRODUCED, SB_OUTCOME_REFUTED, SB_OUTCOME_REFUTED};
    for (int i = 0; i < 3; i++) {
        const sb_claim_result best = judge(cell, n, relations[i], with_margin, &claims);
        assert_int_equal(best.outcome, wanted[i]);
        assert_true(isnan(best.part[0].verdict.ratio));
        assert_non_null(strstr(best.part[0].words, "; 0 of 8 seeds of the first condition and 1 of 8 of the second have a loss of 0"));
        sb_claims_free(&claims);
    }
    metric = "loss_last";
}

static void what_has_not_run_is_no_guess(void **state)
{
    (void)state;
    sb_result cell[MAX];
    sb_claims claims;
    size_t n = make_study(cell, "a", "openblas", 5, 0, 0.01);
    for (size_t i = 0; i < n; i++) cell[i].evidence = SB_EVIDENCE_EMULATED;
    sb_claim_result result = judge(cell, n, "greater", on_gpu, &claims);
    assert_string_equal(sb_outcome_name[result.outcome], "hardware missing");
    assert_string_equal(result.words, "5 runs (5 emulated) of one condition, no run of the other");
    sb_claims_free(&claims);
    result = judge(cell, n, "greater", elsewhere, &claims);
    assert_string_equal(sb_outcome_name[result.outcome], "undetermined");
    sb_claims_free(&claims);
    const size_t n_all = n + make_study(cell + n, "b", "openblas", 2, 0, 0.01);
    for (size_t i = n; i < n_all; i++) cell[i].ulp = 1, cell[i].is_replicate = true;
    result = judge(cell, n_all, "greater", elsewhere, &claims);
    assert_string_equal(sb_outcome_name[result.outcome], "undetermined");
    assert_non_null(strstr(result.words, "only replicates (4 runs, averaged into their seeds) of one condition, "));
    sb_claims_free(&claims);
}

/* Every arm of one side with every arm of the other, in all of which the claim must hold. */
static void one_refuted_part_refutes(void **state)
{
    (void)state;
    sb_result cell[MAX];
    sb_claims claims;
    size_t n = make_study(cell, "a", "native", 8, 0.3, 0.01);
    n += make_study(cell + n, "a", "openblas", 8, -0.3, 0.01);
    sb_claim_result result = judge(cell, n, "greater", NULL, &claims);
    assert_int_equal(result.n_parts, 2);
    assert_string_equal(sb_outcome_name[result.outcome], "refuted");
    assert_string_equal(result.words, "1 of 2 comparisons refuted");
    sb_claims_free(&claims);
    result = judge(cell, n, "no difference", "    of: {target: copy}\n    over: {target: copy}\n", &claims);
    assert_int_equal(result.n_parts, 1); /* the two backends, one way round */
    sb_claims_free(&claims);
}

static void recipes_are_not_mixed(void **state)
{
    (void)state;
    sb_result cell[MAX];
    sb_claims claims;
    size_t n = make_study(cell, "a", "native", 3, 0, 0.01);
    make_study(cell + n, "b", "native", 3, 0, 0.01);
    for (size_t i = n; i < 2 * n; i++) cell[i].data_digest = "other";
    sb_claim_result result = judge(cell, 2 * n, "no difference", elsewhere, &claims);
    assert_int_equal(result.n_parts, 0);
    assert_string_equal(result.words, "no two arms of one recipe among these");
    sb_claims_free(&claims);
}

/* Runs of another batch and rate are compared by a claim that names both and the number of updates, by no other. */
static void what_may_differ_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *across;
        size_t n_parts;
    } row[] = {{"batch|lr|updates", 1},
               {"updates|momentum|lr|batch", 1},
               {"batch|lr", 0},
               {"lr|updates", 0},
               {"batch|updates", 0}};
    sb_result cell[MAX];
    size_t n = make_study(cell, "a", "native", 3, 0, 0.01);
    make_study(cell + n, "b", "native", 3, 0, 0.01);
    for (size_t i = n; i < 2 * n; i++) {
        cell[i].setting[SB_SETTING_BATCH] = "64";
        cell[i].setting[SB_SETTING_LR] = "0.5";
        cell[i].updates += 1;
    }
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sb_claims claims;
        char lines[256];
        snprintf(
            lines, sizeof lines,
            "    of: {study: b, target: copy}\n    over: {study: a, target: copy}\n    margin: '1.5'\n    across: %s\n",
            row[i].across);
        assert_int_equal(judge(cell, 2 * n, "no difference", lines, &claims).n_parts, row[i].n_parts);
        sb_claims_free(&claims);
    }
    for (size_t i = n; i < 2 * n; i++) cell[i].data_digest = "other";
    sb_claims claims;
    assert_int_equal(judge(cell, 2 * n, "no difference",
                           "    of: {study: b, target: copy}\n    over: {study: a, target: copy}\n    margin: '1.5'\n"
                           "    across: batch|lr|updates|data\n",
                           &claims)
                         .n_parts,
                     0);
    sb_claims_free(&claims);
}

static void every_part_has_a_label_of_its_own(void **state)
{
    (void)state;
    static const char *const selectors[] = {"    of: {target: shared}\n    over: {target: copy}\n    each: setting\n",
                                            "    of: {device: cpu}\n    over: {device: cpu}\n"};
    sb_result cell[MAX];
    size_t n = 0;
    for (int i = 0; i < 4; i++)
        n += make_study(cell + n, i / 2 ? "a" : "b", i % 2 ? "native" : "openblas", 2, 0.1, 0.01);
    for (int i = 0; i < 2; i++) {
        sb_results results = {.n_cells = n, .cell = cell};
        sb_arms arms;
        sb_claims claims;
        sb_numbers numbers = {0};
        char text[512];
        snprintf(text, sizeof text,
                 "claims:\n  - name: x\n    by: us\n    text: t\n    metric: loss_last\n"
                 "    relation: greater\n%s",
                 selectors[i]);
        assert_int_equal(sb_file_write(path, text, strlen(text)), SB_OK);
        assert_int_equal(sb_arms_group(&arms, &results), SB_OK);
        assert_int_equal(sb_claims_judge(&claims, path, &results, &arms, NULL), SB_OK);
        assert_int_equal(sb_claims_add(&numbers, &claims), SB_OK);
        assert_int_equal(numbers.n, 1 + (i ? 8 * 7 / 2 : 4));
        sb_numbers_free(&numbers);
        sb_claims_free(&claims);
        sb_arms_free(&arms);
    }
}

/* Other hardware with the first setting of its study, CPUs first; two of the same bits are one part, with two names. */
static void hardware_is_compared_with_a_reference(void **state)
{
    (void)state;
    static const char *const hardware[] = {"gtx-1080", "any", "i5", "i7"};
    static const char of_cpus[] = "    of: {target: copy, device: cpu}\n    over: {target: copy}\n    each: hardware\n";
    static const char of_gpus[] = "    of: {target: copy, device: gpu}\n    over: {target: copy}\n    each: hardware\n";
    char names[SB_FINDING_NAMES];
    sb_result cell[MAX];
    sb_claims claims;
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        const size_t first = n;
        n += make_study(cell + n, "a", i == 0 ? "cudnn" : i == 1 ? "native" : "openblas", 6, i / 2 ? 0.3 : 0.1, 0.01);
        for (size_t c = first; c < n; c++) cell[c].hardware = hardware[i];
        for (size_t c = first; i == 2 && c < n; c += 2) cell[c].loss[SB_METRIC_LAST] *= 1.1;
        for (size_t c = first; i == 3 && c < n; c++) cell[c].loss[SB_METRIC_LAST] = cell[c - 12].loss[SB_METRIC_LAST];
    }
    const sb_claim_result cpus = judge(cell, n, "no difference", of_cpus, &claims);
    assert_int_equal(cpus.n_parts, 1);
    sb_claims_free(&claims);
    const sb_claim_result gpus = judge(cell, n, "no difference", of_gpus, &claims);
    assert_int_equal(gpus.n_parts, 1);
    sb_claims_free(&claims);
    sb_results results = {.n_cells = n, .cell = cell};
    sb_arms arms;
    assert_int_equal(sb_arms_group(&arms, &results), SB_OK);
    assert_int_equal(sb_claims_ask_hardware(&claims, &results, &arms), SB_OK);
    assert_int_equal(sb_claims_parts(&claims), 4 + 1 + 1);
    const sb_finding *cpu = sb_claims_next_asked(&claims, SB_ASKS_CPU, NULL)->part;
    assert_string_equal(cpu->over->setting->cell->hardware, "any");
    assert_int_equal(sb_finding_names(cpu, names), 2);
    assert_string_equal(names, "i5, i7");
    assert_float_equal(cpu->verdict.ratio, 1.1, 0.05);
    assert_non_null(strstr(cpu->label, ".over-native.copy.loss-last"));
    sb_claims_free(&claims);
    sb_arms_free(&arms);
}

#define CLAIM "claims:\n  - {name: x, by: us, text: t, of: {study: a}, over: {study: a}, metric: loss_last, "

static void wrong_claims_are_named_by_line(void **state)
{
    (void)state;
    expect_refused(CLAIM "relation: bigger}\n",
                   "claims_test.yaml:2: relation wants greater, equivalent, no difference or same bits, not 'bigger'");
    expect_refused(CLAIM "relation: greater, margin: '0.9'}\n",
                   "claims_test.yaml:2: margin wants a ratio above 1, not '0.9'");
    expect_refused(CLAIM "relation: greater, each: seed}\n", "claims_test.yaml:2: each wants setting or hardware, not 'seed'");
    expect_refused(CLAIM "relation: greater, family: part}\n",
                   "claims_test.yaml:2: family wants part, and uncounted in the same claim, not 'part'");
    expect_refused(CLAIM "relation: greater, margin: '1.2', across: batch|threads}\n",
                   "claims_test.yaml:2: across wants settings of a recipe, such as batch|lr|updates, not "
                   "'batch|threads'");
    expect_refused(
        CLAIM "relation: greater, across: batch}\n",
        "claims_test.yaml:2: across wants margin in the same claim: an ensemble is of one recipe, not 'batch'");
    expect_refused(CLAIM "relation: greater, fraction: '0.75'}\n",
                   "claims_test.yaml:2: fraction wants pool: data in the same claim, not '0.75'");
    expect_refused(CLAIM "relation: greater, each: setting, pool: data, fraction: '1'}\n",
                   "claims_test.yaml:2: fraction wants a number between 0 and 1, not '1'");
    expect_refused(CLAIM "relations: greater}\n",
                   "claims_test.yaml:2: unknown key 'relations', did you mean 'relation'?");
    expect_refused("claims:\n  - {name: x, by: us, text: t, of: {seed: '1'}, over: {study: a}, metric: loss_last, "
                   "relation: greater}\n",
                   "claims_test.yaml:2: unknown key 'seed'");
    expect_refused("claims:\n  - {name: x, by: us, text: t, of: {study: a}, over: {study: a}, metric: loss, relation: greater}\n",
                   "claims_test.yaml:2: metric wants one of loss_last, loss_mean, error, test_cross_entropy, not 'loss'");
}

/* Every setting but those that tell the runs of an arm apart is a fact, in the order of the settings. */
static void selectors_have_the_settings(void **state)
{
    (void)state;
    char text[512] = "";
    const sb_result cell = made_cell(1, 0);
    sb_selector all = {.device = "cpu", .evidence = "measured"};
    sb_selector_text(&(sb_selector){0}, text, sizeof text);
    assert_string_equal(text, "");
    assert_true(sb_selector_is_empty(&(sb_selector){0}) && !sb_selector_is_empty(&all));
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) {
        sb_selector one = {0};
        char wanted[160];
        one.setting[id] = "4|2";
        sb_selector_text(&one, text, sizeof text);
        const sb_setting_row *row = &sb_settings_table[id];
        snprintf(wanted, sizeof wanted, "%s 4|2", row->key);
        if (row->role == SB_ROLE_REPLICATE || row->group == SB_GROUP_RUN) *wanted = 0;
        assert_string_equal(text, wanted);
        assert_false(sb_selector_matches(&one, &cell));
        one.setting[id] = (char *)cell.setting[id];
        assert_true(sb_selector_matches(&one, &cell));
    }
    all.setting[SB_SETTING_BACKEND] = "cudnn|native";
    assert_true(sb_selector_matches(&all, &cell));
    all.device = "gpu";
    assert_false(sb_selector_matches(&all, &cell));
}

static void a_gpu_is_missing_where_only_one_will_do(void **state)
{
    (void)state;
    static const struct {
        char *backend, *device;
        bool wants;
    } row[] = {{NULL, NULL, false},           {"cudnn", NULL, true},        {"cudnn|cublas", NULL, true},
               {"cudnn|native", NULL, false}, {"cuda-on-cpu", NULL, false}, {NULL, "gpu", true},
               {NULL, "cpu|gpu", false},      {"native", "gpu", true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sb_selector s = {.device = row[i].device};
        s.setting[SB_SETTING_BACKEND] = row[i].backend;
        assert_int_equal(sb_selector_wants_gpu(&s), row[i].wants);
    }
}

/* A real number is the same however a table writes it; what is no number is no zero. */
static void numbers_are_met_by_their_value(void **state)
{
    (void)state;
    static const struct {
        char *wanted;
        const char *value;
        bool matches;
    } row[] = {{"0.003", "0.0030000000000000001", true},
               {"0.001|0.003", "0.0030000000000000001", true},
               {"3e-3", "0.003", true},
               {"0.003", "0.0031", false},
               {"0.003x", "0.003", false},
               {"0", "", false},
               {"", "0", false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sb_result cell = {.backend = "native"};
        sb_selector s = {0};
        for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) cell.setting[id] = "";
        cell.setting[SB_SETTING_LR] = row[i].value;
        s.setting[SB_SETTING_LR] = row[i].wanted;
        if (sb_selector_matches(&s, &cell) != row[i].matches) fail_msg("'%s' of '%s'", row[i].wanted, row[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greater),
        cmocka_unit_test(alike),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(what_has_not_run_is_no_guess),
        cmocka_unit_test(one_refuted_part_refutes),
        cmocka_unit_test(recipes_are_not_mixed),
        cmocka_unit_test(what_may_differ_is_named),
        cmocka_unit_test(every_part_has_a_label_of_its_own),
        cmocka_unit_test(hardware_is_compared_with_a_reference),
        cmocka_unit_test(wrong_claims_are_named_by_line),
        cmocka_unit_test(selectors_have_the_settings),
        cmocka_unit_test(a_gpu_is_missing_where_only_one_will_do),
        cmocka_unit_test(words_depend_on_who_claims),
        cmocka_unit_test(numbers_are_met_by_their_value),
    };
    return cmocka_run_group_tests(tests, NULL, remove_file);
}

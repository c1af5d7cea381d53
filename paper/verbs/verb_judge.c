#include "paper/verbs/verbs.h"

#include "core/command/usage.h"
#include "core/text/json.h"
#include "core/text/plural.h"
#include "paper/judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct judge_options {
    const char *by, *pair, *metric, *hash, *step, *run, *reference, *pairs, *fail_on;
    sb_texts where;
    double margin, within;
    bool lower, higher, json;
} judge_options;

static const sb_option options[] = {
    SB_OPTION_NEEDED(judge_options, by, "--by", 'b', "COLUMN",
                     "column of conditions: each value is compared with the others"),
    SB_OPTION_TEXT(judge_options, pair, "--pair", "COLUMN", NULL,
                   "column that pairs runs of two conditions; default: seed, if the table has it; none: no pairs"),
    SB_OPTION_TEXT(judge_options, metric, "--metric", "COLUMN", "loss", "column of final values"),
    SB_OPTION_FLAG(judge_options, lower, "--lower",
                   "lower values are better (the default; of collected tables what the matrix file says)"),
    SB_OPTION_FLAG(judge_options, higher, "--higher", "higher values are better"),
    SB_OPTION_TEXTS_LETTER(judge_options, where, "--where", 'w', "COLUMN=VALUE",
                           "judge only rows with this value; may be given several times"),
    SB_OPTION_TEXT(judge_options, reference, "--reference", "VALUE", NULL,
                   "compare each condition with this one; default: each with each"),
    SB_OPTION_CHOICE(
        judge_options, pairs, "--pairs", "all|common", "all",
        "common: use only seeds that both conditions have; all: if some have no partner, give the weaker verdict"),
    SB_OPTION_REAL(judge_options, margin, "--margin", "RATIO", "1.05", 1, 100, "ratios up to this count as equal"),
    SB_OPTION_REAL(judge_options, within, "--within", "SIZE", "0", 0, 1e300,
                   "judge differences, not ratios; differences up to this size count as equal"),
    SB_OPTION_TEXT(judge_options, hash, "--hash", "COLUMN", NULL,
                   "column of hashes of the final weights; default: weights, if the table has it; none"),
    SB_OPTION_TEXT(
        judge_options, step, "--step", "COLUMN", NULL,
        "rows are steps, the last value of a run counts; default: step or epoch, if the table has one; none"),
    SB_OPTION_TEXT(judge_options, run, "--run", "COLUMN", NULL,
                   "with steps: column that tells runs of one condition and seed apart; default: run or run_id; none"),
    SB_OPTION_CHOICE(judge_options, fail_on, "--fail-on", "nothing|different|undetermined", "nothing",
                     "exit with 1 if a condition differs; undetermined: also with 6 if one is undetermined"),
    SB_OPTION_JSON(judge_options),
    SB_OPTION_END,
};

static const sb_json_key keys[] = {
    {"by", SB_JSON_TEXT, "column of conditions"},
    {"metric", SB_JSON_TEXT, "column of values"},
    {"higher_is_better", SB_JSON_FLAG, "else lower is"},
    {"measure", SB_JSON_TEXT, "ratio or difference: what effect, low, high, detectable and margin are"},
    {"margin", SB_JSON_REAL, "sizes up to it count as equal; null: none"},
    {"runs", SB_JSON_INTEGER, "runs in the tables"},
    {"diverged", SB_JSON_INTEGER, "of them, those without a finite value"},
    {"steps", SB_JSON_TEXT, "column of steps, of which each run's last value was taken; null: none"},
    {"passed", SB_JSON_INTEGER, "values before the last step of a run that are not finite"},
    {"conditions", SB_JSON_LIST, "in the order of the tables"},
    {"conditions[]", SB_JSON_TEXT, "one of them"},
    {"comparisons", SB_JSON_LIST, "of conditions"},
    {"comparisons[].of", SB_JSON_TEXT, "first condition"},
    {"comparisons[].over", SB_JSON_TEXT, "second condition"},
    {"comparisons[].verdict", SB_JSON_TEXT, "same bits, equivalent, different or undetermined"},
    {"comparisons[].words", SB_JSON_TEXT, "why"},
    {"comparisons[].better", SB_JSON_TEXT, "of conditions that are different: the better one; else null"},
    {"comparisons[].paired", SB_JSON_FLAG, "runs are paired"},
    {"comparisons[].n", SB_JSON_INTEGER, "pairs, or seeds of the smaller condition"},
    {"comparisons[].n_same", SB_JSON_INTEGER, "pairs with the same bits"},
    {"comparisons[].diverged_of", SB_JSON_INTEGER, "runs of the first condition that diverged"},
    {"comparisons[].diverged_over", SB_JSON_INTEGER, "of the second"},
    {"comparisons[].test", SB_JSON_TEXT, "the test that gives p"},
    {"comparisons[].effect", SB_JSON_REAL,
     "ratio or difference of both; null: a run diverged, or a ratio needs positive values"},
    {"comparisons[].low", SB_JSON_REAL, "lower end of its 95 % interval; null: too few runs"},
    {"comparisons[].high", SB_JSON_REAL, "upper end"},
    {"comparisons[].p", SB_JSON_REAL, "two-sided"},
    {"comparisons[].p_holm", SB_JSON_REAL, "adjusted for all comparisons"},
    {"comparisons[].p_equivalent", SB_JSON_REAL, "of equivalence within the margin; null: no margin, or no interval"},
    {"comparisons[].detectable", SB_JSON_REAL,
     "the smallest effect that would have been seen with a power of 80 %; null: none"},
    {"comparisons[].more", SB_JSON_INTEGER, "how many more pairs, or seeds of each condition, would decide; null: it is decided, or unknown"},
    SB_JSON_END,
};

/* What was judged, for both forms of output. */
typedef struct judged {
    const judge_options *o;
    sb_judge_runs runs;
    sb_judgement judgement;
    size_t n_diverged;
} judged;

static const char *better_of(const judged *w, const sb_judge_comparison *c)
{
    if (c->verdict.word != SB_VERDICT_DIFFERENT) return NULL;
    return (c->verdict.direction > 0) == w->o->higher ? c->of : c->over;
}

static double margin_of(const judged *w)
{
    if (!w->judgement.differences) return w->o->margin;
    return w->o->within > 0 ? w->o->within : NAN;
}

/* -- for programs -- */

static void write_comparison(sb_json *json, const judged *w, const sb_judge_comparison *c)
{
    const sb_verdict *v = &c->verdict;
    sb_json_object(json, NULL);
    sb_json_text(json, "of", c->of);
    sb_json_text(json, "over", c->over);
    sb_json_text(json, "verdict", sb_verdict_name[v->word]);
    sb_json_text(json, "words", v->reason);
    sb_json_text(json, "better", better_of(w, c));
    sb_json_flag(json, "paired", v->paired);
    sb_json_integer(json, "n", (int64_t)v->n);
    sb_json_integer(json, "n_same", (int64_t)v->bits.n_same_bits);
    sb_json_integer(json, "diverged_of", (int64_t)v->side[0].n_diverged);
    sb_json_integer(json, "diverged_over", (int64_t)v->side[1].n_diverged);
    sb_json_text(json, "test", v->test);
    sb_json_real(json, "effect", sb_verdict_size(v, v->ratio));
    sb_json_real(json, "low", sb_verdict_size(v, v->low));
    sb_json_real(json, "high", sb_verdict_size(v, v->high));
    sb_json_real(json, "p", v->p);
    sb_json_real(json, "p_holm", v->p_holm);
    sb_json_real(json, "p_equivalent", v->p_equivalent);
    sb_json_real(json, "detectable", sb_verdict_size(v, v->detectable));
    sb_json_integer_if(json, "more", (int64_t)c->more, c->more);
    sb_json_end(json);
}

static sb_status write_judged(const sb_call *call, const judged *w, sb_status status)
{
    const sb_judgement *j = &w->judgement;
    sb_json json = sb_json_begin(call->command);
    sb_json_text(&json, "by", w->o->by);
    sb_json_text(&json, "metric", w->o->metric);
    sb_json_flag(&json, "higher_is_better", w->o->higher);
    sb_json_text(&json, "measure", j->differences ? "difference" : "ratio");
    sb_json_real(&json, "margin", margin_of(w));
    sb_json_integer(&json, "runs", (int64_t)w->runs.n);
    sb_json_integer(&json, "diverged", (int64_t)w->n_diverged);
    sb_json_text(&json, "steps", *w->runs.steps ? w->runs.steps : NULL);
    sb_json_integer(&json, "passed", (int64_t)w->runs.n_passed);
    sb_json_list(&json, "conditions");
    for (size_t i = 0; i < j->n_conditions; i++) sb_json_text(&json, NULL, j->condition[i]);
    sb_json_end(&json);
    sb_json_list(&json, "comparisons");
    for (size_t i = 0; i < j->n; i++) write_comparison(&json, w, &j->comparison[i]);
    sb_json_end(&json);
    return sb_json_print(&json, status);
}

/* -- for people -- */

static void print_head(const judged *w)
{
    const sb_judgement *j = &w->judgement;
    printf("%zu runs, %zu values of '%s'; %s, %s is better; ", w->runs.n, j->n_conditions, w->o->by, w->o->metric,
           w->o->higher ? "higher" : "lower");
    if (isnan(margin_of(w)))
        printf("differences; a margin (--within) was not given\n");
    else
        printf("%ss up to %g count as equal\n", j->differences ? "difference" : "ratio", margin_of(w));
    if (*w->runs.steps) printf("%zu rows; of each run the last value by '%s'\n", w->runs.n_rows, w->runs.steps);
    if (w->runs.n_passed)
        printf("%zu value%s before the last step %s not finite; if runs are mixed, name their column with --run\n",
               w->runs.n_passed, sb_plural(w->runs.n_passed), w->runs.n_passed == 1 ? "is" : "are");
    if (!w->runs.paired) printf("runs are not paired: no column '%s'\n", w->o->pair ? w->o->pair : "seed");
    if (w->n_diverged)
        printf("%zu run%s diverged and count%s as the worst\n", w->n_diverged, sb_plural(w->n_diverged),
               w->n_diverged == 1 ? "s" : "");
    if (j->differences && w->o->within == 0)
        printf("some values are negative, and ratios need positive ones: differences are judged\n");
    if (j->n_zero)
        printf("%zu value%s of 0, which ha%s no ratio: ranks are judged there; --within judges differences\n",
               j->n_zero, sb_plural(j->n_zero), j->n_zero == 1 ? "s" : "ve");
}

static void print_comparison(const judged *w, const sb_judge_comparison *c)
{
    const sb_verdict *v = &c->verdict;
    const char *better = better_of(w, c);
    char effect[SB_VERDICT_EFFECT];
    sb_verdict_effect_text(v, effect);
    printf("%-13s %s over %s: %s", sb_verdict_name[v->word], c->of, c->over, effect);
    if (better) printf("; %s is better", better);
    printf("\n    %s\n", v->reason);
}

/* -- the verb -- */

static sb_status exit_status(const judged *w)
{
    size_t count[SB_N_VERDICTS] = {0};
    const size_t n = w->judgement.n;
    for (size_t i = 0; i < n; i++) count[w->judgement.comparison[i].verdict.word]++;
    if (strcmp(w->o->fail_on, "nothing") == 0) return SB_OK;
    if (count[SB_VERDICT_DIFFERENT])
        return sb_fail(SB_E_DIFFERS, "samebits-report judge: %zu of %zu comparisons are different",
                       count[SB_VERDICT_DIFFERENT], n);
    if (strcmp(w->o->fail_on, "undetermined") == 0 && count[SB_VERDICT_UNDETERMINED])
        return sb_fail(SB_E_UNDETERMINED, "samebits-report judge: %zu of %zu comparisons are undetermined",
                       count[SB_VERDICT_UNDETERMINED], n);
    return SB_OK;
}

static sb_status say(const sb_call *call, const judged *w)
{
    const sb_status status = exit_status(w);
    if (w->o->json) return write_judged(call, w, status);
    print_head(w);
    for (size_t i = 0; i < w->judgement.n; i++) print_comparison(w, &w->judgement.comparison[i]);
    return status;
}

static sb_status check(const sb_call *call)
{
    const judge_options *o = call->values;
    if (o->lower && o->higher) return sb_fail(SB_E_USAGE, "samebits-report judge: --lower or --higher, not both");
    if (o->margin > 1) return SB_OK;
    return sb_usage_wanted(call->command, "--margin", "a ratio above 1, such as 1.05", "1");
}

static sb_status judge(const sb_call *call)
{
    judge_options *o = call->values;
    judged w = {.o = o};
    SB_TRY(check(call));
    if (!o->lower) o->higher = o->higher || sb_judge_higher(call->arguments.item[0], o->metric);
    SB_TRY(sb_judge_read(&w.runs, &(sb_judge_columns){o->by, o->metric, o->pair, o->hash, o->step, o->run, o->where},
                         call->arguments.item, (size_t)call->arguments.n));
    if (*w.runs.copy)
        fprintf(stderr, "%s hold the same rows, and both are counted: name one of them if they are the same runs\n",
                w.runs.copy);
    for (size_t i = 0; i < w.runs.n; i++) w.n_diverged += isnan(w.runs.run[i].value);
    sb_status status = sb_judge(&w.judgement, &w.runs,
                                &(sb_judge_rule){.by = o->by,
                                                 .metric = o->metric,
                                                 .higher = o->higher,
                                                 .common = strcmp(o->pairs, "common") == 0,
                                                 .margin = o->margin,
                                                 .margin_source = "--margin",
                                                 .within = o->within > 0 ? o->within : NAN,
                                                 .reference = o->reference});
    if (status == SB_OK) status = say(call, &w);
    sb_judgement_free(&w.judgement);
    sb_judge_runs_free(&w.runs);
    return status;
}

const sb_command sb_verb_judge = {
    .program = "samebits-report",
    .verb = "judge",
    .summary = "judge any table of final values: same bits, equivalent, different or undetermined",
    .arguments = "TABLE.csv...",
    .options = options,
    .values_bytes = sizeof(judge_options),
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "A row is a run: its condition, its seed and its final value. Fields end with a comma, a semicolon or a tab. "
        "Exports\n"
        "of TensorBoard, Weights & Biases and MLflow are read, too (docs/judge.md). The rules are in "
        "docs/claims.md.\n"
        "A run without a finite value diverged, and counts as the worst.\n"
        "example: samebits-report judge results/natural/cells.csv --by target --where study=target --metric loss_last\n"
        "exit codes: 0 done, 1 different (--fail-on), 2 usage, 5 nothing to compare, 6 undetermined (--fail-on), 7 "
        "invalid\n"
        "table\n",
    .json = keys,
    .run = judge,
    .once = true,
};

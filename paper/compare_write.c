#include "paper/compare.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* "1.03": what a number that is absent looks like is the caller's to say. */
static void number_text(double value, const char *absent, char text[32])
{
    if (isnan(value))
        snprintf(text, 32, "%s", absent);
    else
        snprintf(text, 32, "%.3g", value);
}

typedef struct verdict_texts {
    char ratio[SB_VERDICT_TEXT], p[32], detectable[32], margin[32];
} verdict_texts;

static verdict_texts texts_of(const sb_verdict *v, const char *absent)
{
    verdict_texts t;
    sb_verdict_ratio_text(v, t.ratio);
    number_text(v->p_holm, absent, t.p);
    number_text(v->detectable, absent, t.detectable);
    number_text(exp(v->margin.log_ratio), absent, t.margin);
    return t;
}

/* The last line of text and Markdown. */
static void print_counts(FILE *out, const sb_compare *compare)
{
    for (int w = 0; w < SB_N_VERDICTS; w++)
        fprintf(out, "%s%zu %s", w ? ", " : "\n", compare->count[w], sb_verdict_name[w]);
    fprintf(out, "; %s\n", sb_metric_title[compare->metric]);
}

void sb_compare_text(FILE *out, const sb_compare *compare)
{
    for (const sb_comparison *c = compare->comparison; c < compare->comparison + compare->n; c++) {
        const sb_verdict *v = &c->verdict;
        verdict_texts t = texts_of(v, "none");
        fprintf(out, "%s  %s\n    against %s; differs in: %s; %s\n", sb_verdict_name[v->word], c->mine, c->other,
                c->differ, sb_evidence_name[c->evidence]);
        fprintf(out,
                "    mine over theirs %s, n = %zu, adjusted p %s, smallest detectable %s, margin %s (%s)\n    %s\n",
                t.ratio, v->n, t.p, t.detectable, t.margin, v->margin.source, v->reason);
    }
    print_counts(out, compare);
}

void sb_compare_markdown(FILE *out, const sb_compare *compare)
{
    fputs(
        "| verdict | mine | against | differs in | mine / theirs | n | adjusted p | detectable | margin | evidence |\n"
        "|---|---|---|---|---|---|---|---|---|---|\n",
        out);
    for (const sb_comparison *c = compare->comparison; c < compare->comparison + compare->n; c++) {
        const sb_verdict *v = &c->verdict;
        verdict_texts t = texts_of(v, "-");
        fprintf(out, "| %s | %s | %s | %s | %s | %zu | %s | %s | %s | %s |\n", sb_verdict_name[v->word], c->mine,
                c->other, c->differ, t.ratio, v->n, t.p, t.detectable, t.margin, sb_evidence_name[c->evidence]);
    }
    print_counts(out, compare);
}

/* -- csv and JSON hold the same fields -- */

enum { N_TEXTS = 8, N_COUNTS = 2, N_REALS = 9 };
static const char *const text_key[N_TEXTS] = {"mine",   "against",  "differs_in", "verdict",
                                              "reason", "evidence", "test",       "margin_source"};
static const char *const count_key[N_COUNTS] = {"n", "n_same_bits"};
static const char *const real_key[N_REALS] = {"ratio",        "low",      "high",  "p",         "p_holm",
                                              "p_equivalent", "p_spread", "cliff", "detectable"};

static void list_fields(const sb_comparison *c, const char *text[N_TEXTS], size_t count[N_COUNTS],
                        double real[N_REALS + 1])
{
    const sb_verdict *v = &c->verdict;
    const char *texts[N_TEXTS] = {
        c->mine, c->other,        c->differ, sb_verdict_name[v->word], v->reason, sb_evidence_name[c->evidence],
        v->test, v->margin.source};
    const double reals[N_REALS + 1] = {v->ratio,        v->low,      v->high,  v->p,          v->p_holm,
                                       v->p_equivalent, v->p_spread, v->cliff, v->detectable, exp(v->margin.log_ratio)};
    for (int i = 0; i < N_TEXTS; i++) text[i] = texts[i];
    for (int i = 0; i <= N_REALS; i++) real[i] = reals[i];
    count[0] = v->n;
    count[1] = v->n_same;
}

void sb_compare_csv(FILE *out, const sb_compare *compare)
{
    for (int i = 0; i < N_TEXTS; i++) fprintf(out, "%s,", text_key[i]);
    fprintf(out, "metric,%s,%s", count_key[0], count_key[1]);
    for (int i = 0; i < N_REALS; i++) fprintf(out, ",%s", real_key[i]);
    fputs(",margin\n", out);
    for (size_t k = 0; k < compare->n; k++) {
        const char *text[N_TEXTS];
        size_t count[N_COUNTS];
        double real[N_REALS + 1];
        list_fields(&compare->comparison[k], text, count, real);
        for (int i = 0; i < N_TEXTS; i++) {
            sb_table_write_text(out, text[i]);
            fputc(',', out);
        }
        fprintf(out, "%s,%zu,%zu", sb_metric_column[compare->metric], count[0], count[1]);
        for (int i = 0; i <= N_REALS; i++) sb_table_write_real(out, real[i]);
        fputc('\n', out);
    }
}

/* JSON knows no NaN: a number that is absent is null. */
static json_t *real_value(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_of(const sb_comparison *c)
{
    const char *text[N_TEXTS];
    size_t count[N_COUNTS];
    double real[N_REALS + 1];
    json_t *object = json_object();
    list_fields(c, text, count, real);
    for (int i = 0; i < N_TEXTS; i++) json_object_set_new(object, text_key[i], json_string(text[i]));
    for (int i = 0; i < N_COUNTS; i++) json_object_set_new(object, count_key[i], json_integer((json_int_t)count[i]));
    for (int i = 0; i < N_REALS; i++) json_object_set_new(object, real_key[i], real_value(real[i]));
    json_object_set_new(object, "margin", real_value(real[N_REALS]));
    return object;
}

sb_status sb_compare_json(FILE *out, const sb_compare *compare)
{
    json_t *list = json_array(), *counts = json_object();
    for (size_t i = 0; i < compare->n; i++) json_array_append_new(list, json_of(&compare->comparison[i]));
    for (int w = 0; w < SB_N_VERDICTS; w++)
        json_object_set_new(counts, sb_verdict_name[w], json_integer((json_int_t)compare->count[w]));
    json_t *all = json_pack("{s:s, s:o, s:o}", "metric", sb_metric_column[compare->metric], "verdicts", counts,
                            "comparisons", list);
    bool written = all && json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    json_decref(all);
    if (!written) return sb_fail(SB_E_MEMORY, "not enough memory for the comparisons as JSON");
    fputc('\n', out);
    return SB_OK;
}

#include "paper/compare/compare.h"

#include "core/text/csv.h"
#include "paper/files/json_tree.h"

#include <math.h>
#include <string.h>

/* "1.03": what a number that is absent looks like is the caller's to say. */
static void number_text(double value, const char *absent, char text[32])
{
    if (isnan(value))
        snprintf(text, 32, "%s", absent);
    else
        snprintf(text, 32, "%s", sb_number_short(value).text);
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
    number_text(exp(v->margin.judged), absent, t.margin);
    return t;
}

/* The last line of text and Markdown. */
static void print_counts(sb_writer *out, const sb_compare *compare)
{
    sb_write(out, "\n");
    for (int w = 0, said = 0; w < SB_N_VERDICTS; w++)
        if (compare->count[w]) sb_write(out, said++ ? ", %zu %s" : "%zu %s", compare->count[w], sb_verdict_name[w]);
    sb_write(out, "; %s\n", sb_metric_title[compare->metric]);
}

void sb_compare_text(sb_writer *out, const sb_compare *compare)
{
    for (const sb_comparison *c = compare->comparison; c < compare->comparison + compare->n; c++) {
        const sb_verdict *v = &c->finding.verdict;
        verdict_texts t = texts_of(v, "none");
        sb_write(out, "%s  %s\n    against %s; differs in: %s; %s\n", sb_verdict_name[v->word], c->mine, c->other,
                 c->differ, sb_evidence_name[c->evidence]);
        sb_write(out,
                 "    mine over theirs %s, n = %zu, adjusted p %s, smallest detectable %s, margin %s (%s)\n    %s\n",
                 t.ratio, v->n, t.p, t.detectable, t.margin, v->margin.source, v->reason);
    }
    print_counts(out, compare);
}

/* Text in a cell of a table: a '|' would end the cell, a '(' after a ']' would make a link, the other characters begin
 * other markup. */
static void write_markdown(FILE *out, const char *text, bool quoted)
{
    (void)quoted;
    for (const char *c = text; *c; c++) {
        bool link = *c == '(' && c > text && c[-1] == ']';
        if (link || strchr("\\`*_<>|~&", *c)) fputc('\\', out);
        fputc(*c, out);
    }
}

const sb_language sb_markdown = {.name = "Markdown", .text = write_markdown};

void sb_compare_markdown(sb_writer *out, const sb_compare *compare)
{
    sb_write(
        out,
        "| verdict | mine | against | differs in | mine / theirs | n | adjusted p | detectable | margin | evidence |\n"
        "|---|---|---|---|---|---|---|---|---|---|\n");
    for (const sb_comparison *c = compare->comparison; c < compare->comparison + compare->n; c++) {
        const sb_verdict *v = &c->finding.verdict;
        verdict_texts t = texts_of(v, "-");
        sb_write(out, "| %s | %s | %s | %s | %s | %zu | %s | %s | %s | %s |\n", sb_verdict_name[v->word], c->mine,
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
    const sb_verdict *v = &c->finding.verdict;
    const char *texts[N_TEXTS] = {
        c->mine, c->other,        c->differ, sb_verdict_name[v->word], v->reason, sb_evidence_name[c->evidence],
        v->test, v->margin.source};
    const double reals[N_REALS + 1] = {v->ratio,        v->low,      v->high,  v->p,          v->p_holm,
                                       v->p_equivalent, v->p_spread, v->cliff, v->detectable, exp(v->margin.judged)};
    for (int i = 0; i < N_TEXTS; i++) text[i] = texts[i];
    for (int i = 0; i <= N_REALS; i++) real[i] = reals[i];
    count[0] = v->n;
    count[1] = v->bits.n_same_bits;
}

void sb_compare_csv(sb_writer *csv, const sb_compare *compare)
{
    for (int i = 0; i < N_TEXTS; i++) sb_write(csv, "%s,", text_key[i]);
    sb_write(csv, "metric,%s,%s", count_key[0], count_key[1]);
    for (int i = 0; i < N_REALS; i++) sb_write(csv, ",%s", real_key[i]);
    sb_write(csv, ",margin\n");
    for (size_t k = 0; k < compare->n; k++) {
        const char *text[N_TEXTS];
        size_t count[N_COUNTS];
        double real[N_REALS + 1];
        list_fields(&compare->comparison[k], text, count, real);
        for (int i = 0; i < N_TEXTS; i++) sb_write(csv, "%s,", text[i]);
        sb_write(csv, "%s,%zu,%zu", sb_metric_column[compare->metric], count[0], count[1]);
        for (int i = 0; i <= N_REALS; i++) sb_csv_real(csv, real[i], 6);
        sb_write(csv, "\n");
    }
}

static json_t *json_of(const sb_comparison *c)
{
    const char *text[N_TEXTS];
    size_t count[N_COUNTS];
    double real[N_REALS + 1];
    json_t *object = json_object();
    list_fields(c, text, count, real);
    for (int i = 0; i < N_TEXTS; i++) json_object_set_new(object, text_key[i], sb_json_tree_text("%s", text[i]));
    for (int i = 0; i < N_COUNTS; i++) json_object_set_new(object, count_key[i], json_integer((json_int_t)count[i]));
    for (int i = 0; i < N_REALS; i++) json_object_set_new(object, real_key[i], sb_json_tree_real(real[i]));
    json_object_set_new(object, "margin", sb_json_tree_real(real[N_REALS]));
    return object;
}

void sb_compare_json(sb_writer *out, const sb_compare *compare)
{
    json_t *list = json_array(), *counts = json_object();
    for (size_t i = 0; i < compare->n; i++) json_array_append_new(list, json_of(&compare->comparison[i]));
    for (int w = 0; w < SB_N_VERDICTS; w++)
        json_object_set_new(counts, sb_verdict_name[w], json_integer((json_int_t)compare->count[w]));
    sb_json_tree_write(out, json_pack("{s:s, s:o, s:o}", "metric", sb_metric_column[compare->metric], "verdicts",
                                      counts, "comparisons", list));
}

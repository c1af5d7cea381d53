#include "core/size.h"
#include "paper/claims/question.h"
#include "paper/files/output.h"
#include "paper/page/page.h"
#include "paper/program/program_results.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdlib.h>

/* -- the values of a condition as dots on one scale -- */

enum { STRIP_WIDTH = 220, STRIP_HEIGHT = 20, STRIP_EDGE = 5 };

typedef struct scale {
    double low, high;
    bool log;
} scale;

/* Of all runs; logarithmic where the values differ by more than a factor of thirty. */
static scale scale_of(const sb_program_results *r, size_t metric)
{
    scale s = {INFINITY, -INFINITY, false};
    for (size_t row = 0; row < r->cells.n_rows; row++) {
        const double value = sb_program_value(r, row, metric);
        if (isnan(value)) continue;
        s.low = fmin(s.low, value);
        s.high = fmax(s.high, value);
    }
    s.log = s.low > 0 && s.high > 30 * s.low;
    return s;
}

static double place(const scale *s, double value)
{
    const double low = s->log ? log(s->low) : s->low, high = s->log ? log(s->high) : s->high;
    const double share = high > low ? ((s->log ? log(value) : value) - low) / (high - low) : 0.5;
    return STRIP_EDGE + share * (STRIP_WIDTH - 2 * STRIP_EDGE);
}

static void write_strip(sb_writer *page, const sb_program_results *r, size_t metric, size_t condition, const scale *s,
                        double mean)
{
    sb_write(
        page,
        "<td><svg class=\"strip\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">",
        STRIP_WIDTH, STRIP_HEIGHT, STRIP_WIDTH, STRIP_HEIGHT, r->condition[condition].label);
    sb_write(page, "<line x1=\"0\" y1=\"10\" x2=\"%d\" y2=\"10\" stroke=\"var(--rule)\"/>", STRIP_WIDTH);
    for (size_t row = 0; row < r->cells.n_rows; row++) {
        const double value = sb_program_value(r, row, metric);
        if (r->of_row[row] != condition || isnan(value)) continue;
        sb_write(page,
                 "<circle cx=\"%.1f\" cy=\"10\" r=\"4\" fill=\"var(--link)\" fill-opacity=\".45\"><title>%s: "
                 "%s</title></circle>",
                 place(s, value), sb_table_text_or_none(&r->cells, row, "name"), sb_number_short(value).text);
    }
    if (!isnan(mean) && (!s->log || mean > 0))
        sb_write(page, "<line x1=\"%.1f\" y1=\"1\" x2=\"%.1f\" y2=\"19\" stroke=\"var(--ink)\" stroke-width=\"2\"/>",
                 place(s, mean), place(s, mean));
    sb_write(page, "</svg></td>");
}

/* -- a metric -- */

typedef struct described {
    sb_summary summary;
    size_t n_diverged;
} described;

/* Of the runs that have a value. */
static sb_status summarise(described *d, const sb_program_results *r, size_t metric, size_t condition)
{
    SB_FREED double *x = sb_size_allocate(r->condition[condition].n + 1, sizeof *x);
    size_t n = 0;
    *d = (described){.summary = {.mean = NAN, .sd = NAN, .min = NAN, .max = NAN}};
    if (!x) return sb_fail(SB_E_MEMORY, "not enough memory for a page");
    for (size_t row = 0; row < r->cells.n_rows; row++) {
        if (r->of_row[row] != condition) continue;
        x[n] = sb_program_value(r, row, metric);
        if (isnan(x[n]))
            d->n_diverged++;
        else
            n++;
    }
    if (n) SB_TRY(sb_stats_summary(x, n, &d->summary));
    d->summary.n = n;
    return SB_OK;
}

/* item NULL: the condition is the first one of its study, which the others are compared with, if there are any. */
static void write_verdict(sb_writer *page, const sb_program_comparison *item, bool is_reference)
{
    char effect[SB_VERDICT_EFFECT];
    if (!item) {
        sb_write(page, "<td class=\"quiet\">%s</td></tr>\n",
                 is_reference ? "the reference of its study" : "no other condition in its study");
        return;
    }
    const sb_verdict *v = &item->judgement.comparison->verdict;
    sb_verdict_effect_text(v, effect);
    sb_write(page, "<td><details><summary><b>%s</b>: %s</summary>%s</details></td></tr>\n", sb_verdict_name[v->word],
             effect, v->reason);
}

static bool is_reference(const sb_program_comparisons *c, size_t condition)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->item[i].over == condition) return true;
    return false;
}

static const sb_program_comparison *find(const sb_program_comparisons *c, size_t condition)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->item[i].of == condition) return &c->item[i];
    return NULL;
}

static sb_status write_condition(sb_writer *page, const sb_program_results *r, size_t metric, size_t condition,
                                 const scale *s, const sb_program_comparisons *c)
{
    described d;
    SB_TRY(summarise(&d, r, metric, condition));
    sb_write(page, "<tr><td>%s</td>", r->condition[condition].label);
    sb_write(page, "<td class=\"number\">%zu", d.summary.n + d.n_diverged);
    if (d.n_diverged) sb_write(page, ", %zu diverged", d.n_diverged);
    sb_write(page, "</td>");
    sb_page_cell(page, d.summary.mean);
    sb_page_cell(page, d.summary.n > 1 ? d.summary.sd : NAN);
    write_strip(page, r, metric, condition, s, d.summary.mean);
    write_verdict(page, find(c, condition), is_reference(c, condition));
    return SB_OK;
}

static sb_status write_conditions(sb_writer *page, const sb_program_results *r, size_t metric, const scale *s,
                                  const sb_program_comparisons *c)
{
    for (size_t k = 0; k < r->n_conditions; k++)
        if (sb_program_has_metric(r, k, metric)) SB_TRY(write_condition(page, r, metric, k, s, c));
    return SB_OK;
}

static sb_status write_metric(sb_writer *page, const sb_program_results *r, size_t metric, sb_page_count *count)
{
    static const char *const heading[] = {"condition", "#runs", "#mean", "#sd", "each run", "over the reference", NULL};
    const scale s = scale_of(r, metric);
    SB_OWNED(sb_program_comparisons_free) sb_program_comparisons c = {0};
    SB_TRY(sb_program_compare(&c, r, metric));
    sb_write(page, "<h3>%s</h3>\n", r->metric[metric]);
    sb_page_caption(page, count);
    sb_write(page, "<code>%s</code> at the end of each run; %s values are better.", r->metric[metric],
             r->higher[metric] ? "higher" : "lower");
    if (isfinite(s.low))
        sb_write(page, " A dot is a run, and the line is their mean; the scale%s reaches from %s to %s.",
                 s.log ? " is logarithmic and" : "", sb_number_short(s.low).text, sb_number_short(s.high).text);
    if (c.n)
        sb_write(page,
                 " The last column compares with the first condition of the study, in pairs of one seed: ratios up to "
                 "%g count as "
                 "equal, and p is adjusted for the rows (Holm).",
                 SB_PROGRAM_MARGIN);
    sb_page_table(page, "conditions", count, heading);
    SB_TRY(write_conditions(page, r, metric, &s, &c));
    sb_page_table_end(page);
    return SB_OK;
}

/* -- claims -- */

static void write_quiet(sb_writer *page, const char *words)
{
    if (words && *words) sb_write(page, "<br/><span class=\"quiet\">%s</span>", words);
}

static void write_claims(sb_writer *page, const sb_program_claims *claims)
{
    sb_write(page, "<section id=\"claims\">\n<h2>Claims</h2>\n<ul>\n");
    for (size_t i = 0; i < claims->claims.n; i++) {
        const sb_claim_result *result = &claims->claims.result[i];
        sb_write(page, "<li>");
        if (result->n_parts)
            sb_question_write_claim(page, result, NULL);
        else
            sb_write(page, "%s: %s (%s)", sb_outcome_name[result->outcome], result->claim->text, result->words);
        write_quiet(page, result->registered);
        write_quiet(page, result->planned);
        write_quiet(page, result->claim->why);
        write_quiet(page, result->claim->uncounted);
        sb_write(page, "</li>\n");
    }
    sb_write(page, "</ul>\n</section>\n");
}

/* -- the page -- */

static void write_runs(sb_writer *page, const sb_program_results *r, sb_page_count *count)
{
    const sb_table *t = &r->cells;
    const char **heading = sb_size_allocate(r->n_metrics + 4, sizeof *heading);
    if (!heading) {
        sb_writer_fail(page);
        return;
    }
    heading[0] = "cell";
    for (size_t m = 0; m < r->n_metrics; m++) heading[1 + m] = r->metric[m];
    heading[1 + r->n_metrics] = r->has_weights ? "weights" : "output";
    sb_page_caption(page, count);
    sb_write(page, "Every run: the last value of each metric, and a hash. Equal hashes are equal bits.");
    sb_page_table(page, "cells", count, heading);
    for (size_t row = 0; row < t->n_rows; row++) {
        sb_write(page, "<tr><td><code>%s</code></td>", sb_table_text_or_none(t, row, "name"));
        for (size_t m = 0; m < r->n_metrics; m++) sb_page_cell(page, sb_program_value(r, row, m));
        sb_write(page, "<td><code>%.16s</code></td></tr>\n", sb_table_text(t, row, r->bits));
    }
    sb_page_table_end(page);
    free(heading);
}

/* "test_loss: 5 undetermined": how many comparisons with the first condition have which verdict. */
static sb_status write_counts(sb_writer *page, const sb_program_results *r, size_t metric)
{
    size_t count[SB_N_VERDICTS] = {0};
    SB_OWNED(sb_program_comparisons_free) sb_program_comparisons c = {0};
    const char *before = "";
    SB_TRY(sb_program_compare(&c, r, metric));
    for (size_t i = 0; i < c.n; i++) count[c.item[i].judgement.comparison->verdict.word]++;
    if (c.n) sb_write(page, "%s: ", r->metric[metric]);
    for (int word = 0; word < SB_N_VERDICTS; word++) {
        if (!count[word]) continue;
        sb_write(page, "%s%zu %s", before, count[word], sb_verdict_name[word]);
        before = ", ";
    }
    sb_write(page, c.n ? ". " : "");
    return SB_OK;
}

/* What the claims say; without claims the verdicts, counted. */
static sb_status write_answer(sb_writer *page, const sb_program_results *r, const sb_program_claims *claims)
{
    sb_write(page, "<p class=\"answer\">");
    if (claims && claims->claims.n) {
        const sb_question asked = sb_question_of(&claims->claims, &(sb_claims){0}, &(sb_arms){0});
        sb_question_write_answer(page, &asked, NULL);
    } else {
        sb_write(page, "Each condition compared with the first one of its study, in pairs of runs with one seed. ");
        for (size_t m = 0; m < r->n_metrics; m++) SB_TRY(write_counts(page, r, m));
    }
    sb_write(page, "</p>\n");
    return SB_OK;
}

static sb_status write_first_screen(sb_writer *page, const sb_program_results *r, const sb_program_claims *claims)
{
    char question[SB_PROGRAM_QUESTION];
    sb_program_question(r, claims, question);
    sb_page_begin(page, question, r->state.stamp);
    sb_page_stamp(page, r->state.stamp);
    sb_write(page, "<header>\n<h1>%s</h1>\n", question);
    SB_TRY(write_answer(page, r, claims));
    sb_write(page,
             "<p class=\"terms quiet\"><b>pair</b>: two runs with the same seed. <b>same bits</b>: the %s of all pairs "
             "are equal.</p>\n",
             r->has_weights ? "final weights" : "outputs");
    sb_write(page, "<nav aria-label=\"Contents\"><a href=\"#metrics\">Metrics</a> ");
    if (claims && claims->claims.n) sb_write(page, "<a href=\"#claims\">Claims</a> ");
    sb_write(page, "<a href=\"#gaps\">Left out</a> <a href=\"#runs\">Every run</a></nav>\n</header>\n<main>\n");
    return SB_OK;
}

static sb_status write_page(sb_writer *page, const sb_program_results *r, const sb_program_claims *claims)
{
    sb_page_count count = {0};
    SB_TRY(write_first_screen(page, r, claims));
    sb_write(page, "<section id=\"metrics\">\n<h2>Metrics</h2>\n");
    for (size_t m = 0; m < r->n_metrics; m++) SB_TRY(write_metric(page, r, m, &count));
    sb_write(page, "</section>\n");
    if (claims && claims->claims.n) write_claims(page, claims);
    sb_page_gaps(page, &r->state, &(sb_notes){0});
    sb_write(page, "<details id=\"runs\"><summary>Every run: %zu</summary>\n", r->cells.n_rows);
    write_runs(page, r, &count);
    sb_write(page, "</details>\n");
    sb_page_end(page);
    return SB_OK;
}

sb_status sb_program_page_write(const sb_program_results *r, const sb_program_claims *claims, const char *folder)
{
    sb_output output;
    SB_TRY(sb_output_begin(&output, folder, "index.html", &sb_html));
    return sb_output_end(&output, write_page(output.out, r, claims));
}

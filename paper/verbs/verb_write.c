#include "core/command/usage.h"
#include "core/status.h"
#include "core/text/csv.h"
#include "core/text/json.h"
#include "paper/article/article.h"
#include "paper/effects/arms.h"
#include "paper/files/output.h"
#include "paper/page/page.h"
#include "paper/program/program_results.h"
#include "paper/verbs/report_session.h"
#include "paper/verbs/verbs.h"

#include <stdio.h>
#include <string.h>

/* The tables as csv, for people and other programs. Rows in the order of arms.h, numbers with %.6g, a number that does
 * not exist (the deviation of one seed) is an empty field.
 *
 *   arms.csv    study, data, backend, arithmetic, hardware, evidence, threads, blas_kernel, batch, updates, target, n,
 *               then for loss_last and loss_mean: _mean, _sd, _se, _low, _high (95 % interval of the mean), _min, _max
 *   pairs.csv   the same settings, n, then for loss_last and loss_mean: _ratio (shared over copy, geometric mean),
 * _low, _high (95 % interval), _p (sign flips)
 */

static const sb_raw setting_columns = {
    "study,data,backend,arithmetic,hardware,evidence,threads,blas_kernel,batch,updates"};

static void write_setting(sb_writer *csv, const sb_result *cell)
{
    sb_write(csv, "%s,%s,%s,%s,%s,%s,%ld,%s,%ld,%ld", cell->study, cell->data, cell->backend, cell->arithmetic,
             cell->hardware, sb_evidence_name[cell->evidence], cell->threads, cell->blas_kernel, cell->batch,
             cell->updates);
}

static void write_columns(sb_writer *csv, sb_raw between, const char *const suffix[])
{
    sb_write_raw(csv, setting_columns);
    sb_write_raw(csv, between);
    for (int m = 0; m < SB_N_METRICS; m++)
        for (int i = 0; suffix[i]; i++) sb_write(csv, ",%s_%s", sb_metric_column[m], suffix[i]);
    sb_write(csv, "\n");
}

static void write_arms(sb_writer *csv, const sb_arms *arms)
{
    for (size_t k = 0; k < arms->n; k++) {
        const sb_arm *arm = arms->arm[k];
        write_setting(csv, arm->setting->cell);
        sb_write(csv, ",%s,%zu", sb_target_name[arm->target], arm->n);
        for (int m = 0; m < SB_N_METRICS; m++) {
            const sb_summary *s = &arm->summary[m];
            const double numbers[] = {s->mean, s->sd, s->se, s->low, s->high, s->min, s->max};
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sb_csv_real(csv, numbers[i], 6);
        }
        sb_write(csv, "\n");
    }
}

static void write_setting_pairs(sb_writer *csv, const sb_configuration *setting)
{
    if (setting->n_pairs == 0) return;
    write_setting(csv, setting->cell);
    sb_write(csv, ",%zu", setting->n_pairs);
    for (int m = 0; m < SB_N_METRICS; m++) {
        const sb_ratio *effect = &setting->effect[m];
        const double numbers[] = {effect->ratio, effect->low, effect->high, effect->p};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sb_csv_real(csv, numbers[i], 6);
    }
    sb_write(csv, "\n");
}

static void write_pairs(sb_writer *csv, const sb_arms *arms)
{
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++)
        for (size_t i = 0; i < group->n_settings; i++) write_setting_pairs(csv, &group->setting[i]);
}

static const char *const arm_suffix[] = {"mean", "sd", "se", "low", "high", "min", "max", NULL};
static const char *const pair_suffix[] = {"ratio", "low", "high", "p", NULL};

static const struct {
    const char *file;
    sb_raw between;
    const char *const *suffix;
    void (*write)(sb_writer *csv, const sb_arms *arms);
} tables[] = {
    {"arms.csv", {",target,n"}, arm_suffix, write_arms},
    {"pairs.csv", {",n"}, pair_suffix, write_pairs},
};

/* Write both into a folder, which is made. */
static sb_status write_both(const sb_arms *arms, const char *folder)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        sb_output output;
        SB_TRY(sb_output_begin(&output, folder, tables[i].file, &sb_csv));
        write_columns(output.out, tables[i].between, tables[i].suffix);
        tables[i].write(output.out, arms);
        SB_TRY(sb_output_end(&output, SB_OK));
    }
    return SB_OK;
}

static const sb_option options[] = {
    SB_SESSION_READ,
    SB_SESSION_CLAIMS,
    SB_SESSION_OUTPUT,
    SB_OPTION_TEXT(sb_report_session_options, only, "--only", "KIND,...", "page",
                   "what to write: tables, numbers, figures, page, paper"),
    SB_OPTION_TEXT(sb_report_session_options, text, "--text", "FILE", "paper/paper.tex", "text of the paper"),
    SB_SESSION_JSON,
    SB_OPTION_END,
};

/* -- what can be written -- */

static sb_status write_tables(sb_report_session *w)
{
    return write_both(&w->report.arms, w->options.output);
}

static sb_status write_numbers(sb_report_session *w)
{
    return sb_numbers_write(&w->report.numbers, w->options.output);
}

static sb_status write_figures(sb_report_session *w)
{
    return sb_report_draw(&w->report, w->options.output);
}

static sb_status write_page(sb_report_session *w)
{
    return sb_page_write(&w->report, w->options.output);
}

static sb_status write_paper(sb_report_session *w)
{
    return sb_article_write(&w->report, w->options.text, w->options.output);
}

static const struct kind {
    const char *name;
    sb_status (*write)(sb_report_session *w);
    const char *written[3]; /* below the folder; NULL ends them */
} kinds[] = {
    {"tables", write_tables, {"/arms.csv", "/pairs.csv"}},
    {"numbers", write_numbers, {"/numbers.csv", "/numbers.tex"}},
    {"figures", write_figures, {""}},
    {"page", write_page, {"/index.html"}},
    {"paper", write_paper, {"/paper.pdf"}},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* Is `name` one of the words of a list with commas? */
static bool names(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length])) return true;
    return false;
}

static sb_status check_only(const sb_command *command, const char *only)
{
    size_t n_named = 0, n_words = 1;
    for (int k = 0; k < N_KINDS; k++) n_named += names(only, kinds[k].name);
    for (const char *at = only; *at; at++) n_words += *at == ',';
    if (n_named == n_words) return SB_OK;
    return sb_usage_wanted(command, "--only", "tables, numbers, figures, page or paper, with commas between them",
                           only);
}

/* The page and the paper draw the figures themselves. */
static bool is_written(const char *only, const struct kind *kind)
{
    return names(only, kind->name) && (kind->write != write_figures || !(names(only, "page") || names(only, "paper")));
}

/* -- numbers for programs -- */

static const sb_json_key keys[] = {
    {"written", SB_JSON_LIST, "the files that were written"},
    {"written[]", SB_JSON_TEXT, "path of one"},
    {"stamp", SB_JSON_TEXT, "what is wrong with the results of the numbers; null: nothing"},
    {"numbers", SB_JSON_LIST, "every number that page and paper show, sorted by label"},
    {"numbers[].label", SB_JSON_TEXT, "its name, for `trace`"},
    {"numbers[].text", SB_JSON_TEXT, "as printed"},
    {"numbers[].value", SB_JSON_REAL, "the number; null: it is a word"},
    {"numbers[].low", SB_JSON_REAL, "lower end of its 95 % interval; null: none"},
    {"numbers[].high", SB_JSON_REAL, "upper end"},
    {"numbers[].p", SB_JSON_REAL, "of its test; null: none"},
    {"numbers[].n", SB_JSON_INTEGER, "runs or pairs, as the formula says; 0: does not apply"},
    {"numbers[].unit", SB_JSON_TEXT, "its unit; 1: none"},
    {"numbers[].evidence", SB_JSON_TEXT, "measured, emulated, imitated or published"},
    {"numbers[].formula", SB_JSON_TEXT, "how it came about, one sentence"},
    {"numbers[].source", SB_JSON_TEXT, "of a published number; null: it is one of ours"},
    {"numbers[].cells", SB_JSON_LIST, "the runs that it was computed from"},
    {"numbers[].cells[].name", SB_JSON_TEXT, "name of the cell"},
    {"numbers[].cells[].hash", SB_JSON_TEXT, "its hash"},
    SB_JSON_END,
};

static void write_number(sb_json *json, const sb_number *number)
{
    sb_json_object(json, NULL);
    sb_json_text(json, "label", number->label);
    sb_json_text(json, "text", number->text);
    sb_json_real(json, "value", number->value);
    sb_json_real(json, "low", number->low);
    sb_json_real(json, "high", number->high);
    sb_json_real(json, "p", number->p);
    sb_json_integer(json, "n", (int64_t)number->n);
    sb_json_text(json, "unit", number->unit);
    sb_json_text(json, "evidence", sb_evidence_name[number->evidence]);
    sb_json_text(json, "formula", number->formula);
    sb_json_text(json, "source", number->source);
    sb_json_list(json, "cells");
    for (size_t i = 0; i < number->n_cells; i++) {
        sb_json_object(json, NULL);
        sb_json_text(json, "name", number->cell[i]->name);
        sb_json_text(json, "hash", number->cell[i]->hash);
        sb_json_end(json);
    }
    sb_json_end(json);
    sb_json_end(json);
}

static sb_status print_numbers(const sb_call *call, const sb_numbers *all, const char *folder, const char *only)
{
    sb_json json = sb_json_begin(call->command);
    sb_json_list(&json, "written");
    for (int k = 0; k < N_KINDS; k++)
        for (int i = 0; is_written(only, &kinds[k]) && kinds[k].written[i]; i++)
            sb_json_words(&json, NULL, "%s%s", folder, kinds[k].written[i]);
    sb_json_end(&json);
    sb_json_text(&json, "stamp", *all->stamp ? all->stamp : NULL);
    sb_json_list(&json, "numbers");
    for (size_t i = 0; i < all->n; i++) write_number(&json, all->number[i]);
    sb_json_end(&json);
    return sb_json_print(&json, SB_OK);
}

/* -- the verb -- */

static sb_status write_kinds(const sb_call *call, sb_report_session *w)
{
    const char *only = w->options.only;
    for (int k = 0; k < N_KINDS; k++)
        if (is_written(only, &kinds[k])) SB_TRY(kinds[k].write(w));
    if (w->options.json) return print_numbers(call, &w->report.numbers, w->options.output, only);
    for (int k = 0; k < N_KINDS; k++)
        for (int i = 0; is_written(only, &kinds[k]) && kinds[k].written[i]; i++)
            printf("%s%s\n", w->options.output, kinds[k].written[i]);
    return SB_OK;
}

/* Of another program there is a page; its tables are those that were collected. */
static sb_status write_program(const sb_call *call, sb_program_session_data *s)
{
    const char *folder = s->options.output;
    sb_numbers none = {0};
    if (strcmp(s->options.only, "page") != 0)
        return sb_fail(SB_E_USAGE, "%s: results of a study of commands have a page, and none of '%.80s'",
                       s->options.input, s->options.only);
    SB_TRY(sb_program_page_write(&s->results, s->has_claims ? &s->claims : NULL, folder));
    snprintf(none.stamp, sizeof none.stamp, "%s", s->results.state.stamp);
    if (s->options.json) return print_numbers(call, &none, folder, "page");
    printf("%s/index.html\n", folder);
    return SB_OK;
}

static sb_status write_verb(const sb_call *call)
{
    SB_TRY(check_only(call->command, ((const sb_report_session_options *)call->values)->only));
    return sb_report_session_do(call, write_kinds, write_program);
}

const sb_command sb_verb_write = {
    .program = "samebits-report",
    .verb = "write",
    .summary = "write the page, or tables, numbers, figures or the paper",
    .options = options,
    .values_bytes = sizeof(sb_report_session_options),
    .epilogue =
        "tables: arms.csv and pairs.csv, statistics of each condition and of shared against copied target.\n"
        "numbers: numbers.csv and numbers.tex, each number with label, formula and cells.\n"
        "figures: each figure as NAME.svg, with its gnuplot script; frames as PNG.\n"
        "page: index.html, with its figures in figures/. paper: paper.pdf; SOURCE_DATE_EPOCH sets its date.\n"
        "The input is a folder from 'samebits-matrix collect'. Without run files there are no predicted frames and no "
        "facts of\n"
        "the machines. The output names what was skipped. The same input gives the same bytes.\n"
        "exit codes: 0 done, 2 usage or an error in the text, 4 gnuplot, rsvg-convert or LaTeX missing, 5 no "
        "results,\n"
        "7 invalid results\n",
    .json = keys,
    .run = write_verb,
    .once = true,
};

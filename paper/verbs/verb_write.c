#include "paper/verbs/verbs.h"

#include "core/text/json.h"
#include "paper/effects/tables.h"
#include "paper/page/page.h"
#include "paper/verbs/report_session.h"

#include <stdio.h>

static const sb_option options[] = {SB_SESSION_READ, SB_SESSION_CLAIMS, SB_SESSION_OUTPUT, SB_OPTION_END};
static const sb_option number_options[] = {SB_SESSION_READ, SB_SESSION_CLAIMS, SB_SESSION_OUTPUT, SB_SESSION_JSON,
                                           SB_OPTION_END};

static const char epilogue[] =
    "The input is a folder from 'samebits-matrix collect'. Without run files there are no predicted frames and no "
    "facts of\n"
    "the machines. The output names what was skipped.\n"
    "exit codes: 0 done, 2 usage, 4 gnuplot missing, 5 no results, 7 invalid results\n";

/* -- numbers for programs -- */

static const sb_json_key number_keys[] = {
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

static sb_status print_numbers(const sb_call *call, const sb_numbers *all, const char *folder,
                               const char *const written[])
{
    sb_json json = sb_json_begin(call->command);
    sb_json_list(&json, "written");
    for (int i = 0; written[i]; i++) sb_json_words(&json, NULL, "%s%s", folder, written[i]);
    sb_json_end(&json);
    sb_json_text(&json, "stamp", *all->stamp ? all->stamp : NULL);
    sb_json_list(&json, "numbers");
    for (size_t i = 0; i < all->n; i++) write_number(&json, all->number[i]);
    sb_json_end(&json);
    return sb_json_print(&json, SB_OK);
}

/* -- files -- */

/* Read the results, write one kind of file, name what was written below the folder. */
static sb_status write_kind(const sb_call *call, sb_status (*write)(sb_report *report, const char *folder),
                            const char *const written[])
{
    sb_report_session w = {0};
    sb_status status = sb_report_session_open(&w, call);
    if (status == SB_OK) status = write(&w.report, w.options.output);
    if (status == SB_OK && w.options.json) status = print_numbers(call, &w.report.numbers, w.options.output, written);
    for (int i = 0; status == SB_OK && !w.options.json && written[i]; i++)
        printf("%s%s\n", w.options.output, written[i]);
    return sb_report_session_close(&w, status);
}

static sb_status write_tables(sb_report *report, const char *folder)
{
    return sb_tables_write(&report->arms, folder);
}

static sb_status tables(const sb_call *call)
{
    static const char *const written[] = {"/arms.csv", "/pairs.csv", NULL};
    return write_kind(call, write_tables, written);
}

static sb_status write_numbers(sb_report *report, const char *folder)
{
    return sb_numbers_write(&report->numbers, folder);
}

static sb_status numbers(const sb_call *call)
{
    static const char *const written[] = {"/numbers.csv", "/numbers.tex", NULL};
    return write_kind(call, write_numbers, written);
}

static sb_status figures(const sb_call *call)
{
    static const char *const written[] = {"", NULL};
    return write_kind(call, sb_report_draw, written);
}

static sb_status html(const sb_call *call)
{
    static const char *const written[] = {"/index.html", NULL};
    return write_kind(call, sb_page_write, written);
}

#define COMMAND(name, text, function, rows, keys)                                                                      \
    {                                                                                                                  \
        .program = "samebits-report", .verb = name, .summary = text, .options = rows,                                  \
        .values_bytes = sizeof(sb_report_session_options), .epilogue = epilogue, .json = keys, .run = function         \
    }

const sb_command sb_verb_tables =
    COMMAND("tables", "write arms.csv and pairs.csv: statistics of each condition, and of shared against copied",
            tables, options, NULL);
const sb_command sb_verb_numbers =
    COMMAND("numbers", "write numbers.csv and numbers.tex: each number with label, formula and cells", numbers,
            number_options, number_keys);
const sb_command sb_verb_figures =
    COMMAND("figures", "write each figure as NAME.svg, with its gnuplot script; frames as png", figures, options, NULL);
const sb_command sb_verb_html =
    COMMAND("html", "write one page, index.html, and its figures into figures/", html, options, NULL);

#include "paper/verbs.h"

#include "paper/html.h"
#include "paper/tables.h"
#include "paper/work.h"

#include <stdio.h>

static const sb_option options[] = {SB_WORK_READ, SB_WORK_CLAIMS(NULL), SB_WORK_OUTPUT, SB_OPTION_END};

static const char epilogue[] =
    "The input is what 'samebits-matrix collect' writes. Run files that are absent cost the grid of frames and the\n"
    "machine's facts, nothing else; what was left out is said.\n"
    "exit codes: 0 done, 2 usage, 4 gnuplot missing, 5 no results, 7 results that make no sense\n";

/* Read the results, write one kind of file, name what was written below the folder. */
static sb_status write_kind(const sb_call *call, sb_status (*write)(sb_report *report, const char *folder),
                            const char *const written[])
{
    sb_work w = {0};
    sb_status status = sb_work_open(&w, call);
    if (status == SB_OK) status = write(&w.report, w.options.output);
    for (int i = 0; status == SB_OK && written[i]; i++) printf("%s%s\n", w.options.output, written[i]);
    return sb_work_close(&w, status);
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
    return write_kind(call, sb_html_write, written);
}

#define COMMAND(name, text, function)                                                                                  \
    {                                                                                                                  \
        .program = "samebits-report", .verb = name, .summary = text, .options = options,                               \
        .values_bytes = sizeof(sb_work_options), .epilogue = epilogue, .run = function                                 \
    }

const sb_command sb_verb_tables =
    COMMAND("tables", "arms.csv and pairs.csv: statistics of each arm, and of shared against copy", tables);
const sb_command sb_verb_numbers =
    COMMAND("numbers", "numbers.csv and numbers.tex: every number by its label, with formula and cells", numbers);
const sb_command sb_verb_figures =
    COMMAND("figures", "every figure as NAME.svg, with the gnuplot script that drew it; frames as png", figures);
const sb_command sb_verb_html =
    COMMAND("html", "one page, index.html, that holds everything; its figures also in figures/", html);

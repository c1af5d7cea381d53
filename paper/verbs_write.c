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
static sb_status run(const char *verb, const char *summary, sb_status (*write)(sb_report *report, const char *folder),
                     const char *const written[], int argc, char **argv)
{
    const sb_command command = {"samebits-report", verb, "", summary, options, 0, 0, epilogue};
    sb_work w = {0};
    sb_status status = sb_work_open(&w, &command, argc, argv);
    if (status == SB_OK && !w.help) {
        status = write(&w.report, w.options.output);
        for (int i = 0; status == SB_OK && written[i]; i++) printf("%s%s\n", w.options.output, written[i]);
    }
    return sb_work_close(&w, status);
}

static sb_status write_tables(sb_report *report, const char *folder)
{
    return sb_tables_write(&report->arms, folder);
}

sb_status sb_verb_tables(int argc, char **argv)
{
    static const char *const written[] = {"/arms.csv", "/pairs.csv", NULL};
    return run("tables", "arms.csv and pairs.csv: statistics of each arm, and of shared against copy", write_tables,
               written, argc, argv);
}

static sb_status write_numbers(sb_report *report, const char *folder)
{
    return sb_numbers_write(&report->numbers, folder);
}

sb_status sb_verb_numbers(int argc, char **argv)
{
    static const char *const written[] = {"/numbers.csv", "/numbers.tex", NULL};
    return run("numbers", "numbers.csv and numbers.tex: every number by its label, with formula and cells",
               write_numbers, written, argc, argv);
}

sb_status sb_verb_figures(int argc, char **argv)
{
    static const char *const written[] = {"", NULL};
    return run("figures", "every figure as NAME.svg, with the gnuplot script that drew it; frames as png",
               sb_report_draw, written, argc, argv);
}

sb_status sb_verb_html(int argc, char **argv)
{
    static const char *const written[] = {"/index.html", NULL};
    return run("html", "one page, index.html, that holds everything; its figures also in figures/", sb_html_write,
               written, argc, argv);
}

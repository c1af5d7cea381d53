/* samebits-report: from collected results to tables, figures and one page. */
#include "core/options.h"
#include "paper/html.h"
#include "paper/report.h"
#include "paper/tables.h"

#include <stdio.h>
#include <string.h>

typedef struct report_options {
    const char *input, *output, *runs, *published;
} report_options;

static const sb_option options[] = {
    SB_OPTION_TEXT_LETTER(report_options, input, "--input", 'i', "DIR", NULL,
                          "folder that samebits-matrix collect wrote"),
    SB_OPTION_TEXT_LETTER(report_options, output, "--output", 'o', "DIR", NULL, "folder to write into; it is made"),
    SB_OPTION_TEXT(report_options, runs, "--runs", "DIR", NULL, "what the column run is relative to, if not --input"),
    SB_OPTION_TEXT(report_options, published, "--published", "DIR", NULL,
                   "folder of published records, if not the one beside --input"),
    SB_OPTION_END,
};

static const char epilogue[] =
    "The input is what 'samebits-matrix collect' writes. Run files that are absent cost the grid of frames and the\n"
    "machine's facts, nothing else; what was left out is said.\n"
    "exit codes: 0 done, 2 usage, 4 gnuplot missing, 5 no results, 7 results that make no sense\n";

static sb_status write_tables(sb_report *report, const char *folder)
{
    SB_TRY(sb_tables_write(&report->arms, folder));
    printf("%s/arms.csv\n%s/pairs.csv\n", folder, folder);
    return SB_OK;
}

static sb_status write_numbers(sb_report *report, const char *folder)
{
    SB_TRY(sb_numbers_write(&report->numbers, folder));
    printf("%s/numbers.csv\n%s/numbers.tex\n", folder, folder);
    return SB_OK;
}

static sb_status write_figures(sb_report *report, const char *folder)
{
    SB_TRY(sb_report_draw(report, folder));
    printf("%s\n", folder);
    return SB_OK;
}

static sb_status write_html(sb_report *report, const char *folder)
{
    SB_TRY(sb_html_write(report, folder));
    printf("%s/index.html\n", folder);
    return SB_OK;
}

static const struct verb {
    sb_command command;
    sb_status (*write)(sb_report *report, const char *folder);
} verbs[] = {
    {{"samebits-report", "tables", "", "arms.csv and pairs.csv: statistics of each arm, and of shared against copy",
      options, 0, 0, epilogue},
     write_tables},
    {{"samebits-report", "numbers", "",
      "numbers.csv and numbers.tex: every number by its label, with formula and cells", options, 0, 0, epilogue},
     write_numbers},
    {{"samebits-report", "figures", "", "every figure as NAME.svg, with the gnuplot script that drew it; frames as png",
      options, 0, 0, epilogue},
     write_figures},
    {{"samebits-report", "html", "", "one page, index.html, that holds everything; its figures also in figures/",
      options, 0, 0, epilogue},
     write_html},
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static void print_help(FILE *out)
{
    fprintf(out, "usage: samebits-report VERB -i DIR -o DIR\n\n");
    for (int i = 0; i < N_VERBS; i++) fprintf(out, "  %-9s%s\n", verbs[i].command.verb, verbs[i].command.summary);
    fprintf(out, "\n'samebits-report VERB --help' shows a verb's options.\n"
                 "example: samebits-report html -i results/demo -o results/demo/report\n");
}

static sb_status run_verb(const struct verb *verb, int argc, char **argv)
{
    report_options values = {0};
    sb_arguments arguments;
    bool help;
    SB_TRY(sb_options_parse(&verb->command, argc, argv, &values, &arguments, &help));
    if (help) return SB_OK;
    if (!values.input || !values.output)
        return sb_fail(SB_E_USAGE, "samebits-report %s: wants %s; see 'samebits-report %s --help'", verb->command.verb,
                       values.input ? "-o, the folder to write into"
                                    : "-i, the folder that 'samebits-matrix collect' wrote",
                       verb->command.verb);
    sb_report report;
    SB_TRY(sb_report_open(&report, values.input, values.runs, values.published));
    sb_status status = verb->write(&report, values.output);
    for (size_t i = 0; status == SB_OK && i < report.notes.n; i++)
        fprintf(stderr, "samebits-report: left out: %s\n", report.notes.text[i]);
    sb_report_close(&report);
    return status;
}

static sb_status run_program(int argc, char **argv)
{
    if (argc < 2) return sb_fail(SB_E_USAGE, "samebits-report: wants a verb; see 'samebits-report --help'");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return SB_OK;
    }
    for (int i = 0; i < N_VERBS; i++)
        if (strcmp(argv[1], verbs[i].command.verb) == 0) return run_verb(&verbs[i], argc - 2, argv + 2);
    return sb_fail(SB_E_USAGE, "samebits-report: unknown verb '%s'; see 'samebits-report --help'", argv[1]);
}

int main(int argc, char **argv)
{
    sb_status status = run_program(argc, argv);
    if (status == SB_OK && fflush(stdout) != 0) status = sb_fail(SB_E_IO, "samebits-report: cannot write to stdout");
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}

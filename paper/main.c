/* samebits-report: from collected results to tables, figures and one page. */
#include "paper/verbs.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    sb_status (*run)(int argc, char **argv);
    const char *summary;
} verbs[] = {
    {"tables", sb_verb_tables, "statistics of each arm, and of shared against copy, as csv"},
    {"numbers", sb_verb_numbers, "every number by its label, with formula and cells, as csv and LaTeX macros"},
    {"figures", sb_verb_figures, "every figure, with the gnuplot script that drew it"},
    {"claims", sb_verb_claims, "what was claimed, and what the results say to it"},
    {"trace", sb_verb_trace, "which runs and which formula are behind a number"},
    {"compare", sb_verb_compare, "my results against others' and against published numbers"},
    {"export", sb_verb_export, "results as one file, to send to others"},
    {"import", sb_verb_import, "such a file as a folder again"},
    {"html", sb_verb_html, "one page that holds everything"},
    {"paper", sb_verb_paper, "the paper as PDF, every number of it from the results"},
};

static void print_help(FILE *out)
{
    fprintf(out, "usage: samebits-report VERB -i DIR [options]\n\n");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        fprintf(out, "  %-9s%s\n", verbs[i].name, verbs[i].summary);
    fprintf(out, "\n'samebits-report VERB --help' shows a verb's options.\n"
                 "example: samebits-report html -i results/demo -o results/demo/report\n");
}

static sb_status run_program(int argc, char **argv)
{
    if (argc < 2) return sb_fail(SB_E_USAGE, "samebits-report: wants a verb; see 'samebits-report --help'");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return SB_OK;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(argv[1], verbs[i].name) == 0) return verbs[i].run(argc - 2, argv + 2);
    return sb_fail(SB_E_USAGE, "samebits-report: unknown verb '%s'; see 'samebits-report --help'", argv[1]);
}

int main(int argc, char **argv)
{
    sb_status status = run_program(argc, argv);
    if (status == SB_OK && fflush(stdout) != 0) status = sb_fail(SB_E_IO, "samebits-report: cannot write to stdout");
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    return sb_exit_code(status);
}

#include "paper/verbs.h"

#include "paper/paper.h"
#include "paper/work.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_WORK_READ,
    SB_WORK_OUTPUT,
    SB_WORK_CLAIMS(NULL),
    SB_OPTION_TEXT(sb_work_options, text, "--text", "FILE", "paper/paper.tex", "the text of the paper"),
    SB_OPTION_END,
};

static const sb_command command = {
    "samebits-report",
    "paper",
    "",
    "paper.pdf, and all that LaTeX needs for it: text, numbers, tables, figures",
    options,
    0,
    0,
    "What the results lack, the paper says it lacks. The same input gives the same bytes; SOURCE_DATE_EPOCH sets the "
    "date\n"
    "inside the PDF.\n"
    "exit codes: 0 done, 2 usage or an error in the text, 4 gnuplot, rsvg-convert or LaTeX missing, 5 no results,\n"
    "7 results that make no sense\n"};

sb_status sb_verb_paper(int argc, char **argv)
{
    sb_work w = {0};
    sb_status status = sb_work_open(&w, &command, argc, argv);
    if (status == SB_OK && !w.help) {
        status = sb_paper_write(&w.report, w.options.text, w.options.output);
        if (status == SB_OK) printf("%s/paper.pdf\n", w.options.output);
    }
    return sb_work_close(&w, status);
}

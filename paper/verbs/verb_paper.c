#include "paper/verbs/verbs.h"

#include "paper/article/article.h"
#include "paper/verbs/report_session.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_SESSION_READ,
    SB_SESSION_OUTPUT,
    SB_SESSION_CLAIMS,
    SB_OPTION_TEXT(sb_report_session_options, text, "--text", "FILE", "paper/paper.tex", "text of the paper"),
    SB_OPTION_END,
};

static sb_status paper(const sb_call *call)
{
    sb_report_session w = {0};
    sb_status status = sb_report_session_open(&w, call);
    if (status == SB_OK) {
        status = sb_article_write(&w.report, w.options.text, w.options.output);
        if (status == SB_OK) printf("%s/paper.pdf\n", w.options.output);
    }
    return sb_report_session_close(&w, status);
}

const sb_command sb_verb_paper = {
    .program = "samebits-report",
    .verb = "paper",
    .summary = "write paper.pdf with its text, numbers, tables and figures for LaTeX",
    .options = options,
    .values_bytes = sizeof(sb_report_session_options),
    .epilogue =
        "Where results are missing, the paper says so. The same input gives the same bytes; SOURCE_DATE_EPOCH sets "
        "the date in\n"
        "the PDF.\n"
        "exit codes: 0 done, 2 usage or an error in the text, 4 gnuplot, rsvg-convert or LaTeX missing, 5 no "
        "results,\n"
        "7 invalid results\n",
    .run = paper,
};

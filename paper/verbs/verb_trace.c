#include "paper/verbs/verbs.h"

#include "paper/report/number_trace.h"
#include "paper/verbs/report_session.h"

static const sb_option options[] = {SB_SESSION_READ, SB_SESSION_CLAIMS, SB_OPTION_END};

static sb_status trace(const sb_call *call)
{
    sb_report_session w = {0};
    sb_status status = sb_report_session_open(&w, call);
    if (status == SB_OK) {
        if (call->arguments.n)
            status = sb_trace(stdout, &w.report, call->arguments.item[0]);
        else
            sb_number_trace_list(stdout, &w.report.numbers, "");
    }
    sb_notes_free(&w.report.notes); /* what other numbers lack is no matter here */
    return sb_report_session_close(&w, status);
}

const sb_command sb_verb_trace = {
    .program = "samebits-report",
    .verb = "trace",
    .summary = "show the runs and the formula of a number",
    .arguments = "[LABEL]",
    .options = options,
    .values_bytes = sizeof(sb_report_session_options),
    .min_arguments = 0,
    .max_arguments = 1,
    .epilogue =
        "LABEL is a label of the page, of numbers.csv or of the paper, or its end if no other label has that end.\n"
        "A part of a label lists all numbers that have it; no label lists all numbers.\n"
        "example: samebits-report trace full.native.shared-over-copy.loss-last -i results/natural\n"
        "exit codes: 0 done, 2 usage, 3 incomplete results, 5 no such number, 7 changed results\n",
    .run = trace,
};

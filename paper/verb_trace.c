#include "paper/verbs.h"

#include "paper/trace.h"
#include "paper/work.h"

static const sb_option options[] = {SB_WORK_READ, SB_WORK_CLAIMS(NULL), SB_OPTION_END};

static const sb_command command = {
    "samebits-report",
    "trace",
    "[LABEL]",
    "which runs and which formula are behind a number",
    options,
    0,
    1,
    "LABEL as on the page, in numbers.csv and in the paper; a part of one lists all numbers that have it, none lists "
    "all.\n"
    "example: samebits-report trace target.shared-over-copy.loss-last -i results/natural --runs results\n"
    "exit codes: 0 done, 2 usage, 3 incomplete results, 5 no such number, 7 results that were changed\n"};

sb_status sb_verb_trace(int argc, char **argv)
{
    sb_work w = {0};
    sb_status status = sb_work_open(&w, &command, argc, argv);
    if (status == SB_OK && !w.help) {
        if (w.arguments.n)
            status = sb_trace(stdout, &w.report, w.arguments.item[0]);
        else
            sb_trace_list(stdout, &w.report.numbers, "");
    }
    sb_notes_free(&w.report.notes); /* what other numbers lack is no matter here */
    return sb_work_close(&w, status);
}

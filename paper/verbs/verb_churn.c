#include "paper/verbs/verbs.h"

#include "paper/exchange/churn.h"
#include "paper/exchange/distinct.h"

#include <stdio.h>

static sb_status print_churn(const sb_call *call)
{
    sb_churn churn;
    SB_TRY(sb_distinct_check(call->arguments.item, (size_t)call->arguments.n));
    SB_TRY(sb_churn_read(&churn, call->arguments.item, (size_t)call->arguments.n));
    const sb_status status = sb_churn_print(&churn, stdout);
    sb_churn_free(&churn);
    return status;
}

const sb_command sb_verb_churn = {
    .program = "samebits-report",
    .verb = "churn",
    .summary = "accuracy of each setting, and how many test images two runs class differently",
    .arguments = "RUN.h5...",
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "Runs of one recipe are held against each other: of one start on two settings, of starts that are one unit in\n"
        "the last place apart, and of two seeds. Up to 64 run files of networks that classify.\n"
        "example: samebits-report churn results/runs/rung5*/*/*/*/*/*/*.h5\n"
        "exit codes: 0 done, 2 usage, 7 a run file that is damaged\n",
    .run = print_churn,
};

#include "paper/verbs/verbs.h"

#include "paper/judge/churn.h"
#include "paper/judge/distinct.h"

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
    .summary = "print accuracies, and prediction disagreement (churn) between runs",
    .arguments = "RUN.h5...",
    .min_arguments = 1,
    .max_arguments = 64,
    .epilogue =
        "Compares runs of networks that classify, up to 64 files: runs of one seed with two settings, runs whose "
        "initial weights\n"
        "differ by one unit in the last place, and runs of two seeds.\n"
        "example: samebits-report churn results/runs/rung5*/*/*/*/*/*/*.h5\n",
    .run = print_churn,
};

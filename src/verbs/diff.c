#include "inspect/diff.h"
#include "verbs/verbs.h"

static sb_status diff(const sb_call *call)
{
    return sb_diff_runs(call->arguments.item[0], call->arguments.item[1], stdout);
}

const sb_command sb_verb_diff = {
    .program = "samebits",
    .verb = "diff",
    .summary = "do two runs have the same bits? If not: where they part, and what differs around them",
    .arguments = "A.h5 B.h5",
    .min_arguments = 2,
    .max_arguments = 2,
    .epilogue = "exit code: 0 the same bits over the updates both have, 1 different\n"
                "Why they differ: samebits bisect.\n",
    .run = diff,
};

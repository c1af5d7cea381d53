#include "inspect/bisect.h"
#include "core/usage.h"
#include "inspect/trace_file.h"
#include "verbs/verbs.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_OPTION_TEXT(sb_bisect_options, data, "--data", "FILE", NULL, "the data set that both runs learned from"),
    SB_OPTION_TEXT_LETTER(sb_bisect_options, folder, "--output", 'o', "DIR", NULL, "keep the traces there"),
    SB_OPTION_FLAG(sb_bisect_options, quiet, "--quiet", "no progress"),
    SB_OPTION_END,
};

static sb_status bisect(const sb_call *call)
{
    const sb_bisect_options *values = call->values;
    const char *a = call->arguments.item[0], *b = call->arguments.item[1];
    if (sb_trace_is(a) || sb_trace_is(b)) return sb_bisect_traces(a, b, stdout);
    if (!values->data) return sb_usage_needed(call->command, "--data");
    return sb_bisect_runs(a, b, values, stdout);
}

const sb_command sb_verb_bisect = {
    .program = "samebits",
    .verb = "bisect",
    .summary = "why do two runs differ? The first update, operation and number, and the setting",
    .arguments = "A.h5 B.h5",
    .options = options,
    .values_bytes = sizeof(sb_bisect_options),
    .min_arguments = 2,
    .max_arguments = 2,
    .epilogue = "A and B are two runs, and single updates of them are trained here; or two files of 'samebits trace', "
                "made on two\n"
                "machines, say, and nothing is trained (and no --data is needed).\n"
                "exit code: 0 the same bits, 1 different, 4 a backend of theirs is not here\n",
    .run = bisect,
};

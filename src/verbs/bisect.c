#include "inspect/bisect.h"
#include "inspect/trace_file.h"
#include "verbs/verbs.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_OPTION_TEXT(sb_bisect_options, data, "--data", "FILE", NULL, "the data set both runs learned from"),
    SB_OPTION_TEXT_LETTER(sb_bisect_options, folder, "--output", 'o', "DIR", NULL, "keep the traces there"),
    SB_OPTION_FLAG(sb_bisect_options, quiet, "--quiet", "no progress"),
    SB_OPTION_END,
};

static const sb_command command = {
    "samebits",
    "bisect",
    "A.h5 B.h5",
    "Why do two runs differ? The first update, operation and number, and the setting that makes the difference.",
    options,
    2,
    2,
    "A and B are two runs, and single updates of them are trained here; or two files of 'samebits trace', made on two\n"
    "machines, say, and nothing is trained (and no --data is needed).\n"
    "exit code: 0 the same bits, 1 different, 4 a backend of theirs is not here\n"};

sb_status sb_verb_bisect(int argc, char **argv)
{
    sb_bisect_options values = {0};
    sb_arguments arguments;
    bool help;
    SB_VERB_PARSE(&command, argc, argv, &values, &arguments, &help);
    if (help) return SB_OK;
    const char *a = arguments.item[0], *b = arguments.item[1];
    if (sb_trace_is(a) || sb_trace_is(b)) return sb_bisect_traces(a, b, stdout);
    if (!values.data)
        return sb_fail(SB_E_USAGE, "samebits bisect: --data FILE is missing: what both runs learned from");
    return sb_bisect_runs(a, b, &values, stdout);
}

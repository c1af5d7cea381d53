#include "inspect/diff.h"
#include "verbs/verbs.h"

static const sb_option options[] = {SB_OPTION_END};

static const sb_command command = {
    "samebits",
    "diff",
    "A.h5 B.h5",
    "Do two runs have the same bits? If not: where they part, and what differs around them.",
    options,
    2,
    2,
    "exit code: 0 the same bits over the updates both have, 1 different\n"
    "Why they differ: samebits bisect.\n"};

sb_status sb_verb_diff(int argc, char **argv)
{
    sb_arguments arguments;
    bool help;
    SB_VERB_PARSE(&command, argc, argv, NULL, &arguments, &help);
    if (help) return SB_OK;
    return sb_diff_runs(arguments.item[0], arguments.item[1], stdout);
}

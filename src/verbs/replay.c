#include "inspect/replay.h"
#include "verbs/verbs.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_OPTION_TEXT(sb_replay_options, data, "--data", "FILE", NULL, "the data set the run learned from"),
    SB_OPTION_TEXT(sb_replay_options, backend, "--backend", "NAME", NULL, "another backend than the run's"),
    SB_OPTION_TEXT(sb_replay_options, isa, "--isa", "NAME", NULL, "of native: avx512, avx2 or plain [the best here]"),
    SB_OPTION_INT(sb_replay_options, threads, "--threads", "N", "0", 0, 256, "another number of threads; 0: the run's"),
    SB_OPTION_INT(sb_replay_options, updates, "--updates", "N", "0", 0, 1e9, "at most; 0: all that the run has"),
    SB_OPTION_FLAG(sb_replay_options, quiet, "--quiet", "no progress"),
    SB_OPTION_END,
};

static const sb_command command = {
    "samebits", "replay",
    "RUN.h5",   "Does this machine repeat the bits of a run? Trains it again and compares link by link.",
    options,    1,
    1,          "exit code: 0 the same bits, 1 other bits, and what differs around them\n"};

sb_status sb_verb_replay(int argc, char **argv)
{
    sb_replay_options values = {0};
    sb_setup_options setup;
    sb_recalled recalled;
    sb_arguments arguments;
    bool help;
    SB_VERB_PARSE(&command, argc, argv, &values, &arguments, &help);
    if (help) return SB_OK;
    if (!values.data) return sb_fail(SB_E_USAGE, "samebits replay: --data FILE is missing: what the run learned from");
    SB_TRY(sb_replay_setup(&recalled, arguments.item[0], &values, &setup));
    SB_TRY(sb_backend_prepare(setup.backend, setup.blas_kernel, setup.threads, argv));
    return sb_replay_run(arguments.item[0], &values, &setup, stdout);
}

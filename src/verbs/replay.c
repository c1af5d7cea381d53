#include "inspect/replay.h"
#include "verbs/verbs.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_OPTION_NEEDED(sb_replay_options, data, "--data", 0, "FILE", "the data set that the run learned from"),
    SB_OPTION_TEXT(sb_replay_options, backend, "--backend", "NAME", NULL, "another backend than the run's"),
    SB_OPTION_TEXT(sb_replay_options, isa, "--isa", "NAME", NULL, "of native: its instruction set [the best here]"),
    SB_OPTION_INT(sb_replay_options, threads, "--threads", "N", "0", 0, 256, "another number of threads; 0: the run's"),
    SB_OPTION_INT(sb_replay_options, updates, "--updates", "N", "0", 0, 1e9, "at most; 0: all that the run has"),
    SB_OPTION_FLAG(sb_replay_options, quiet, "--quiet", "no progress"),
    SB_OPTION_END,
};

static sb_status replay(const sb_call *call)
{
    const sb_replay_options *values = call->values;
    sb_settings setup;
    sb_recalled recalled;
    SB_TRY(sb_replay_setup(&recalled, call->arguments.item[0], values, &setup));
    SB_TRY(sb_backend_prepare(setup.backend, setup.blas_kernel, setup.threads, call->argv));
    return sb_replay_run(call->arguments.item[0], values, &setup, stdout);
}

const sb_command sb_verb_replay = {
    .program = "samebits",
    .verb = "replay",
    .summary = "does this machine repeat the bits of a run? Trains it again and compares link by link",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(sb_replay_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "exit code: 0 the same bits, 1 other bits, and what differs around them\n",
    .run = replay,
};

#include "inspect/replay.h"
#include "verbs/verbs.h"

#include <stdio.h>

static const sb_option options[] = {
    SB_OPTION_NEEDED(sb_replay_options, data, "--data", 0, "FILE", "data set of the run"),
    SB_OPTION_TEXT(sb_replay_options, backend, "--backend", "NAME", NULL, "use another backend than the run"),
    SB_OPTION_TEXT(sb_replay_options, isa, "--isa", "NAME", NULL, "instruction set of native [the best here]"),
    SB_OPTION_INT(sb_replay_options, threads, "--threads", "N", "0", 0, 256, "number of threads; 0: as the run"),
    SB_OPTION_INT(sb_replay_options, updates, "--updates", "N", "0", 0, 1e9, "updates to repeat at most; 0: all"),
    SB_OPTION_FLAG(sb_replay_options, quiet, "--quiet", "print no progress"),
    SB_OPTION_END,
};

static sb_status replay(const sb_call *call)
{
    const sb_replay_options *values = call->values;
    sb_settings setup;
    sb_readback readback;
    SB_TRY(sb_replay_setup(&readback, call->arguments.item[0], values, &setup));
    SB_TRY(sb_backend_prepare(setup.backend, setup.blas_kernel, setup.threads, call->argv));
    return sb_replay_run(call->arguments.item[0], values, &setup, stdout);
}

const sb_command sb_verb_replay = {
    .program = "samebits",
    .verb = "replay",
    .summary = "train a run again and compare its bits, entry by entry of the hash chain",
    .arguments = "RUN.h5",
    .options = options,
    .values_bytes = sizeof(sb_replay_options),
    .min_arguments = 1,
    .max_arguments = 1,
    .epilogue = "exit codes: 0 the same bits, 1 other bits; the output names what differs\n",
    .run = replay,
};

#include "train/trainer.h"
#include "verbs/verbs.h"

#include <stdio.h>
#include <strings.h>

typedef struct step_options {
    sb_settings setup;
    long windows;
    const char *verify;
} step_options;

static const sb_option options[] = {
    SB_OPTIONS_DATA(step_options) SB_OPTIONS_LEARN(step_options) SB_OPTIONS_COMPUTE(step_options)
        SB_OPTION_INT(step_options, windows, "--windows", "N", "1", 1, 1e9, "updates to train"),
    SB_OPTION_TEXT(step_options, verify, "--verify", "HASH", NULL,
                   "end with exit code 1 if the weights have another hash"),
    SB_OPTION_END,
};

static sb_status train_windows(sb_setup *setup, long n)
{
    SB_OWNED(sb_run_lists_free) sb_run_lists lists = {0};
    SB_OWNED(sb_trainer_end) sb_trainer trainer = {0};
    SB_TRY(sb_trainer_begin(&trainer, setup, &lists));
    for (long update = 1; update <= n; update++) {
        sb_batch batch;
        sb_step_result result;
        SB_TRY(sb_loader_batch(setup->loader, sb_trainer_batch(&trainer, update), 0, 1, &batch));
        SB_TRY(sb_trainer_update(&trainer, &batch, update, SB_GRADIENT_DROPPED, &result));
    }
    return SB_OK;
}

static sb_status step(const sb_call *call)
{
    const step_options *values = call->values;
    SB_TRY(sb_backend_prepare(values->setup.backend, values->setup.blas_kernel, values->setup.threads, call->argv));
    SB_OWNED(sb_setup_close) sb_setup setup = {0};
    sb_hash hash;
    char text[SB_HASH_TEXT];
    SB_TRY(sb_setup_open(&setup, &values->setup));
    SB_TRY(train_windows(&setup, values->windows));
    SB_TRY(sb_learner_weights_hash(&setup.learner, &hash));
    sb_hash_text(hash, text);
    puts(text);
    if (values->verify && strcasecmp(values->verify, text) != 0)
        return sb_fail(SB_E_DIFFERS, "samebits step: the weights have the hash %s, not %s", text, values->verify);
    return SB_OK;
}

const sb_command sb_verb_step = {
    .program = "samebits",
    .verb = "step",
    .summary = "train a few windows and print one hash of all weights",
    .options = options,
    .values_bytes = sizeof(step_options),
    .epilogue = "The shortest test for the same bits: the printed hash is the same where the bits are the same.\n",
    .run = step,
};

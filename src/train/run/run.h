/* A training run: updates, log, checkpoints, resuming after an interruption, the finished run file.
 *
 *     sb_run_options options = {...};
 *     SB_TRY(sb_run_train(&setup, &options, &outcome));
 */
#pragma once

#include "data/input.h"
#include "io/run/journal.h"
#include "train/classify.h"
#include "train/setup.h"

typedef struct sb_run_options {
    SB_RUN_FIELDS /* updates, epochs: 0 or less: not given. checkpoint_every: in updates; 0: every minute */
        const char *output;          /* run file */
    const char *input;               /* the way in which batches are made, one of SB_INPUT_WORDS; NULL: auto */
    long input_workers, queue_depth; /* of prefetch */
    long chain_every;                /* updates between entries of the hash chain; 0: every update, or every 1000
                                      * samples */
    const char *cell, *record;       /* name and canonical record of the matrix cell; "" for none */
    const char *claims; /* claims registered before the run begins (io/yaml/claim_file.h); "" or NULL: none */
    bool quiet;
} sb_run_options;

typedef enum sb_run_end {
    SB_RUN_TRAINED, /* all updates are done, or the training diverged: the file is complete */
    SB_RUN_ALREADY, /* the file was complete before the call */
} sb_run_end;

typedef struct sb_run_outcome {
    sb_run_end end;
    long updates, resumed_at;    /* resumed_at: update of the checkpoint from which the run was resumed; 0: from the
                                  * start */
    double loss_last, loss_mean; /* means over the last fifth of the updates */
    sb_hash weights;
    double seconds;
    sb_backend_met subnormal; /* of this session */
    sb_classification tested; /* results on the test images; n is 0: the network does not classify, there are none, or
                               * they were tested in an earlier session */
    long stopped_at;          /* update after which it stopped early; 0: it did not */
    long diverged_at;         /* the last update: its loss or weights are not finite; 0: it did not diverge */
    double loss_there;        /* the mean loss of its last update */
    int64_t best_epoch, overfit_epoch; /* by the validations of the run; 0: none */
} sb_run_outcome;

/* The options of the input, for a verb whose struct has an sb_run_options in the field `run`. */
#define SB_OPTIONS_INPUT(type)                                                                                         \
    SB_OPTION_CHOICE(type, run.input, "--input", SB_INPUT_WORDS, "auto",                                               \
                     "batches as they are taken, ahead, or from memory, with the same bits; fake: one alone"),         \
        SB_OPTION_INT(type, run.input_workers, "--input-workers", "N", "2", 1, SB_INPUT_WORKERS,                       \
                      "prefetch: threads that make batches"),                                                          \
        SB_OPTION_INT(type, run.queue_depth, "--queue-depth", "N", "50", 1, 4096,                                      \
                      "prefetch: batches that may be ready, at most 256 MiB of them")

/* Number of updates of a run: options->updates, or options->epochs times epoch_updates, or the default of the network's
 * recipe. */
long sb_run_length(const sb_settings *settings, const sb_run_options *options, long epoch_updates);

/* Train until all updates are done, or until the training diverges, which is a result, too. If the run file exists, the
 * run is resumed from it. SB_E_USAGE: the file belongs to other options. SB_E_INTERRUPTED: SIGINT or SIGTERM arrived; a
 * checkpoint was written. */
sb_status sb_run_train(sb_setup *setup, const sb_run_options *options, sb_run_outcome *outcome);

/* SB_OK: all numbers of the result are finite. SB_E_DIFFERS with a message: the training diverged. */
sb_status sb_run_judge(const sb_run_outcome *outcome, const sb_settings *settings, const sb_run_options *options);

/* Read the weights, optimizer states and carried states of a run file into a learner. SB_E_USAGE unless the run has
 * exactly this number of updates and the same optimizer. */
sb_status sb_run_start_from(sb_learner *learner, const char *path, long updates);

/* Add to facts what /env of a run file records about the machine, the program and its libraries. */
void sb_run_facts(sb_facts *facts, const sb_ops *ops);

/* A training run: updates, log, checkpoints, going on after an interruption, the finished run file.
 *
 *     sb_run_options options = {...};
 *     SB_TRY(sb_run_train(&setup, &options, &outcome));
 */
#ifndef SB_TRAIN_RUN_H
#define SB_TRAIN_RUN_H

#include "data/input.h"
#include "io/run/journal.h"
#include "train/classify.h"
#include "train/setup.h"

typedef struct sb_run_options {
    SB_RUN_FIELDS /* updates, epochs: not above 0, not asked for; checkpoint_every: updates, 0: a minute */
        const char *output;          /* run file */
    const char *input;               /* how batches are made, of SB_INPUT_WORDS; NULL: auto */
    long input_workers, queue_depth; /* of prefetch */
    long chain_every;                /* updates between links of the hash chain; 0: each one, or every 1000 samples */
    const char *cell, *record;       /* name and canonical record of the matrix cell; "" for none */
    const char *claims; /* those that stand as the run begins (io/yaml/claim_file.h); "" or NULL for none */
    bool quiet;
} sb_run_options;

typedef enum sb_run_end {
    SB_RUN_TRAINED, /* all updates are done, or it diverged: the file is complete */
    SB_RUN_ALREADY, /* it was complete before */
} sb_run_end;

typedef struct sb_run_outcome {
    sb_run_end end;
    long updates, resumed_at;    /* resumed_at: update of the checkpoint it went on from; 0: from the start */
    double loss_last, loss_mean; /* means over the last fifth of the updates */
    sb_hash weights;
    double seconds;
    sb_classification tested; /* the test images, by a network that classifies; n is 0: none, or not in this sitting */
    long stopped_at;          /* update after which it stopped early; 0: it did not */
    long diverged_at;         /* the update whose loss or weights are no finite numbers, its last one; 0: none */
    double loss_there;        /* the mean loss of its last update */
    int64_t best_epoch, overfit_epoch; /* of its validations; 0: none */
} sb_run_outcome;

/* The options of these, for a verb whose struct has an sb_run_options in the field `run`. */
#define SB_OPTIONS_INPUT(type)                                                                                         \
    SB_OPTION_CHOICE(type, run.input, "--input", SB_INPUT_WORDS, "auto",                                               \
                     "batches as they are taken, ahead, or from memory, with the same bits; fake: one alone"),         \
        SB_OPTION_INT(type, run.input_workers, "--input-workers", "N", "2", 1, SB_INPUT_WORKERS,                       \
                      "prefetch: threads that make batches"),                                                          \
        SB_OPTION_INT(type, run.queue_depth, "--queue-depth", "N", "50", 1, 4096,                                      \
                      "prefetch: batches that may be ready, at most 256 MiB of them")

/* Updates that a run has: those asked for, or epochs of this many, or as the network's recipe says. */
long sb_run_length(const sb_settings *settings, const sb_run_options *options, long epoch_updates);

/* Train until options->updates are done, or until the training diverges, which is a result, too. If the run file exists it goes on from there; SB_E_USAGE if that file belongs
 * to other options; SB_E_INTERRUPTED after SIGINT or SIGTERM, with a checkpoint written. */
sb_status sb_run_train(sb_setup *setup, const sb_run_options *options, sb_run_outcome *outcome);

/* SB_OK: all numbers of the result are finite. SB_E_DIFFERS, with the sentence: it diverged. */
sb_status sb_run_judge(const sb_run_outcome *outcome, const sb_settings *settings, const sb_run_options *options);

/* Give a learner the weights, states of the optimizer and carried state that a run file holds. SB_E_USAGE unless that
 * run has just this many updates and the same optimizer. */
sb_status sb_run_start_from(sb_learner *learner, const char *path, long updates);

/* What a run's /env records of the machine, the program and its libraries, added to facts. */
void sb_run_facts(sb_facts *facts, const sb_ops *ops);

#endif

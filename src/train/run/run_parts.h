/* Shared by the files of a run: its rows so far, and the functions that write them to the run file and read them
 * back. */
#pragma once

#include "io/run/run_table.h"
#include "io/run/runfile.h"
#include "train/classify.h"
#include "train/run/run.h"
#include "train/trainer.h"

enum { SB_PREDICTIONS_MAX = 8, SB_EVENTS_MAX = 64 };

typedef struct sb_run {
    sb_setup *setup;
    const sb_run_options *options;
    long target_updates, chain_every;
    sb_record *row; /* [capacity], one per update done */
    size_t n, capacity;
    sb_run_sketches sketches;
    size_t sketches_capacity;
    sb_input *input; /* open during training */
    sb_trainer trainer;
    double copy_seconds; /* copy time of the backend, when the last row of inputs was added */
    sb_run_lists lists;
    size_t exchanged;           /* number of updates when the last row of exchanges was added, or when the session
                                 * began */
    int64_t n_validated;        /* images in one validation */
    long stopped_at;            /* update after which it stopped early; 0: it did not */
    long diverged_at;           /* the update whose loss or weights are not finite; 0: none */
    char claims[SB_RUN_CLAIMS]; /* registered when the run began; of a resumed run, as its file says */
    char event[SB_EVENTS_MAX][96];
    int n_events;
    double seconds, cpu_seconds; /* of training so far, over all sessions */
    int64_t loss_terms; /* frames or images learned from so far */
    /* the last predictions, filled when the run ends */
    int n_predictions;
    int64_t predicted_frame[SB_PREDICTIONS_MAX];
    uint8_t *truth, *predicted;     /* [n_predictions][h][w][c] */
    char data_digest[SB_HASH_TEXT]; /* of the data set; "" until it is needed */
    double test_loss;               /* mean over the test images; negative: none */
    sb_classification classified;   /* results on the test images of a network that classifies; all zero: none */
} sb_run;

void sb_run_event(sb_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Means of a column over the last fifth of the updates (at least one). */
void sb_run_tail(const sb_run *run, double *loss_last, double *loss_mean);

/* Write a whole run file: a checkpoint, or the finished run with /final. Called by all ranks; rank 0 writes. */
sb_status sb_run_save(sb_run *run, const char *path, bool finished);

/* Read a run file; *finished: it is complete. SB_E_USAGE: its configuration differs. */
sb_status sb_run_load(sb_run *run, const char *path, bool *finished);

/* ends_epoch: was the last update the last one of its epoch or of the run? epoch: the epoch of the last update, from
 * 0. */
static inline bool sb_run_ends_epoch(const sb_run *run)
{
    const long update = (long)run->n;
    return update % sb_loader_epoch_updates(run->setup->loader) == 0 || update == run->target_updates;
}

static inline long sb_run_epoch(const sb_run *run)
{
    return ((long)run->n - 1) / sb_loader_epoch_updates(run->setup->loader);
}

/* Sketch the weights after `update`, if a sketch is due after it or it is the last one. */
sb_status sb_run_sketch(sb_run *run, long update);

/* run_input.c. open: open run->input from the next update on; the caller closes it. count: after an epoch's last
 * update, add a row of its inputs. check: SB_E_USAGE if the options of the input contradict each other. */
sb_status sb_run_open_input(sb_run *run);
sb_status sb_run_count_input(sb_run *run);
sb_status sb_run_check_input(const sb_run *run);
sb_input_mode sb_run_input_mode(const sb_run *run);

/* Validations (run_validate.c). SB_E_USAGE: there are no images to validate with, or test images would decide when
 * training stops. */
sb_status sb_run_check_validation(const sb_run *run);
bool sb_run_validation_is_due(const sb_run *run, long update);

/* Must the hash chain have an entry for the update, because early stopping may make it the last of the result? */
bool sb_run_links_validation(const sb_run *run, long update);

/* Validate and add a row. If the run stops early, it is set back to its best validation: n becomes smaller and
 * stopped_at is above 0. */
sb_status sb_run_validate(sb_run *run);

/* The last validation; NULL: none yet. */
const sb_run_validation *sb_run_last_validation(const sb_run *run);

/* Set diverged_at to the update if its loss or weights are not finite; the run then ends. Losses are checked in each
 * update, weights at the end of each epoch and of the run. Called by all ranks (run_diverge.c). */
sb_status sb_run_look_for_divergence(sb_run *run, long update, const sb_step_result *result);

/* The epochs of the best validation and of the first that shows overfitting; 0: none. */
void sb_run_epochs_of_overfit(const sb_run *run, int64_t *best, int64_t *at);

/* For a resumed run: SB_E_USAGE if it uses early stopping and the checkpoint of its best validation is missing. */
sb_status sb_run_check_best(const sb_run *run);

/* Remove the checkpoint of the best validation, if this run has one. */
void sb_run_forget_best(const sb_run *run);

/* A run that several ranks train (run_ranks.c). Rank 0 leads: only rank 0 has the journal and reads and writes
 * files. */
static inline bool sb_run_leads(const sb_run *run)
{
    return sb_ranks_rank(run->setup->ranks) == 0;
}

/* The ranks that divide a batch among them. NULL: each rank has the whole batch, as in an evolution, where ranks divide
 * the individuals. */
static inline sb_ranks *sb_run_sharers(const sb_run *run)
{
    return run->trainer.kind->by_gradients ? run->setup->ranks : NULL;
}

/* Compare program and settings of all ranks. SB_E_USAGE on all ranks, with a message about the difference. */
sb_status sb_run_meet(sb_run *run);

/* Copy weights and states, or genomes, after update run->n from rank 0 to all other ranks. */
sb_status sb_run_share_start(sb_run *run);

/* Copy the running values of all groups and the carried states of all lanes to all ranks. */
sb_status sb_run_gather_states(sb_run *run);

/* Requests that any rank has received since the last update: a signal to stop, or a checkpoint. */
typedef struct sb_run_wishes {
    int signal, checkpoint;
} sb_run_wishes;
sb_status sb_run_join_wishes(sb_run *run, sb_run_wishes *wishes);

/* At the end of each epoch and of the run: SB_E_INTEGRITY on all ranks if the weights of a rank differ from rank
 * 0's. */
sb_status sb_run_compare_weights(sb_run *run);

/* After an epoch's last update, add its rows to the norms of tensors (run_trust.c). */
sb_status sb_run_add_trust(sb_run *run);

/* begin: start to count the cost of exchanges. count: after an epoch's last update, add a row of it. */
void sb_run_begin_exchanges(sb_run *run);
sb_status sb_run_count_exchanges(sb_run *run);

/* The parts of the run file and their source files: /config (run_config.c), /train, /chain and /events (run_rows.c),
 * the attributes of /validation (run_validate.c), /sketch (run_sketch.c), /param, the states of the optimizer and
 * /state (run_tensors.c). run_table.h writes and reads the lists. */
sb_status sb_run_write_config(sb_run *run, sb_h5 *file);
sb_status sb_run_check_config(sb_run *run, sb_h5 *file);       /* SB_E_USAGE if the file holds another experiment */
sb_status sb_run_experiment(sb_run *run, sb_hash *experiment); /* hash of all that decides the bits */
sb_status sb_run_config_lines(sb_run *run, char *text, size_t size); /* these settings and the number of updates, one
                                                                      * line "key 'value'" each */
sb_status sb_run_write_rows(sb_run *run, sb_h5 *file);
sb_status sb_run_read_rows(sb_run *run, sb_h5 *file);
sb_status sb_run_write_sketches(sb_run *run, sb_h5 *file);
sb_status sb_run_read_sketches(sb_run *run, sb_h5 *file);
sb_status sb_run_write_validations(sb_run *run, sb_h5 *file);
sb_status sb_run_read_validations(sb_run *run, sb_h5 *file);
sb_status sb_run_write_tensors(const sb_learner *learner, sb_h5 *file);
sb_status sb_run_read_tensors(const sb_learner *learner, sb_h5 *file);

/* Read the states of a network from a run file, except the carried states. */
sb_status sb_run_read_kept(sb_net *net, sb_h5 *file);

/* The hashes of a learner's content after n_updates. */
sb_status sb_run_head_of(const sb_learner *learner, size_t n_updates, sb_run_head *head);

/* Read one block of parameters from /GROUP/NAME to the device. */
sb_status sb_run_read_block(sb_net *net, sb_h5 *file, const char *group, sb_real *block);

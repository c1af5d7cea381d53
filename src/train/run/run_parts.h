/* What the files of a run share: its rows so far, and how they get into the run file and back. */
#ifndef SB_TRAIN_RUN_PARTS_H
#define SB_TRAIN_RUN_PARTS_H

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
    sb_input *input; /* while it trains */
    sb_trainer trainer;
    double copy_seconds; /* of the backend, when the last row of inputs was added */
    sb_run_lists lists;
    size_t exchanged;           /* updates when the last row of exchanges was added, or the sitting began */
    int64_t n_validated;        /* images of one */
    long stopped_at;            /* update after which it stopped early; 0: it did not */
    long diverged_at;           /* the update whose loss or weights are no finite numbers; 0: none */
    char claims[SB_RUN_CLAIMS]; /* registered when the run began: of a run that goes on, what its file says */
    char event[SB_EVENTS_MAX][96];
    int n_events;
    double seconds, cpu_seconds; /* of training so far, over all sittings */
    int64_t loss_terms;          /* frames or images learned from */
    /* the last predictions, filled when the run ends */
    int n_predictions;
    int64_t predicted_frame[SB_PREDICTIONS_MAX];
    uint8_t *truth, *predicted;     /* [n_predictions][h][w][c] */
    char data_digest[SB_HASH_TEXT]; /* of the data set; "" until it is asked for */
    double test_loss;               /* mean over the test images; negative: none */
    sb_classification classified;   /* the test images, by a network that classifies; of zeros: none */
} sb_run;

void sb_run_event(sb_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Means of a column over the last fifth of the updates (at least one). */
void sb_run_tail(const sb_run *run, double *loss_last, double *loss_mean);

/* Write a run file whole: a checkpoint, or the finished run with /final. By all ranks, of which rank 0 writes. */
sb_status sb_run_save(sb_run *run, const char *path, bool finished);

/* Read a run file back: *finished says whether it is complete. SB_E_USAGE if its configuration is another one. */
sb_status sb_run_load(sb_run *run, const char *path, bool *finished);

/* Was the update the last one of its epoch, or of all? Its epoch, from 0. */
static inline bool sb_run_ends_epoch(const sb_run *run)
{
    const long update = (long)run->n;
    return update % sb_loader_epoch_updates(run->setup->loader) == 0 || update == run->target_updates;
}

static inline long sb_run_epoch(const sb_run *run)
{
    return ((long)run->n - 1) / sb_loader_epoch_updates(run->setup->loader);
}

/* Sketch the weights as they are after `update`, if that is one to be sketched or the last. */
sb_status sb_run_sketch(sb_run *run, long update);

/* The input from the next update on (run_input.c), which the caller closes; what an update that was its epoch's last
 * adds to the rows; and whether these options go together: SB_E_USAGE if not. */
sb_status sb_run_open_input(sb_run *run);
sb_status sb_run_count_input(sb_run *run);
sb_status sb_run_check_input(const sb_run *run);
sb_input_mode sb_run_input_mode(const sb_run *run);

/* Validations (run_validate.c). SB_E_USAGE: there is nothing to validate with, or test images were to end a
 * training. */
sb_status sb_run_check_validation(const sb_run *run);
bool sb_run_validation_is_due(const sb_run *run, long update);

/* Has the update a link of the chain, for it may turn out to be the last of the result? */
bool sb_run_links_validation(const sb_run *run, long update);

/* Add a row. A run that stops early is afterwards as it was at its best: n is less, and stopped_at above 0. */
sb_status sb_run_validate(sb_run *run);

/* NULL: there is none yet. */
const sb_run_validation *sb_run_last_validation(const sb_run *run);

/* Are loss and weights of this update still numbers? If not, diverged_at is the update, and the run ends with it. Losses
 * are looked at in each update, weights where an epoch or the run ends. By all ranks (run_diverge.c). */
sb_status sb_run_look_for_divergence(sb_run *run, long update, const sb_step_result *result);

/* The epochs of the best validation and of the first that shows overfitting; 0: none. */
sb_status sb_run_epochs_of_overfit(const sb_run *run, int64_t *best, int64_t *at);

/* For a run that goes on: SB_E_USAGE if it stops early, and the checkpoint of its best validation is gone. */
sb_status sb_run_check_best(const sb_run *run);

/* Remove that checkpoint, if this run keeps one. */
void sb_run_forget_best(const sb_run *run);

/* Of a run that several ranks train (run_ranks.c). Rank 0 leads: it alone has the journal, reads and writes files. */
static inline bool sb_run_leads(const sb_run *run)
{
    return sb_ranks_rank(run->setup->ranks) == 0;
}

/* The ranks that share a batch; NULL: each has all of it, as where they share the individuals of an evolution. */
static inline sb_ranks *sb_run_sharers(const sb_run *run)
{
    return run->trainer.kind->by_gradients ? run->setup->ranks : NULL;
}

/* Do all ranks train the same, with the same program? SB_E_USAGE on all of them, with what differs. */
sb_status sb_run_meet(sb_run *run);

/* Where rank 0 stands, after its update run->n: weights and states, or genomes, from it to all others. */
sb_status sb_run_share_start(sb_run *run);

/* Running values of all groups, and what all lanes carry, to all ranks. */
sb_status sb_run_gather_states(sb_run *run);

/* What the ranks were asked for since the last update, joined: a signal to stop, or a checkpoint. */
typedef struct sb_run_wishes {
    int signal, checkpoint;
} sb_run_wishes;
sb_status sb_run_join_wishes(sb_run *run, sb_run_wishes *wishes);

/* Where an epoch ends, and the run: SB_E_INTEGRITY on all ranks if the weights of one differ from rank 0's. */
sb_status sb_run_compare_weights(sb_run *run);

/* What an update that was its epoch's last adds to the norms of tensors (run_trust.c). */
sb_status sb_run_add_trust(sb_run *run);

/* What exchanges cost from here on, and what an update that was its epoch's last adds to the rows. */
void sb_run_begin_exchanges(sb_run *run);
sb_status sb_run_count_exchanges(sb_run *run);

/* The parts of the file, each in a file of its own: /config (run_config.c), /train, /chain and /events (run_rows.c),
 * the attributes of /validation (run_validate.c), /sketch (run_sketch.c), /param, the states of the optimizer and
 * /state (run_tensors.c). The lists go there by themselves (run_table.h). */
sb_status sb_run_write_config(sb_run *run, sb_h5 *file);
sb_status sb_run_check_config(sb_run *run, sb_h5 *file);       /* SB_E_USAGE if the file holds another experiment */
sb_status sb_run_experiment(sb_run *run, sb_hash *experiment); /* hash of all that decides the bits */
sb_status sb_run_config_lines(sb_run *run, char *text, size_t size); /* the same and the length, "key 'value'" a line */
sb_status sb_run_write_rows(sb_run *run, sb_h5 *file);
sb_status sb_run_read_rows(sb_run *run, sb_h5 *file);
sb_status sb_run_write_sketches(sb_run *run, sb_h5 *file);
sb_status sb_run_read_sketches(sb_run *run, sb_h5 *file);
sb_status sb_run_write_validations(sb_run *run, sb_h5 *file);
sb_status sb_run_read_validations(sb_run *run, sb_h5 *file);
sb_status sb_run_write_tensors(const sb_learner *learner, sb_h5 *file);
sb_status sb_run_read_tensors(const sb_learner *learner, sb_h5 *file);

/* From a run file what a network keeps next to its parameters, but for what it carries from window to window. */
sb_status sb_run_read_kept(sb_net *net, sb_h5 *file);

/* What a learner holds after this many updates. */
sb_status sb_run_head_of(const sb_learner *learner, size_t n_updates, sb_run_head *head);

/* One block of parameters from /GROUP/NAME to the device. */
sb_status sb_run_read_block(sb_net *net, sb_h5 *file, const char *group, sb_real *block);

#endif

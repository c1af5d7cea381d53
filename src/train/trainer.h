/* One interface for all ways to train: by the gradient of a whole batch (all optimizers, also L-BFGS), by local steps
 * of shards, or by evolution. Each is one constant sb_trainer_kind, and a row of SB_TRAINERS.
 *
 *     SB_TRY(sb_trainer_begin(&trainer, &setup, &lists));
 *     SB_TRY(sb_loader_batch(setup.loader, sb_trainer_batch(&trainer, update), 0, 1, &batch));
 *     SB_TRY(sb_trainer_update(&trainer, &batch, update, SB_GRADIENT_KEPT, &result));
 *     SB_TRY(sb_trainer_state(&trainer, &(sb_trainer_state_use){.link = &link}));
 *     sb_trainer_end(&trainer);
 */
#pragma once

#include "data/shards.h"
#include "io/run/run_table.h"
#include "train/setup.h"

typedef struct sb_trainer sb_trainer;

/* Uses of a trainer's state: each member that is not NULL. The state leaves out the tensors of the learner, which every
 * run file has. */
typedef struct sb_trainer_state_use {
    sb_link *link; /* set to the entry of the hash chain after an update, except its member `batch` */
    sb_h5 *write,
        *read;       /* a run file, after its lists were written or read. Reading: SB_E_INTEGRITY if the state does not
                      * belong to the weights of the learner's network */
    sb_ranks *share; /* copy the state from rank 0 to the other ranks, whose networks already have its weights; called
                      * by all ranks */
} sb_trainer_state_use;

typedef struct sb_trainer_kind {
    /* Check the settings and allocate memory for a trainer whose setup and lists are set. After a failure `end` is
     * called. */
    sb_status (*begin)(sb_trainer *trainer);
    /* Update number `update` = 1, 2, ... on the batch sb_trainer_batch(update), or on this rank's part of it. */
    sb_status (*update)(sb_trainer *trainer, const sb_batch *batch, long update, sb_gradient gradient,
                        sb_step_result *result);
    sb_status (*state)(sb_trainer *trainer, const sb_trainer_state_use *use);
    void (*end)(sb_trainer *trainer);
    bool (*is_wanted)(const sb_settings *settings);
    bool by_gradients;   /* updates change the initial weights, and ranks divide a batch among them; else each rank has
                          * the whole batch, and each update has an entry of the hash chain */
    bool has_norms;      /* the norms of a layer-wise optimizer belong to the weights */
    const char *smaller; /* the setting to try with a smaller value if training diverges */
} sb_trainer_kind;

struct sb_trainer {
    const sb_trainer_kind *kind; /* NULL: not begun */
    sb_setup *setup;
    sb_run_lists *lists;
    void *own; /* data of the kind */
    bool has_one_batch; /* each update learns from the first batch */
    int64_t n_passes;   /* passes of an update over each sample of its batch, on all ranks together */
};

/* The kinds of trainers. The first row whose is_wanted is true is used. */
#define SB_TRAINERS(ROW)                                                                                               \
    ROW(evolution)                                                                                                     \
    ROW(local)                                                                                                         \
    ROW(gradient)
#define SB_TRAINER_DECLARE(name) extern const sb_trainer_kind sb_trainer_##name;
SB_TRAINERS(SB_TRAINER_DECLARE)

const sb_trainer_kind *sb_trainer_kind_of(const sb_settings *settings);

/* Setup and lists stay the caller's and must outlive the trainer, which may add rows to the lists. SB_E_USAGE: the
 * settings contradict each other. On failure nothing stays open. */
sb_status sb_trainer_begin(sb_trainer *trainer, sb_setup *setup, sb_run_lists *lists);
void sb_trainer_end(sb_trainer *trainer); /* one of zeros, too */

/* The number, from 1, of the batch that an update learns from. */
static inline long sb_trainer_batch(const sb_trainer *trainer, long update)
{
    return trainer->has_one_batch ? 1 : update;
}

static inline sb_status sb_trainer_update(sb_trainer *trainer, const sb_batch *batch, long update, sb_gradient gradient,
                                          sb_step_result *result)
{
    return trainer->kind->update(trainer, batch, update, gradient, result);
}

static inline sb_status sb_trainer_state(sb_trainer *trainer, const sb_trainer_state_use *use)
{
    return trainer->kind->state(trainer, use);
}

/* The entry of the hash chain after an update; batch: the hash of its batch (sb_batch_hash). */
static inline sb_status sb_trainer_link(sb_trainer *trainer, sb_hash batch, sb_link *link)
{
    link->batch = batch;
    return sb_trainer_state(trainer, &(sb_trainer_state_use){.link = link});
}

#include "train/trainer.h"

const sb_trainer_kind *sb_trainer_kind_of(const sb_settings *settings)
{
#define TAKE(name)                                                                                                     \
    if (sb_trainer_##name.is_wanted(settings)) return &sb_trainer_##name;
    SB_TRAINERS(TAKE)
    return NULL; /* not reached: the last row is always wanted */
}

sb_status sb_trainer_begin(sb_trainer *trainer, sb_setup *setup, sb_run_lists *lists)
{
    *trainer = (sb_trainer){.kind = sb_trainer_kind_of(setup->options), .setup = setup, .lists = lists};
    const sb_status status = trainer->kind->begin(trainer);
    if (status != SB_OK) sb_trainer_end(trainer);
    return status;
}

void sb_trainer_end(sb_trainer *trainer)
{
    if (trainer->kind) trainer->kind->end(trainer);
    *trainer = (sb_trainer){0};
}

/* ---- by gradients ---- */

/* The learner of the setup is open already, with its optimizer and its memory for local steps. */
static sb_status begin(sb_trainer *trainer)
{
    trainer->n_passes = sb_ranks_size(trainer->setup->ranks);
    return SB_OK;
}

static void end(sb_trainer *trainer)
{
    (void)trainer;
}

static sb_status state(sb_trainer *trainer, const sb_trainer_state_use *use)
{
    return use->link ? sb_learner_link(&trainer->setup->learner, use->link->batch, use->link) : SB_OK;
}

static bool always(const sb_settings *settings)
{
    (void)settings;
    return true;
}

static sb_status update_at_once(sb_trainer *trainer, const sb_batch *batch, long update, sb_gradient gradient,
                                sb_step_result *result)
{
    return sb_learner_update(&trainer->setup->learner, batch->shard, update, gradient, result);
}

const sb_trainer_kind sb_trainer_gradient = {begin, update_at_once, state, end, always, true, true, "lr"};

static bool has_local_steps(const sb_settings *settings)
{
    return settings->sync_every > 0;
}

/* The change of the weights stands for the gradient, and is always kept. */
static sb_status update_locally(sb_trainer *trainer, const sb_batch *batch, long update, sb_gradient gradient,
                                sb_step_result *result)
{
    (void)gradient;
    return sb_learner_update_locally(&trainer->setup->learner, batch->shard, update, result);
}

/* Each shard has norms of its own. */
const sb_trainer_kind sb_trainer_local = {begin, update_locally, state, end, has_local_steps, true, false, "lr"};

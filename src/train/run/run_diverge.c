/* A training whose numbers are lost: its loss, or a weight, is NaN or infinite. Nothing can be learned after that, so
 * the run ends there, and that it did is its result. */
#include "train/run/run_parts.h"

#include <math.h>
#include <stdlib.h>

/* The weights of rank 0 decide for all ranks. */
static sb_status weights_are_finite(const sb_run *run, bool *finite)
{
    const sb_learner *learner = &run->setup->learner;
    const size_t n = learner->net->params.total;
    const sb_real *weight;
    void *to_free = NULL;
    sb_status status = SB_OK;
    *finite = true;
    if (sb_run_leads(run)) status = sb_learner_host_block(learner, learner->net->weight, &weight, &to_free);
    for (size_t i = 0; sb_run_leads(run) && status == SB_OK && i < n && *finite; i++) *finite = isfinite(weight[i]);
    free(to_free);
    SB_TRY(sb_ranks_agree(run->setup->ranks, status));
    return sb_ranks_share(run->setup->ranks, 0, finite, sizeof *finite);
}

sb_status sb_run_look_for_divergence(sb_run *run, long update, const sb_step_result *result)
{
    bool finite = isfinite(result->loss_mean) && isfinite(result->loss_last);
    const bool ends_epoch = update % sb_loader_epoch_updates(run->setup->loader) == 0 || update == run->target_updates;
    if (finite && ends_epoch) SB_TRY(weights_are_finite(run, &finite));
    if (finite) return SB_OK;
    run->diverged_at = update;
    sb_run_event(run, "diverged at update %ld", update);
    return SB_OK;
}

sb_status sb_run_judge(const sb_run_outcome *outcome, const sb_settings *settings, const sb_run_options *options)
{
    const char *what = isfinite(outcome->loss_there) ? "a weight is no finite number"
                       : isnan(outcome->loss_there)  ? "the loss is nan"
                       : outcome->loss_there > 0     ? "the loss is inf"
                                                     : "the loss is -inf";
    if (!outcome->diverged_at) return SB_OK;
    return sb_fail(SB_E_DIFFERS,
                   "%s: diverged at update %ld: %s; the run ends there, and is complete; try a smaller --%s",
                   options->output, outcome->diverged_at, what, sb_trainer_kind_of(settings)->smaller);
}

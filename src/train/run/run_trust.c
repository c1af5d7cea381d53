/* Of a run with a layer-wise optimizer, the norms and ratios of its tensors at the end of each epoch. */
#include "train/run/run_parts.h"

#include "core/size.h"

static sb_status add_tensors(sb_run *run, int n, sb_tensor_norms *norms)
{
    SB_TRY(sb_optimizer_read_norms(&run->setup->learner.optimizer, norms));
    for (int p = 0; p < n; p++) {
        const sb_run_trust row = {.epoch = sb_run_epoch(run),
                                  .tensor = p,
                                  .weight_norm = norms[p].weight,
                                  .direction_norm = norms[p].direction,
                                  .ratio = norms[p].ratio};
        SB_TRY(sb_run_lists_add(&run->lists, SB_RUN_LIST_trust, &row));
    }
    return SB_OK;
}

sb_status sb_run_add_trust(sb_run *run)
{
    const sb_learner *learner = &run->setup->learner;
    const int n = learner->net->params.n;
    const bool has_norms = run->trainer.kind->has_norms && sb_optimizer_has_norms(&learner->optimizer);
    if (!has_norms || !sb_run_ends_epoch(run)) return SB_OK;
    SB_FREED sb_tensor_norms *norms = sb_size_allocate((size_t)n, sizeof *norms);
    if (!norms) return sb_fail(SB_E_MEMORY, "not enough memory for the norms of %d tensors", n);
    return add_tensors(run, n, norms);
}

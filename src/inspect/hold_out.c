#include "inspect/hold_out.h"

#include <math.h>

sb_status sb_hold_out_open(sb_hold_out *hold_out, sb_setup *setup, long n)
{
    const long epoch = sb_loader_epoch_updates(setup->loader);
    *hold_out = (sb_hold_out){.learner = &setup->learner, .first = epoch - n + 1, .last = epoch};
    if (n == 0) return SB_OK;
    if (n >= epoch)
        return sb_fail(SB_E_USAGE, "%s: has %ld windows; --hold-out takes at most %ld of them, one goes before",
                       setup->options->data, epoch, epoch - 1);
    const sb_loader_plan plan = {.length = (int)setup->options->window, .n_shards = 1};
    return sb_loader_open(&hold_out->loader, setup->dataset, &plan);
}

void sb_hold_out_close(sb_hold_out *hold_out)
{
    sb_loader_close(hold_out->loader);
    *hold_out = (sb_hold_out){0};
}

sb_status sb_hold_out_loss(sb_hold_out *hold_out, double *loss)
{
    double sum = 0;
    long n = 0;
    *loss = NAN;
    if (!hold_out->loader) return SB_OK;
    for (long update = hold_out->first - 1; update <= hold_out->last; update++) {
        sb_batch batch;
        double term[SB_LOSS_MAX];
        SB_TRY(sb_loader_batch(hold_out->loader, update, 0, 1, &batch));
        batch.shard->reset = batch.shard->reset || update < hold_out->first;
        SB_TRY(sb_learner_infer(hold_out->learner, batch.shard));
        if (update < hold_out->first) continue;
        SB_TRY(sb_learner_losses(hold_out->learner, term));
        for (int i = 0; i < batch.shard->n; i++, n++) sum += term[i];
    }
    *loss = sum / (double)n;
    return SB_OK;
}

long sb_hold_out_learned(const sb_hold_out *hold_out, long updates)
{
    if (!hold_out->loader || updates < hold_out->first) return 0;
    return (updates < hold_out->last ? updates : hold_out->last) - hold_out->first + 1;
}

#include "inspect/curvature/hold_out.h"

#include <math.h>
#include <string.h>

/* The video of another file, of frames that the network takes. */
static sb_status open_other(sb_hold_out *hold_out, const sb_setup *setup, const char *data)
{
    const sb_dataset_facts *own = sb_dataset_about(setup->dataset);
    if (strcmp(data, setup->options->data) == 0)
        return sb_fail(SB_E_USAGE, "%s: is what it learns from; without --hold-out-data its last windows are taken",
                       data);
    SB_TRY(sb_dataset_open(&hold_out->dataset, data));
    const sb_dataset_facts *facts = sb_dataset_about(hold_out->dataset);
    if (facts->kind == own->kind && facts->w == own->w && facts->h == own->h) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: holds no video of %zux%zu, as %s does", data, own->w, own->h, setup->options->data);
}

static sb_status open_windows(sb_hold_out *hold_out, sb_setup *setup, const char *data, long n)
{
    const sb_loader_plan plan = {.length = (int)setup->options->window, .n_shards = 1};
    SB_TRY(sb_loader_open(&hold_out->loader, hold_out->dataset ? hold_out->dataset : setup->dataset, &plan));
    const long epoch = sb_loader_epoch_updates(hold_out->loader);
    hold_out->first = epoch - n + 1, hold_out->last = epoch;
    if (n < epoch) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: has %ld windows; --hold-out-windows takes at most %ld of them, one goes before",
                   data ? data : setup->options->data, epoch, epoch - 1);
}

sb_status sb_hold_out_open(sb_hold_out *hold_out, sb_setup *setup, const char *data, long n)
{
    *hold_out = (sb_hold_out){.learner = &setup->learner};
    if (n == 0) return SB_OK;
    sb_status status = data ? open_other(hold_out, setup, data) : SB_OK;
    if (status == SB_OK) status = open_windows(hold_out, setup, data, n);
    if (status != SB_OK) sb_hold_out_close(hold_out);
    return status;
}

void sb_hold_out_close(sb_hold_out *hold_out)
{
    sb_loader_close(hold_out->loader);
    sb_dataset_close(hold_out->dataset);
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
    if (!hold_out->loader || hold_out->dataset || updates < hold_out->first) return 0;
    return (updates < hold_out->last ? updates : hold_out->last) - hold_out->first + 1;
}

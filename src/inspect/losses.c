#include "inspect/losses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

sb_status sb_losses_read(sb_losses *losses, sb_h5 *run)
{
    sb_h5_shape rows;
    *losses = (sb_losses){0};
    SB_TRY(sb_h5_shape_of(run, "train/loss_last", &rows));
    losses->n = rows.n;
    sb_status status = sb_h5_read_new(run, "train/loss_last", SB_F64, rows.n, &losses->last);
    if (status == SB_OK && sb_h5_exists(run, "train/loss_mean"))
        status = sb_h5_read_new(run, "train/loss_mean", SB_F64, rows.n, &losses->mean);
    if (status != SB_OK) sb_losses_free(losses);
    return status;
}

void sb_losses_free(sb_losses *losses)
{
    free(losses->last);
    free(losses->mean);
    *losses = (sb_losses){0};
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool sb_losses_hold(const sb_losses *losses, int64_t update, double last, double mean)
{
    return is_same(losses->last[update - 1], last) && (!losses->mean || is_same(losses->mean[update - 1], mean));
}

int64_t sb_losses_part(const sb_losses *a, const sb_losses *b)
{
    const int64_t n = (int64_t)(a->n < b->n ? a->n : b->n);
    const bool has_means = a->mean && b->mean;
    for (int64_t i = 0; i < n; i++)
        if (!is_same(a->last[i], b->last[i]) || (has_means && !is_same(a->mean[i], b->mean[i]))) return i + 1;
    return 0;
}

void sb_losses_parting_text(const sb_parting *parting, int64_t loss_update, char text[SB_LOSSES_TEXT])
{
    const sb_parting *p = parting;
    if (sb_parting_is_exact(p))
        snprintf(text, SB_LOSSES_TEXT, "first difference: update %lld, %s", (long long)p->update, p->name);
    else if (loss_update)
        snprintf(text, SB_LOSSES_TEXT,
                 "first entry of the chain that differs: %lld; recorded losses differ from update %lld",
                 (long long)p->update, (long long)loss_update);
    else
        snprintf(text, SB_LOSSES_TEXT, "first entry of the chain that differs: %lld; recorded losses do not differ",
                 (long long)p->update);
}

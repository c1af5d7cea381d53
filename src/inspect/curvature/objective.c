#include "inspect/curvature/hessian.h"

#include "core/size.h"
#include "net/models.h"
#include "train/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixed_window {
    sb_window window;
    uint8_t *bytes;
    sb_snapshot before; /* the carried state */
} fixed_window;

struct sb_objective {
    sb_learner *learner;
    sb_real *weight; /* [total], on their way to the device */
    long n;
    fixed_window *at;
};

/* ---- opening ---- */

static sb_status keep_window(sb_objective *o, fixed_window *to, const sb_batch *batch)
{
    to->window = *batch->shard;
    to->window.predict_again = true;
    to->bytes = sb_size_allocate(batch->shard_bytes, 1);
    if (!to->bytes) return sb_fail(SB_E_MEMORY, "not enough memory for %ld windows", o->n);
    memcpy(to->bytes, batch->shard->bytes, batch->shard_bytes);
    to->window.bytes = to->bytes;
    SB_TRY(sb_snapshot_open(&to->before, o->learner, SB_SNAPSHOT_CARRIED));
    sb_snapshot_take(&to->before);
    return SB_OK;
}

/* Window i of n lies in the middle of its share of the updates 1 .. n_updates. */
static long update_of(const sb_objective *o, long i, long n_updates)
{
    return 1 + (2 * i + 1) * n_updates / (2 * o->n);
}

/* Once through the data, up to the last of the windows. */
static sb_status collect_windows(sb_objective *o, sb_setup *setup, long n_updates)
{
    long i = 0;
    for (long update = 1; i < o->n; update++) {
        sb_batch batch;
        SB_TRY(sb_loader_batch(setup->loader, update, 0, 1, &batch));
        if (update == update_of(o, i, n_updates)) SB_TRY(keep_window(o, &o->at[i++], &batch));
        SB_TRY(sb_learner_infer(o->learner, batch.shard));
    }
    return SB_OK;
}

sb_status sb_objective_open(sb_objective **opened, sb_setup *setup, long n_windows, long n_updates)
{
    const long epoch = sb_loader_epoch_updates(setup->loader), seen = n_updates < epoch ? n_updates : epoch;
    *opened = NULL;
    if (!sb_model_learns_from_video(setup->options->model))
        return sb_fail(SB_E_USAGE, "%s has no windows: only a network that learns from video", setup->options->model);
    if (setup->options->batch > 1)
        return sb_fail(SB_E_USAGE, "a run with --batch %ld: windows are looked at of one sequence at a time",
                       setup->options->batch);
    if (n_windows > seen)
        return sb_fail(SB_E_USAGE, "the run has learned from %ld windows, not from %ld: choose fewer --windows", seen,
                       n_windows);
    sb_objective *o = calloc(1, sizeof *o);
    if (!o) return sb_fail(SB_E_MEMORY, "not enough memory for %ld windows", n_windows);
    o->learner = &setup->learner, o->n = n_windows;
    o->weight = sb_size_allocate(o->learner->net->params.total, sizeof *o->weight);
    o->at = sb_size_allocate((size_t)n_windows, sizeof *o->at);
    sb_status status =
        o->weight && o->at ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for %ld windows", n_windows);
    if (status == SB_OK) status = collect_windows(o, setup, seen);
    if (status == SB_OK)
        *opened = o;
    else
        sb_objective_close(o);
    return status;
}

void sb_objective_close(sb_objective *o)
{
    if (!o) return;
    for (long i = 0; o->at && i < o->n; i++) {
        sb_snapshot_close(&o->at[i].before);
        free(o->at[i].bytes);
    }
    free(o->at);
    free(o->weight);
    free(o);
}

/* ---- value and gradient ---- */

static void set_weights(sb_objective *o, const double *weight)
{
    sb_net *net = o->learner->net;
    for (size_t i = 0; i < net->params.total; i++) o->weight[i] = (sb_real)weight[i];
    net->ops->to_device(net->ops, net->weight, o->weight, net->params.total * sizeof(sb_real));
}

static void learn(sb_objective *o, const fixed_window *w, sb_target target)
{
    sb_net *net = o->learner->net;
    sb_window window = w->window;
    window.judged_by = target;
    sb_snapshot_restore(&w->before);
#pragma omp parallel num_threads(sb_backend_threads(net->ops))
    net->learn(net, &window, target);
}

/* One window's share: gradient += grad / n. */
static sb_status add_window(sb_objective *o, double *gradient, sb_objective_value *value)
{
    void *to_free;
    const sb_real *grad;
    const double n = (double)o->n;
    double loss[SB_LOSS_MAX], norm2 = 0;
    SB_TRY(sb_learner_losses(o->learner, loss));
    SB_TRY(sb_learner_host_block(o->learner, o->learner->net->grad, &grad, &to_free));
    for (int i = 0; i < o->learner->net->n_loss; i++) value->loss += loss[i] / n;
    for (size_t i = 0; i < o->learner->net->params.total; i++) {
        gradient[i] += grad[i] / n;
        norm2 += (double)grad[i] * grad[i];
    }
    value->window_norm += norm2 / n;
    free(to_free);
    return SB_OK;
}

sb_status sb_objective_at(sb_objective *o, sb_target target, const double *weight, double *gradient,
                          sb_objective_value *value)
{
    const size_t total = o->learner->net->params.total;
    double norm2 = 0;
    *value = (sb_objective_value){0};
    memset(gradient, 0, total * sizeof *gradient);
    set_weights(o, weight);
    for (long i = 0; i < o->n; i++) {
        learn(o, &o->at[i], target);
        SB_TRY(add_window(o, gradient, value));
    }
    for (size_t i = 0; i < total; i++) norm2 += gradient[i] * gradient[i];
    value->norm = sqrt(norm2);
    if (!isfinite(value->norm))
        return sb_fail(SB_E_DIFFERS, "the gradient at these weights is not finite: the training diverged");
    value->window_norm = sqrt(value->window_norm);
    return SB_OK;
}

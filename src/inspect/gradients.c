#include "inspect/gradients.h"

#include "core/size.h"
#include "net/models.h"
#include "train/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last windows of a video, of the training data or another data set, and a network's loss on them at any time of
 * training.
 *
 *     SB_TRY(hold_out_open(&hold_out, setup, NULL, 10));
 *     SB_TRY(hold_out_loss(&hold_out, &loss));
 *     hold_out_close(&hold_out);
 *
 * The network starts with a zero state at the window before them, whose losses do not count, and then runs through them
 * in order, passing its state on. Losses use each frame's own target, whatever target training uses. The windows are
 * the last ones of a pass over the data, so training learns from them if it gets so far in the same data set. */
typedef struct sb_hold_out {
    sb_learner *learner;
    sb_dataset *dataset; /* another data set; NULL: the training's */
    sb_loader *loader;   /* a separate loader, so that the batch of training stays valid */
    long first, last;    /* the updates that learn from these windows; first > last: none */
} sb_hold_out;

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

static void hold_out_close(sb_hold_out *hold_out)
{
    sb_loader_close(hold_out->loader);
    sb_dataset_close(hold_out->dataset);
    *hold_out = (sb_hold_out){0};
}

/* Open with n windows; 0: none, and the loss is NaN. data: another data set; NULL: the setup's. The setup must
 * outlive it. SB_E_USAGE: the data set has too few windows, or frames of another size. On failure nothing stays
 * open. */
static sb_status hold_out_open(sb_hold_out *hold_out, sb_setup *setup, const char *data, long n)
{
    *hold_out = (sb_hold_out){.learner = &setup->learner};
    if (n == 0) return SB_OK;
    sb_status status = data ? open_other(hold_out, setup, data) : SB_OK;
    if (status == SB_OK) status = open_windows(hold_out, setup, data, n);
    if (status != SB_OK) hold_out_close(hold_out);
    return status;
}

/* The mean loss over all frames of the windows. Overwrites the carried state. */
static sb_status hold_out_loss(sb_hold_out *hold_out, double *loss)
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

/* Number of these windows that training has learned from after `updates` updates. */
static long hold_out_learned(const sb_hold_out *hold_out, long updates)
{
    if (!hold_out->loader || hold_out->dataset || updates < hold_out->first) return 0;
    return (updates < hold_out->last ? updates : hold_out->last) - hold_out->first + 1;
}

struct sb_gradients {
    sb_learner *learner;
    sb_snapshot learned, carried;
    sb_hold_out hold_out;
    double *first;          /* [params.total], the gradient with the target copy */
    sb_gradient_pair *pair; /* [1 + params.n], the first of all tensors */
};

sb_status sb_gradients_open(sb_gradients **opened, sb_setup *setup, const char *hold_out, long n_hold_out)
{
    const sb_params *params = &setup->learner.net->params;
    *opened = NULL;
    if (!sb_model_learns_from_video(setup->options->model))
        return sb_fail(SB_E_USAGE, "%s has one target in an update: only a network that learns from video shares it",
                       setup->options->model);
    if (!sb_settings_use_gradients(setup->options))
        return sb_fail(SB_E_USAGE, "--search %s finds weights without gradients", setup->options->search);
    if (setup->options->batch > 1)
        return sb_fail(SB_E_USAGE, "--batch %ld: gradients are looked at of one sequence at a time",
                       setup->options->batch);
    sb_gradients *g = calloc(1, sizeof *g);
    if (!g) return sb_fail(SB_E_MEMORY, "not enough memory for gradients");
    g->learner = &setup->learner;
    g->first = sb_size_allocate(params->total, sizeof *g->first);
    g->pair = sb_size_allocate((size_t)params->n + 1, sizeof *g->pair);
    sb_status status = g->first && g->pair ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for gradients");
    if (status == SB_OK) status = sb_snapshot_open(&g->learned, g->learner, SB_SNAPSHOT_LEARNED);
    if (status == SB_OK) status = sb_snapshot_open(&g->carried, g->learner, SB_SNAPSHOT_CARRIED);
    if (status == SB_OK) status = hold_out_open(&g->hold_out, setup, hold_out, n_hold_out);
    if (status == SB_OK)
        *opened = g;
    else
        sb_gradients_close(g);
    return status;
}

void sb_gradients_close(sb_gradients *g)
{
    if (!g) return;
    hold_out_close(&g->hold_out);
    sb_snapshot_close(&g->carried);
    sb_snapshot_close(&g->learned);
    free(g->pair);
    free(g->first);
    free(g);
}

/* ---- both gradients ---- */

static void keep_first(sb_gradients *g, const sb_real *grad)
{
    for (size_t i = 0; i < g->learner->net->params.total; i++) g->first[i] = grad[i];
}

/* Sums in double, tensor by tensor. */
static void hold_against_first(sb_gradients *g, const sb_real *grad)
{
    const sb_params *params = &g->learner->net->params;
    double all[3] = {0};
    for (int k = 0; k < params->n; k++) {
        const size_t first = params->list[k].offset;
        double sum[3] = {0};
        for (size_t i = first; i < first + params->list[k].n; i++) {
            const double copy = g->first[i], shared = grad[i];
            sum[0] += copy * copy, sum[1] += shared * shared, sum[2] += copy * shared;
        }
        for (int i = 0; i < 3; i++) all[i] += sum[i];
        g->pair[k + 1] = (sb_gradient_pair){{sqrt(sum[0]), sqrt(sum[1])}, sum[2]};
    }
    g->pair[0] = (sb_gradient_pair){{sqrt(all[0]), sqrt(all[1])}, all[2]};
}

static sb_status read_gradient(sb_gradients *g, sb_target target)
{
    void *to_free;
    const sb_real *grad;
    SB_TRY(sb_learner_host_block(g->learner, g->learner->net->grad, &grad, &to_free));
    if (target == SB_TARGET_COPY)
        keep_first(g, grad);
    else
        hold_against_first(g, grad);
    free(to_free);
    return SB_OK;
}

double sb_gradients_cosine(const sb_gradient_pair *pair)
{
    return pair->dot / (pair->norm[SB_TARGET_COPY] * pair->norm[SB_TARGET_SHARED]);
}

double sb_gradients_ratio(const sb_gradient_pair *pair)
{
    return pair->norm[SB_TARGET_COPY] > 0 ? pair->norm[SB_TARGET_SHARED] / pair->norm[SB_TARGET_COPY] : NAN;
}

/* ---- one update with each ---- */

static void learn(sb_gradients *g, const sb_window *window, long update, sb_target target)
{
    sb_learner *learner = g->learner;
    const sb_rates rates = sb_optimizer_rates(&learner->optimizer, sb_learner_rate(learner, update), update);
    sb_backend_begin(learner->net->ops, update);
#pragma omp parallel num_threads(sb_backend_threads(learner->net->ops))
    {
        learner->net->learn(learner->net, window, target);
        sb_optimizer_update(&learner->optimizer, &rates);
    }
}

/* The mean loss of the window last gone through. */
static sb_status read_loss(const sb_gradients *g, double *loss)
{
    double term[SB_LOSS_MAX], sum = 0;
    const int n = g->learner->net->n_loss;
    SB_TRY(sb_learner_losses(g->learner, term));
    for (int i = 0; i < n; i++) sum += term[i];
    *loss = sum / n;
    return SB_OK;
}

static sb_status try_target(sb_gradients *g, const sb_window *window, long update, sb_target target,
                            sb_gradient_point *point)
{
    learn(g, window, update, target);
    SB_TRY(read_gradient(g, target));
    SB_TRY(read_loss(g, &point->loss));
    sb_snapshot_restore(&g->carried);
    SB_TRY(sb_learner_infer(g->learner, window));
    SB_TRY(read_loss(g, &point->loss_after[target]));
    return hold_out_loss(&g->hold_out, &point->hold_out_after[target]);
}

sb_status sb_gradients_compare(sb_gradients *g, const sb_window *window, long update, sb_gradient_point *point)
{
    sb_status status = SB_OK;
    *point = (sb_gradient_point){.all = g->pair, .tensor = g->pair + 1};
    point->hold_out_learned = hold_out_learned(&g->hold_out, update - 1);
    sb_snapshot_take(&g->learned);
    sb_snapshot_take(&g->carried);
    for (sb_target target = 0; status == SB_OK && target < SB_N_TARGETS; target++) {
        status = try_target(g, window, update, target, point);
        sb_snapshot_restore(&g->learned);
        sb_snapshot_restore(&g->carried);
    }
    if (status == SB_OK) status = hold_out_loss(&g->hold_out, &point->hold_out);
    sb_snapshot_restore(&g->carried);
    return status;
}

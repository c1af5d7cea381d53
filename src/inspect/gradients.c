#include "inspect/gradients.h"

#include "core/size.h"
#include "inspect/curvature/hold_out.h"
#include "net/models.h"
#include "train/snapshot.h"

#include <math.h>
#include <stdlib.h>

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
    if (status == SB_OK) status = sb_hold_out_open(&g->hold_out, setup, hold_out, n_hold_out);
    if (status == SB_OK)
        *opened = g;
    else
        sb_gradients_close(g);
    return status;
}

void sb_gradients_close(sb_gradients *g)
{
    if (!g) return;
    sb_hold_out_close(&g->hold_out);
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
    return sb_hold_out_loss(&g->hold_out, &point->hold_out_after[target]);
}

sb_status sb_gradients_compare(sb_gradients *g, const sb_window *window, long update, sb_gradient_point *point)
{
    sb_status status = SB_OK;
    *point = (sb_gradient_point){.all = g->pair, .tensor = g->pair + 1};
    point->hold_out_learned = sb_hold_out_learned(&g->hold_out, update - 1);
    sb_snapshot_take(&g->learned);
    sb_snapshot_take(&g->carried);
    for (sb_target target = 0; status == SB_OK && target < SB_N_TARGETS; target++) {
        status = try_target(g, window, update, target, point);
        sb_snapshot_restore(&g->learned);
        sb_snapshot_restore(&g->carried);
    }
    if (status == SB_OK) status = sb_hold_out_loss(&g->hold_out, &point->hold_out);
    sb_snapshot_restore(&g->carried);
    return status;
}

#include "train/evolve/evolve_parts.h"

#include "core/size.h"
#include "train/classify.h"

#include <math.h>
#include <stdlib.h>

enum { CANDIDATES = 10 }; /* for a fresh elite, next to the old one */

/* ---- opening ---- */

static sb_status check_fresh(const sb_setup *setup)
{
    const sb_settings *s = setup->options;
    if (!sb_setting_says(s->elite, "fresh") && !sb_setting_says(s->fitness_batch, "fresh")) return SB_OK;
    if (sb_loader_part_samples(setup->loader, SB_PART_HOLD_OUT) > 0) return SB_OK;
    if (sb_setting_says(s->elite, "fresh"))
        return sb_fail(SB_E_USAGE, "--elite fresh chooses by images that are held out: add --hold-out, as in "
                                   "--hold-out 5000");
    return sb_fail(SB_E_USAGE,
                   "--fitness-batch fresh: losses on other images do not compare from one generation to the "
                   "next; hold images out for that, as in --hold-out 5000");
}

static sb_status check(const sb_setup *setup)
{
    const sb_settings *s = setup->options;
    if (!setup->learner.net->classes.n)
        return sb_fail(SB_E_USAGE, "--search %s is for networks that classify: mlp, lenet, layers, resnet9; not %s",
                       s->search, s->model);
    if (s->shards != 1)
        return sb_fail(SB_E_USAGE, "--search %s has no gradients to add up: choose --shards 1", s->search);
    if (s->sync_every)
        return sb_fail(SB_E_USAGE, "--search %s makes no steps by gradients: leave --sync-every out", s->search);
    if (s->ulp)
        return sb_fail(SB_E_USAGE, "--ulp moves a start weight, and --search %s draws its own; leave it out",
                       s->search);
    if (sb_setting_says(s->early_stop, "on"))
        return sb_fail(SB_E_USAGE,
                       "--early-stop is for training by gradients; choose how many --updates --search %s does",
                       s->search);
    return check_fresh(setup);
}

/* Threads share the individuals where results do not depend on it. */
static sb_status open_nets(sb_evolution *e)
{
    const sb_settings *s = e->setup->options;
    const bool by_thread =
        sb_backend_find(s->backend)->in_written_order && e->setup->ops->host_memory && s->threads > 1;
    e->n_nets = by_thread ? (int)s->threads : 1;
    e->net = sb_size_allocate((size_t)e->n_nets, sizeof(sb_net *));
    e->ops = sb_size_allocate((size_t)e->n_nets, sizeof(sb_ops *));
    if (!e->net || !e->ops) return sb_fail(SB_E_MEMORY, "not enough memory for %d networks", e->n_nets);
    if (!by_thread) e->net[0] = e->setup->learner.net;
    for (int i = 0; i < e->n_nets && by_thread; i++) SB_TRY(sb_setup_open_twin(e->setup, &e->ops[i], &e->net[i]));
    return SB_OK;
}

static sb_status open_parts(sb_evolution *e)
{
    const sb_settings *s = e->setup->options;
    const sb_net *net = e->setup->learner.net;
    const sb_population_plan plan = {.n = s->population,
                                     .truncation = sb_setting_says(s->search, "random-search") ? 0 : s->truncation,
                                     .sigma = s->sigma,
                                     .n_noise = (size_t)s->noise_table,
                                     .seed = (uint64_t)s->seed,
                                     .ranks = e->setup->ranks};
    SB_TRY(check(e->setup));
    SB_TRY(sb_population_open(&e->population, e->setup->ops, &net->params, &plan));
    net->ops->copy(net->ops, e->population.elite.weight, net->weight, net->params.total * sizeof(sb_real));
    return open_nets(e);
}

static sb_status begin(sb_trainer *trainer)
{
    const sb_settings *s = trainer->setup->options;
    sb_evolution *e = calloc(1, sizeof *e);
    if (!e) return sb_fail(SB_E_MEMORY, "not enough memory for an evolution");
    trainer->own = e;
    e->setup = trainer->setup, e->lists = trainer->lists;
    e->has_one_batch = trainer->has_one_batch = !sb_setting_says(s->fitness_batch, "fresh");
    e->has_fresh_elite = sb_setting_says(s->elite, "fresh");
    trainer->n_passes = s->population;
    return open_parts(e);
}

static void end(sb_trainer *trainer)
{
    sb_evolution *e = trainer->own;
    if (!e) return;
    for (int i = 0; i < e->n_nets && e->ops && e->net; i++) {
        if (e->net[i] != e->setup->learner.net) sb_net_close(e->net[i]);
        sb_backend_close(e->ops[i]);
    }
    free(e->net);
    free(e->ops);
    sb_population_close(&e->population);
    for (int k = 0; k < SB_N_CHOSEN; k++) free(e->chosen[k]);
    free(e);
}

/* ---- the elite ---- */

/* The learner's network has these weights, and an average of them is they themselves. */
static void show_weights(sb_evolution *e, const sb_real *weight)
{
    sb_net *net = e->setup->learner.net;
    if (weight != net->weight) net->ops->copy(net->ops, net->weight, weight, net->params.total * sizeof *weight);
    sb_average_start(&e->setup->learner.average);
}

/* The mean cross-entropy of the held-out images; what is no number loses against all that is one. */
static sb_status held_out_loss(sb_evolution *e, const sb_real *weight, double *loss)
{
    sb_classification found;
    show_weights(e, weight);
    SB_TRY(sb_classify(e->setup, SB_PART_HOLD_OUT, &found));
    free(found.predicted);
    *loss = isnan(found.cross_entropy) ? INFINITY : found.cross_entropy;
    return SB_OK;
}

/* The best on the held-out images, of equal ones the one of the lower rank; the old elite comes last. */
static sb_status choose_fresh(sb_evolution *e, long *rank)
{
    sb_population *p = &e->population;
    sb_real *weight = e->setup->learner.net->weight;
    double least = INFINITY, loss;
    *rank = 0;
    for (long k = 0; k < CANDIDATES && k < p->plan.n; k++) {
        sb_population_weights(p, k, weight);
        SB_TRY(held_out_loss(e, weight, &loss));
        if (loss < least) least = loss, *rank = k;
    }
    if (!p->elite.genome.n) return SB_OK;
    SB_TRY(held_out_loss(e, p->elite.weight, &loss));
    if (loss < least) *rank = -1;
    return SB_OK;
}

/* Among random genomes the best so far, if all losses use the same images. */
static sb_status choose_elite(sb_evolution *e, long *rank)
{
    const sb_population *p = &e->population;
    if (e->has_fresh_elite) return choose_fresh(e, rank);
    const bool has_old = p->plan.truncation == 0 && p->elite.genome.n && e->has_one_batch;
    *rank = has_old && !(p->ranked[0].loss < p->elite_loss) ? -1 : 0;
    return SB_OK;
}

/* ---- a generation ---- */

/* One row more of the parents. */
sb_status sb_evolution_reserve(sb_evolution *evolution, size_t n_rows)
{
    sb_evolution *e = evolution;
    const size_t n_parents = (size_t)e->population.plan.truncation;
    size_t n;
    if (n_rows <= e->chosen_capacity || n_parents == 0) return SB_OK;
    const size_t capacity = 2 * n_rows + 16;
    for (int k = 0; k < SB_N_CHOSEN; k++) {
        int64_t *chosen =
            sb_size_multiply(capacity, n_parents, &n) ? sb_size_grow(e->chosen[k], n, sizeof *chosen) : NULL;
        if (!chosen) return sb_fail(SB_E_MEMORY, "not enough memory for the parents of %zu generations", n_rows);
        e->chosen[k] = chosen;
    }
    e->chosen_capacity = capacity;
    return SB_OK;
}

static double median(const sb_population *p)
{
    const size_t n = (size_t)p->plan.n;
    const double upper = p->ranked[n / 2].loss;
    return n % 2 ? upper : (p->ranked[n / 2 - 1].loss + upper) / 2;
}

static sb_status add_row(sb_evolution *e, long elite_rank)
{
    const sb_population *p = &e->population;
    const size_t n_parents = (size_t)p->plan.truncation, at = sb_evolution_length(e) * n_parents;
    const double chosen = sb_population_chosen(p), refused = sb_population_refused(p);
    const sb_run_generation row = {.elite = elite_rank < 0 ? -1 : p->ranked[elite_rank].number,
                                   .best = p->ranked[0].loss,
                                   .median = median(p),
                                   .worst = p->ranked[p->plan.n - 1].loss,
                                   .chosen = chosen,
                                   .refused = refused,
                                   .gap = refused - chosen};
    SB_TRY(sb_evolution_reserve(e, sb_evolution_length(e) + 1));
    for (size_t k = 0; k < n_parents; k++) {
        e->chosen[SB_CHOSEN_INDIVIDUAL][at + k] = p->ranked[k].number;
        e->chosen[SB_CHOSEN_PARENT][at + k] = p->ranked[k].parent;
        e->chosen[SB_CHOSEN_PLACE][at + k] = p->ranked[k].place;
    }
    return sb_run_lists_add(e->lists, SB_RUN_LIST_evolution, &row);
}

static sb_status do_generation(sb_evolution *e, const sb_window *window, long *elite_rank)
{
    SB_TRY(sb_population_judge(&e->population, e->net, e->n_nets, window));
    SB_TRY(choose_elite(e, elite_rank));
    SB_TRY(add_row(e, *elite_rank));
    return sb_population_advance(&e->population, *elite_rank);
}

static sb_status update(sb_trainer *trainer, const sb_batch *batch, long number, sb_gradient gradient,
                        sb_step_result *result)
{
    (void)number, (void)gradient;
    sb_evolution *e = trainer->own;
    const sb_population *p = &e->population;
    long elite_rank;
    const sb_status status = do_generation(e, &batch->shard[0], &elite_rank);
    show_weights(e, p->elite.weight);
    if (status != SB_OK) return status;
    const bool is_best_so_far = p->plan.truncation == 0 && e->has_one_batch && !e->has_fresh_elite;
    const double loss = is_best_so_far ? p->elite_loss : p->ranked[0].loss;
    *result = (sb_step_result){.loss_last = loss,
                               .loss_mean = loss,
                               .grad_norm = NAN,
                               .cross_entropy = loss,
                               .correct = is_best_so_far ? p->elite_correct : p->ranked[0].correct};
    return e->setup->ops->error(e->setup->ops);
}

/* In an entry of the chain the genomes that the next generation comes from are in place of the gradient. */
static sb_status state(sb_trainer *trainer, const sb_trainer_state_use *use)
{
    sb_evolution *e = trainer->own;
    if (use->link) {
        SB_TRY(sb_learner_link(&e->setup->learner, use->link->batch, use->link));
        SB_TRY(sb_population_hash(&e->population, &use->link->gradient));
    }
    if (use->write) SB_TRY(sb_evolution_write(e, use->write));
    if (use->read) SB_TRY(sb_evolution_read(e, use->read));
    return use->share ? sb_ranks_agree(use->share, sb_evolution_share(e)) : SB_OK;
}

static bool is_wanted(const sb_settings *settings)
{
    return !sb_settings_use_gradients(settings);
}

const sb_trainer_kind sb_trainer_evolution = {begin, update, state, end, is_wanted, false, false, "sigma"};

#include "train/evolve/population.h"

#include "backend/backend.h"
#include "core/machine/interrupt.h"
#include "core/random.h"
#include "core/size.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static sb_status check_plan(const sb_population_plan *plan)
{
    if (plan->truncation <= plan->n) return SB_OK;
    return sb_fail(SB_E_USAGE,
                   "--truncation %ld parents cannot be chosen from --population %ld; choose at most that number",
                   plan->truncation, plan->n);
}

static sb_status take_lists(sb_population *p)
{
    const size_t n = (size_t)p->plan.n, n_parents = (size_t)p->plan.truncation;
    p->ranked = sb_size_allocate(n, sizeof *p->ranked);
    p->parent = sb_size_allocate(n_parents, sizeof *p->parent);
    p->next = sb_size_allocate(n_parents, sizeof *p->next);
    p->found = sb_size_allocate(n, sizeof *p->found);
    if (p->ranked && p->parent && p->next && p->found) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for %ld individuals", p->plan.n);
}

static sb_status take_weights(sb_population *p)
{
    const size_t n_parents = (size_t)p->plan.truncation, total = p->decoder.params->total;
    size_t n_bytes;
    if (!sb_size_multiply((2 * n_parents + 1) * sizeof *p->memory, total, &n_bytes)) n_bytes = SB_SIZE_MAX;
    p->memory = p->ops->allocate(p->ops, n_bytes);
    if (!p->memory)
        return sb_fail(SB_E_MEMORY, "not enough memory for the weights of %ld parents; choose a smaller --truncation",
                       p->plan.truncation);
    p->elite.weight = p->memory;
    for (size_t k = 0; k < n_parents; k++) {
        p->parent[k].weight = p->memory + (1 + k) * total;
        p->next[k].weight = p->memory + (1 + n_parents + k) * total;
    }
    return SB_OK;
}

sb_status sb_population_open(sb_population *population, sb_ops *ops, const sb_params *params,
                             const sb_population_plan *plan)
{
    sb_population *p = population;
    *p = (sb_population){.plan = *plan, .ops = ops, .elite_loss = NAN};
    sb_status status = check_plan(plan);
    if (status == SB_OK) status = sb_decoder_open(&p->decoder, ops, params, plan->n_noise, plan->sigma);
    if (status == SB_OK) status = take_lists(p);
    if (status == SB_OK) status = take_weights(p);
    if (status != SB_OK) sb_population_close(p);
    return status;
}

void sb_population_close(sb_population *population)
{
    sb_population *p = population;
    for (long k = 0; k < p->plan.truncation; k++) {
        if (p->parent) sb_genome_free(&p->parent[k].genome);
        if (p->next) sb_genome_free(&p->next[k].genome);
    }
    sb_genome_free(&p->elite.genome);
    if (p->memory) p->ops->release(p->ops, p->memory);
    sb_decoder_close(&p->decoder);
    free(p->ranked);
    free(p->parent);
    free(p->next);
    free(p->found);
    *p = (sb_population){0};
}

/* ---- individuals ---- */

/* A mutation of a parent, in a generation after the first of Deep GA. */
static bool has_parents(const sb_population *p)
{
    return p->generation > 0 && p->plan.truncation > 0;
}

typedef struct draw {
    long rank; /* of the parent; -1: none */
    uint32_t place;
    bool is_elite;
} draw;

static draw draw_of(const sb_population *p, int64_t number)
{
    const uint32_t stream = SB_STREAM_GENERATION + (uint32_t)p->generation;
    const sb_random4 words = sb_random_words(p->plan.seed, stream, (uint64_t)number);
    draw d = {.rank = -1, .place = sb_random_integer(words.word[1], sb_decoder_places(&p->decoder))};
    if (!has_parents(p)) return d;
    d.is_elite = number == 0;
    if (!d.is_elite) d.rank = sb_random_integer(words.word[0], (uint32_t)p->plan.truncation);
    return d;
}

/* By a team. */
static void form(const sb_population *p, sb_ops *ops, draw d, sb_real *to)
{
    if (d.is_elite)
        ops->copy(ops, to, p->elite.weight, p->decoder.params->total * sizeof *to);
    else if (d.rank < 0)
        sb_decoder_start(&p->decoder, ops, d.place, to);
    else
        sb_decoder_mutate(&p->decoder, ops, d.place, p->parent[d.rank].weight, to);
}

static sb_individual individual_of(const sb_population *p, int64_t number)
{
    const draw d = draw_of(p, number);
    return (sb_individual){.number = number,
                           .parent = d.rank < 0 ? -1 : p->parent[d.rank].number,
                           .place = d.is_elite ? -1 : (int64_t)d.place};
}

void sb_population_weights(const sb_population *population, long rank, sb_real *to)
{
    const draw d = draw_of(population, population->ranked[rank].number);
#pragma omp parallel num_threads(sb_backend_threads(population->ops))
    form(population, population->ops, d, to);
}

/* ---- a generation ---- */

/* Weights, one pass forward, and the mean over the images. All of it by a team of the network's own, also where it
 * consists of one thread: operations share their work among the innermost team. */
static sb_status judge_one(const sb_population *p, sb_net *net, const sb_window *window, sb_individual *individual)
{
    sb_ops *ops = net->ops;
    double total[SB_N_TOTALS];
    const draw d = draw_of(p, individual->number);
    if (sb_interrupt_signal()) return sb_fail(SB_E_INTERRUPTED, "stopped within generation %ld", p->generation);
    sb_backend_begin(ops, 0);
#pragma omp parallel num_threads(sb_backend_threads(ops))
    {
        form(p, ops, d, net->weight);
        net->infer(net, window);
        ops->to_host(ops, total, net->loss, sizeof total);
    }
    SB_TRY(ops->error(ops));
    individual->loss = total[SB_TOTAL_ENTROPY] / window->n;
    individual->correct = total[SB_TOTAL_CORRECT];
    return SB_OK;
}

/* By loss, equal ones by number, what is no number last. */
static int by_loss(const void *left, const void *right)
{
    const sb_individual *a = left, *b = right;
    const bool a_is_nan = isnan(a->loss), b_is_nan = isnan(b->loss);
    if (a_is_nan != b_is_nan) return a_is_nan ? 1 : -1;
    if (!a_is_nan && a->loss != b->loss) return a->loss < b->loss ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* What went wrong in another thread, said by this one. */
typedef struct failure {
    sb_status status;
    char message[512];
} failure;

static void note(failure *first, sb_status status)
{
#pragma omp critical(sb_population_failure)
    if (first->status == SB_OK) {
        first->status = status;
        strncpy(first->message, sb_message(), sizeof first->message - 1);
    }
}

/* The individuals of this rank, all of them of one process. */
static sb_status judge_slice(sb_population *p, sb_net *const *nets, int n_nets, const sb_window *window)
{
    const sb_slice own = sb_ranks_slice(p->plan.ranks, (size_t)p->plan.n, sb_ranks_rank(p->plan.ranks));
    failure failed = {SB_OK, ""};
#pragma omp parallel num_threads(n_nets)
    {
        sb_net *net = nets[omp_get_thread_num()];
#pragma omp for schedule(dynamic)
        for (size_t i = own.first; i < own.first + own.n; i++) {
            const sb_status status = judge_one(p, net, window, &p->ranked[i]);
            if (status != SB_OK) note(&failed, status);
        }
    }
    return failed.status == SB_OK ? SB_OK : sb_fail(failed.status, "%s", failed.message);
}

/* Did every rank judge its slice? One that was asked to stop stops all. */
static sb_status agree(const sb_population *p, sb_status status)
{
    sb_ranks *ranks = p->plan.ranks;
    int signal[SB_RANKS_MAX];
    if (!ranks) return status;
    signal[sb_ranks_rank(ranks)] = sb_interrupt_signal();
    SB_TRY(sb_ranks_collect(ranks, signal, sizeof *signal));
    for (int r = 0; r < sb_ranks_size(ranks); r++)
        if (signal[r]) sb_interrupt_adopt(signal[r]);
    return sb_ranks_agree(ranks, status);
}

/* The losses of all slices to all ranks; number, parent and place each rank has drawn itself. */
static sb_status gather(sb_population *p)
{
    const size_t n = (size_t)p->plan.n;
    if (!p->plan.ranks) return SB_OK;
    for (size_t i = 0; i < n; i++) p->found[i] = (sb_found){p->ranked[i].loss, p->ranked[i].correct};
    SB_TRY(sb_ranks_gather(p->plan.ranks, p->found, n, sizeof *p->found));
    for (size_t i = 0; i < n; i++) p->ranked[i].loss = p->found[i].loss, p->ranked[i].correct = p->found[i].correct;
    return SB_OK;
}

sb_status sb_population_judge(sb_population *population, sb_net *const *nets, int n_nets, const sb_window *window)
{
    sb_population *p = population;
    assert(n_nets == 1 || sb_backend_threads(nets[0]->ops) == 1);
    if (p->generation >= SB_GENERATIONS_MOST)
        return sb_fail(SB_E_USAGE, "random numbers are for %d generations", SB_GENERATIONS_MOST);
    for (long i = 0; i < p->plan.n; i++) p->ranked[i] = individual_of(p, i);
    SB_TRY(agree(p, judge_slice(p, nets, n_nets, window)));
    SB_TRY(gather(p));
    qsort(p->ranked, (size_t)p->plan.n, sizeof *p->ranked, by_loss);
    return SB_OK;
}

/* ---- from one generation to the next ---- */

/* The genome of the individual of that rank. */
static sb_status genome_of(const sb_population *p, long rank, sb_genome *genome)
{
    const draw d = draw_of(p, p->ranked[rank].number);
    if (d.is_elite) return sb_genome_copy(genome, &p->elite.genome);
    genome->n = 0;
    if (d.rank >= 0) SB_TRY(sb_genome_copy(genome, &p->parent[d.rank].genome));
    return sb_genome_add(genome, d.place);
}

static sb_status choose(const sb_population *p, long rank, sb_lineage *chosen)
{
    SB_TRY(genome_of(p, rank, &chosen->genome));
    chosen->number = p->ranked[rank].number;
    sb_population_weights(p, rank, chosen->weight);
    return SB_OK;
}

/* The parents first: one of them may be the old elite. What is the elite already stays as it is. */
static sb_status choose_all(sb_population *p, long elite_rank)
{
    for (long k = 0; k < p->plan.truncation; k++) SB_TRY(choose(p, k, &p->next[k]));
    if (elite_rank < 0) return SB_OK;
    p->elite_loss = p->ranked[elite_rank].loss, p->elite_correct = p->ranked[elite_rank].correct;
    if (!draw_of(p, p->ranked[elite_rank].number).is_elite) return choose(p, elite_rank, &p->elite);
    p->elite.number = p->ranked[elite_rank].number;
    return SB_OK;
}

sb_status sb_population_advance(sb_population *population, long elite_rank)
{
    sb_population *p = population;
    SB_TRY(choose_all(p, elite_rank));
    sb_lineage *was = p->parent;
    p->parent = p->next, p->next = was;
    p->generation++;
    return p->ops->error(p->ops);
}

double sb_population_chosen(const sb_population *population)
{
    const long n = population->plan.truncation;
    return n ? population->ranked[n - 1].loss : NAN;
}

double sb_population_refused(const sb_population *population)
{
    const long n = population->plan.truncation;
    return n && n < population->plan.n ? population->ranked[n].loss : NAN;
}

/* ---- hash, after reading, and to the other ranks ---- */

static void add_genome(sb_hasher *hasher, const sb_genome *genome)
{
    const uint64_t n = genome->n;
    sb_hasher_add(hasher, &n, 1, sizeof n);
    sb_hasher_add(hasher, genome->place, genome->n, sizeof *genome->place);
}

sb_status sb_population_hash(const sb_population *population, sb_hash *hash)
{
    sb_hasher *hasher = sb_hasher_begin();
    if (!hasher) return sb_fail(SB_E_MEMORY, "not enough memory for a hash");
    for (long k = 0; k < population->plan.truncation; k++) add_genome(hasher, &population->parent[k].genome);
    add_genome(hasher, &population->elite.genome);
    *hash = sb_hasher_end(hasher);
    return SB_OK;
}

void sb_population_rebuild(sb_population *population)
{
    sb_population *p = population;
    for (long k = 0; k < p->plan.truncation; k++)
        if (p->parent[k].genome.n) sb_decoder_rebuild(&p->decoder, &p->parent[k].genome, p->parent[k].weight);
    if (p->elite.genome.n) sb_decoder_rebuild(&p->decoder, &p->elite.genome, p->elite.weight);
}

/* Of the elite and the parents, in this order. */
static sb_lineage *lineage(sb_population *p, long k)
{
    return k ? &p->parent[k - 1] : &p->elite;
}

static sb_status share_genome(sb_population *p, sb_lineage *of)
{
    sb_ranks *ranks = p->plan.ranks;
    int64_t row[2] = {(int64_t)of->genome.n, of->number};
    sb_status status = SB_OK;
    SB_TRY(sb_ranks_share(ranks, 0, row, sizeof row));
    if (sb_ranks_rank(ranks) != 0) of->genome.n = 0, of->number = row[1];
    while (status == SB_OK && of->genome.n < (size_t)row[0]) status = sb_genome_add(&of->genome, 0);
    SB_TRY(sb_ranks_agree(ranks, status));
    return sb_ranks_share(ranks, 0, of->genome.place, of->genome.n * sizeof *of->genome.place);
}

sb_status sb_population_share(sb_population *population)
{
    sb_population *p = population;
    sb_ranks *ranks = p->plan.ranks;
    int64_t generation = p->generation;
    double result[2] = {p->elite_loss, p->elite_correct};
    if (!ranks) return SB_OK;
    SB_TRY(sb_ranks_share(ranks, 0, &generation, sizeof generation));
    SB_TRY(sb_ranks_share(ranks, 0, result, sizeof result));
    for (long k = 0; k <= p->plan.truncation; k++) SB_TRY(share_genome(p, lineage(p, k)));
    if (sb_ranks_rank(ranks) == 0) return SB_OK;
    p->generation = (long)generation;
    p->elite_loss = result[0], p->elite_correct = result[1];
    sb_population_rebuild(p);
    return p->ops->error(p->ops);
}

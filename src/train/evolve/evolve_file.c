/* /evolution of a run file: a row for each generation, its parents, and the genomes that the next one comes from. */
#include "train/evolve/evolve_parts.h"

#include "core/size.h"

#include <string.h>

static const char *const chosen_names[SB_N_CHOSEN] = {[SB_CHOSEN_INDIVIDUAL] = "evolution/individual",
                                                      [SB_CHOSEN_PARENT] = "evolution/parent",
                                                      [SB_CHOSEN_PLACE] = "evolution/place"};

/* Lineage 0 is the elite, k > 0 parent k - 1. */
static const sb_lineage *lineage(const sb_population *p, size_t k)
{
    return k ? &p->parent[k - 1] : &p->elite;
}

/* ---- writing ---- */

static sb_status write_genomes(const sb_population *p, sb_h5 *file)
{
    const size_t n = 1 + (size_t)p->plan.truncation;
    size_t longest = 0, elements;
    for (size_t k = 0; k < n; k++)
        if (lineage(p, k)->genome.n > longest) longest = lineage(p, k)->genome.n;
    if (!sb_size_multiply(n, longest, &elements)) elements = SB_SIZE_MAX;
    SB_FREED int64_t *place = sb_size_allocate(elements, sizeof *place);
    if (!place) return sb_fail(SB_E_MEMORY, "%s: not enough memory for the genomes", sb_h5_path(file));
    for (size_t k = 0; k < n; k++) {
        const sb_genome *genome = &lineage(p, k)->genome;
        for (size_t i = 0; i < longest; i++) place[k * longest + i] = i < genome->n ? (int64_t)genome->place[i] : -1;
    }
    const sb_status status =
        sb_h5_write(file, "evolution/genome", SB_I64, 2, (size_t[]){n, longest}, place, SB_H5_PACKED);
    return status;
}

sb_status sb_evolution_write(const sb_evolution *evolution, sb_h5 *file)
{
    const sb_evolution *e = evolution;
    const sb_population *p = &e->population;
    const size_t dim[2] = {sb_evolution_length(e), (size_t)p->plan.truncation};
    const double result[2] = {p->elite_loss, p->elite_correct};
    if (sb_evolution_length(e) == 0) return SB_OK;
    for (int k = 0; k < SB_N_CHOSEN && dim[1]; k++)
        SB_TRY(sb_h5_write(file, chosen_names[k], SB_I64, 2, dim, e->chosen[k], SB_H5_PACKED));
    SB_TRY(sb_h5_write(file, "evolution/elite_result", SB_F64, 1, (size_t[]){2}, result, SB_H5_PLAIN));
    return write_genomes(p, file);
}

/* ---- reading ---- */

static sb_status fail(sb_h5 *file, const char *what)
{
    return sb_fail(SB_E_INTEGRITY, "%s: /evolution %s", sb_h5_path(file), what);
}

/* A genome has one place at least, and ends where the first -1 is. */
static sb_status read_genome(const sb_population *p, sb_h5 *file, const int64_t *place, size_t longest,
                             sb_genome *genome)
{
    const int64_t n_places = sb_decoder_places(&p->decoder);
    size_t n = 0;
    while (n < longest && place[n] >= 0) n++;
    if (n == 0 || n > (size_t)p->generation)
        return fail(file, "has a genome of a length that its generation cannot have");
    genome->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (place[i] >= n_places) return fail(file, "has a genome with a place after the end of the table");
        SB_TRY(sb_genome_add(genome, (uint32_t)place[i]));
    }
    return SB_OK;
}

static sb_status read_genomes(sb_evolution *e, sb_h5 *file)
{
    sb_population *p = &e->population;
    const size_t n = 1 + (size_t)p->plan.truncation;
    sb_h5_shape shape;
    SB_TRY(sb_h5_shape_of(file, "evolution/genome", &shape));
    if (shape.rank != 2 || shape.dim[0] != n) return fail(file, "has other genomes than those of elite and parents");
    SB_FREED int64_t *place = NULL;
    SB_TRY(sb_h5_read_new(file, "evolution/genome", SB_I64, shape.n, &place));
    for (size_t k = 0; k < n; k++) {
        sb_lineage *to = k ? &p->parent[k - 1] : &p->elite;
        SB_TRY(read_genome(p, file, place + k * shape.dim[1], shape.dim[1], &to->genome));
        if (k) to->number = e->chosen[SB_CHOSEN_INDIVIDUAL][(sb_evolution_length(e) - 1) * (n - 1) + k - 1];
    }
    return SB_OK;
}

/* Weights that are rebuilt are those that the run had, which the learner's network was given. */
static sb_status compare_weights(const sb_evolution *e, bool *same)
{
    const sb_learner *learner = &e->setup->learner;
    SB_FREED void *free_own = NULL, *free_elite = NULL;
    const sb_real *own, *elite;
    SB_TRY(sb_learner_host_block(learner, learner->net->weight, &own, &free_own));
    SB_TRY(sb_learner_host_block(learner, e->population.elite.weight, &elite, &free_elite));
    *same = memcmp(own, elite, learner->net->params.total * sizeof *own) == 0;
    return SB_OK;
}

static sb_status read_rows(sb_evolution *e, sb_h5 *file)
{
    const size_t n_parents = (size_t)e->population.plan.truncation;
    size_t n;
    double result[2];
    SB_TRY(sb_evolution_reserve(e, sb_evolution_length(e)));
    if (!sb_size_multiply(sb_evolution_length(e), n_parents, &n)) n = SB_SIZE_MAX;
    for (int k = 0; k < SB_N_CHOSEN && n_parents; k++)
        SB_TRY(sb_h5_read(file, chosen_names[k], SB_I64, n, e->chosen[k]));
    SB_TRY(sb_h5_read(file, "evolution/elite_result", SB_F64, 2, result));
    e->population.elite_loss = result[0], e->population.elite_correct = result[1];
    e->population.generation = (long)sb_evolution_length(e);
    return read_genomes(e, file);
}

sb_status sb_evolution_read(sb_evolution *evolution, sb_h5 *file)
{
    sb_evolution *e = evolution;
    bool same;
    if (sb_evolution_length(e) == 0) return SB_OK;
    SB_TRY(read_rows(e, file));
    sb_population_rebuild(&e->population);
    SB_TRY(e->setup->ops->error(e->setup->ops));
    SB_TRY(compare_weights(e, &same));
    if (same) return SB_OK;
    return fail(file, "has a genome that the weights in /param do not come from: this machine does not repeat its own "
                      "bits, or the file was changed");
}

/* ---- to the other ranks ---- */

sb_status sb_evolution_share(sb_evolution *evolution)
{
    sb_evolution *e = evolution;
    bool same = true;
    SB_TRY(sb_population_share(&e->population));
    if (e->population.elite.genome.n) SB_TRY(compare_weights(e, &same));
    if (same) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "the genome of the elite gives other weights here than on rank 0: this machine "
                                   "computes otherwise, or its memory fails");
}

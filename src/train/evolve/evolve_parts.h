/* A training without gradients, generation by generation: a population (population.h), the networks that judge it, and
 * what a run file keeps of it. An update of the run is a generation; after it the learner's network is the elite. On a
 * CPU's native backend each thread has a network of its own and judges individuals alone; elsewhere all threads judge
 * one after the other. Ranks share the individuals. The losses of an update are its best individual's; of random
 * search with one batch those of the best so far. A failure, SB_E_INTERRUPTED among them, leaves the elite as it was. */
#ifndef SB_TRAIN_EVOLVE_PARTS_H
#define SB_TRAIN_EVOLVE_PARTS_H

#include "io/run/run_table.h"
#include "io/run/runfile.h"
#include "train/evolve/population.h"
#include "train/trainer.h"

/* Of the individuals chosen as parents, by rank: a column [generations][parents] of a run file each. */
enum { SB_CHOSEN_INDIVIDUAL, SB_CHOSEN_PARENT, SB_CHOSEN_PLACE, SB_N_CHOSEN };

typedef struct sb_evolution {
    sb_setup *setup;
    sb_population population;
    bool has_one_batch, has_fresh_elite;
    int n_nets;
    sb_net **net;                 /* [n_nets]; the learner's alone, or one for each thread */
    sb_ops **ops;                 /* [n_nets], of the nets that are not the learner's */
    sb_run_lists *lists;          /* the caller's */
    int64_t *chosen[SB_N_CHOSEN]; /* [generations][truncation] each */
    size_t chosen_capacity;       /* rows */
} sb_evolution;

/* Generations so far. */
static inline size_t sb_evolution_length(const sb_evolution *evolution)
{
    return evolution->lists->of[SB_RUN_LIST_evolution].n;
}

/* Room for this many rows of the parents. */
sb_status sb_evolution_reserve(sb_evolution *evolution, size_t n_rows);

/* What /evolution of a run file has in addition to its rows (evolve_file.c). Reading also rebuilds the weights from their
 * genomes; SB_E_INTEGRITY where they are not the weights of the learner's network. */
sb_status sb_evolution_write(const sb_evolution *evolution, sb_h5 *file);
sb_status sb_evolution_read(sb_evolution *evolution, sb_h5 *file);

/* From rank 0 to the other ranks, but for the rows. SB_E_INTEGRITY: the genome of the elite gives other weights here. */
sb_status sb_evolution_share(sb_evolution *evolution);

#endif

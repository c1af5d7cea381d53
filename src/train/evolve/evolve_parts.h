/* Training without gradients: a population (population.h), the networks that evaluate it, and what a run file stores of
 * it. An update of the run is a generation; after it the learner's network has the weights of the elite. On the native
 * backend each thread has its own network and evaluates individuals alone; on other backends all threads evaluate one
 * individual at a time. Ranks divide the individuals among them. The losses of an update are its best individual's; for
 * random search with one batch, the losses of the best individual so far. After a failure, also SB_E_INTERRUPTED, the
 * elite is unchanged. */
#pragma once

#include "io/run/run_table.h"
#include "io/run/runfile.h"
#include "train/evolve/population.h"
#include "train/trainer.h"

/* Data of the individuals chosen as parents, by rank: each is a column [generations][parents] of a run file. */
enum { SB_CHOSEN_INDIVIDUAL, SB_CHOSEN_PARENT, SB_CHOSEN_PLACE, SB_N_CHOSEN };

typedef struct sb_evolution {
    sb_setup *setup;
    sb_population population;
    bool has_one_batch, has_fresh_elite;
    int n_nets;
    sb_net **net;                 /* [n_nets]; only the learner's network, or one for each thread */
    sb_ops **ops;                 /* [n_nets], backends of the networks that are not the learner's */
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

/* Write or read the part of /evolution in a run file that is not rows (evolve_file.c). Reading also rebuilds the
 * weights from their genomes. SB_E_INTEGRITY: they are not the weights of the learner's network. */
sb_status sb_evolution_write(const sb_evolution *evolution, sb_h5 *file);
sb_status sb_evolution_read(sb_evolution *evolution, sb_h5 *file);

/* Copy the evolution, without the rows, from rank 0 to all other ranks. SB_E_INTEGRITY: on this rank the genome of the
 * elite gives other weights. */
sb_status sb_evolution_share(sb_evolution *evolution);

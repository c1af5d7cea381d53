/* What the files of an evolution share. */
#ifndef SB_TRAIN_EVOLVE_PARTS_H
#define SB_TRAIN_EVOLVE_PARTS_H

#include "io/run/run_table.h"
#include "io/run/runfile.h"
#include "train/evolve/evolve.h"
#include "train/evolve/population.h"

/* Of the individuals chosen as parents, by rank: a column [generations][parents] of a run file each. */
enum { SB_CHOSEN_INDIVIDUAL, SB_CHOSEN_PARENT, SB_CHOSEN_PLACE, SB_N_CHOSEN };

struct sb_evolution {
    sb_setup *setup;
    sb_population population;
    bool has_one_batch, has_fresh_elite;
    int n_nets;
    sb_net **net;                 /* [n_nets]; the learner's alone, or one for each thread */
    sb_ops **ops;                 /* [n_nets], of the nets that are not the learner's */
    sb_run_lists *lists;          /* the caller's */
    int64_t *chosen[SB_N_CHOSEN]; /* [generations][truncation] each */
    size_t chosen_capacity;       /* rows */
};

/* Generations so far. */
static inline size_t sb_evolution_length(const sb_evolution *evolution)
{
    return evolution->lists->of[SB_RUN_LIST_evolution].n;
}

/* Room for so many rows of the parents. */
sb_status sb_evolution_reserve(sb_evolution *evolution, size_t n_rows);

#endif

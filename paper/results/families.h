/* Who descends from whom in runs of Deep GA: parents.csv as a family for each run. There is no crossover, so that
 * everybody has one ancestor in each generation. */
#pragma once

#include "core/status.h"
#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>

/* One that was chosen as a parent. */
typedef struct sb_kin {
    long generation, rank; /* rank 0 is the best */
    long individual;       /* its number in the generation */
    size_t parent;         /* the family's; SB_NO_KIN: of none that was chosen, as in the first generation */
    bool is_of_champion;   /* the best of the last generation, or an ancestor of it */
} sb_kin;

#define SB_NO_KIN SIZE_MAX

typedef struct sb_family {
    const sb_result *cell;
    bool is_first; /* of its arm (curves.h) in cells.csv */
    size_t n;
    sb_kin *kin;   /* by generation and rank */
    long n_ranks;  /* the largest rank, and 1 */
    long ancestor; /* the last generation in which all of the last one have the same ancestor; -1: there is none */
} sb_family;

typedef struct sb_families { /* {0} holds none */
    size_t n;
    sb_family *family; /* in the order of cells.csv */
} sb_families;

/* FOLDER/parents.csv; no such file is no families. SB_E_INTEGRITY: a row makes no sense, or names a cell that is none
 * of the results. A failed call leaves nothing to free. */
sb_status sb_families_read(sb_families *families, const char *folder, const sb_results *results);
void sb_families_free(sb_families *families);

typedef struct sb_turn {
    const sb_result *reference, *cell;
    long generation; /* -1: none */
} sb_turn;

typedef struct sb_turn_arm {
    const sb_result *reference, *cell; /* the first pair */
    long generations;                  /* that were compared, of the longest pair */
    size_t n, n_turned;                /* pairs */
    sb_turn *turn;                     /* [n] */
} sb_turn_arm;

typedef struct sb_turns { /* {0} holds none */
    size_t n;
    sb_turn_arm *arm; /* in the order of cells.csv */
} sb_turns;

/* Of all families that begin with the first generation. The families' cells must outlive it. A failed call leaves
 * nothing to free. */
sb_status sb_turns_find(sb_turns *turns, const sb_families *families);
void sb_turns_free(sb_turns *turns);

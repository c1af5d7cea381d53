/* Where arithmetic turned a comparison in a run of Deep GA: the first generation in which its parents, by rank, are others
 * than in the run from the same seed in the reference condition, which is the first one of the recipe in cells.csv. */
#ifndef SB_PAPER_RESULTS_TURNS_H
#define SB_PAPER_RESULTS_TURNS_H

#include "core/status.h"
#include "paper/results/families.h"

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

#endif

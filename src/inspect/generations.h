/* The generations of a run without gradients, as its file has them, and where two runs chose other parents. */
#ifndef SB_INSPECT_GENERATIONS_H
#define SB_INSPECT_GENERATIONS_H

#include "io/h5.h"

#include <stdbool.h>

typedef struct sb_generations { /* {0}: of a run by gradients, or of random search */
    size_t n, n_parents;
    int64_t *individual;  /* [n][n_parents] chosen as parents, ascending in each generation: a set */
    double *chosen, *gap; /* [n]: loss of the last one chosen, and by how much that of the first refused is larger */
} sb_generations;

/* A failed call leaves nothing to free. */
sb_status sb_generations_read(sb_generations *generations, sb_h5 *run);
void sb_generations_free(sb_generations *generations);

typedef struct sb_selection { /* two runs */
    size_t compared;          /* generations that both have, up to the first that differs; 0: nothing to compare */
    bool differs;             /* the set of parents is another one in: */
    int64_t generation;       /* from 0 */
    size_t n_other;           /* of the parents */
    double loss[2], gap[2];   /* of that generation, or of the last that was compared */
} sb_selection;

sb_selection sb_generations_compare(const sb_generations *a, const sb_generations *b);

#endif

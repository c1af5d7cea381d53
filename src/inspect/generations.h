/* The generations of a run without gradients, read from its file, and where two runs chose different parents. */
#pragma once

#include "io/h5/h5.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_generations { /* {0}: a run with gradients, or random search */
    size_t n, n_parents;
    int64_t *ranked;      /* [n][n_parents] chosen as parents, the best first */
    int64_t *individual;  /* the same individuals, ascending in each generation: a set */
    double *chosen, *gap; /* [n]: loss of the last chosen individual, and distance to the loss of the first that was not
                           * chosen */
} sb_generations;

/* A failed call leaves nothing to free. */
sb_status sb_generations_read(sb_generations *generations, sb_h5 *run);
void sb_generations_free(sb_generations *generations);

typedef struct sb_parents_compared { /* two runs */
    size_t compared;          /* generations that both have, up to the first that differs; 0: nothing to compare */
    /* The order of the parents differs before their set does: individuals then have other parents, and the next set may
     * differ widely. */
    bool reordered;
    int64_t order_generation; /* from 0 */
    size_t order_rank;        /* the first rank with a different parent, from 0 */
    bool differs;             /* the sets of parents differ in generation: */
    int64_t generation;       /* from 0 */
    size_t n_other;           /* number of parents that differ */
    double loss[2], gap[2];   /* of that generation, or of the last one compared */
} sb_parents_compared;

sb_parents_compared sb_generations_compare(const sb_generations *a, const sb_generations *b);

/* Print a line about the order; nothing unless the order differs before the set. */
void sb_parents_print_order(const sb_parents_compared *selection, FILE *out);

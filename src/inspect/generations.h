/* The generations of a run without gradients, as its file has them, and where two runs chose other parents. */
#ifndef SB_INSPECT_GENERATIONS_H
#define SB_INSPECT_GENERATIONS_H

#include "io/h5/h5.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_generations { /* {0}: of a run by gradients, or of random search */
    size_t n, n_parents;
    int64_t *ranked;      /* [n][n_parents] chosen as parents, the best first */
    int64_t *individual;  /* the same, ascending in each generation: a set */
    double *chosen, *gap; /* [n]: loss of the last one chosen, and by how much that of the first refused is larger */
} sb_generations;

/* A failed call leaves nothing to free. */
sb_status sb_generations_read(sb_generations *generations, sb_h5 *run);
void sb_generations_free(sb_generations *generations);

typedef struct sb_selection { /* two runs */
    size_t compared;          /* generations that both have, up to the first that differs; 0: nothing to compare */
    /* Before any set differs, the same parents are in another order: the individual of a number has another parent
     * then, and the next set may differ widely. */
    bool reordered;
    int64_t order_generation; /* from 0 */
    size_t order_rank;        /* the first that another one has, from 0 */
    bool differs;             /* the set of parents is another one in: */
    int64_t generation;       /* from 0 */
    size_t n_other;           /* of the parents */
    double loss[2], gap[2];   /* of that generation, or of the last that was compared */
} sb_selection;

sb_selection sb_generations_compare(const sb_generations *a, const sb_generations *b);

/* The line about the order, for people; none where it does not differ before the set does. */
void sb_selection_print_order(const sb_selection *selection, FILE *out);

#endif

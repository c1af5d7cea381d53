/* The distances of the weights of two cells over the updates, from the sketches in their run files.
 *
 * A cell b is compared with a cell a before it that learned from the same data in the same order, with the same options
 * and from the same initial weights, and differs from it in one of three things alone: its target, its setting
 * (backend, arithmetic, hardware, kernel type, threads) or its ulp. For each of the three it is one a: the first such
 * cell of its own study, or, if there is none, of all. */
#pragma once

#include "matrix/cells/filter.h"
#include "matrix/collect/elsewhere.h"
#include "matrix/store/store.h"

#include "core/status.h"
#include "core/text/writer.h"

#include <stdbool.h>

/* The complete cells, in the order of the selection, and where their rows come from. Filled by collect.c. */
typedef struct sb_complete {
    sb_selection cells;
    bool *have_sketches; /* [cells.n]: a run without, of an older program, is in no pair, and is not read */
    bool *diverged;      /* [cells.n]: a run without losses */
    int *from;           /* [cells.n]: the folder of `elsewhere` that the cell was taken from, -1: its run is here */
    sb_elsewhere *elsewhere; /* NULL: all are here */
} sb_complete;

enum { SB_DISTANCE_ROWS = 60 }; /* at most, of one pair; of more the first, the last, and those evenly between */

/* distances.csv (results/README.md), pairs in the order of b. Pairs of which one run is not here are copied from the
 * tables collected elsewhere. */
sb_status sb_distances_write(sb_writer *csv, const sb_complete *complete, const sb_looker *looker);

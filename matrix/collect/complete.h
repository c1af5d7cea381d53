/* Which of the selected cells have rows in the tables, and where these come from. Filled by collect.c, one cell after the
 * other. */
#ifndef SB_MATRIX_COLLECT_COMPLETE_H
#define SB_MATRIX_COLLECT_COMPLETE_H

#include "matrix/cells/filter.h"
#include "matrix/collect/elsewhere.h"

#include <stdbool.h>

/* The complete cells, in the order of the selection. */
typedef struct sb_complete {
    sb_selection cells;
    bool *have_sketches; /* [cells.n]: a run without, of an older program, is in no pair, and is not read */
    bool *diverged;      /* [cells.n]: a run without losses */
    int *from;           /* [cells.n]: the folder of `elsewhere` that the cell was taken from, -1: its run is here */
    sb_elsewhere *elsewhere; /* NULL: all are here */
} sb_complete;

#endif

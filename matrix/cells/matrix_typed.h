/* What a matrix file says and no run would do (core/rows/typed.h). A value of a study that a cell does not have is an
 * error. A value of `defaults` is for the cells that have it, and other cells train without it; it is an error where no
 * cell has it. The record of a cell holds the value in any case. */
#pragma once

#include "matrix/cells/cells.h"

typedef struct sb_typed_defaults { /* of each: does a cell take it, and does it hold in one? */
    bool taken[SB_N_SETTINGS], holds[SB_N_SETTINGS];
} sb_typed_defaults;

typedef struct sb_typed_place {
    const char *path, *place; /* of the study, or of an included row */
    const sb_matrix *matrix;
    const sb_study *study;
} sb_typed_place;

/* SB_E_USAGE with the line of a value of the study that does not hold in this cell; notes the cell's defaults. */
sb_status sb_matrix_check_typed(const sb_typed_place *at, sb_typed_defaults *defaults,
                                const char *const value[SB_N_SETTINGS]);

/* SB_E_USAGE with the line of a default that cells take, none of which has it. */
sb_status sb_matrix_check_defaults(const sb_cells *cells, const sb_typed_defaults *defaults);

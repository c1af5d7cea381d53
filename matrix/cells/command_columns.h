/* The columns that the tables of a file of commands have: the values of its cells and the metrics of its studies. The
 * file as a whole decides; a filter does not change the columns. */
#ifndef SB_MATRIX_CELLS_COMMAND_COLUMNS_H
#define SB_MATRIX_CELLS_COMMAND_COLUMNS_H

#include "matrix/cells/cells.h"

typedef struct sb_command_columns {
    bool has_value[SB_N_VALUES];               /* some cell has one; sb_schema_key names them */
    const sb_measure *metric[SB_MEASURES_MAX]; /* of all studies, each name once; they belong to the matrix file */
    size_t n_metrics;
} sb_command_columns;

/* SB_E_USAGE: the studies have more than SB_MEASURES_MAX metrics together. */
sb_status sb_command_columns_find(sb_command_columns *columns, const sb_cells *cells);

#endif

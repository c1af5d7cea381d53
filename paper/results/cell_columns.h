/* The columns of cells.csv and timing.csv: a row each, with the function that reads it. */
#ifndef SB_PAPER_RESULTS_CELL_COLUMNS_H
#define SB_PAPER_RESULTS_CELL_COLUMNS_H

#include "core/status.h"
#include "io/table.h"
#include "paper/results/results.h"

#include <stddef.h>

/* A row of cells.csv, or of timing.csv, into a cell; the texts are the table's. SB_E_INTEGRITY: it makes no sense. */
sb_status sb_cell_read(const sb_table *table, size_t row, sb_result *cell);
sb_status sb_cell_read_timing(const sb_table *table, size_t row, sb_result *cell);

/* A loss of 0 is the best there is: it has no place on a log axis and in a ratio, and says so there. */
sb_status sb_cell_check_loss(const sb_table *table, size_t row, const char *column, double loss, const char *cell);

#endif

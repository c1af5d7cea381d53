/* generations.csv: of runs without gradients what each generation was like (io/run/run_lists.h, evolution). Written
 * where the selection has such cells. A run of more than SB_CURVE_ROWS generations has every k-th one, and the last. */
#ifndef SB_MATRIX_COLLECT_GENERATIONS_SHEET_H
#define SB_MATRIX_COLLECT_GENERATIONS_SHEET_H

#include "core/text/writer.h"
#include "io/h5/h5.h"
#include "matrix/cells/cells.h"
#include "matrix/cells/filter.h"

#include <stdbool.h>

/* Does any of them search without gradients? */
bool sb_generations_sheet_wanted(const sb_selection *selection);

/* The rows of a run, named by its cell's hash; of a run by gradients none. */
sb_status sb_generations_sheet_add(sb_writer *csv, const char *hash, sb_h5 *file);

#endif

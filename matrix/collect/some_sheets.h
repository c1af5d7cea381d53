/* Tables that only some runs have rows for. Each is written where one of the selected cells has (results/README.md):
 * generations.csv, of runs without gradients what each generation was like (io/run/run_lists.h, evolution); parents.csv, of
 * runs of Deep GA who became a parent, and whose mutation it was; trust.csv, of layer-wise optimizers the norms and ratios of
 * each tensor at the end of each epoch. Long runs have every k-th generation or epoch and the last, or the last
 * generations. */
#pragma once

#include "core/text/writer.h"
#include "io/columns.h"
#include "io/h5/h5.h"
#include "matrix/cells/filter.h"

#include <stdbool.h>

typedef struct sb_sheet_of_some {
    const sb_columns *columns;
    bool (*wanted)(const sb_selection *selection);
    /* The rows of a run, named by its cell's hash; none of a run that has none. SB_E_INTEGRITY: the run file contradicts
     * itself. */
    sb_status (*add)(sb_writer *csv, const char *hash, sb_h5 *file);
} sb_sheet_of_some;

enum { SB_SHEETS_OF_SOME = 3 };
extern const sb_sheet_of_some sb_sheets_of_some[SB_SHEETS_OF_SOME];

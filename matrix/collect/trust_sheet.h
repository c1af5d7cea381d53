/* trust.csv: of layer-wise optimisers the norms and ratios of each tensor at the end of each epoch (io/run/run_lists.h,
 * trust). Written where the selection has such cells. A run of more than SB_CURVE_ROWS epochs has every k-th one, and
 * the last. */
#ifndef SB_MATRIX_COLLECT_TRUST_SHEET_H
#define SB_MATRIX_COLLECT_TRUST_SHEET_H

#include "core/text/writer.h"
#include "io/h5/h5.h"
#include "matrix/cells/cells.h"
#include "matrix/cells/filter.h"

#include <stdbool.h>

/* Does any of them learn by a layer-wise optimiser? */
bool sb_trust_sheet_wanted(const sb_selection *selection);

/* The rows of a run, named by its cell's hash, with the names of its tensors; of a run by another optimiser none.
 * SB_E_INTEGRITY: the run file does not name that number of tensors. */
sb_status sb_trust_sheet_add(sb_writer *csv, const char *hash, sb_h5 *file);

#endif

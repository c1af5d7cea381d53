/* What to say to a filter that no cell passes: the other matrix it may have been meant for, or the name that is most
 * like it. */
#ifndef SB_MATRIX_CELLS_ADVICE_H
#define SB_MATRIX_CELLS_ADVICE_H

#include "matrix/cells/cells.h"
#include "matrix/cells/filter.h"

#include "core/command/options.h"

/* SB_E_EMPTY with the sentence. Matrix files next to this one are looked into; `call` is what was asked of cells. */
sb_status sb_advice_no_cell(const sb_cells *cells, const sb_filter *filter, const sb_call *call);

#endif

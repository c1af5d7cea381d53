/* A study multiplied out: its zip rows, axes, seeds and replicates, then the cells it includes. */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/cells/matrix_typed.h"

/* Add the cells of study `index` to the cells of the file. SB_E_USAGE: "PATH:LINE: ...". */
sb_status sb_expand_study(sb_cells *cells, uint32_t index, sb_typed_defaults *defaults);

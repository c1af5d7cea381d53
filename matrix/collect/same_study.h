/* Are the tables in a folder of this study, so that it may replace them? A matrix file may have been
 * renamed or moved, or edited; not both, unless every cell that has a row is still one of its cells. */
#ifndef SB_MATRIX_COLLECT_SAME_STUDY_H
#define SB_MATRIX_COLLECT_SAME_STUDY_H

#include "matrix/cells/cells.h"

#include "core/status.h"

/* SB_OK: the folder has no tables, tables of this study, or none that can be read. SB_E_USAGE: tables of another
 * study. */
sb_status sb_same_study_check(const sb_cells *cells, const char *folder);

#endif

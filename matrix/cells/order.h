/* In which order the cells of a plan are run.
 *
 *   matrix       the order of the matrix file: one condition after the other
 *   round-robin  in turns: the first seed of every arm, then the second of every arm, so that a study that is
 *                interrupted has as many runs of each. An arm is a name without its seed.
 *   random       shuffled; the same order for the same seed, on every machine
 */
#pragma once

#include "matrix/cells/filter.h"

#include "core/status.h"

#define SB_ORDER_NAMES "matrix|round-robin|random"

/* Reorder the n cells, which are in the order of the selection all of whose cells they are some of. Turns count over
 * the whole selection, so that a plan that goes on with a study gives the arms that are late first. */
sb_status sb_order_cells(const sb_cell **item, size_t n, const sb_selection *all, const char *name, long seed);

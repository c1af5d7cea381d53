/* The one filter grammar of all verbs: which cells of a matrix.
 *
 *     -n REGEX|NAME|/HASH   take these; given again, take those too
 *     -x REGEX|NAME|/HASH   leave these out; wins over -n
 *     -t TAG                only cells of studies with this tag; given again, with all of them
 *
 * A filter that is the whole name of a cell means that cell; '/' and hexadecimal digits mean the one cell whose hash
 * begins so (more than one: SB_E_USAGE, give more digits); anything else is an extended
 * regular expression, found anywhere in the name. An empty one is refused (SB_E_USAGE): it comes of a shell variable
 * that is not set. */
#pragma once

#include "matrix/cells/cells.h"

#include "core/command/options.h"
#include "core/status.h"

#include <stddef.h>
#include <stdio.h>

typedef struct sb_filter {
    sb_texts names, excludes, tags;
} sb_filter;

typedef struct sb_selection { /* cells of an sb_cells, in its order */
    const sb_cell **item;
    size_t n;
} sb_selection;

/* The cells that pass; after each filter one line to talk (may be NULL) says how many it left out: `-x shared: 12 of 40
 * cells left out`. Nothing left: SB_E_EMPTY; a bad expression, or an empty filter: SB_E_USAGE. */
sb_status sb_filter_select(sb_selection *selection, const sb_cells *cells, const sb_filter *filter, FILE *talk);

/* The same for the excluded cells; none left is no error there. */
sb_status sb_filter_select_excluded(sb_selection *selection, const sb_cells *cells, const sb_filter *filter);

void sb_selection_free(sb_selection *selection);

/* In which order the cells of a plan are run.
 *
 *   matrix       the order of the matrix file: one condition after the other
 *   round-robin  in turns: the first seed of every arm, then the second of every arm, so that a study that is
 *                interrupted has as many runs of each. An arm is a name without its seed.
 *   random       shuffled; the same order for the same seed, on every machine
 */

#define SB_ORDER_NAMES "matrix|round-robin|random"

/* Reorder the n cells, which are in the order of the selection all of whose cells they are some of. Turns count over
 * the whole selection, so that a plan that goes on with a study gives the arms that are late first. */
sb_status sb_order_cells(const sb_cell **item, size_t n, const sb_selection *all, const char *name, long seed);

/* The runs that are here against reference results, by their bits: the same weights or not, and where not, which
 * operation is the first to differ.
 *
 *     SB_TRY(sb_match(&matched, &w.selection, "results", "results/demo-reference", "cache/data", stdout));
 *
 * A reference is a folder that `samebits-matrix collect --traces` wrote: cells.csv, whose rows are matched by the hash
 * of the cell, so that only cells with the same factors are held against each other, and traces/HASH.h5, what every
 * operation of the first update reads and writes (inspect/trace/trace_file.h), of the first seed of each setting. A
 * trace of a cell whose weights differ is made here and handed to `samebits bisect`. */
#ifndef SB_MATRIX_COLLECT_MATCH_H
#define SB_MATRIX_COLLECT_MATCH_H

#include "matrix/cells/filter.h"

#include "core/status.h"

#include <stddef.h>
#include <stdio.h>

typedef struct sb_matched { /* cells of the selection; together all of them */
    size_t n_same, n_different;
    size_t n_not_run; /* not complete here */
    size_t n_unknown; /* complete here, and not in the reference */
} sb_matched;

/* Print a line for each cell whose weights differ, with what bisect says where the reference has a trace. data is the
 * folder of the data sets. SB_E_INTEGRITY: the reference is not as it was collected. SB_E_USAGE: there is none. A run
 * that is damaged counts as not run, and is named on stderr. */
sb_status sb_match(sb_matched *matched, const sb_selection *selection, const char *results, const char *reference,
                   const char *data, FILE *out);

/* Write traces/HASH.h5 of the first cell of each setting (all factors but the seed) of the selection into OUTPUT, by
 * `samebits trace`, for cells that are complete in RESULTS; nothing is left of a trace that failed. */
sb_status sb_match_write_traces(const sb_selection *selection, const char *results, const char *data,
                                const char *output);

#endif

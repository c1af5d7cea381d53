/* What was asked for and what of it is there, as a table next to the results: coverage.csv. From it the report knows
 * whether its results are complete, and of which matrix file they are.
 *
 *     what,value,why
 *     matrix,matrix/demo.yaml,          as it was given
 *     matrix_sha256,DIGEST,             of that file
 *     run_schema,1,                     of the run files
 *     cells,26,                         of the matrix
 *     selected,24,                      of these, by the filters
 *     complete,23,
 *     diverged,2,                       of the complete ones, where some did
 *     metric,NAME,lower                 of a study of commands: which values of each metric are better, lower or higher
 *     hardware missing,NAME/HASH,why    then a row for each selected cell that is not complete; `what` is its state
 *     excluded,NAME/HASH,reason         and one for each that the matrix file excludes,
 *     not selected,NAME/HASH,           or the filters leave out
 */
#pragma once

#include "matrix/cells/filter.h"
#include "matrix/store/store.h"

#include "core/status.h"
#include "core/text/writer.h"

typedef struct sb_coverage {
    const sb_cells *cells;
    const sb_selection *selection;
    const sb_selection *complete; /* cells of the selection that have a row in cells.csv, in its order */
    size_t n_diverged;            /* of these */
} sb_coverage;

/* No stamp is believed. */
sb_status sb_coverage_write(sb_writer *csv, const sb_coverage *coverage, sb_looker *looker);

/* Are the tables in a folder of this study, so that it may replace them? A matrix file may have been
 * renamed or moved, or edited; not both, unless every cell that has a row is still one of its cells.
 *
 * SB_OK: the folder has no tables, tables of this study, or none that can be read. SB_E_USAGE: tables of another
 * study. */
sb_status sb_same_study_check(const sb_cells *cells, const char *folder);

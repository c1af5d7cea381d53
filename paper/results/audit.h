/* Hold the rows of cells.csv and curves.csv against the run files that are there: a number that was changed by hand is
 * found even if the digests next to the tables were made anew, and so is a cell that was run again since. */
#ifndef SB_PAPER_RESULTS_AUDIT_H
#define SB_PAPER_RESULTS_AUDIT_H

#include "core/status.h"
#include "paper/results/condition.h"
#include "paper/results/results.h"

typedef struct sb_audit {
    sb_notes *changed;        /* a sentence for each cell whose row or curve says something else than its run file */
    size_t n_retimed;         /* cells whose run has the same bits, but took another time: trained again since */
    const sb_result *retimed; /* the first of them */
} sb_audit;

/* Absent and unfinished run files say nothing. SB_E_INTEGRITY: a run file that is none of the cell's, of another
 * schema, or damaged. Times are not results: another one changes nothing, and is counted. */
sb_status sb_audit_cells(const sb_results *results, sb_audit *audit);

#endif

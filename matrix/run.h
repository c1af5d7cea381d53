/* Run cells as local processes, several at a time, never one that somebody else runs. */
#ifndef SB_MATRIX_RUN_H
#define SB_MATRIX_RUN_H

#include "engine.h"
#include "plan.h"

#include "core/status.h"

#include <stddef.h>
#include <stdio.h>

typedef struct sb_run_settings {
    const char *results; /* folder of the runs */
    const char *data;    /* folder of the data sets */
    int jobs;            /* cells at a time */
    const sb_engine *engine;
    const char *again; /* the command, without a filter, that a failed cell is run again with */
} sb_run_settings;

typedef struct sb_run_outcome { /* of the planned cells */
    size_t complete, failed;
    size_t unable;  /* the trainer said that hardware or a library is missing */
    size_t stopped; /* by an interrupt, or not begun because of one */
} sb_run_outcome;

/* Run all cells of the plan; their data sets must be there. What happens is told on stderr: one line for each cell,
 * for a failed one with its log and the command that runs it again. Cells that other processes run are taken last, and
 * waited for. SB_OK when every cell was tried (see outcome), SB_E_INTERRUPTED after SIGINT or SIGTERM, which are passed
 * on and waited for. */
sb_status sb_run_cells(sb_run_outcome *outcome, const sb_plan *plan, const sb_run_settings *settings);

#endif

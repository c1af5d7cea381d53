/* Run cells as processes, several at a time, never one that another process runs. */
#pragma once

#include "matrix/run/attempt.h"
#include "matrix/run/plan.h"

#include "core/status.h"

#include <stddef.h>

typedef struct sb_runner_settings {
    sb_attempt_settings attempt;
    int jobs;          /* cells at a time */
    const char *retry; /* the command, without a filter, that a failed cell is run again with */
} sb_runner_settings;

typedef struct sb_runner_outcome { /* of the planned cells */
    size_t complete, failed;
    size_t diverged;  /* of the complete ones */
    size_t differing; /* trained once more, and not with the same bits */
    size_t unable;    /* the trainer said that hardware or a library is missing */
    size_t stopped;   /* by an interrupt or a full disk */
    size_t not_begun; /* because of one */
} sb_runner_outcome;

/* Run all cells of the plan; their data sets must be there. What happens is told on stderr: on a terminal a table that
 * is redrawn in place, and everywhere one line for each cell, for a failed one with its log and the command that runs
 * it again. Cells that other processes run are taken last, and waited for. SB_OK when every cell was tried (see
 * outcome); SB_E_INTERRUPTED after SIGINT or SIGTERM, which are passed on and waited for, or, where a cell does not end
 * in time, followed by SIGKILL (process.h); SB_E_IO when the disk is full. */
sb_status sb_runner_run(sb_runner_outcome *outcome, const sb_plan *plan, const sb_runner_settings *settings);

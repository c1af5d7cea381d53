/* Run cells as processes, several at a time, never one that another process runs. */
#pragma once

#include "matrix/run/plan.h"

#include "core/status.h"
#include "matrix/cells/cells.h"
#include "matrix/engine/engine.h"
#include "matrix/process/process.h"
#include "matrix/store/store.h"
#include "matrix/watch/watch.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* One attempt at a cell: from taking its lock to what became of it. It prints nothing; runner.c reports. */

enum { SB_ATTEMPT_WHY = 2 * SB_PATH_MAX };

typedef struct sb_attempt {
    const sb_cell *cell; /* NULL: none is running */
    const sb_engine *engine;
    sb_store store;
    bool repeats; /* a complete cell that is trained once more, next to its run */
    pid_t pid;
    sb_process_stop stop;
    int lock;
    double started;
    char why[SB_ATTEMPT_WHY]; /* after the last beginning or end */
} sb_attempt;

typedef struct sb_attempt_settings {
    const char *results; /* folder of the runs */
    const char *data;    /* folder of the data sets */
    const sb_engine *engine;
    bool repeat; /* train complete cells once more, instead of leaving them */
} sb_attempt_settings;

typedef enum sb_attempt_begin {
    SB_ATTEMPT_RUNNING, /* why: what was moved out of its way, or "" */
    SB_ATTEMPT_TAKEN,   /* another process runs the cell */
    SB_ATTEMPT_DONE,    /* it is complete already */
    SB_ATTEMPT_FULL,    /* the disk is: why */
} sb_attempt_begin;

/* Take the cell unless another process has it, and start its training. */
sb_status sb_attempt_start(sb_attempt *attempt, const sb_cell *cell, const sb_attempt_settings *settings,
                           sb_attempt_begin *begin);

/* Has its process ended? Then *wait_status is what waitpid says. A request to stop is passed on to it; it is
 * killed, and its container, when it does not follow within sb_process_grace seconds. */
bool sb_attempt_ended(sb_attempt *attempt, int *wait_status);

typedef enum sb_attempt_end {
    SB_ATTEMPT_COMPLETE, /* why: how its trainer ended, if not well, or "" */
    SB_ATTEMPT_DIVERGED, /* complete, too: why is the update */
    SB_ATTEMPT_SAME,     /* it repeated the bits of the run that was there; what it wrote is gone again */
    SB_ATTEMPT_DIFFERS,  /* it did not: why is the command that shows where */
    SB_ATTEMPT_FAILED,
    SB_ATTEMPT_UNABLE,  /* the trainer said that hardware or a library is missing */
    SB_ATTEMPT_STOPPED, /* by an interrupt: it goes on from its last checkpoint; why: that it was killed, or "" */
    SB_ATTEMPT_NO_ROOM, /* the disk is full: nothing is wrong with the cell */
} sb_attempt_end;

/* What became of the process that ended so. The run decides: one that is whole counts, even if its trainer was killed
 * after writing it. Lets the cell go. */
sb_attempt_end sb_attempt_finish(sb_attempt *attempt, int wait_status);

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

/* The live view of a run on a terminal: a line for each running cell, one for all. */

typedef struct sb_live_table_sum {
    size_t done, failed, total; /* cells; failed ones count as done */
    double left;                /* seconds, negative: unknown */
} sb_live_table_sum;

/* Draw the n slots of attempts (those without a cell are left out) and the sum. */
void sb_live_table_draw(const sb_attempt *attempts, const sb_watch *watches, int n, sb_live_table_sum sum);

/* Which of the selected cells are to be run, and what state the others are in. */
#pragma once

#include "matrix/cells/filter.h"
#include "matrix/engine/engine.h"
#include "matrix/forecast/timings.h"
#include "matrix/hardware/hardware.h"
#include "matrix/store/store.h"

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct sb_plan_request { /* none of the first three set: whatever is not complete */
    bool failed, missing, stale;
    bool again;        /* and the complete ones once more */
    const char *order; /* of SB_ORDER_NAMES; NULL: matrix */
    long order_seed;
    bool elsewhere; /* for other machines: also what this one lacks the hardware for, but not what already runs */
} sb_plan_request;

typedef struct sb_plan {
    const sb_cell **item; /* to be run, in the order asked for */
    double *seconds;      /* that each of them will take, negative: unknown */
    const sb_cells *cells;
    double *rest; /* [cells->n]: what part of each is still to be computed, where it was looked at */
    size_t n;
    sb_cell_state *state; /* of each selected cell */
    size_t n_selected;
    size_t count[SB_STATE_N];      /* of all selected cells */
    sb_reasons lacking;            /* why cells lack their data */
    sb_timings *timings;           /* of the finished ones */
    const sb_data_source **source; /* the data sets those to be run need, each once */
    size_t n_sources;
} sb_plan;

/* SB_E_EMPTY when a request leaves nothing; without a request nothing left to do is fine. The caller frees, also after a
 * failure. */
sb_status sb_plan_make(sb_plan *plan, const sb_cells *cells, const sb_selection *selection, sb_looker *looker,
                       sb_plan_request request);

/* Leave out the cells of a data set that could not be made after all, for that reason. */
void sb_plan_drop(sb_plan *plan, const sb_data_source *source, const char *why);

/* How many of the selected cells lack their data. */
size_t sb_plan_lacking(const sb_plan *plan);

/* For selected cells that are complete and whose lock no process holds, remove files that are no longer needed: the
 * lock of a runner and the journal of a trainer that were killed at the very end, and the note of a failure since which
 * the cell was trained by hand. */
void sb_plan_sweep(const sb_plan *plan, const sb_selection *selection, const char *results);

void sb_plan_free(sb_plan *plan);

/* The command lines of the plan, as a shell takes them: first those that make missing data sets, then the cells. */
sb_status sb_plan_print_commands(const sb_plan *plan, const sb_engine *engine, const char *results, const char *data,
                                 const char *mirror, FILE *out);

/* "40 cells: 12 complete, 28 missing" on one line, and why cells lack their data. */
void sb_plan_print(const sb_plan *plan, FILE *out);

/* A plan in figures: per group of cells and in all, how many there are, how long they will take and on what that rests,
 * and the disk they will need. A group is what a name says before target and seed. */

typedef struct sb_forecast_group {
    const sb_cell *cell; /* one of the group; the first prefix characters of its name are the group's */
    int prefix;
    size_t n, complete, to_run, absent; /* cells; complete ones may be to be run once more */
    size_t lacking;                     /* cells without their data */
    size_t unknown;                     /* of those to run: nothing near them has run */
    double seconds;                     /* all others to run, one after the other */
    sb_prediction prediction;           /* of a cell to run */
} sb_forecast_group;

typedef struct sb_forecast {
    sb_forecast_group *group; /* in the order of the selection */
    size_t n_groups;
    sb_forecast_group all;
    double wall_seconds;    /* with that number of cells at a time, each as fast as it was; of those that are known */
    double n_bytes;         /* of the run files to come; of those that are known */
    size_t unknown_n_bytes; /* cells */
} sb_forecast;

/* The selection must be the one the plan was made of. The caller frees. */
sb_status sb_forecast_make(sb_forecast *forecast, sb_plan *plan, const sb_selection *selection, int jobs);
void sb_forecast_free(sb_forecast *forecast);

/* The table and the sums, for people; results: where the run files will go. */
void sb_forecast_print(const sb_forecast *forecast, int jobs, const char *results, FILE *out);

/* Job arrays: cells that ask the same of a cluster's node, numbered from 0, one task each.
 *
 *     sb_arrays arrays;
 *     SB_TRY(sb_arrays_make(&arrays, cells, plan, "gpu:NAME:1"));
 *     for (size_t i = 0; i < arrays.n; i++) ...arrays.item[i]...
 *     sb_arrays_free(&arrays);
 *
 * The folder RESULTS/slurm/demo-cpu4-1a2b3c4d is named after what is in its list, so that a list never changes:
 *
 *     cells.txt   which task is which cell: line I + 1 is "I HASH NAME"
 *     job.sh      the script that was submitted last (slurm.h)
 *     I.log       what task I printed, all its tries
 */
#pragma once

#include "matrix/run/plan.h"

#include "core/status.h"

#include <stddef.h>

enum {
    SB_ARRAY_TASKS = 1000,
    SB_ARRAY_GRES = 96,
    SB_ARRAY_NAME = 256
}; /* tasks: the most in an array, of which a cluster may take fewer */

typedef struct sb_array {
    long cpus;                /* of each rank: the cells' threads */
    long ranks;               /* of a task; more than one may have several nodes */
    char gres[SB_ARRAY_GRES]; /* per task: "gpu:gtx-1080:1"; "" without a GPU */
    double seconds;           /* the longest task will take; negative: unknown of one of them */
    const sb_cell **item;     /* of task 0, 1, ... */
    size_t n;
    char *list;               /* the text of cells.txt */
    char name[SB_ARRAY_NAME]; /* of the folder and the job: "demo-cpu4-1a2b3c4d" */
} sb_array;

typedef struct sb_arrays {
    sb_array *item; /* in the order of their first cells */
    size_t n;
} sb_arrays;

/* Group the cells of a plan. card: what a cell on a GPU asks for where its hardware row has no `gres` of its own; NAME
 * in it stands for the row's name. A row that takes any GPU asks for "gpu:1". tasks_most: of an array, 1 to
 * SB_ARRAY_TASKS. The cells stay the plan's. */
sb_status sb_arrays_make(sb_arrays *arrays, const sb_cells *cells, const sb_plan *plan, const char *card,
                         size_t tasks_most);
/* The path of a file in the array's folder; SB_E_USAGE when it would be too long. */
sb_status sb_array_file(char path[SB_PATH_MAX], const char *results, const sb_array *array, const char *file);
void sb_arrays_free(sb_arrays *arrays);

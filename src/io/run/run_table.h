/* Rows that come one after the other while a run trains: the lists of run_lists.h, each a table of the run file.
 *
 *     SB_TRY(sb_run_lists_add(&lists, SB_RUN_LIST_input, &row));
 *     SB_TRY(sb_run_lists_write(&lists, file));
 *     sb_run_lists_free(&lists);
 */
#pragma once

#include "io/h5/h5.h"
#include "io/run/run_lists.h"

typedef struct sb_run_list {
    void *row; /* [capacity] rows, n of them there */
    size_t n, capacity;
} sb_run_list;

typedef struct sb_run_lists { /* {0}: all empty */
    sb_run_list of[SB_N_RUN_LISTS];
} sb_run_lists;

/* Append a copy of the row, the struct of that list. */
sb_status sb_run_lists_add(sb_run_lists *lists, sb_run_list_id id, const void *row);

/* All columns of the lists that have rows. */
sb_status sb_run_lists_write(const sb_run_lists *lists, sb_h5 *file);

/* The file's rows in place of the lists'; none where the file has no such table, zeros where it lacks a column. */
sb_status sb_run_lists_read(sb_run_lists *lists, sb_h5 *file);

/* The same of one list alone. */
sb_status sb_run_list_read(sb_run_lists *lists, sb_run_list_id id, sb_h5 *file);

void sb_run_lists_free(sb_run_lists *lists);

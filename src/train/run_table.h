/* A table of a run file that has a column for each field of a row, and rows that come one after the other while it
 * trains. The fields have eight bytes each.
 *
 *     static const sb_run_column columns[] = {{"input/epoch", SB_I64, offsetof(sb_run_input, epoch)}, ...};
 *     static const sb_run_table table = {columns, sizeof columns / sizeof *columns, sizeof(sb_run_input)};
 *     SB_TRY(sb_run_list_add(&list, &table, &row));
 *     SB_TRY(sb_run_list_write(&list, &table, file));
 */
#ifndef SB_TRAIN_RUN_TABLE_H
#define SB_TRAIN_RUN_TABLE_H

#include "io/h5.h"

typedef struct sb_run_column {
    const char *name;
    sb_type type;
    size_t offset; /* in the row */
} sb_run_column;

typedef struct sb_run_table {
    const sb_run_column *column;
    size_t n_columns, row_bytes;
} sb_run_table;

typedef struct sb_run_list { /* {0} is empty; row is its owner's to free */
    void *row;               /* [capacity] rows, n of them there */
    size_t n, capacity;
} sb_run_list;

/* Append a copy of the row. */
sb_status sb_run_list_add(sb_run_list *list, const sb_run_table *table, const void *row);

/* All columns; of an empty list nothing. */
sb_status sb_run_list_write(const sb_run_list *list, const sb_run_table *table, sb_h5 *file);

/* The file's rows in place of the list's; none where the file has no such table, zeros where it lacks a column. */
sb_status sb_run_list_read(sb_run_list *list, const sb_run_table *table, sb_h5 *file);

#endif

#include "io/run/run_table.h"

#include "core/size.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct list_column {
    const char *name;
    sb_type type;
    size_t offset; /* in the row */
} list_column;

typedef struct list_table {
    const list_column *column;
    size_t n_columns, row_bytes;
} list_table;

#define COUNT(key, unit, words, group, row) {#group "/" #key, SB_I64, offsetof(row, key)},
#define REAL(key, unit, words, group, row)  {#group "/" #key, SB_F64, offsetof(row, key)},
#define LIST(group, row, dim, COLUMNS)      static const list_column group##_columns[] = {COLUMNS(COUNT, REAL, group, row)};
SB_RUN_LISTS(LIST)
#undef LIST

#define LIST(group, row, ...)                                                                                          \
    [SB_RUN_LIST_##group] = {group##_columns, sizeof group##_columns / sizeof *group##_columns, sizeof(row)},
static const list_table tables[SB_N_RUN_LISTS] = {SB_RUN_LISTS(LIST)};

static_assert(sizeof(int64_t) == sizeof(double), "a column of either has elements of one size");

static sb_status reserve(sb_run_list *list, const list_table *table, size_t n)
{
    if (sb_size_reserve(&list->row, &list->capacity, n, table->row_bytes)) return SB_OK;
    return sb_fail(SB_E_MEMORY, "not enough memory for %zu rows of %s", n, table->column->name);
}

sb_status sb_run_lists_add(sb_run_lists *lists, sb_run_list_id id, const void *row)
{
    const list_table *table = &tables[id];
    sb_run_list *list = &lists->of[id];
    SB_TRY(reserve(list, table, list->n + 1));
    memcpy((char *)list->row + list->n++ * table->row_bytes, row, table->row_bytes);
    return SB_OK;
}

/* One column of all rows to memory of its own, or from there. */
static void copy_column(const sb_run_list *list, const list_table *table, size_t k, char *column, bool to_rows)
{
    for (size_t i = 0; i < list->n; i++) {
        char *cell = (char *)list->row + i * table->row_bytes + table->column[k].offset;
        char *at = column + i * sizeof(double);
        memcpy(to_rows ? cell : at, to_rows ? at : cell, sizeof(double));
    }
}

static sb_status write_list(const sb_run_list *list, const list_table *table, sb_h5 *file)
{
    if (list->n == 0) return SB_OK;
    SB_FREED char *column = sb_size_allocate(list->n, sizeof(double));
    if (!column) return sb_h5_fail_memory(file);
    for (size_t k = 0; k < table->n_columns; k++) {
        copy_column(list, table, k, column, false);
        SB_TRY(sb_h5_write(file, table->column[k].name, table->column[k].type, 1, &list->n, column, SB_H5_PLAIN));
    }
    return SB_OK;
}

sb_status sb_run_lists_write(const sb_run_lists *lists, sb_h5 *file)
{
    for (int id = 0; id < SB_N_RUN_LISTS; id++) SB_TRY(write_list(&lists->of[id], &tables[id], file));
    return SB_OK;
}

static sb_status read_list(sb_run_list *list, const list_table *table, sb_h5 *file)
{
    sb_h5_shape shape;
    list->n = 0;
    if (!sb_h5_exists(file, table->column->name)) return SB_OK;
    SB_TRY(sb_h5_shape_of(file, table->column->name, &shape));
    SB_TRY(reserve(list, table, shape.n));
    SB_FREED char *column = sb_size_allocate(shape.n, sizeof(double));
    if (!column) return sb_h5_fail_memory(file);
    list->n = shape.n;
    for (size_t k = 0; k < table->n_columns; k++) {
        memset(column, 0, shape.n * sizeof(double)); /* of a column that a file of an older program lacks */
        if (sb_h5_exists(file, table->column[k].name))
            SB_TRY(sb_h5_read(file, table->column[k].name, table->column[k].type, shape.n, column));
        copy_column(list, table, k, column, true);
    }
    return SB_OK;
}

sb_status sb_run_lists_read(sb_run_lists *lists, sb_h5 *file)
{
    for (int id = 0; id < SB_N_RUN_LISTS; id++) SB_TRY(sb_run_list_read(lists, id, file));
    return SB_OK;
}

sb_status sb_run_list_read(sb_run_lists *lists, sb_run_list_id id, sb_h5 *file)
{
    return read_list(&lists->of[id], &tables[id], file);
}

void sb_run_lists_free(sb_run_lists *lists)
{
    for (int id = 0; id < SB_N_RUN_LISTS; id++) free(lists->of[id].row);
    *lists = (sb_run_lists){0};
}

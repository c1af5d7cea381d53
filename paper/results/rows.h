/* A table of collected results as an array of structs: for each column its name, the function that reads a field, and the
 * member that it goes into.
 *
 *     static const sb_row_column columns[] = {{"hash", sb_field_cell, offsetof(point, cell)},
 *                                             {"epoch", sb_field_real, offsetof(point, epoch)}, {0}};
 *     SB_TRY(sb_rows_read(&rows, folder, &sb_columns_trust, results, columns, sizeof(point)));
 *     const point *p = rows.row; ... p[i], i < rows.n ...
 *     sb_rows_free(&rows);
 */
#pragma once

#include "core/status.h"
#include "io/table.h"

#include <stddef.h>

struct sb_results;

typedef struct sb_field {
    const sb_table *table;
    size_t row;
    const char *name;
    const struct sb_results *results; /* that cells are of; NULL where no column names a cell */
} sb_field;

typedef sb_status sb_field_read(const sb_field *field, void *member);

typedef struct sb_row_column {
    const char *name; /* NULL ends a list */
    sb_field_read *read;
    size_t member; /* its place in the struct */
} sb_row_column;

/* Texts are the table's. `later`: a column that older tables lack, "" then, and the member is left as it is. */
sb_field_read sb_field_text, sb_field_later_text; /* const char * */
sb_field_read sb_field_int, sb_field_later_int;   /* long */
sb_field_read sb_field_real;                      /* double */
sb_field_read sb_field_real_or_none;              /* double: NAN where the field is empty, or the column not there */
sb_field_read sb_field_size,
    sb_field_size_or_none;   /* double: finite, and not below 0; at least 0, or NAN where empty */
sb_field_read sb_field_cell; /* const sb_result *: the cell of this hash */

/* The columns of one row into a struct. SB_E_INTEGRITY: a field makes no sense. */
sb_status sb_row_read(const sb_row_column *column, const sb_table *table, size_t row, const struct sb_results *results,
                      void *into);

/* A failure of a row: SB_E_INTEGRITY, "PATH:LINE: ...". */
sb_status sb_row_fail(const sb_table *table, size_t row, const char *format, ...) __attribute__((format(printf, 3, 4)));

typedef struct sb_rows {
    size_t n;
    void *row; /* [n] structs, from calloc */
    sb_table table;
} sb_rows;

/* All rows of FOLDER's table; a folder without it has none. The caller frees, also after a failure. */
sb_status sb_rows_read(sb_rows *rows, const char *folder, const sb_columns *columns, const struct sb_results *results,
                       const sb_row_column *column, size_t row_bytes);
void sb_rows_free(sb_rows *rows);

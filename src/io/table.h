/* A csv file with a header line: every row has as many fields as the header, fields may be "quoted, with "" inside",
 * no field spans lines. Columns are found by name, so that their order and additional ones do not matter.
 *
 *     sb_table table;
 *     SB_TRY(sb_table_read(&table, "cells.csv", &sb_columns_cells));
 *     sb_status status = sb_table_column(&table, "seed", &seed_column);
 *     ... sb_table_int(&table, row, seed_column, &seed) ...
 *     sb_table_free(&table);
 *
 * Whatever is wrong with the content is SB_E_INTEGRITY and a sentence that begins with FILE:LINE.
 */
#pragma once

#include "core/file.h"
#include "core/status.h"
#include "io/columns.h"

#include <stddef.h>

typedef struct sb_table {
    char path[SB_PATH_MAX];
    size_t n_rows; /* without the header */
    size_t n_columns;
    char **field;  /* [1 + n_rows][n_columns], the header first */
    size_t *line;  /* [1 + n_rows], as editors count them, from 1 */
    char *content; /* the file, cut into the fields */
} sb_table;

/* Every field holds what its column in `columns` (io/columns.h) may hold; one of a column that is not there, or of any
 * column where columns is NULL, one line of plain text. No column is there twice. A missing file is SB_E_USAGE. A
 * failed call leaves nothing to free. */
sb_status sb_table_read(sb_table *table, const char *path, const sb_columns *columns);
void sb_table_free(sb_table *table);

/* The same for a table of another program: its fields end with a comma, a semicolon or a tab, whichever the header has
 * most of. It may begin with the mark of UTF-8. Empty lines and comments ("# ...", or "#" alone) are no rows; blanks around
 * a field do not belong to it. */
sb_status sb_table_read_any(sb_table *table, const char *path);

/* Where the column of that name is; n_columns, or SB_E_INTEGRITY, if there is none. */
size_t sb_table_find(const sb_table *table, const char *name);
sb_status sb_table_column(const sb_table *table, const char *name, size_t *column);

/* One field, the table's; rows count from 0. */
const char *sb_table_text(const sb_table *table, size_t row, size_t column);

/* The field of the column of that name; "" if the table has no such column, as a table of an older program may. */
const char *sb_table_text_or_none(const sb_table *table, size_t row, const char *name);

/* One field as a number. A real may be nan or infinite: what that means is the caller's to say. */
sb_status sb_table_int(const sb_table *table, size_t row, size_t column, long *value);
sb_status sb_table_real(const sb_table *table, size_t row, size_t column, double *value);

/* The line of a row in the file, as editors count. */
size_t sb_table_line(const sb_table *table, size_t row);

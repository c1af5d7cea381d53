#include "paper/results/rows.h"

#include "paper/files/output.h"
#include "paper/results/results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

sb_status sb_row_fail(const sb_table *table, size_t row, const char *format, ...)
{
    char words[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s", table->path, sb_table_line(table, row), words);
}

/* -- fields -- */

static bool is_empty(const sb_field *f)
{
    return !*sb_table_text_or_none(f->table, f->row, f->name);
}

sb_status sb_field_text(const sb_field *f, void *text)
{
    size_t column;
    SB_TRY(sb_table_column(f->table, f->name, &column));
    *(const char **)text = sb_table_text(f->table, f->row, column);
    return SB_OK;
}

sb_status sb_field_later_text(const sb_field *f, void *text)
{
    *(const char **)text = sb_table_text_or_none(f->table, f->row, f->name);
    return SB_OK;
}

sb_status sb_field_int(const sb_field *f, void *value)
{
    size_t column;
    SB_TRY(sb_table_column(f->table, f->name, &column));
    return sb_table_int(f->table, f->row, column, value);
}

sb_status sb_field_later_int(const sb_field *f, void *value)
{
    return is_empty(f) ? SB_OK : sb_field_int(f, value);
}

sb_status sb_field_real(const sb_field *f, void *value)
{
    size_t column;
    SB_TRY(sb_table_column(f->table, f->name, &column));
    return sb_table_real(f->table, f->row, column, value);
}

sb_status sb_field_real_or_none(const sb_field *f, void *value)
{
    *(double *)value = NAN;
    return is_empty(f) ? SB_OK : sb_field_real(f, value);
}

sb_status sb_field_size(const sb_field *f, void *value)
{
    const double *size = value;
    SB_TRY(sb_field_real(f, value));
    return isfinite(*size) && *size >= 0 ? SB_OK : sb_row_fail(f->table, f->row, "%s of %g", f->name, *size);
}

sb_status sb_field_size_or_none(const sb_field *f, void *value)
{
    const double *size = value;
    SB_TRY(sb_field_real_or_none(f, value));
    return is_empty(f) || *size >= 0 ? SB_OK : sb_row_fail(f->table, f->row, "%s of %g", f->name, *size);
}

sb_status sb_field_cell(const sb_field *f, void *cell)
{
    const char *hash;
    SB_TRY(sb_field_text(f, &hash));
    const sb_result *found = *(const sb_result **)cell = sb_results_find(f->results, hash);
    return found ? SB_OK : sb_row_fail(f->table, f->row, "no cell of cells.csv has the hash '%s'", hash);
}

/* -- rows -- */

sb_status sb_row_read(const sb_row_column *column, const sb_table *table, size_t row, const sb_results *results,
                      void *into)
{
    for (; column->name; column++) {
        const sb_field field = {table, row, column->name, results};
        SB_TRY(column->read(&field, (char *)into + column->member));
    }
    return SB_OK;
}

sb_status sb_rows_read(sb_rows *rows, const char *folder, const sb_columns *columns, const sb_results *results,
                       const sb_row_column *column, size_t row_bytes)
{
    char path[SB_PATH_MAX];
    *rows = (sb_rows){0};
    SB_TRY(sb_path_join(path, folder, "%s", columns->file));
    if (!sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_table_read(&rows->table, path, columns));
    rows->row = calloc(rows->table.n_rows + 1, row_bytes);
    if (!rows->row) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (; rows->n < rows->table.n_rows; rows->n++)
        SB_TRY(sb_row_read(column, &rows->table, rows->n, results, (char *)rows->row + rows->n * row_bytes));
    return SB_OK;
}

void sb_rows_free(sb_rows *rows)
{
    free(rows->row);
    sb_table_free(&rows->table);
    *rows = (sb_rows){0};
}

#include "io/table.h"

#include "core/command/options.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cut one field off *text, unquote it in place, and move *text behind the comma. False: a quote without its partner. */
static bool cut_field(char **text, char **field, bool *last)
{
    char *in = *text, *out = *text;
    bool quoted = *in == '"';
    *field = in;
    if (quoted) {
        for (in++; *in && !(in[0] == '"' && in[1] != '"'); in++) {
            if (*in == '"') in++;
            *out++ = *in;
        }
        if (*in != '"') return false;
        in++;
        if (*in && *in != ',') return false;
    } else {
        in += strcspn(in, ",");
        out = in;
    }
    *last = !*in;
    *text = *last ? in : in + 1;
    *out = 0;
    return true;
}

/* Cut a line into fields; counts all of them, stores the first n_max. */
static bool cut_line(char *line, char **field, size_t n_max, size_t *n)
{
    bool last = false;
    for (*n = 0; !last; ++*n) {
        char *text;
        if (!cut_field(&line, &text, &last)) return false;
        if (*n < n_max) field[*n] = text;
    }
    return true;
}

/* End the line with NUL, without its newline, and return the start of the next one. */
static char *end_line(char *line)
{
    char *newline = strchr(line, '\n');
    char *next = newline ? newline + 1 : line + strlen(line);
    char *end = newline ? newline : next;
    if (end > line && end[-1] == '\r') end--;
    *end = 0;
    return next;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text; n++) {
        text += strcspn(text, "\n");
        if (*text) text++;
    }
    return n;
}

static size_t count_columns(const char *line)
{
    size_t n = 1;
    for (; *line && *line != '\n'; line++) n += *line == ',';
    return n;
}

static sb_status cut_content(sb_table *table)
{
    const char *path = table->path;
    size_t n_lines = count_lines(table->content);
    if (n_lines == 0) return sb_fail(SB_E_INTEGRITY, "%s: empty, not even a header line", path);
    table->n_rows = n_lines - 1;
    table->n_columns = count_columns(table->content); /* the header is words; none of them holds a comma */
    table->field = calloc(n_lines * table->n_columns, sizeof *table->field);
    if (!table->field) return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu lines", path, n_lines);
    char *line = table->content;
    for (size_t i = 0; i < n_lines; i++) {
        char *next = end_line(line);
        size_t n;
        if (!cut_line(line, table->field + i * table->n_columns, table->n_columns, &n))
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: a quote has no partner", path, i + 1);
        if (n != table->n_columns)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: %zu fields, the header has %zu; collect again", path, i + 1, n,
                           table->n_columns);
        line = next;
    }
    return SB_OK;
}

/* The column's own name is checked as any field. */
static sb_status check_field(const sb_table *table, size_t line, const sb_column *column, const char *text)
{
    if (sb_column_accepts(column, text)) return SB_OK;
    if (column->kind == SB_COLUMN_CHOICE)
        return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s wants one of %s, not '%.80s'", table->path, line, column->name,
                       column->words, text);
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s wants %s, not '%.80s'", table->path, line, column->name,
                   sb_column_wanted(column->kind), text);
}

static sb_status check_fields(const sb_table *table, const sb_columns *columns)
{
    static const sb_column any = {"a field", SB_COLUMN_TEXT, .may_be_empty = true};
    for (size_t c = 0; c < table->n_columns; c++) {
        const sb_column *known = columns ? sb_columns_find(columns, table->field[c]) : NULL;
        SB_TRY(check_field(table, 1, &any, table->field[c]));
        for (size_t row = 0; row < table->n_rows; row++)
            SB_TRY(check_field(table, sb_table_line(row), known ? known : &any, sb_table_text(table, row, c)));
    }
    return SB_OK;
}

/* A column is found by its name, so that of two with one name only the first would be read. */
static sb_status check_header(const sb_table *table)
{
    for (size_t c = 1; c < table->n_columns; c++)
        for (size_t k = 0; k < c; k++)
            if (strcmp(table->field[k], table->field[c]) == 0)
                return sb_fail(SB_E_INTEGRITY, "%s:1: the column '%.80s' is here twice", table->path, table->field[c]);
    return SB_OK;
}

sb_status sb_table_read(sb_table *table, const char *path, const sb_columns *columns)
{
    *table = (sb_table){0};
    snprintf(table->path, sizeof table->path, "%s", path);
    size_t n_bytes;
    SB_TRY(sb_file_read(path, &table->content, &n_bytes));
    sb_status status = strlen(table->content) == n_bytes
                           ? cut_content(table)
                           : sb_fail(SB_E_INTEGRITY, "%s: holds a zero byte, so it is no csv file", path);
    if (status == SB_OK) status = check_fields(table, columns);
    if (status == SB_OK) status = check_header(table);
    if (status != SB_OK) sb_table_free(table);
    return status;
}

void sb_table_free(sb_table *table)
{
    free(table->field);
    free(table->content);
    *table = (sb_table){0};
}

sb_status sb_table_column(const sb_table *table, const char *name, size_t *column)
{
    for (*column = 0; *column < table->n_columns; ++*column)
        if (strcmp(table->field[*column], name) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:1: no column '%s'; collect again with this version of samebits-matrix",
                   table->path, name);
}

const char *sb_table_text(const sb_table *table, size_t row, size_t column)
{
    return table->field[(row + 1) * table->n_columns + column];
}

static sb_status fail_number(const sb_table *table, size_t row, size_t column, const char *wanted)
{
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s wants %s, not '%s'", table->path, sb_table_line(row),
                   table->field[column], wanted, sb_table_text(table, row, column));
}

const char *sb_table_text_or_none(const sb_table *table, size_t row, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->field[c], name) == 0) return sb_table_text(table, row, c);
    return "";
}

sb_status sb_table_int(const sb_table *table, size_t row, size_t column, long *value)
{
    if (sb_parse_int(sb_table_text(table, row, column), (double)LONG_MIN, (double)LONG_MAX, value)) return SB_OK;
    return fail_number(table, row, column, "a whole number");
}

sb_status sb_table_real(const sb_table *table, size_t row, size_t column, double *value)
{
    const char *text = sb_table_text(table, row, column);
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end ? SB_OK : fail_number(table, row, column, "a number");
}

size_t sb_table_line(size_t row)
{
    return row + 2;
}

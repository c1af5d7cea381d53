#include "io/table.h"

#include "core/command/options.h"
#include "core/text/text.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How fields are separated. loose: blanks around a field do not belong to it; comments and empty lines are no rows. */
typedef struct dialect {
    char separator;
    bool loose;
    const char *advice; /* for a row with another number of fields */
} dialect;

static const dialect collected = {',', false, "; collect again"};

static char *skip_blanks(char *in)
{
    return in + strspn(in, " ");
}

/* Cut one field off *text, unquote it in place, and move *text past its separator. False: a quote without its
 * partner. */
static bool cut_field(const dialect *d, char **text, char **field, bool *last)
{
    char *in = d->loose ? skip_blanks(*text) : *text, *out = in;
    bool quoted = *in == '"';
    *field = in;
    if (quoted) {
        for (in++; *in && !(in[0] == '"' && in[1] != '"'); in++) {
            if (*in == '"') in++;
            *out++ = *in;
        }
        if (*in != '"') return false;
        in++;
        if (d->loose) in = skip_blanks(in);
        if (*in && *in != d->separator) return false;
    } else {
        in += strcspn(in, (char[]){d->separator, 0});
        for (out = in; d->loose && out > *field && out[-1] == ' ';) out--;
    }
    *last = !*in;
    *text = *last ? in : in + 1;
    *out = 0;
    return true;
}

/* Cut a line into fields; counts all of them, stores the first n_max. */
static bool cut_line(const dialect *d, char *line, char **field, size_t n_max, size_t *n)
{
    bool last = false;
    for (*n = 0; !last; ++*n) {
        char *text;
        if (!cut_field(d, &line, &text, &last)) return false;
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

/* A comment is "# ..." or "#" alone, as bench and the tables of results have it: "#1,0.5" is a row. */
static bool is_skipped(const dialect *d, const char *line)
{
    if (!d->loose) return false;
    if (*line == '#' && strchr(" \r\n", line[1])) return true; /* also at the end of the text */
    line += strspn(line, " \r");
    return !*line || *line == '\n';
}

/* The next line that is the header or a row, at `text` or after it; *number grows by the lines before it. */
static char *skip_lines(const dialect *d, char *text, size_t *number)
{
    for (; *text && is_skipped(d, text); ++*number) {
        text += strcspn(text, "\n");
        if (*text) text++;
    }
    return text;
}

/* Without comments and empty lines. */
static size_t count_lines(const dialect *d, char *text)
{
    size_t n = 0, number = 0;
    for (text = skip_lines(d, text, &number); *text; n++) {
        text += strcspn(text, "\n");
        if (*text) text = skip_lines(d, text + 1, &number);
    }
    return n;
}

static size_t count_separators(const char *line, char separator)
{
    size_t n = 0;
    bool quoted = false;
    for (; *line && *line != '\n'; line++) {
        if (*line == '"') quoted = !quoted;
        n += *line == separator && !quoted;
    }
    return n;
}

static sb_status allocate(sb_table *table, const dialect *d, char *text)
{
    size_t number = 0, n_lines = count_lines(d, text);
    if (n_lines == 0) return sb_fail(SB_E_INTEGRITY, "%s: empty, not even a header line", table->path);
    table->n_rows = n_lines - 1;
    table->n_columns = 1 + count_separators(skip_lines(d, text, &number), d->separator);
    table->field = calloc(n_lines * table->n_columns, sizeof *table->field);
    table->line = calloc(n_lines, sizeof *table->line);
    if (table->field && table->line) return SB_OK;
    return sb_fail(SB_E_MEMORY, "%s: not enough memory for %zu lines", table->path, n_lines);
}

/* text: the table's content, or what is in it after the mark of UTF-8. */
static sb_status cut_content(sb_table *table, char *text, const dialect *d)
{
    const char *path = table->path;
    SB_TRY(allocate(table, d, text));
    char *line = text;
    size_t number = 1;
    for (size_t i = 0; i <= table->n_rows; i++, number++) {
        line = skip_lines(d, line, &number);
        char *next = end_line(line);
        size_t n;
        table->line[i] = number;
        if (!cut_line(d, line, table->field + i * table->n_columns, table->n_columns, &n))
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: a quote has no partner", path, number);
        if (n != table->n_columns)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: %zu fields, the header has %zu%s", path, number, n,
                           table->n_columns, d->advice);
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
        SB_TRY(check_field(table, table->line[0], &any, table->field[c]));
        for (size_t row = 0; row < table->n_rows; row++)
            SB_TRY(check_field(table, sb_table_line(table, row), known ? known : &any, sb_table_text(table, row, c)));
    }
    return SB_OK;
}

/* Columns are found by name, so of two columns with the same name only the first would be read. */
static sb_status check_header(const sb_table *table)
{
    for (size_t c = 1; c < table->n_columns; c++)
        for (size_t k = 0; k < c; k++)
            if (strcmp(table->field[k], table->field[c]) == 0)
                return sb_fail(SB_E_INTEGRITY, "%s:%zu: the column '%.80s' is here twice", table->path, table->line[0],
                               table->field[c]);
    return SB_OK;
}

static sb_status check_encoding(const char *path, const char *content, size_t n_bytes)
{
    uint32_t code;
    size_t line = 1;
    for (size_t at = 0, length; at < n_bytes; at += length) {
        length = content[at] ? sb_text_decode(content + at, n_bytes - at, &code) : 0;
        if (!length)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: not in UTF-8: %s", path, line, sb_text_advice(content, n_bytes));
        line += content[at] == '\n';
    }
    return SB_OK;
}

static sb_status read_content(sb_table *table, const char *path)
{
    *table = (sb_table){0};
    snprintf(table->path, sizeof table->path, "%s", path);
    size_t n_bytes;
    SB_TRY(sb_file_read(path, &table->content, &n_bytes));
    const sb_status status = check_encoding(path, table->content, n_bytes);
    if (status != SB_OK) sb_table_free(table);
    return status;
}

static sb_status cut_and_check(sb_table *table, char *text, const dialect *d, const sb_columns *columns)
{
    sb_status status = cut_content(table, text, d);
    if (status == SB_OK) status = check_fields(table, columns);
    if (status == SB_OK) status = check_header(table);
    if (status != SB_OK) sb_table_free(table);
    return status;
}

sb_status sb_table_read(sb_table *table, const char *path, const sb_columns *columns)
{
    SB_TRY(read_content(table, path));
    return cut_and_check(table, table->content, &collected, columns);
}

sb_status sb_table_read_any(sb_table *table, const char *path)
{
    dialect d = {',', true, ""};
    SB_TRY(read_content(table, path));
    char *text = sb_text_after_mark(table->content);
    size_t number = 0;
    const char *header = skip_lines(&d, text, &number);
    for (const char *other = ";\t"; *other; other++)
        if (count_separators(header, *other) > count_separators(header, d.separator)) d.separator = *other;
    return cut_and_check(table, text, &d, NULL);
}

void sb_table_free(sb_table *table)
{
    free(table->field);
    free(table->line);
    free(table->content);
    *table = (sb_table){0};
}

size_t sb_table_find(const sb_table *table, const char *name)
{
    size_t column = 0;
    while (column < table->n_columns && strcmp(table->field[column], name) != 0) column++;
    return column;
}

sb_status sb_table_column(const sb_table *table, const char *name, size_t *column)
{
    *column = sb_table_find(table, name);
    if (*column < table->n_columns) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: no column '%s'; collect again with this version of samebits-matrix",
                   table->path, table->line[0], name);
}

const char *sb_table_text(const sb_table *table, size_t row, size_t column)
{
    return table->field[(row + 1) * table->n_columns + column];
}

static sb_status fail_number(const sb_table *table, size_t row, size_t column, const char *wanted)
{
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s wants %s, not '%s'", table->path, sb_table_line(table, row),
                   table->field[column], wanted, sb_table_text(table, row, column));
}

const char *sb_table_text_or_none(const sb_table *table, size_t row, const char *name)
{
    const size_t column = sb_table_find(table, name);
    return column < table->n_columns ? sb_table_text(table, row, column) : "";
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
    const bool is_whole = end != text && !*end && (sb_is_decimal(text) || !isfinite(*value));
    return is_whole ? SB_OK : fail_number(table, row, column, "a number");
}

size_t sb_table_line(const sb_table *table, size_t row)
{
    return table->line[row + 1];
}

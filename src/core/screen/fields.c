#include "core/screen/fields.h"

#include "core/screen/screen_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BETWEEN = 2 /* blanks */, NAME_LEAST = 6 };

void sb_fields_add(sb_fields *fields, int leaves, const char *format, ...)
{
    if (fields->n == SB_FIELDS) return;
    char *text = fields->field[fields->n].text;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, SB_FIELD_TEXT, format, arguments);
    va_end(arguments);
    if (*text) fields->field[fields->n++].leaves = leaves;
}

int sb_fields_columns(const char *text)
{
    int columns = 0, width;
    for (size_t left = strlen(text), n; left; text += n, left -= n) {
        n = sb_paint_unit(text, left, &width);
        columns += width;
    }
    return columns;
}

/* Columns of the fields up to a rank; a sentence, which can be cut, counts as nothing. */
static int columns_up_to(const sb_fields *fields, int rank)
{
    int columns = 0;
    for (size_t i = 0; i < fields->n; i++)
        if (fields->field[i].leaves >= SB_FIELD_STAYS && fields->field[i].leaves <= rank)
            columns += (columns ? BETWEEN : 0) + sb_fields_columns(fields->field[i].text);
    return columns;
}

int sb_fields_least(const sb_fields *fields)
{
    return columns_up_to(fields, SB_FIELD_STAYS);
}

static int highest_rank(const sb_fields *fields)
{
    int rank = SB_FIELD_STAYS;
    for (size_t i = 0; i < fields->n; i++)
        if (fields->field[i].leaves > rank) rank = fields->field[i].leaves;
    return rank;
}

/* Bytes of the text up to the last blank that leaves room for ".."; 0: none does. */
static size_t length_cut(const char *text, int columns)
{
    size_t cut = 0;
    int used = 0, width;
    for (size_t at = 0, left = strlen(text), n; left; at += n, left -= n) {
        if (text[at] == ' ' && used + 2 <= columns) cut = at;
        n = sb_paint_unit(text + at, left, &width);
        used += width;
    }
    return cut;
}

static void append(char *line, size_t size, const char *text, size_t n)
{
    const size_t used = strlen(line);
    snprintf(line + used, size - used, "%*s%.*s", used ? BETWEEN : 0, "", (int)n, text);
}

static void append_cut(char *line, size_t size, const char *text, int columns)
{
    const int room = columns - sb_fields_columns(line) - (*line ? BETWEEN : 0);
    if (!columns || sb_fields_columns(text) <= room) {
        append(line, size, text, strlen(text));
        return;
    }
    const size_t n = length_cut(text, room);
    if (!n) return;
    append(line, size, text, n);
    strncat(line, "..", size - strlen(line) - 1);
}

void sb_fields_write(const sb_fields *fields, int columns, char *line, size_t size)
{
    int rank = highest_rank(fields);
    while (columns && rank > SB_FIELD_STAYS && columns_up_to(fields, rank) > columns) rank--;
    *line = 0;
    for (size_t i = 0; i < fields->n; i++) {
        const char *text = fields->field[i].text;
        if (fields->field[i].leaves == SB_FIELD_CUT)
            append_cut(line, size, text, columns);
        else if (fields->field[i].leaves <= rank)
            append(line, size, text, strlen(text));
    }
}

int sb_fields_name_width(int columns, int longest, int least)
{
    const int most = columns < 100 ? columns / 3 : columns / 2, room = columns - least - BETWEEN;
    int width = longest < most ? longest : most;
    if (width > room) width = room;
    return width > NAME_LEAST ? width : NAME_LEAST;
}

void sb_fields_write_name(const char *name, int width, char *text, size_t size)
{
    const int length = (int)strlen(name);
    if (length > width)
        snprintf(text, size, "..%s", name + length - width + 2);
    else
        snprintf(text, size, "%-*s", width, name);
}

#include "paper/figures/picture.h"

#include "core/text/csv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 40, COLUMNS = 16 };
static const char mark[] = "# columns ";

typedef struct columns {
    size_t n;
    char name[COLUMNS][NAME];
} columns;

/* The word at *at, of `size` bytes at most with its end, and *at behind it; false at the line's end. A word between
 * double quotes may hold blanks. */
static bool take_word(const char **at, char *word, size_t size)
{
    while (**at == ' ') ++*at;
    if (!**at || **at == '\n') return false;
    bool quoted = **at == '"';
    const char *start = *at + quoted;
    size_t n = strcspn(start, quoted ? "\"\n" : " \n");
    snprintf(word, size, "%.*s", (int)n, start);
    *at = start + n + (quoted && start[n] == '"');
    return true;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static size_t find(const columns *list, const char *name)
{
    size_t i = 0;
    while (i < list->n && strcmp(list->name[i], name) != 0) i++;
    return i;
}

static void read_columns(const char *line, columns *list)
{
    list->n = 0;
    for (line += strlen(mark); list->n < COLUMNS && take_word(&line, list->name[list->n], NAME);) list->n++;
}

/* A list of the script: its columns and name, and where its rows begin. False: no more of them. */
static sb_status next_list(const char *figure, const char **at, columns *own, char name[NAME], bool *found)
{
    bool named = false;
    for (const char *line = *at; *line; line = next_line(line)) {
        if (strncmp(line, mark, strlen(mark)) == 0) {
            read_columns(line, own);
            named = true;
        }
        if (*line != '$') continue;
        const char *word = line + 1;
        if (!named) return sb_fail(SB_E_INTEGRITY, "%s.gp: a list without the names of its columns", figure);
        *found = take_word(&word, name, NAME);
        *at = next_line(line);
        return SB_OK;
    }
    *found = false;
    return SB_OK;
}

static bool is_end(const char *line)
{
    return !*line || strncmp(line, "END", 3) == 0;
}

static sb_status write_row(sb_writer *csv, const char *figure, const char *list, const char *line, const columns *own,
                           const columns *all)
{
    char value[COLUMNS][256];
    size_t n = 0;
    while (n < COLUMNS && take_word(&line, value[n], sizeof value[n])) n++;
    if (n == 0) return SB_OK; /* between the parts of a broken line */
    if (n != own->n) return sb_fail(SB_E_INTEGRITY, "%s.gp: %zu values in a row of %s", figure, n, list);
    sb_write(csv, "%s", list);
    for (size_t i = 0; i < all->n; i++) {
        size_t column = find(own, all->name[i]);
        sb_write(csv, ",%s", column < own->n ? value[column] : "");
    }
    sb_write(csv, "\n");
    return SB_OK;
}

static void add_columns(columns *all, const columns *own)
{
    for (size_t i = 0; i < own->n; i++)
        if (own->name[i][0] != '_' && all->n < COLUMNS && find(all, own->name[i]) == all->n)
            memcpy(all->name[all->n++], own->name[i], NAME);
}

static sb_status write_csv(sb_writer *csv, const char *figure, const char *script, const columns *all)
{
    columns own;
    char name[NAME];
    bool found;
    sb_write(csv, "list");
    for (size_t i = 0; i < all->n; i++) sb_write(csv, ",%s", all->name[i]);
    sb_write(csv, "\n");
    for (const char *at = script;;) {
        SB_TRY(next_list(figure, &at, &own, name, &found));
        if (!found) return SB_OK;
        for (; !is_end(at); at = next_line(at)) SB_TRY(write_row(csv, figure, name, at, &own, all));
    }
}

sb_status sb_picture_csv(const char *figure, const char *script, char **text)
{
    columns all = {0}, own;
    char name[NAME];
    bool found = true;
    *text = NULL;
    for (const char *at = script; found;) {
        SB_TRY(next_list(figure, &at, &own, name, &found));
        if (found) add_columns(&all, &own);
    }
    if (all.n == 0) return SB_OK;
    sb_writer *csv = sb_writer_open(&sb_csv);
    sb_status status = write_csv(csv, figure, script, &all);
    if (status == SB_OK) return sb_writer_close(csv, figure, text, NULL);
    sb_writer_drop(csv);
    return status;
}

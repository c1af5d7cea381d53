#include "inspect/export.h"

#include "core/file.h"
#include "core/text/csv.h"
#include "io/h5/h5.h"
#include "io/h5/h5_walk.h"
#include "record/external_file.h"
#include "record/h5_texts.h"
#include "record/record_journal.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64, NAME = 64 };

typedef struct column {
    char name[NAME];
    sb_type type;       /* SB_I64, SB_F64, or SB_U8 of texts */
    void *value;        /* [rows]; of texts NULL */
    sb_text_list texts; /* [rows] */
} column;

typedef struct table {
    sb_h5 *file;
    const char *path, *group; /* path: for messages */
    size_t n_columns, n_rows;
    bool has_counter; /* n_rows is the length of update or epoch */
    column column[COLUMNS];
} table;

/* -- reading -- */

/* A group may have data sets of other lengths, and `byte`, which numbers the bytes of hashes. */
static sb_status count_rows(table *t)
{
    static const char *const counters[] = {"update", "epoch"};
    char path[2 * NAME];
    for (size_t i = 0; i < sizeof counters / sizeof *counters && !t->has_counter; i++) {
        sb_h5_shape shape;
        snprintf(path, sizeof path, "%.63s/%s", t->group, counters[i]);
        if (!sb_h5_exists(t->file, path)) continue;
        SB_TRY(sb_h5_shape_of(t->file, path, &shape));
        t->n_rows = shape.n;
        t->has_counter = true;
    }
    return SB_OK;
}

/* Bytes are hashes, except in these tables of a recording. */
static bool has_texts(const table *t)
{
    return strcmp(t->group, "settings") == 0 || strcmp(t->group, "found") == 0;
}

/* Settings are lines, and a field of csv is one line. */
static sb_status add_texts(table *t, const char *path, const char *name)
{
    column *c = &t->column[t->n_columns++];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->type = SB_U8;
    SB_TRY(sb_h5_read_texts(t->file, path, &c->texts));
    if (c->texts.n != t->n_rows)
        return sb_fail(SB_E_INTEGRITY, "%s: /%s has %zu texts, and its table %zu rows", sb_h5_path(t->file), path,
                       c->texts.n, t->n_rows);
    for (size_t i = 0; i < c->texts.n; i++)
        for (char *at = c->texts.item[i]; (at = strpbrk(at, "\n\t"));) *at = *at == '\n' && at[1] ? ';' : ' ';
    return SB_OK;
}

static sb_status add_column(void *context, const char *name)
{
    table *t = context;
    char path[2 * NAME];
    sb_h5_shape shape;
    if (strchr(name, '/') || strcmp(name, "byte") == 0) return SB_OK;
    if (strlen(name) >= NAME)
        return sb_fail(SB_E_INTEGRITY, "%s: %s has a column whose name is longer than %d characters", t->path, t->group,
                       NAME - 1);
    snprintf(path, sizeof path, "%.63s/%.63s", t->group, name);
    SB_TRY(sb_h5_shape_of(t->file, path, &shape));
    if (shape.type == SB_U8 && shape.rank == 1 && has_texts(t) && t->n_columns < COLUMNS)
        return add_texts(t, path, name);
    const bool fits = shape.n == t->n_rows || (t->n_columns == 0 && !t->has_counter);
    if (shape.rank != 1 || shape.type == SB_U8 || !fits) return SB_OK;
    if (t->n_columns == COLUMNS)
        return sb_fail(SB_E_USAGE, "%s: %s has more than %d columns", t->path, t->group, COLUMNS);
    column *c = &t->column[t->n_columns++];
    t->n_rows = shape.n;
    snprintf(c->name, sizeof c->name, "%s", name);
    c->type = shape.type == SB_F32 || shape.type == SB_F64 ? SB_F64 : SB_I64;
    return sb_h5_read_new(t->file, path, c->type, shape.n, &c->value);
}

/* What counts the rows comes first. */
static void move_first(table *t, const char *name)
{
    for (size_t i = 1; i < t->n_columns; i++) {
        if (strcmp(t->column[i].name, name) != 0) continue;
        const column found = t->column[i];
        memmove(t->column + 1, t->column, i * sizeof found);
        t->column[0] = found;
    }
}

typedef struct groups {
    char text[512], last[NAME];
} groups;

static sb_status add_group(void *context, const char *name)
{
    groups *g = context;
    const size_t n = strcspn(name, "/"), used = strlen(g->text);
    if (!name[n] || (strncmp(g->last, name, n) == 0 && !g->last[n])) return SB_OK;
    snprintf(g->last, sizeof g->last, "%.*s", (int)n, name);
    snprintf(g->text + used, sizeof g->text - used, "%s%s", used ? ", " : "", g->last);
    return SB_OK;
}

static sb_status fail_absent(const table *t)
{
    groups g = {0};
    SB_TRY(sb_h5_each_dataset(t->file, "", add_group, &g));
    return sb_fail(SB_E_EMPTY, "%s: has no table '%s'; it has %s", t->path, t->group, g.text);
}

/* -- writing -- */

/* The fewest digits that give the same number back. */
static void write_real(sb_writer *csv, double number, bool first)
{
    char text[40];
    int digits = 6;
    if (number != number) {
        sb_write(csv, first ? "" : ",");
        return;
    }
    do snprintf(text, sizeof text, "%.*g", digits, number);
    while (strtod(text, NULL) != number && digits++ < 17);
    sb_write(csv, first ? "%s" : ",%s", text);
}

static void write_rows(sb_writer *csv, const table *t)
{
    for (size_t i = 0; i < t->n_columns; i++) sb_write(csv, i ? ",%s" : "%s", t->column[i].name);
    sb_write(csv, "\n");
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t i = 0; i < t->n_columns; i++)
            if (t->column[i].type == SB_U8)
                sb_write(csv, i ? ",%s" : "%s", t->column[i].texts.item[row]);
            else if (t->column[i].type == SB_F64)
                write_real(csv, ((const double *)t->column[i].value)[row], i == 0);
            else
                sb_write(csv, i ? ",%" PRId64 : "%" PRId64, ((const int64_t *)t->column[i].value)[row]);
        sb_write(csv, "\n");
    }
}

/* -- recordings with a journal -- */

/* A killed program left its last updates in a journal. joined: a file with these too, in a new folder that the caller
 * removes; folder "": there is no journal, and joined is the path itself. */
static sb_status join_journal(const char *path, char folder[SB_PATH_MAX], char joined[SB_PATH_MAX])
{
    SB_OWNED(sb_external_free) sb_external e = {0};
    *folder = 0;
    SB_TRY(sb_record_journal_path(path, joined));
    if (!sb_external_is(path) || !sb_file_exists(joined)) {
        snprintf(joined, SB_PATH_MAX, "%s", path);
        return SB_OK;
    }
    SB_TRY(sb_external_read_all(&e, path));
    SB_TRY(sb_folder_temporary(folder, SB_PATH_MAX));
    snprintf(joined, SB_PATH_MAX, "%.*s/run.h5", SB_PATH_MAX - 16, folder);
    return sb_external_write(&e, joined);
}

static sb_status write_table(table *t, char **text, size_t *n_bytes)
{
    sb_status status = count_rows(t);
    if (status == SB_OK) status = sb_h5_each_dataset(t->file, t->group, add_column, t);
    if (status == SB_OK && t->n_columns == 0) status = fail_absent(t);
    if (status == SB_OK) {
        move_first(t, "epoch");
        move_first(t, "update");
        sb_writer *csv = sb_writer_open(&sb_csv);
        write_rows(csv, t);
        status = sb_writer_close(csv, t->path, text, n_bytes);
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        free(t->column[i].value);
        sb_text_list_free(&t->column[i].texts);
    }
    return status;
}

sb_status sb_export_table(const char *path, const char *group, char **text, size_t *n_bytes)
{
    table t = {.path = path, .group = group};
    char folder[SB_PATH_MAX], joined[SB_PATH_MAX];
    *text = NULL;
    sb_status status = join_journal(path, folder, joined);
    if (status == SB_OK) status = sb_h5_open(&t.file, joined, SB_SEAL_LINKS | SB_SEAL_RECORDING);
    if (status == SB_OK) {
        status = write_table(&t, text, n_bytes);
        sb_h5_close(t.file);
    }
    if (*folder) sb_folder_remove(folder);
    return status;
}

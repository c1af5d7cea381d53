#include "matrix/collect/sheets.h"

#include "core/hash.h"
#include "io/sums.h"
#include "io/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_MAX = 16 };

/* One table of a folder. `next`: where to look first, as tables have their rows in one order. */
typedef struct sheet {
    const sb_columns *columns;
    sb_table table;
    size_t next;
} sheet;

typedef struct folder {
    const char *name;
    char digest[SB_SHA256_TEXT]; /* of its SHA256SUMS */
    sheet sheet[TABLES_MAX];
    int n_sheets;
    size_t n_taken;
} folder;

struct sb_elsewhere {
    int n;
    folder item[SB_OPTION_LIST_MAX];
};

/* -- reading -- */

static sb_status file_in(char path[SB_PATH_MAX], const char *name, const char *file)
{
    return snprintf(path, SB_PATH_MAX, "%s/%s", name, file) < SB_PATH_MAX ? SB_OK : sb_file_too_long(name);
}

static sb_status read_sheet(folder *f, const sb_sums *sums, const sb_columns *columns)
{
    char path[SB_PATH_MAX];
    if (columns->need == SB_TABLE_APART || !sb_sums_find(sums, columns->file)) return SB_OK;
    assert(f->n_sheets < TABLES_MAX);
    SB_TRY(sb_sums_check(sums, f->name, columns->file));
    SB_TRY(file_in(path, f->name, columns->file));
    SB_TRY(sb_table_read(&f->sheet[f->n_sheets].table, path, columns));
    f->sheet[f->n_sheets++].columns = columns;
    return SB_OK;
}

static sheet *find_sheet(folder *f, const sb_columns *columns)
{
    for (int i = 0; i < f->n_sheets; i++)
        if (f->sheet[i].columns == columns) return &f->sheet[i];
    return NULL;
}

/* What this program's columns have and the table lacks would be empty: may it be? */
static sb_status check_columns(const folder *f)
{
    size_t column;
    for (int i = 0; i < f->n_sheets; i++)
        for (size_t c = 0; c < f->sheet[i].columns->n; c++)
            if (!f->sheet[i].columns->column[c].may_be_empty)
                SB_TRY(sb_table_column(&f->sheet[i].table, f->sheet[i].columns->column[c].name, &column));
    return SB_OK;
}

static sb_status read_folder(folder *f, const char *name)
{
    char path[SB_PATH_MAX];
    SB_OWNED(sb_sums_free) sb_sums sums = {0};
    f->name = name;
    SB_TRY(file_in(path, name, SB_SUMS_FILE));
    SB_TRY(sb_sums_read(&sums, path));
    SB_TRY(sb_sha256_file(path, f->digest));
    for (const sb_columns *const *columns = sb_columns_all; *columns; columns++) SB_TRY(read_sheet(f, &sums, *columns));
    if (!find_sheet(f, &sb_columns_cells)) return sb_fail(SB_E_USAGE, "%s: holds no collected cells", name);
    return check_columns(f);
}

sb_status sb_elsewhere_open(sb_elsewhere **elsewhere, const sb_texts *folders)
{
    sb_elsewhere *e = *elsewhere = calloc(1, sizeof *e);
    if (!e) return sb_fail(SB_E_MEMORY, "not enough memory for tables of other machines");
    sb_status status = SB_OK;
    for (; status == SB_OK && e->n < folders->n; e->n++) status = read_folder(&e->item[e->n], folders->item[e->n]);
    if (status == SB_OK) return SB_OK;
    sb_elsewhere_close(e);
    *elsewhere = NULL;
    return status;
}

void sb_elsewhere_close(sb_elsewhere *e)
{
    for (int i = 0; e && i < e->n; i++)
        for (int k = 0; k < e->item[i].n_sheets; k++) sb_table_free(&e->item[i].sheet[k].table);
    free(e);
}

/* -- rows -- */

static const char *field(const sheet *s, size_t row, const char *column)
{
    return sb_table_text_or_none(&s->table, row, column);
}

static bool is_of(const sheet *s, size_t row, const char *column, const char *hash)
{
    return strncmp(field(s, row, column), hash, SB_CELL_HASH_SHOWN) == 0;
}

/* The first row from `next` on, round the end, whose column says the hash; n_rows: none has it. */
static size_t first_of(const sheet *s, const char *column, const char *hash)
{
    const size_t n = s->table.n_rows;
    for (size_t i = 0; i < n; i++) {
        const size_t row = (s->next + i) % n;
        if (is_of(s, row, column, hash)) return row;
    }
    return n;
}

/* cell: whose row it is, for older tables that do not name it; NULL: of no cell. */
static void write_row(sb_writer *csv, const sheet *s, size_t row, const sb_cell *cell)
{
    for (size_t i = 0; i < s->columns->n; i++) {
        const char *column = s->columns->column[i].name, *text = field(s, row, column);
        if (cell && !*text && strcmp(column, "name") == 0) text = cell->name;
        sb_write(csv, i ? ",%s" : "%s", text);
    }
    sb_write(csv, "\n");
}

int sb_elsewhere_find(sb_elsewhere *e, const sb_cell *cell)
{
    for (int i = 0; i < e->n; i++) {
        sheet *cells = find_sheet(&e->item[i], &sb_columns_cells);
        const size_t row = first_of(cells, "hash", cell->hash);
        if (row == cells->table.n_rows || strcmp(field(cells, row, "name"), cell->name) != 0) continue;
        cells->next = row;
        e->item[i].n_taken++;
        return i;
    }
    return -1;
}

void sb_elsewhere_copy(sb_elsewhere *e, int number, sb_writer *csv, const sb_columns *columns, const sb_cell *cell)
{
    sheet *s = find_sheet(&e->item[number], columns);
    size_t row = s ? first_of(s, "hash", cell->hash) : 0;
    if (!s || row == s->table.n_rows) return;
    for (; row < s->table.n_rows && is_of(s, row, "hash", cell->hash); row++) write_row(csv, s, row, cell);
    s->next = row % s->table.n_rows;
}

const char *sb_elsewhere_registration(sb_elsewhere *e, int number, const sb_cell *cell)
{
    const sheet *cells = find_sheet(&e->item[number], &sb_columns_cells);
    return field(cells, first_of(cells, "hash", cell->hash), "registration");
}

bool sb_elsewhere_diverged(sb_elsewhere *e, int number, const sb_cell *cell)
{
    const sheet *cells = find_sheet(&e->item[number], &sb_columns_cells);
    return *field(cells, first_of(cells, "hash", cell->hash), "diverged") != 0;
}

void sb_elsewhere_copy_registration(sb_elsewhere *e, int number, sb_writer *csv, const char *id)
{
    const sheet *s = find_sheet(&e->item[number], &sb_columns_registrations);
    for (size_t row = 0; s && row < s->table.n_rows; row++)
        if (strcmp(field(s, row, "registration"), id) == 0) write_row(csv, s, row, NULL);
}

/* -- pairs -- */

/* The place among the first n cells; n: not there. */
static size_t place_of(const sb_cell *const *cells, size_t n, const char *hash)
{
    size_t place = 0;
    while (place < n && strncmp(cells[place]->hash, hash, SB_CELL_HASH_SHOWN) != 0) place++;
    return place;
}

/* Has the folder the cell, so that its distances are worth a look? */
static bool has_cell(folder *f, const sb_cell *cell)
{
    const sheet *cells = find_sheet(f, &sb_columns_cells);
    return first_of(cells, "hash", cell->hash) < cells->table.n_rows;
}

/* Rows of one pair stand together, so that a is looked up once for all of them. */
static void copy_pairs(sb_writer *csv, sheet *s, int number, const sb_cell *const *cells, const int *from, size_t b)
{
    size_t row = first_of(s, "b", cells[b]->hash), a = b;
    const char *hash = "";
    for (; row < s->table.n_rows && is_of(s, row, "b", cells[b]->hash); row++) {
        const char *of = field(s, row, "a");
        if (strcmp(of, hash) != 0) a = place_of(cells, b, of), hash = of;
        if (a < b && (from[b] == number || from[a] == number)) write_row(csv, s, row, NULL);
        s->next = (row + 1) % s->table.n_rows;
    }
}

void sb_elsewhere_copy_distances(sb_elsewhere *e, sb_writer *csv, const sb_cell *const *cells, const int *from,
                                 size_t b)
{
    for (int i = 0; i < e->n; i++) {
        sheet *s = find_sheet(&e->item[i], &sb_columns_distances);
        const bool is_taken = from[b] == i, may_be = from[b] < 0 && has_cell(&e->item[i], cells[b]);
        if (s && (is_taken || may_be)) copy_pairs(csv, s, i, cells, from, b);
    }
}

/* -- the rest -- */

/* Has a folder before this one the row, too? */
static bool is_in_earlier(sb_elsewhere *e, int number, const char *digest, const char *window, const char *updates)
{
    for (int i = 0; i < number; i++) {
        const sheet *s = find_sheet(&e->item[i], &sb_columns_baselines);
        for (size_t row = 0; s && e->item[i].n_taken && row < s->table.n_rows; row++)
            if (strcmp(field(s, row, "data_digest"), digest) == 0 && strcmp(field(s, row, "window"), window) == 0 &&
                strcmp(field(s, row, "updates"), updates) == 0)
                return true;
    }
    return false;
}

void sb_elsewhere_copy_baselines(sb_elsewhere *e, sb_writer *csv, const sb_baseline_requests *here)
{
    for (int i = 0; i < e->n; i++) {
        const sheet *s = find_sheet(&e->item[i], &sb_columns_baselines);
        for (size_t row = 0; s && e->item[i].n_taken && row < s->table.n_rows; row++) {
            const char *digest = field(s, row, "data_digest"), *window = field(s, row, "window"),
                       *updates = field(s, row, "updates");
            if (!sb_baseline_requests_hold(here, digest, window, updates) &&
                !is_in_earlier(e, i, digest, window, updates))
                write_row(csv, s, row, NULL);
        }
    }
}

void sb_elsewhere_write_coverage(const sb_elsewhere *e, sb_writer *csv)
{
    for (int i = 0; i < e->n; i++)
        sb_write(csv, "collected elsewhere,%s,%zu cells; SHA256SUMS %s\n", e->item[i].name, e->item[i].n_taken,
                 e->item[i].digest);
}

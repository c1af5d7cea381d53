#include "matrix/collect/sheets.h"

#include "core/file.h"
#include "core/hash.h"
#include "core/machine/home.h"
#include "io/columns.h"
#include "io/table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_absent(sb_writer *csv, const sb_cell *cell, sb_looker *looker)
{
    sb_store_look look;
    sb_look(&look, looker, cell, SB_TRUST_NONE);
    sb_home_hide(look.why);
    sb_write(csv, "%s,%s/%.*s,%s\n", sb_cell_state_word(look.state), cell->name, SB_CELL_HASH_SHOWN, cell->hash,
             look.why);
}

/* What the matrix file is called for others: by its path from here where it lies below. */
static void name_matrix(const char *path, char name[SB_PATH_MAX])
{
    char here[SB_PATH_MAX];
    size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = n > 1 && strncmp(path, here, n) == 0 && path[n] == '/';
    snprintf(name, SB_PATH_MAX, "%s", below ? path + n + 1 : path);
    sb_home_hide(name);
}

static void write_incomplete(sb_writer *csv, const sb_coverage *c, sb_looker *looker)
{
    for (size_t i = 0, k = 0; i < c->selection->n; i++) {
        if (k < c->complete->n && c->complete->item[k] == c->selection->item[i])
            k++;
        else
            write_absent(csv, c->selection->item[i], looker);
    }
}

/* What the matrix file excludes, then what the filters leave out. */
static void write_left_out(sb_writer *csv, const sb_coverage *c)
{
    const sb_cells *cells = c->cells;
    for (size_t i = 0; i < cells->n_excluded; i++)
        sb_write(csv, "excluded,%s/%.*s,%s\n", cells->excluded[i].name, SB_CELL_HASH_SHOWN, cells->excluded[i].hash,
                 cells->excluded[i].reason);
    for (size_t i = 0, k = 0; i < cells->n; i++) {
        if (k < c->selection->n && c->selection->item[k] == &cells->item[i])
            k++;
        else
            sb_write(csv, "not selected,%s/%.*s,\n", cells->item[i].name, SB_CELL_HASH_SHOWN, cells->item[i].hash);
    }
}

sb_status sb_coverage_write(sb_writer *csv, const sb_coverage *coverage, sb_looker *looker)
{
    const sb_coverage *c = coverage;
    char digest[SB_SHA256_TEXT], matrix[SB_PATH_MAX];
    name_matrix(c->cells->path, matrix);
    SB_TRY(sb_sha256_file(c->cells->path, digest));
    sb_columns_write(csv, &sb_columns_coverage);
    sb_write(csv, "matrix,%s,\nmatrix_sha256,%s,\nrun_schema,%d,\n", matrix, digest, SB_RUN_SCHEMA);
    sb_write(csv, "cells,%zu,\nselected,%zu,\ncomplete,%zu,\n", c->cells->n, c->selection->n, c->complete->n);
    if (c->n_diverged) sb_write(csv, "diverged,%zu,\n", c->n_diverged);
    write_incomplete(csv, c, looker);
    write_left_out(csv, c);
    return SB_OK;
}

/* -- what lies in a folder already -- */

/* What lies in the folder; {0}: no such table, or none that can be read. */
typedef struct tables {
    sb_table cells, coverage;
} tables;

static sb_table read_table(const char *folder, const sb_columns *columns)
{
    char path[SB_PATH_MAX];
    sb_table table = {0};
    if (snprintf(path, sizeof path, "%s/%s", folder, columns->file) >= SB_PATH_MAX || !sb_file_exists(path))
        return table;
    return sb_table_read(&table, path, columns) == SB_OK ? table : (sb_table){0};
}

/* A fact of coverage.csv; "": it has none. */
static const char *fact(const tables *t, const char *what)
{
    for (size_t row = 0; row < t->coverage.n_rows; row++)
        if (strcmp(sb_table_text_or_none(&t->coverage, row, "what"), what) == 0)
            return sb_table_text_or_none(&t->coverage, row, "value");
    return "";
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool has_file_digest(const sb_cells *cells, const char *digest)
{
    char now[SB_SHA256_TEXT];
    return sb_sha256_file(cells->path, now) == SB_OK && strcmp(now, digest) == 0;
}

/* Does one of n cells have the name and, where it is not NULL, the first digits of the hash? */
static bool is_among(const sb_cell *cell, size_t n, const char *name, const char *hash)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(cell[i].name, name) == 0 && (!hash || strncmp(cell[i].hash, hash, SB_CELL_HASH_SHOWN) == 0))
            return true;
    return false;
}

static size_t count_known(const tables *t, const sb_cells *cells, bool by_hash)
{
    size_t n = 0;
    for (size_t row = 0; row < t->cells.n_rows; row++) {
        const char *name = sb_table_text_or_none(&t->cells, row, "name");
        const char *hash = by_hash ? sb_table_text_or_none(&t->cells, row, "hash") : NULL;
        n += is_among(cells->item, cells->n, name, hash) || is_among(cells->excluded, cells->n_excluded, name, hash);
    }
    return n;
}

static bool is_same(const tables *t, const sb_cells *cells)
{
    const bool is_named_so = strcmp(last_part(fact(t, "matrix")), last_part(cells->path)) == 0;
    if (!t->cells.n_rows && !t->coverage.n_rows) return true;
    if (has_file_digest(cells, fact(t, "matrix_sha256"))) return true;
    if (is_named_so && (!t->cells.n_rows || count_known(t, cells, false))) return true;
    return t->cells.n_rows && count_known(t, cells, true) == t->cells.n_rows;
}

sb_status sb_same_study_check(const sb_cells *cells, const char *folder)
{
    tables t = {read_table(folder, &sb_columns_cells), read_table(folder, &sb_columns_coverage)};
    const char *matrix = fact(&t, "matrix");
    const sb_status status =
        is_same(&t, cells)
            ? SB_OK
            : sb_fail(SB_E_USAGE,
                      "%s: holds the tables of another study, %s; name another folder with -o, or remove it", folder,
                      *matrix ? matrix : "of an unknown matrix file");
    sb_table_free(&t.coverage);
    sb_table_free(&t.cells);
    return status;
}

#include "matrix/collect/same_study.h"

#include "core/file.h"
#include "core/hash.h"
#include "io/columns.h"
#include "io/table.h"

#include <stdio.h>
#include <string.h>

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

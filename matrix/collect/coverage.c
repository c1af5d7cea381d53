#define _POSIX_C_SOURCE 200809L /* getcwd */
#include "matrix/collect/coverage.h"

#include "core/machine/environment.h"
#include "io/columns.h"

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

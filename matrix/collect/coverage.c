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

sb_status sb_coverage_write(sb_writer *csv, const sb_cells *cells, const sb_selection *selection,
                            const sb_selection *complete, sb_looker *looker)
{
    char digest[SB_SHA256_TEXT], matrix[SB_PATH_MAX];
    name_matrix(cells->path, matrix);
    SB_TRY(sb_sha256_file(cells->path, digest));
    sb_columns_write(csv, &sb_columns_coverage);
    sb_write(csv, "matrix,%s,\nmatrix_sha256,%s,\nrun_schema,%d,\n", matrix, digest, SB_RUN_SCHEMA);
    sb_write(csv, "cells,%zu,\nselected,%zu,\ncomplete,%zu,\n", cells->n, selection->n, complete->n);
    for (size_t i = 0, k = 0; i < selection->n; i++) {
        if (k < complete->n && complete->item[k] == selection->item[i])
            k++;
        else
            write_absent(csv, selection->item[i], looker);
    }
    return SB_OK;
}

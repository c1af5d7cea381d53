#define _POSIX_C_SOURCE 200809L /* getcwd */
#include "coverage.h"

#include "core/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* For people: a comma would end a column. */
static void write_why(FILE *out, const char *why)
{
    for (; *why; why++) fputc(*why == ',' ? ';' : strchr("\"\n", *why) ? ' ' : *why, out);
}

static void write_absent(FILE *out, const sb_cell *cell, sb_looker *looker)
{
    sb_store_look look;
    sb_look(&look, looker, cell, SB_TRUST_NONE);
    fprintf(out, "%s,%s/%.*s,", sb_state_word(look.state), cell->name, SB_CELL_HASH_SHOWN, cell->hash);
    sb_home_hide(look.why);
    write_why(out, look.why);
    fputc('\n', out);
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

sb_status sb_coverage_write(FILE *out, const sb_cells *cells, const sb_selection *selection,
                            const sb_selection *complete, sb_looker *looker)
{
    char digest[SB_SHA256_TEXT], matrix[SB_PATH_MAX];
    name_matrix(cells->path, matrix);
    SB_TRY(sb_sha256_file(cells->path, digest));
    fputs("what,value,why\nmatrix,", out);
    write_why(out, matrix);
    fprintf(out, ",\nmatrix_sha256,%s,\nrun_schema,%d,\n", digest, SB_RUN_SCHEMA);
    fprintf(out, "cells,%zu,\nselected,%zu,\ncomplete,%zu,\n", cells->n, selection->n, complete->n);
    for (size_t i = 0, k = 0; i < selection->n; i++) {
        if (k < complete->n && complete->item[k] == selection->item[i])
            k++;
        else
            write_absent(out, selection->item[i], looker);
    }
    return SB_OK;
}

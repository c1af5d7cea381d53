#include "coverage.h"

#include <string.h>

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
    write_why(out, look.why);
    fputc('\n', out);
}

sb_status sb_coverage_write(FILE *out, const sb_cells *cells, const sb_selection *selection,
                            const sb_selection *complete, sb_looker *looker)
{
    char digest[SB_SHA256_TEXT];
    SB_TRY(sb_sha256_file(cells->path, digest));
    fputs("what,value,why\nmatrix,", out);
    write_why(out, cells->path);
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

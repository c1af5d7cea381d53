/* Tables that belong together, written row by row next to their names (PATH.part) and given these when all are whole: a
 * full disk must not leave the curves of other cells next to the cells. SHA256SUMS comes last, with the digests of the
 * others.
 *
 *     sb_sheets sheets;
 *     sb_status status = sb_sheets_open(&sheets, "results/demo", names, 2);
 *     ... sb_write(sheets.item[0].csv, ...); status = sb_sheets_check(&sheets);
 *     status = sb_sheets_close(&sheets, status);
 */
#pragma once

#include "core/file.h"
#include "core/status.h"
#include "core/text/writer.h"

#include <stdbool.h>
#include <stdio.h>

enum { SB_SHEETS_MAX = 12 }; /* the sums among them */

typedef struct sb_sheet {
    const char *file;
    char path[SB_PATH_MAX];
    FILE *out; /* of PATH.part */
    sb_writer *csv;
} sb_sheet;

typedef struct sb_sheets {
    sb_sheet item[SB_SHEETS_MAX];
    int n;
    const char *folder;
    bool made_folder;
} sb_sheets;

/* Make the folder unless it is there, and begin n files in it. Whatever comes back, the caller closes. */
sb_status sb_sheets_open(sb_sheets *sheets, const char *folder, const char *const *files, int n);

/* The very bytes of a file as all of sheet i. */
sb_status sb_sheets_copy(sb_sheets *sheets, int i, const char *path);

/* SB_E_IO with its reason if one of the last writes failed; to be asked soon after them. */
sb_status sb_sheets_check(const sb_sheets *sheets);

/* With SB_OK all get their names, or none does; else all are removed, and the folder if it was made for them. Returns
 * the first error. */
sb_status sb_sheets_close(sb_sheets *sheets, sb_status status);

/* Remove a file that an earlier collection wrote there, and this one does not. */
sb_status sb_sheets_drop(const char *folder, const char *file);

/* A comma and the number, or nothing after it for what is no number. */
void sb_sheet_real(sb_writer *csv, double value);

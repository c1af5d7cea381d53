/* Tables of the same matrix that were collected on other machines, whose run files stayed there: a GPU's machine often
 * gives back no more than tables. Rows of cells that have no finished run here are taken from them, in
 * `collect --with DIR`.
 *
 *     SB_TRY(sb_elsewhere_open(&elsewhere, &(sb_texts){1, {"h200"}}));
 *     const int folder = sb_elsewhere_find(elsewhere, cell);
 *     if (folder >= 0) sb_elsewhere_copy(elsewhere, folder, csv, &sb_columns_cells, cell);
 *     sb_elsewhere_close(elsewhere);
 *
 * A cell is known by its hash and its name. Every table is compared with the SHA256SUMS next to it and, field by field,
 * against its columns (io/columns.h) before a row of it is taken; that the numbers come from a run was checked only
 * when they were collected. */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/collect/baselines_sheet.h"

#include "core/command/options.h"
#include "core/status.h"
#include "core/text/writer.h"
#include "io/columns.h"

#include <stddef.h>

typedef struct sb_elsewhere sb_elsewhere;

/* All tables of these folders, in memory; the names of the folders stay the caller's. SB_E_USAGE: no results there.
 * SB_E_INTEGRITY: a table is not as it was collected, or not one of this program's. On failure nothing is kept. */
sb_status sb_elsewhere_open(sb_elsewhere **elsewhere, const sb_texts *folders);
void sb_elsewhere_close(sb_elsewhere *elsewhere); /* NULL is fine */

/* The first folder that has the cell: its number; -1: none. */
int sb_elsewhere_find(sb_elsewhere *elsewhere, const sb_cell *cell);

/* The cell's rows of one of the folder's tables, known by its column `hash`; of a table that the folder lacks, none. */
void sb_elsewhere_copy(sb_elsewhere *elsewhere, int folder, sb_writer *csv, const sb_columns *columns,
                       const sb_cell *cell);

/* The set of claims that the cell's run registered; "": none. The sheet's. */
const char *sb_elsewhere_registration(sb_elsewhere *elsewhere, int folder, const sb_cell *cell);

/* Has the cell's run diverged? */
bool sb_elsewhere_diverged(sb_elsewhere *elsewhere, int folder, const sb_cell *cell);

/* All rows of that set. */
void sb_elsewhere_copy_registration(sb_elsewhere *elsewhere, int folder, sb_writer *csv, const char *id);

/* Distances to b of those cells before it of which one of the two was taken from a folder: from [n], the folder of each
 * complete cell, -1 for one that is here; b: its place among them. */
void sb_elsewhere_copy_distances(sb_elsewhere *elsewhere, sb_writer *csv, const sb_cell *const *cells, const int *from,
                                 size_t b);

/* Rows of predictions without learning, of folders that a cell was taken from, but for those that runs here need: these
 * are in the sheet. */
void sb_elsewhere_copy_baselines(sb_elsewhere *elsewhere, sb_writer *csv, const sb_baseline_requests *here);

/* For coverage.csv: each folder's name, the digest of its SHA256SUMS, and how many cells were taken from it. */
void sb_elsewhere_write_coverage(const sb_elsewhere *elsewhere, sb_writer *csv);

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

#include "core/command/options.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/status.h"
#include "core/text/writer.h"
#include "io/columns.h"
#include "io/h5/h5.h"
#include "io/run/registration.h"
#include "matrix/cells/cells.h"
#include "matrix/cells/filter.h"
#include "matrix/schema/matrix_schema.h"
#include "matrix/store/store.h"

#include <stdbool.h>
#include <stddef.h>
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

/* Tables that only some runs have rows for. Each is written where one of the selected cells has (results/README.md):
 * generations.csv, of runs without gradients what each generation was like (io/run/run_lists.h, evolution); parents.csv, of
 * runs of Deep GA who became a parent, and whose mutation it was; trust.csv, of layer-wise optimizers the norms and ratios of
 * each tensor at the end of each epoch. Long runs have every k-th generation or epoch and the last, or the last
 * generations. */

typedef struct sb_sheet_of_some {
    const sb_columns *columns;
    bool (*wanted)(const sb_selection *selection);
    /* The rows of a run, named by its cell's hash; none of a run that has none. SB_E_INTEGRITY: the run file contradicts
     * itself. */
    sb_status (*add)(sb_writer *csv, const char *hash, sb_h5 *file);
} sb_sheet_of_some;

enum { SB_SHEETS_OF_SOME = 3 };
extern const sb_sheet_of_some sb_sheets_of_some[SB_SHEETS_OF_SOME];

/* registrations.csv: each set of claims that some of the collected runs registered, once; a row for each claim in it.
 * The column `registration` of cells.csv says which set a run has. */

typedef struct sb_registration_sheet { /* {0} holds none */
    size_t n;
    char (*id)[SB_REGISTRATION_ID]; /* [n], those that are written */
} sb_registration_sheet;

/* Write the set that a run of this path registered ("": none) unless it is written already, and say its id.
 * SB_E_INTEGRITY: the text is no registration. */
sb_status sb_registration_sheet_add(sb_registration_sheet *written, sb_writer *csv, const char *path,
                                    const char *claims, char id[SB_REGISTRATION_ID]);

/* The same for a set whose rows the caller writes. *is_new: they are still to be written. */
sb_status sb_registration_sheet_note(sb_registration_sheet *written, const char *id, bool *is_new);
void sb_registration_sheet_free(sb_registration_sheet *written);

/* baselines.csv: next to the losses of the collected runs, how well their video is predicted without learning
 * (io/baselines.h); three rows for each data set, window and number of updates. */

typedef struct sb_baseline_request { /* what some of the runs need */
    const sb_data_source *data;
    char digest[SB_HASH_TEXT]; /* of the data that they learned from */
    long window, updates;
} sb_baseline_request;

typedef struct sb_baseline_requests { /* {0} holds none */
    size_t n;
    sb_baseline_request *item;
} sb_baseline_requests;

/* Note what a run needs, once for all that need the same. window and digest are its columns: one that has none ("")
 * learned from images, or from a program before digests, and needs nothing. */
sb_status sb_baseline_requests_add(sb_baseline_requests *requests, const sb_data_source *data, const char *digest,
                                   const char *window, long updates);
void sb_baseline_requests_free(sb_baseline_requests *requests);

/* Does some run need the rows of that data set for this window and that number of updates? window and updates: as in a
 * table. */
bool sb_baseline_requests_hold(const sb_baseline_requests *requests, const char *digest, const char *window,
                               const char *updates);

/* Write the table. folder: of the data sets. A data set that is not there, or not that one, has the rows that it has in
 * OUTPUT/baselines.csv, if that is as it was collected; else a sentence on stderr. */
sb_status sb_baselines_sheet_write(sb_writer *csv, const sb_baseline_requests *requests, const char *folder,
                                   const char *output);

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

/* What was asked for and what of it is there, as a table next to the results: coverage.csv. From it the report knows
 * whether its results are complete, and of which matrix file they are.
 *
 *     what,value,why
 *     matrix,matrix/demo.yaml,          as it was given
 *     matrix_sha256,DIGEST,             of that file
 *     run_schema,1,                     of the run files
 *     cells,26,                         of the matrix
 *     selected,24,                      of these, by the filters
 *     complete,23,
 *     diverged,2,                       of the complete ones, where some did
 *     metric,NAME,lower                 of a study of commands: which values of each metric are better, lower or higher
 *     hardware missing,NAME/HASH,why    then a row for each selected cell that is not complete; `what` is its state
 *     excluded,NAME/HASH,reason         and one for each that the matrix file excludes,
 *     not selected,NAME/HASH,           or the filters leave out
 */

typedef struct sb_coverage {
    const sb_cells *cells;
    const sb_selection *selection;
    const sb_selection *complete; /* cells of the selection that have a row in cells.csv, in its order */
    size_t n_diverged;            /* of these */
} sb_coverage;

/* No stamp is believed. */
sb_status sb_coverage_write(sb_writer *csv, const sb_coverage *coverage, sb_looker *looker);

/* Are the tables in a folder of this study, so that it may replace them? A matrix file may have been
 * renamed or moved, or edited; not both, unless every cell that has a row is still one of its cells.
 *
 * SB_OK: the folder has no tables, tables of this study, or none that can be read. SB_E_USAGE: tables of another
 * study. */
sb_status sb_same_study_check(const sb_cells *cells, const char *folder);

/* The distances of the weights of two cells over the updates, from the sketches in their run files.
 *
 * A cell b is compared with a cell a before it that learned from the same data in the same order, with the same options
 * and from the same initial weights, and differs from it in one of three things alone: its target, its setting
 * (backend, arithmetic, hardware, kernel type, threads) or its ulp. For each of the three it is one a: the first such
 * cell of its own study, or, if there is none, of all. */

/* The complete cells, in the order of the selection, and where their rows come from. Filled by collect.c. */
typedef struct sb_complete {
    sb_selection cells;
    bool *have_sketches; /* [cells.n]: a run without, of an older program, is in no pair, and is not read */
    bool *diverged;      /* [cells.n]: a run without losses */
    int *from;           /* [cells.n]: the folder of `elsewhere` that the cell was taken from, -1: its run is here */
    sb_elsewhere *elsewhere; /* NULL: all are here */
} sb_complete;

enum { SB_DISTANCE_ROWS = 60 }; /* at most, of one pair; of more the first, the last, and those evenly between */

/* distances.csv (results/README.md), pairs in the order of b. Pairs of which one run is not here are copied from the
 * tables collected elsewhere. */
sb_status sb_distances_write(sb_writer *csv, const sb_complete *complete, const sb_looker *looker);

/* What computed a run whose sums a library orders, as a text of words: its name, its version, then its kernel type or the
 * device. Bits of two such runs are comparable where all of it is equal; nothing promises that they are equal then.
 *
 *     OpenBLAS 0.3.21 Haswell
 *     cuDNN 9.1.0 NVIDIA H100 80GB HBM3
 */

enum { SB_LIBRARY_TEXT = 256 };

/* Of an open run file or chain, by its /config and /env; "": its backend has a written order, or the file does not say. */
void sb_library_of_run(sb_h5 *run, char text[SB_LIBRARY_TEXT]);

/* Of OpenBLAS in the sealed files of a reference that was collected by a program whose cells.csv does not say: the version
 * from the first chain in REFERENCE/chains, the kernel type from the trace at that path. "": unknown. */
void sb_library_of_reference(const char *reference, const char *trace, char text[SB_LIBRARY_TEXT]);

/* Why runs of these two may have other bits, which nothing promised: "of another version: 0.3.26 here, 0.3.21 there". ""
 * where both are the same. */
void sb_library_reason(const char *here, const char *there, char reason[SB_LIBRARY_TEXT]);

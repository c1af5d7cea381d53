/* The results of a matrix as tables (sheets.h): cells.csv, one row per complete cell, curves.csv, one row per update,
 * distances.csv, distances of runs, timing.csv, what a run took, baselines.csv, how well the video is predicted without
 * learning, registrations.csv, the claims that stood when runs began, and coverage.csv, what was asked for and is
 * missing; where cells have rows for them also generations.csv, parents.csv and trust.csv. Where the matrix file names
 * claims, claims.yaml is that file, so that the results include the question and the rules.
 * SHA256SUMS holds their digests, so that a number changed by hand is noticed. All but timing.csv repeat byte for byte where the
 * runs repeat their bits. Columns and units are in results/README.md. */
#pragma once

#include "matrix/cells/filter.h"
#include "matrix/store/store.h"

#include "core/command/options.h"
#include "core/status.h"

#include <stddef.h>

enum { SB_CURVE_ROWS = 1000 }; /* at most, of one cell; longer curves become means over blocks of equal length */

typedef struct sb_collected {
    size_t complete;
    size_t diverged;  /* of the complete ones */
    size_t corrupt;   /* run files that are damaged or not this cell's: named on stderr */
    size_t absent;    /* cells without a finished run */
    size_t elsewhere; /* of the complete ones: rows of other machines' tables */
} sb_collected;

/* Write the tables into OUTPUT, every run file read in full whatever its stamp says, in the order of the selection. All
 * are replaced as a whole, or none. with: folders of tables from which cells are taken that have no finished run here
 * (sheets.h). SB_E_EMPTY (and nothing written) without a complete cell. SB_E_USAGE: OUTPUT holds the tables of another
 * study. */
sb_status sb_collect(sb_collected *collected, const sb_cells *cells, const sb_selection *selection, sb_looker *looker,
                     const sb_texts *with, const char *output);

/* The same of a study of commands: cells.csv has a column for each axis and each metric, so that any program of
 * statistics takes it, as `samebits-report judge` does. timing.csv, coverage.csv and SHA256SUMS are as for other studies.
 *
 *     name,hash,study,seed,threads,rate,loss,accuracy,updates,diverged,output,evidence
 *
 * `claims` is the SHA-256 of the file of claims when the run ended, where the matrix file names one. `output` is the
 * SHA-256 of what the program wrote, `weights` the hash of the last weights of a recording. On stderr a line for each
 * metric that has one value in all cells. */
sb_status sb_collect_commands(sb_collected *collected, const sb_cells *cells, const sb_selection *selection,
                              sb_looker *looker, const char *output);

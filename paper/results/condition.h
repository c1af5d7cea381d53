/* In what condition collected results are: whether their tables are as they were collected, agree with the run files
 * that are there, and hold every cell that could be run. The report builds from others only when told, and then says so
 * on every page. */
#pragma once

#include "core/status.h"
#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_notes { /* {0} is an empty list */
    size_t n;
    char **text; /* the list's */
} sb_notes;

sb_status sb_notes_add(sb_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sb_notes_free(sb_notes *notes);

typedef struct sb_allowed { /* what the reader asked to build from all the same */
    bool changed, incomplete;
} sb_allowed;

typedef struct sb_missing { /* a cell without a row in cells.csv; the texts are coverage's */
    const char *state;      /* "hardware missing", "missing", "failed", ...: as samebits-matrix status says */
    const char *cell;       /* NAME/HASH */
    const char *why;        /* may be empty */
    size_t n_alike;         /* at the first cell of a state and why: how many cells have the same; 0 at the others */
} sb_missing;

enum { SB_STAMP_TEXT = 160 };

typedef struct sb_condition { /* {0} is sound */
    sb_table coverage;        /* coverage.csv; no rows where that is absent */
    const char *matrix;       /* the matrix file; NULL: unknown */
    long n_cells, n_selected, n_complete;
    bool custom;                          /* of another program */
    size_t n_missing, n_hardware, n_data; /* of the missing, those that lacked their hardware, or their data; the
                                             others could have run */
    sb_missing *missing;
    sb_missing *left_out; /* [n_left_out]: "excluded" by the matrix file, or "not selected" by the filters */
    size_t n_left_out;
    long n_diverged;           /* of the complete ones */
    size_t n_retimed;          /* cells that were trained again since, with the same bits */
    const sb_result *retimed;  /* the first of them; NULL: none */
    sb_notes changed;          /* a sentence for each table or row that is not as it was collected */
    sb_notes incomplete;       /* a sentence for each reason why results are missing or stale */
    char stamp[SB_STAMP_TEXT]; /* for every page: "built from tables that were changed by hand"; "": sound */
} sb_condition;

/* Hold a folder of results with n_cells cells against its SHA256SUMS, its coverage.csv, the matrix file that it names (where
 * that is), and the run files that are there. What does not hold is a sentence in `changed` or `incomplete`, no failure.
 * results NULL: tables of another program (docs/any-program.md), whose cells have names of any form and no run files of
 * ours. The caller frees the condition, also after a failure. */
sb_status sb_condition_read(sb_condition *condition, const char *folder, size_t n_cells, const sb_results *results);

/* SB_OK: sound, or allowed as it is. SB_E_INTEGRITY: changed; SB_E_PARTIAL: incomplete; each with the first sentence
 * and what to do. */
sb_status sb_condition_accept(const sb_condition *condition, const char *folder, sb_allowed allowed);

void sb_condition_free(sb_condition *condition);

/* Hold the rows of cells.csv and curves.csv against the run files that are there: a number that was changed by hand is
 * found even if the digests next to the tables were made anew, and so is a cell that was run again since. */

typedef struct sb_audit {
    sb_notes *changed;        /* a sentence for each cell whose row or curve says something else than its run file */
    size_t n_retimed;         /* cells whose run has the same bits, but took another time: trained again since */
    const sb_result *retimed; /* the first of them */
} sb_audit;

/* Absent and unfinished run files say nothing. SB_E_INTEGRITY: a run file that is none of the cell's, of another
 * schema, or damaged. Times are not results: another one changes nothing, and is counted. */
sb_status sb_audit_cells(const sb_results *results, sb_audit *audit);

/* The runs that are here against reference results, by their bits: the same weights or not, and where not, which
 * operation is the first to differ.
 *
 *     SB_TRY(sb_match(&matched, &w.selection, "results", "results/demo-reference", "cache/data", stdout));
 *     sb_matched_free(&matched);
 *
 * A reference is a folder that `samebits-matrix collect --traces` wrote: cells.csv, whose rows are matched by the hash
 * of the cell, so that only cells with the same settings are compared with each other, and traces/HASH.h5, what every
 * operation of the first update reads and writes (inspect/trace/trace_file.h), of the first seed of each setting. A
 * trace of a cell whose weights differ is made here and handed to `samebits bisect`. */
#pragma once

#include "matrix/cells/filter.h"
#include "matrix/collect/sheets.h"

#include "core/hash.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum sb_match_state { SB_MATCH_SAME, SB_MATCH_DIFFERENT, SB_MATCH_NOT_RUN, SB_MATCH_UNKNOWN } sb_match_state;
extern const char *const sb_match_word[]; /* "same", "different", "not run", "not in the reference" */

typedef struct sb_matched_cell {
    const sb_cell *cell;
    sb_match_state state;
    char here[SB_HASH_TEXT], there[SB_HASH_TEXT]; /* weights; "": none */
    char library[2][SB_LIBRARY_TEXT];             /* here, there; "": none, or unknown */
} sb_matched_cell;

/* The cells of a backend that were compared. */
typedef struct sb_matched_group {
    const char *backend;
    bool is_promised; /* the same bits everywhere, so that another one is a fault */
    size_t n_same, n_compared;
    size_t n_alarming;            /* of the others: promised, or by the same version of a library on the same kernels */
    char reason[SB_LIBRARY_TEXT]; /* of the first of the rest: "of another version: 0.3.26 here, 0.3.21 there" */
} sb_matched_group;

enum { SB_MATCH_GROUPS = 8 };

typedef struct sb_matched {
    sb_matched_cell *cell; /* [n], the selection */
    size_t n;
    size_t n_not_run;                        /* not complete here */
    size_t n_unknown;                        /* complete here, and not in the reference */
    sb_matched_group group[SB_MATCH_GROUPS]; /* in the order in which their backends come in the selection */
    size_t n_groups;
} sb_matched;

/* Print a line for each cell whose weights differ, with what bisect says where the reference has a trace; out NULL: print
 * nothing, and trace nothing. Runs that diverged at one update are the same: what is left of their weights is NaN, whose
 * bits are no promise. data is the folder of the data sets. SB_E_INTEGRITY: the reference is not as it was collected.
 * SB_E_USAGE: there is none. A run that is damaged counts as not run, and is named on stderr. Whatever comes back, the
 * caller frees. */
sb_status sb_match(sb_matched *matched, const sb_selection *selection, const char *results, const char *reference,
                   const char *data, FILE *out);
void sb_matched_free(sb_matched *matched);

/* Write traces/HASH.h5 of the first cell of each setting (all settings but the seed) of the selection into OUTPUT, by
 * `samebits trace`, for cells that are complete in RESULTS; nothing is left of a trace that failed. */
sb_status sb_match_write_traces(const sb_selection *selection, const char *results, const char *data,
                                const char *output);

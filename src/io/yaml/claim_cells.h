/* The cells that a claim speaks of, by their names alone, so that a matrix file and collected tables say the same of them: those
 * whose study, data, backend, hardware and target, the parts of a name, are what one of its selectors wants.
 *
 *     sb_named_cell cell[] = {{"low/walk/native/any/copy/s001", "0123abcd"}, ...};
 *     sb_claim_cells(claim, cell, n, &n_spoken, digest);
 */
#pragma once

#include "io/yaml/claim_file.h"

typedef struct sb_named_cell {
    const char *name, *hash; /* STUDY/DATA/BACKEND/HARDWARE/TARGET/SEED, and its first 8 digits */
} sb_named_cell;

enum { SB_CLAIM_CELL_HASH = 8 };

/* Sort by name and hash, and drop what is there twice; returns how many are left. */
size_t sb_named_cells_sort(sb_named_cell *cell, size_t n);

/* How many of these sorted cells it speaks of, and the first 128 bits of the SHA-256 of their lines "NAME HASH". */
sb_status sb_claim_cells(const sb_claim *claim, const sb_named_cell *cell, size_t n, size_t *n_spoken,
                         char digest[SB_CLAIM_DIGEST]);

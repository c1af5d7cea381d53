/* The factors a cell is made of: one table that drives the keys of a matrix file, the checks of their values, the
 * record that names a cell, and the command line of `samebits train`. To add a factor, add a row to factors.c: cells
 * that do not set it keep their hashes.
 */
#ifndef SB_MATRIX_FACTORS_H
#define SB_MATRIX_FACTORS_H

#include "core/status.h"

#include <stdbool.h>

/* The order is also the order in which axes expand (the last one fastest). */
typedef enum sb_factor {
    SB_FACTOR_STUDY,
    SB_FACTOR_MODEL,
    SB_FACTOR_DATA,
    SB_FACTOR_BACKEND,
    SB_FACTOR_ARITHMETIC,
    SB_FACTOR_HARDWARE,
    SB_FACTOR_BLAS_KERNEL,
    SB_FACTOR_CUDNN_ALGORITHM,
    SB_FACTOR_TF32,
    SB_FACTOR_THREADS,
    SB_FACTOR_UPDATES,
    SB_FACTOR_EPOCHS,
    SB_FACTOR_BATCH,
    SB_FACTOR_WINDOW,
    SB_FACTOR_CHANNELS,
    SB_FACTOR_HIDDEN,
    SB_FACTOR_LR,
    SB_FACTOR_CHECKPOINT_EVERY,
    SB_FACTOR_TARGET,
    SB_FACTOR_ULP,
    SB_FACTOR_SEED,
    SB_FACTOR_N,
} sb_factor;

typedef enum sb_factor_kind {
    SB_FACTOR_NAME,   /* letters, digits, '.', '_' and '-': may stand in a cell's name */
    SB_FACTOR_CHOICE, /* one of `words` */
    SB_FACTOR_INT,    /* a whole number in [min, max], written plainly */
    SB_FACTOR_REAL,   /* a number in [min, max] */
    SB_FACTOR_LIST,   /* whole numbers with commas */
} sb_factor_kind;

typedef struct sb_factor_form {
    const char *key;    /* in matrix files, records and tables: "blas_kernel" */
    const char *option; /* of samebits train: "--blas-kernel"; NULL: not an option of its own */
    sb_factor_kind kind;
    const char *words; /* of a choice, separated by | */
    double min, max;   /* of a number */
    bool recorded;     /* part of the record: it decides what is computed, or names the cell */
} sb_factor_form;

const sb_factor_form *sb_factor_about(sb_factor factor);

/* The factor of that key, SB_FACTOR_N if there is none. */
sb_factor sb_factor_find(const char *key);

/* Does the text say a value of this factor? If not, what it wants is written into wanted: "a whole number in [1, 64]".
 */
bool sb_factor_check(sb_factor factor, const char *text, char wanted[160]);

#endif

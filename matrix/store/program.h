/* What trains a cell: the trainer of samebits, or the command of its study. A row each; nothing above this floor asks
 * which of them it is.
 *
 *     const sb_cell_program *program = sb_cell_program_of(cell);
 *     program->add_start(&argv, cell, folder, &paths);       on this machine alone
 *     program->add_argv(&argv, cell, &paths);                ... it runs, and ends with exit code 0 ...
 *     SB_TRY(program->conclude(&store, cell, seconds));
 */
#pragma once

#include "core/hash.h"
#include "core/status.h"
#include "matrix/cells/cells.h"
#include "matrix/cells/command.h"
#include "matrix/store/store.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_cell_program {
    const char *ending; /* of the file that makes a cell complete */

    /* Before the arguments: how the program is started on this machine. */
    sb_status (*add_start)(sb_argv *argv, const sb_cell *cell, const char *matrix, const sb_command_paths *paths);
    /* The arguments that train the cell. */
    void (*add_argv)(sb_argv *argv, const sb_cell *cell, const sb_command_paths *paths);

    /* It ended well: check what it wrote, and make the file of that ending. SB_E_INTEGRITY: it did not keep its promise. */
    sb_status (*conclude)(const sb_store *store, const sb_cell *cell, double seconds);

    /* Read that file, and all that belongs to it, in full. SB_E_EMPTY: not finished; SB_E_INTEGRITY: damaged, or of another
     * record. Fills the stamp but for the file's identity and the hash. */
    sb_status (*check)(const sb_store *store, const sb_cell *cell, sb_stamp *stamp);
    sb_status (*record)(const char *path, char record[SB_RECORD_BYTES]);

    /* The arguments that compare the bits of two runs; exit code 0: the same, 1: not. */
    void (*add_comparison)(sb_argv *argv, const sb_cell *cell, const char *first, const char *second);
} sb_cell_program;

const sb_cell_program *sb_cell_program_of(const sb_cell *cell);
extern const sb_cell_program sb_program_trainer, sb_program_command;

/* The file that says that a command's cell is complete, written after its program ended well and its output was read: a line
 * of JSON with the record and what was found, and the SHA-256 of that line.
 *
 *     {"claims":"","cpu":"...","diverged":false,"output":"SHA-256 of the output","record":"{...}","seconds":1.5,"updates":40}
 */

typedef struct sb_cell_result {
    int64_t updates; /* rows or updates of the output */
    double seconds;  /* wall time of the program */
    bool diverged;   /* a metric is not finite */
    char output[SB_SHA256_TEXT];
    char weights[SB_HASH_TEXT];  /* of a recording; "": unknown */
    char claims[SB_SHA256_TEXT]; /* of the file of claims when the program ended; "": the matrix file names none */
    char cpu[128];
} sb_cell_result;

sb_status sb_cell_result_write(const sb_cell_result *result, const char *record, const char *path);

/* SB_E_EMPTY: not there. SB_E_INTEGRITY: its digest does not hold, or it is no such file. */
sb_status sb_cell_result_read(sb_cell_result *result, char record[SB_RECORD_BYTES], const char *path);

/* What a command wrote: the last value of each metric that its study promises, from a table, from lines of JSON or from a
 * recording (record/external_file.h). Nothing of it is trusted. */

typedef struct sb_measured {
    int64_t n;                     /* rows, lines or updates */
    double value[SB_MEASURES_MAX]; /* of each metric; not finite: the training diverged */
    char weights[SB_HASH_TEXT];    /* of a recording: the hash of its last weights; "": none */
    char sha256[SB_SHA256_TEXT];   /* of all its bytes */
} sb_measured;

/* In a process of its own. SB_E_INTEGRITY with a sentence: the file is not there, is no such file, or lacks a metric. */
sb_status sb_measured_read(sb_measured *measured, const sb_study *study, const char *path);

/* Is a metric not finite? */
bool sb_measured_diverged(const sb_measured *measured, const sb_study *study);

/* What trains a cell: the trainer of samebits, or the command of its study. A row each; nothing above this floor asks
 * which of them it is.
 *
 *     const sb_cell_program *program = sb_cell_program_of(cell);
 *     program->add_start(&argv, cell, folder, &paths);       on this machine alone
 *     program->add_argv(&argv, cell, &paths);                ... it runs, and ends with exit code 0 ...
 *     SB_TRY(program->conclude(&store, cell, seconds));
 */
#pragma once

#include "matrix/cells/command.h"
#include "matrix/cells/record.h"
#include "matrix/store/store.h"

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

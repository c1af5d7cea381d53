/* The tables of a study of commands: cells.csv has a column for each axis and each metric, so that any program of
 * statistics takes it, as `samebits-report judge` does. timing.csv, coverage.csv and SHA256SUMS are as for other studies.
 *
 *     name,hash,study,seed,threads,rate,loss,accuracy,updates,diverged,output,evidence
 *
 * `claims` is the SHA-256 of the file of claims when the run ended, where the matrix file names one. `output` is the
 * SHA-256 of what the program wrote, `weights` the hash of the last weights of a recording. */
#ifndef SB_MATRIX_COLLECT_COLLECT_COMMANDS_H
#define SB_MATRIX_COLLECT_COLLECT_COMMANDS_H

#include "matrix/collect/collect.h"

/* As sb_collect; on stderr a line for each metric that has one value in all cells. */
sb_status sb_collect_commands(sb_collected *collected, const sb_cells *cells, const sb_selection *selection,
                              sb_looker *looker, const char *output);

#endif

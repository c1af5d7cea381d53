/* How the ranks of a cell are started: by MPICH's mpiexec on this machine, in a job of Slurm by its srun, which reaches
 * all of the job's nodes. */
#pragma once

#include "matrix/process/argv.h"

#include "core/file.h"
#include "core/rows/setting.h"

/* The number of processes that train a cell with these settings. */
long sb_launcher_ranks(const char *const value[SB_N_SETTINGS]);

/* The arguments before the program's name; none of a cell of one process. */
void sb_launcher_add(sb_argv *argv, const char *const value[SB_N_SETTINGS]);

/* What is not here of the programs that start the ranks, in `name`; NULL: nothing is lacking, or nothing is wanted. */
const char *sb_launcher_absent(const char *const value[SB_N_SETTINGS], char name[SB_PATH_MAX]);

#include "matrix/process/launcher.h"

#include "matrix/process/process.h"

#include <stdlib.h>

#define MPIEXEC "mpiexec.hydra"

long sb_launcher_ranks(const char *const value[SB_N_SETTINGS])
{
    return value[SB_SETTING_RANKS] ? strtol(value[SB_SETTING_RANKS], NULL, 10) : 1;
}

static bool is_in_job(void)
{
    return getenv("SLURM_JOB_ID") != NULL;
}

void sb_launcher_add(sb_argv *argv, const char *const value[SB_N_SETTINGS])
{
    const char *threads = value[SB_SETTING_THREADS];
    if (sb_launcher_ranks(value) == 1) return;
    if (!is_in_job()) {
        sb_argv_add(argv, MPIEXEC);
        sb_argv_add_pair(argv, "-n", value[SB_SETTING_RANKS]);
        return;
    }
    sb_argv_add_split(argv, "srun --mpi=pmi2 --kill-on-bad-exit=1");
    sb_argv_add_pair(argv, "--ntasks", value[SB_SETTING_RANKS]);
    sb_argv_add_pair(argv, "--cpus-per-task", threads ? threads : "1");
}

const char *sb_launcher_absent(const char *const value[SB_N_SETTINGS], char name[SB_PATH_MAX])
{
    if (sb_launcher_ranks(value) == 1) return NULL;
    return sb_process_absent(is_in_job() ? "srun samebits-mpi" : MPIEXEC " samebits-mpi", name);
}

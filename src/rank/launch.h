/* What a launcher of parallel programs (mpiexec, srun) says of this process, in its environment; and the program with
 * MPI in it, which lies next to this one.
 *
 * `samebits` has no MPI in it: an MPI library is many times larger than the trainer, opens hundreds of files before
 * main, and is of no use to a process that is alone. `samebits-mpi` is linked from the same objects with it. Started by
 * a launcher, `samebits` starts `samebits-mpi` with its own command line, waits for it, hands signals on to it, and
 * says which rank was killed: the others, which the launcher kills then, can not.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>

/* This many seconds a launcher has for passing on what a rank has said, before it is asked to end all of them: then it reads
 * no more. */
enum { SB_LAUNCH_PASSES_ON_S = 1 };

typedef struct sb_launch {
    int rank, size; /* 0 and 1 of a process that no launcher started, or that it started alone */
} sb_launch;

/* SB_E_USAGE: started by a launcher of another MPI, or by srun without --mpi=pmi2: every process would believe that it
 * is alone. */
sb_status sb_launch_read(sb_launch *launch);

/* Does this process speak for all that a launcher started? Rank 0 does, and a process that is alone. */
bool sb_launch_speaks(void);

/* Start samebits-mpi with this command line and wait for it: its status, without a sentence, which it has said itself.
 * SB_E_MISSING: it is not there. SB_E_IO: it was killed; which rank that was is said on stderr, and the launcher is
 * asked to end the others. */
sb_status sb_launch_hand_over(const sb_launch *launch, char *const argv[]);

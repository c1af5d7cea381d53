/* In the place of mpi.c, in a program that is linked without MPI. */
#include "rank/engine.h"

const sb_rank_engine sb_rank_mpi = {.name = "mpi"};

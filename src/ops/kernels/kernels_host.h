/* The kernels, walked by the CPU: block by block, step by step, thread by thread. For tests of their logic; slow. */
#ifndef SB_OPS_KERNELS_HOST_H
#define SB_OPS_KERNELS_HOST_H

#include "ops/cuda.h"

/* The threads of a block have no order between two waits. Each gives the same bits, or the kernel has a race. */
typedef enum sb_walk { SB_WALK_UP, SB_WALK_DOWN } sb_walk;

/* False: not enough memory for a block, and nothing is done. */
bool sb_kernels_walk(int kernel, sb_grid grid, const void *args, sb_walk walk);

#endif

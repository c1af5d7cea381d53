/* Executes the GPU kernels on the CPU: block by block, step by step, thread by thread. Slow; for tests of their
 * logic. */
#pragma once

#include "ops/cuda.h"

/* The order of a block's threads between two waits, ascending or descending. If the two give different bits, the kernel
 * has a race. */
typedef enum sb_walk { SB_WALK_UP, SB_WALK_DOWN } sb_walk;

/* Execute a kernel. False: not enough memory for a block; nothing was computed. */
bool sb_kernels_walk(int kernel, sb_grid grid, const void *args, sb_walk walk);

/* How the kernels of the GPU backends are written, so that one source is device code for nvcc and, walked thread by
 * thread, host code for any C compiler (kernels_host.c): what CTest proves about indices and bits without a device is
 * proved about the code that a device runs.
 *
 * Elementwise: NAME_args, whose first member is `long n`, and NAME_each(args, i), called once for each i in [0, n).
 *
 * Tiled: NAME_threads; NAME_args; NAME_shared, one per block; NAME_own, one per thread; NAME_steps(args, spot), the
 * same number for all threads of a block; NAME_step(args, spot, step, shared, own). Between two steps all threads of a
 * block wait for each other, and only there: in one step nobody reads what another thread of the block writes in it.
 *
 * No libm but fma and sqrt: the bits are order.h's. Maps are planes [groups * c][h][w].
 */
#ifndef SB_OPS_KERNELS_KERNEL_H
#define SB_OPS_KERNELS_KERNEL_H

#include "ops/order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDA_ARCH__
#define SB_UNROLL _Pragma("unroll")
#else
#define SB_UNROLL
#endif

/* Where a thread stands. */
typedef struct sb_spot {
    int x, y, z; /* block */
    int thread;
} sb_spot;

#endif

/* The kernels on a CUDA device. */
#ifndef SB_OPS_KERNELS_CUDA_H
#define SB_OPS_KERNELS_CUDA_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts a kernel on a stream (cudaStream_t): SB_KERNEL_NAME, its grid within the limits of ops/cuda.h, args its
 * NAME_args, which are copied before this returns. Returns the cudaError_t of this launch, never one that another call
 * left behind; the runtime keeps it, too.
 * dependent: a programmatic dependent launch, only where sb_kernels_can_depend says so: the device may place the
 * blocks once those of the kernel before it have ended, and they wait for its completion before they touch memory. */
int sb_kernels_launch(int kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, const void *args, void *stream,
                      bool dependent);

/* Whether launches on the present device may be dependent ones: its code is for compute capability 9.0 or more, so that
 * kernels wait for the one before them, and toolkit and driver are of CUDA 12.3 or later, whose graphs keep such
 * launches. Returns a cudaError_t; can is false where it is not cudaSuccess. */
int sb_kernels_can_depend(bool *can);

#ifdef __cplusplus
}
#endif

#endif

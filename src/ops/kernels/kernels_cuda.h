/* The kernels on a CUDA device. */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Launch a kernel on a stream (cudaStream_t). kernel: SB_KERNEL_NAME. The grid is within the limits of ops/cuda.h.
 * args: its NAME_args, copied before this returns. Returns the cudaError_t of this launch, never an earlier error; the
 * runtime keeps it, too. dependent: make a programmatic dependent launch, only if sb_kernels_can_depend: the device may
 * start the blocks before the previous kernel has completed, and they wait for its completion before they access
 * memory. */
int sb_kernels_launch(int kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, const void *args, void *stream,
                      bool dependent);

/* Set *can: may launches on the current device be dependent? True if its code is for compute capability 9.0 or higher,
 * where kernels wait for the previous one, and if toolkit and driver are CUDA 12.3 or later, whose graphs keep such
 * launches. Returns a cudaError_t; unless it is cudaSuccess, *can is false. */
int sb_kernels_can_depend(bool *can);

#ifdef __cplusplus
}
#endif

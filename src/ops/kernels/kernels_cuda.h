/* The kernels on a CUDA device. */
#ifndef SB_OPS_KERNELS_CUDA_H
#define SB_OPS_KERNELS_CUDA_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts a kernel on a stream (cudaStream_t), its grid within the limits of ops/gpu.h. Returns the cudaError_t of this
 * launch, never one that another call left behind; the runtime keeps it, too.
 * dependent: a programmatic dependent launch, where sb_kernels_wait says that kernels wait: the device may start its
 * blocks while the kernel before it runs, and they wait there for its end. */
int sb_kernels_launch(int kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, const void *args, void *stream,
                      bool dependent);

/* Whether the kernels, as the present device runs them, wait for the end of the kernel before them: code for compute
 * capability 9.0 or more, by CUDA 12.3 or later, whose graphs keep dependent launches. Returns a cudaError_t. */
int sb_kernels_wait(bool *wait);

#ifdef __cplusplus
}
#endif

#endif

/* The kernels on a CUDA device. */
#ifndef SB_OPS_KERNELS_CUDA_H
#define SB_OPS_KERNELS_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

/* Puts a kernel on a stream (cudaStream_t), its grid within the limits of ops/gpu.h. Returns the cudaError_t of this
 * launch, never one that another call left behind; the runtime keeps it, too. */
int sb_kernels_launch(int kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, const void *args, void *stream);

#ifdef __cplusplus
}
#endif

#endif

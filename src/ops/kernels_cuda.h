/* The kernels on a CUDA device. */
#ifndef SB_OPS_KERNELS_CUDA_H
#define SB_OPS_KERNELS_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

/* Puts a kernel on a stream (cudaStream_t); elementwise kernels ignore the grid. Returns a cudaError_t. */
int sb_kernels_launch(int kernel, int grid_x, int grid_y, int grid_z, const void *args, void *stream);

#ifdef __cplusplus
}
#endif

#endif

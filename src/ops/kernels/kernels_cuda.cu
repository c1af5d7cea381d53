/* The sources of ops/kernels as device code, and their one launcher. */
#include <cuda_pipeline_primitives.h>

#include "ops/kernels/all.h"
#include "ops/kernels/kernels_cuda.h"

#include <cuda_runtime_api.h>

/* Arguments that a kernel indexes stay where they are, without a copy in each thread's memory. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define CONSTANT __grid_constant__
#else
#define CONSTANT
#endif

#define KERNEL_EACH(name)                                                                                              \
    __global__ void __launch_bounds__(SB_EACH_THREADS) name##_kernel(const name##_args k)                              \
    {                                                                                                                  \
        long i = (long)blockIdx.x * SB_EACH_THREADS + threadIdx.x;                                                     \
        if (i < k.n) name##_each(&k, i);                                                                               \
    }

#define KERNEL_TILED(name)                                                                                             \
    __global__ void __launch_bounds__(name##_threads, name##_resident) name##_kernel(CONSTANT const name##_args k)     \
    {                                                                                                                  \
        __shared__ name##_shared shared;                                                                               \
        name##_own own;                                                                                                \
        const sb_spot at = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)threadIdx.x};                      \
        const int steps = name##_steps(&k, at);                                                                        \
        for (int step = 0; step < steps; step++) {                                                                     \
            name##_step(&k, at, step, &shared, &own);                                                                  \
            __syncthreads();                                                                                           \
        }                                                                                                              \
    }

SB_KERNELS(KERNEL_EACH, KERNEL_TILED)

typedef struct row {
    const void *kernel;
    unsigned threads;
} row;

#define ROW_EACH(name)  {(const void *)name##_kernel, SB_EACH_THREADS},
#define ROW_TILED(name) {(const void *)name##_kernel, name##_threads},

int sb_kernels_launch(int kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, const void *args, void *stream)
{
    static const row rows[] = {SB_KERNELS(ROW_EACH, ROW_TILED)};
    void *all[] = {const_cast<void *>(args)};
    return cudaLaunchKernel(rows[kernel].kernel, dim3(grid_x, grid_y, grid_z), dim3(rows[kernel].threads), all, 0,
                            (cudaStream_t)stream);
}

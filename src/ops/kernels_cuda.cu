/* The sources of ops/kernels as device code, and their launchers. */
#include <cuda_pipeline_primitives.h>

#include "ops/kernels/all.h"
#include "ops/kernels_cuda.h"

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
    }                                                                                                                  \
    static int name##_launch(dim3, const void *args, cudaStream_t stream)                                              \
    {                                                                                                                  \
        const name##_args *k = (const name##_args *)args;                                                              \
        if (k->n == 0) return cudaSuccess;                                                                             \
        unsigned blocks = (unsigned)((k->n + SB_EACH_THREADS - 1) / SB_EACH_THREADS);                                  \
        name##_kernel<<<blocks, SB_EACH_THREADS, 0, stream>>>(*k);                                                     \
        return cudaGetLastError();                                                                                  \
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
    }                                                                                                                  \
    static int name##_launch(dim3 grid, const void *args, cudaStream_t stream)                                         \
    {                                                                                                                  \
        name##_kernel<<<grid, name##_threads, 0, stream>>>(*(const name##_args *)args);                                \
        return cudaGetLastError();                                                                                  \
    }

SB_KERNELS(KERNEL_EACH, KERNEL_TILED)

#define LAUNCH_ROW(name) name##_launch,
int sb_kernels_launch(int kernel, int grid_x, int grid_y, int grid_z, const void *args, void *stream)
{
    static int (*const launches[])(dim3, const void *, cudaStream_t) = {SB_KERNELS(LAUNCH_ROW, LAUNCH_ROW)};
    const dim3 grid((unsigned)grid_x, (unsigned)grid_y, (unsigned)grid_z);
    return launches[kernel](grid, args, (cudaStream_t)stream);
}

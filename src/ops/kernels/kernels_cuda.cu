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

/* Waits until the kernel before this one has ended, and with it all before that; of a launch that is not dependent it
 * does nothing. A kernel does not say itself when the next one may be placed: that is when its own blocks have ended.
 * Said at its beginning, the next one's blocks take room from blocks that are still to run, and a window of PredNet
 * takes 1.2 times as long on an H200; left unsaid, 0.96 times. Kernels of libraries that are launched as dependent ones
 * wait by themselves. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WAIT_FOR_LAST() cudaGridDependencySynchronize()
#else
#define WAIT_FOR_LAST() ((void)0)
#endif
enum { WAITS_FROM = 90, DRIVER_FROM = 12030 }; /* version of the PTX; of the driver, as it counts them */

#define KERNEL_EACH(name)                                                                                              \
    __global__ void __launch_bounds__(SB_EACH_THREADS) name##_kernel(const name##_args k)                              \
    {                                                                                                                  \
        WAIT_FOR_LAST();                                                                                               \
        long i = (long)blockIdx.x * SB_EACH_THREADS + threadIdx.x;                                                     \
        if (i < k.n) name##_each(&k, i);                                                                               \
    }

#define KERNEL_TILED(name)                                                                                             \
    __global__ void __launch_bounds__(name##_threads, name##_resident) name##_kernel(CONSTANT const name##_args k)     \
    {                                                                                                                  \
        WAIT_FOR_LAST();                                                                                               \
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

static const row rows[] = {SB_KERNELS(ROW_EACH, ROW_TILED)};

#if CUDART_VERSION >= 12030
static cudaError_t launch_dependent(const row *r, dim3 grid, void **args, cudaStream_t stream)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = dim3(r->threads), config.stream = stream;
    config.attrs = &early, config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, r->kernel, args);
}

int sb_kernels_can_depend(bool *can)
{
    cudaFuncAttributes attributes;
    int driver = 0;
    cudaError_t error = cudaDriverGetVersion(&driver);
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, rows[0].kernel);
    *can = error == cudaSuccess && driver >= DRIVER_FROM && attributes.ptxVersion >= WAITS_FROM;
    return error;
}
#else
static cudaError_t launch_dependent(const row *, dim3, void **, cudaStream_t)
{
    return cudaErrorNotSupported;
}

int sb_kernels_can_depend(bool *can)
{
    *can = false;
    return cudaSuccess;
}
#endif

int sb_kernels_launch(int kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, const void *args, void *stream,
                      bool dependent)
{
    const row *r = &rows[kernel];
    const dim3 grid(grid_x, grid_y, grid_z);
    void *all[] = {const_cast<void *>(args)};
    if (dependent) return launch_dependent(r, grid, all, (cudaStream_t)stream);
    return cudaLaunchKernel(r->kernel, grid, dim3(r->threads), all, 0, (cudaStream_t)stream);
}

/* A CUDA device as a machine of backend/gpu.h: memory, one stream, graphs by stream capture, a clock by events. With
 * cuda.c and ops/kernels/kernels_cuda.cu it is all that touches the CUDA runtime, which is linked statically and opens
 * the driver itself.
 *
 * Not yet run on a device. What is proved without one: the list of work and the kernels (tests/test_gpu.c), and these
 * files on a runtime of the tests, each call of which fails in turn (tests/test_gpu_runtime.c). What is done after a
 * failure is in backend/gpu.h; an opening that fails leaves nothing open. */
#ifndef SB_BACKEND_CUDA_DEVICE_H
#define SB_BACKEND_CUDA_DEVICE_H

#include "backend/gpu.h"

#include <cuda_runtime_api.h>

/* Around every call of the runtime that may fail: the runtime keeps the last error and returns it from
 * cudaGetLastError, which libraries call; this clears it. */
static inline cudaError_t sb_cuda_taken(cudaError_t error)
{
    if (error != cudaSuccess) cudaGetLastError();
    return error;
}

/* The device that was chosen (backend/context.h) as native-cuda; closed by sb_backend_close. SB_E_MISSING: it does not open. */
sb_status sb_cuda_device_open(sb_gpu_backend **backend, const sb_backend_options *options);

#endif

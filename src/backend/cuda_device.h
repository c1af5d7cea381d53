/* A CUDA device as a machine of backend/gpu.h: memory, one stream, graphs by stream capture, a clock by events. Only
 * these files, cuda.c and ops/kernels/kernels_cuda.cu call the CUDA runtime, which is linked statically and opens the
 * driver itself.
 *
 * Tests without a device: the command list and the kernels (tests/test_gpu.c), and these files with a CUDA runtime of
 * the tests, each call of which fails in turn (tests/test_gpu_runtime.c). results/gpu has runs on a device.
 * backend/gpu.h says what happens after a failure. An open that fails leaves nothing open. */
#pragma once

#include "backend/gpu.h"

#include <cuda_runtime_api.h>

/* Wrap every call of the runtime that may fail in this: it clears the last error, which the runtime would return to the
 * next caller of cudaGetLastError, also in a library. */
static inline cudaError_t sb_cuda_taken(cudaError_t error)
{
    if (error != cudaSuccess) cudaGetLastError();
    return error;
}

/* Open the chosen device (sb_cuda_choose) as native-cuda. The caller closes it by sb_backend_close. SB_E_MISSING: the
 * device does not open. */
sb_status sb_cuda_device_open(sb_gpu_backend **backend, const sb_backend_options *options);

/* How the registry opens each backend; see backend.h. available: can it run here? If not, `why` is set to a message. */
#pragma once

#include "backend/backend.h"
#include "ops/context.h"

/* CPU backends: they use memory, elementwise operations and convolutions of `native`, for an instruction set of this
 * CPU. */
sb_status sb_native_open(sb_ops **ops, const sb_backend_options *options);
sb_status sb_openblas_open(sb_ops **ops, const sb_backend_options *options);
bool sb_openblas_available(char *why, size_t size);

sb_status sb_cuda_on_cpu_open(sb_ops **ops, const sb_backend_options *options);

/* The calling thread uses this device from now on: its number modulo the number of devices. SB_E_MISSING: the device
 * cannot be used. Without any device this succeeds, and the open of a backend fails. */
sb_status sb_cuda_choose(int device);

/* Backends on a CUDA device, in cuda.c. In a build without CUDA no_cuda.c has them, and they are never available. */
sb_status sb_native_cuda_open(sb_ops **ops, const sb_backend_options *options);
sb_status sb_cublas_open(sb_ops **ops, const sb_backend_options *options);
sb_status sb_cudnn_open(sb_ops **ops, const sb_backend_options *options);
bool sb_native_cuda_available(char *why, size_t size);
bool sb_cublas_available(char *why, size_t size);
bool sb_cudnn_available(char *why, size_t size);

/* Add GPU, driver and libraries, for /env; nothing without a device. */
void sb_cuda_facts(sb_facts *facts);

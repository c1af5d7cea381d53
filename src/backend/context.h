/* How the registry opens each backend; see backend.h. available: can it run here, and if not, why. */
#ifndef SB_BACKEND_CONTEXT_H
#define SB_BACKEND_CONTEXT_H

#include "backend/backend.h"
#include "ops/context.h"

/* A CPU backend with memory, elementwise operations and convolutions of `native` at an instruction set of this CPU. */
sb_status sb_native_open(sb_ops **ops, const sb_backend_options *options);
sb_status sb_openblas_open(sb_ops **ops, const sb_backend_options *options);
bool sb_openblas_available(char *why, size_t size);

sb_status sb_cuda_on_cpu_open(sb_ops **ops, const sb_backend_options *options);

/* From here on the calling thread works on this device, counted round where there are fewer; SB_E_MISSING where that
 * one cannot be used. Where there is none, what opens one says so. */
sb_status sb_cuda_choose(int device);

/* On a CUDA device, in cuda.c; where the program was built without CUDA, in no_cuda.c, never available. */
sb_status sb_native_cuda_open(sb_ops **ops, const sb_backend_options *options);
sb_status sb_cublas_open(sb_ops **ops, const sb_backend_options *options);
sb_status sb_cudnn_open(sb_ops **ops, const sb_backend_options *options);
bool sb_native_cuda_available(char *why, size_t size);
bool sb_cublas_available(char *why, size_t size);
bool sb_cudnn_available(char *why, size_t size);

/* GPU, driver and libraries as found, for /env; nothing where there is no device. */
void sb_cuda_facts(sb_facts *facts);

#endif

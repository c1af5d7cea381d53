/* The backends, declared once: what the trainer can open (backend/registry.c), and what a matrix file may name.
 *
 *     ROW(id, name, device, order, settings, summary)
 *
 * id        sb_ID_open and sb_ID_available are its functions
 * device    CPU or GPU: where its operations run
 * order     WRITTEN: sums in a written order (ops/order.h), so that bits depend on neither threads nor hardware;
 *           LIBRARY: as a library sums
 * settings  the keys of the settings that are this backend's own (core/rows/setting.h), with \0 between them
 */
#pragma once

#include <stdbool.h>

/* clang-format off */
#define SB_BACKENDS(ROW)                                                                                               \
    ROW(native, "native", CPU, WRITTEN, "arithmetic\0isa",                                                             \
        "own kernels in one written order: the same bits on every CPU")                                                \
    ROW(openblas, "openblas", CPU, LIBRARY, "blas_kernel",                                                             \
        "im2col + OpenBLAS sgemm, what the study's library did on a CPU")                                              \
    ROW(native_cuda, "native-cuda", GPU, WRITTEN, "arithmetic",                                                        \
        "own kernels on a GPU, in native's order: the same bits")                                                      \
    ROW(cublas, "cublas", GPU, LIBRARY, "tf32",                                                                        \
        "im2col + cuBLAS sgemm, the study's 'cuDNN off'")                                                              \
    ROW(cudnn, "cudnn", GPU, LIBRARY, "cudnn_algorithm\0cudnn_version\0tf32",                                        \
        "convolutions by cuDNN, the study's 'cuDNN on'")                                                               \
    ROW(cuda_on_cpu, "cuda-on-cpu", CPU, WRITTEN, "arithmetic",                                                        \
        "native-cuda's kernels walked by the CPU: slow, for tests of their logic")
/* clang-format on */

/* "native|openblas|...": the words of the option and of the matrix key. */
#define SB_BACKEND_WORD(id, name, device, order, settings, summary) "|" name
#define SB_BACKEND_WORDS                                            (&(SB_BACKENDS(SB_BACKEND_WORD))[1])

/* Does that backend compute on a GPU? false for a name that is none. */
bool sb_backend_is_gpu(const char *name);

/* Does it sum in a written order, so that its bits are promised to be the same everywhere? false for a name that is
 * none. */
bool sb_backend_is_written(const char *name);

/* The software stacks, declared once: a row each. From a row follow the image's name, its Containerfile
 * (containers/Containerfile.in), the packages that go into it (containers/packages.lock), the cards it serves, and what
 * `cudnn_version` of a matrix file may choose. To add a stack, add its row, and the packages that it names to the lock.
 *
 *     ROW(name, sm_min, sm_max, first_to, driver, cudnn, compiler, cublas, cudnn_part, contents)
 *
 * name        of the stack, of the tag and of the saved archive
 * sm_min, _max  compute capabilities (times ten) of the cards that it serves: the kernels of its libraries and of the
 *             trainer hold code for them; 0, 0: no card
 * first_to    the stack of a cell that names no cudnn_version: the first row whose first_to is not below the card; -1:
 *             only cells that name its cuDNN get it
 * driver      the least major version of the GPU's driver
 * cudnn       its version; NULL: none
 * compiler, cublas, cudnn_part
 *             names of packages in the lock: nvcc, and what the trainer opens
 * contents    one line for people
 *
 * From `driver` on a row is what its CUDA gives it (SB_CUDA_11_8 and the others below) with that version of cuDNN. The
 * wheels of CUDA 12 hold no nvcc, so its stacks take the trainer that nvcc 11.8 made: the libraries are opened when it
 * runs, and it has code for the same cards. cuDNN 8.5 has no code for Hopper; 9.28 has some for cards before Turing in
 * libcudnn_engines_precompiled, none in libcudnn_ops, so that its stacks begin with Turing (cuobjdump -lelf).
 */
#pragma once

/* clang-format off */
#define SB_CUDA(version, major, driver, nvcc, cublas, cudnn, patch)                                                    \
    driver, cudnn "." patch, "nvcc-" nvcc, "cublas-" cublas, "cudnn-" cudnn "-cuda-" major,                            \
        "CUDA " version ", cuDNN " cudnn
#define SB_CUDA_11_8(cudnn, patch) SB_CUDA("11.8", "11", 450, "11.8", "11.11", cudnn, patch)
#define SB_CUDA_12_9(cudnn, patch) SB_CUDA("12.9", "12", 525, "11.8", "12.9",  cudnn, patch)
#define SB_CUDA_13_0(cudnn, patch) SB_CUDA("13.0", "13", 580, "13.0", "13.0",  cudnn, patch)

#define SB_STACK_ROWS(ROW)                                                                                             \
    ROW("cpu",                   0,   0,   0, 0, NULL, NULL, NULL, NULL, "the trainer and nothing else")               \
    ROW("cuda-11.8",            50,  90,  75, SB_CUDA_11_8("8.9", "6"))                                                \
    ROW("cuda-11.8-cudnn-8.5",  50,  86,  -1, SB_CUDA_11_8("8.5", "0"))                                                \
    ROW("cuda-11.8-cudnn-9.0",  50,  90,  -1, SB_CUDA_11_8("9.0", "0"))                                                \
    ROW("cuda-11.8-cudnn-9.10", 50,  90,  -1, SB_CUDA_11_8("9.10", "2"))                                               \
    ROW("cuda-12.9",            50,  90,  99, SB_CUDA_12_9("9.10", "2"))                                               \
    ROW("cuda-12.9-cudnn-8.9",  50,  90,  -1, SB_CUDA_12_9("8.9", "7"))                                                \
    ROW("cuda-12.9-cudnn-9.0",  50,  90,  -1, SB_CUDA_12_9("9.0", "0"))                                                \
    ROW("cuda-12.9-cudnn-9.28", 75,  90,  -1, SB_CUDA_12_9("9.28", "0"))                                               \
    ROW("cuda-13",              75, 999, 999, SB_CUDA_13_0("9.28", "1"))
/* clang-format on */

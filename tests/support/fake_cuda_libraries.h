/* What tests set in the cuDNN of fake_cuda_libraries.c and read from it, by dlsym "fake_cudnn" and "fake_cublas". */
#ifndef SB_TESTS_FAKE_CUDA_LIBRARIES_H
#define SB_TESTS_FAKE_CUDA_LIBRARIES_H

#include <stddef.h>

/* Algorithms that only its lists name: one that rounds to half precision, one for tensor cores, and those that are to
 * be taken where cuDNN guesses and where it measures. */
enum { FAKE_HALF = 8, FAKE_ON_TENSOR_CORES, FAKE_GUESSED, FAKE_FASTEST };

/* Bit n of a set of algorithms is algorithm n. */
typedef struct fake_cudnn_state {
    unsigned unsized;     /* answer NOT_SUPPORTED to the question for their memory */
    unsigned unsupported; /* ... only when they are to convolve */
    unsigned large;       /* want more than 8 MiB, though the list says less */
    unsigned broken;      /* fail with EXECUTION_FAILED when they are to convolve */
    int failing_call;     /* creation, description or search number n from here fails once; -1: none */

    unsigned used, used_math; /* algorithms and math types that have convolved */
    int n_searches, n_refused;
    int n_live; /* handles and descriptors */
} fake_cudnn_state;

typedef struct fake_cublas_state {
    int failing_call; /* of those that start it: 0 create, 1 stream, 2 workspace, 3 math mode; -1: none */
    int n_live;       /* handles */
} fake_cublas_state;

#endif

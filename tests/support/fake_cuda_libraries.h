/* What tests set in the cuDNN of fake_cuda_libraries.c and read from it, by dlsym "fake_cudnn" and "fake_cublas". */
#pragma once

#include <stddef.h>

/* Algorithms that only its lists name: one that rounds to half precision, one for tensor cores, and those that are to
 * be taken where cuDNN guesses and where it measures. */
enum { FAKE_HALF = 8, FAKE_ON_TENSOR_CORES, FAKE_GUESSED };

/* Engines of the graph API in the order of its lists, and what their notes say: rounds to half precision, sums in half
 * precision, something that is not known, tensor cores, adds with atomics, Winograd, nothing; and those that only the
 * fallback lists, after PLAIN: atomics, nothing. */
enum {
    FAKE_TO_HALF,
    FAKE_SUMS_HALF,
    FAKE_UNKNOWN,
    FAKE_TENSOR_CORES,
    FAKE_ATOMICS,
    FAKE_WINOGRAD,
    FAKE_PLAIN,
    FAKE_FALLBACK_ATOMICS,
    FAKE_FALLBACK,
    FAKE_ENGINES
};

/* Bit n of a set of algorithms is algorithm n, or engine n. */
typedef struct fake_cudnn_state {
    unsigned unsized;     /* answer NOT_SUPPORTED to the question for their memory, or to a plan */
    unsigned unsupported; /* ... only when they are to convolve */
    unsigned large;       /* want a byte more than limit, though the list says less */
    size_t limit;
    unsigned broken;      /* fail with EXECUTION_FAILED when they are to convolve */
    unsigned unlisted;    /* modes of the heuristic that list nothing: NOT_SUPPORTED */
    int failing_call;     /* creation, description or search number n from here fails once, of the graph API any call;
                           * -1: none */

    unsigned slow;        /* engines that take a millisecond more */
    int most_images;      /* batches of more images are NOT_SUPPORTED; 0: none are */

    int n_convolved[3];       /* of y, of x and of w */
    unsigned used, used_math; /* algorithms and math types that have convolved */
    int n_searches, n_refused;
    int n_live; /* handles and descriptors */
} fake_cudnn_state;

typedef struct fake_cublas_state {
    int failing_call; /* of those that start it: 0 create, 1 stream, 2 workspace, 3 math mode; -1: none */
    int n_live;       /* handles */
} fake_cublas_state;

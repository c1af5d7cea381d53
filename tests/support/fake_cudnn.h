/* What the two halves of the tests' cuDNN share: fake_cuda_libraries.c, a function for each kind of convolution, and
 * fake_cudnn_graph.c, its graph API. */
#pragma once

#include "fake_cuda_libraries.h"

#include <stdbool.h>

#ifndef FAKE_STARTS
#define FAKE_STARTS        1
#define FAKE_CUBLAS_MAJOR  13
#define FAKE_CUDNN_VERSION 91300
#endif

/* The numbers of the statuses changed from 8 to 9. */
enum {
    IS_8 = FAKE_CUDNN_VERSION < 90000,
    DNN_OK = 0,
    DNN_NOT_INITIALIZED = IS_8 ? 1 : 1001,
    DNN_BAD_PARAM = IS_8 ? 3 : 2000,
    DNN_NOT_SUPPORTED = IS_8 ? 9 : 3000,
    DNN_ARCH_MISMATCH = IS_8 ? 6 : 3007,
    DNN_INTERNAL_ERROR = IS_8 ? 4 : 4000,
    DNN_EXECUTION_FAILED = IS_8 ? 8 : 5000
};

enum { FAKE_WORKSPACE = 4096, FAKE_LISTED_LIMIT = 8 << 20 }; /* of the choices that search a list */

extern fake_cudnn_state fake_cudnn;

/* A handle or a descriptor: 'h', 't'ensor n c h w, 'f'ilter k c h w, 'c'onvolution math type, described */
typedef struct fake_object {
    int kind, a, b, c, d;
} fake_object;

/* Is this the call that is to fail? */
bool fake_is_due(void);

/* Every work sums the same products; the target says which of the three tensors a product is added to, after beta times
 * what was there. */
typedef enum fake_target { FAKE_Y, FAKE_X, FAKE_W } fake_target;
void fake_convolve(const fake_object *x_is, const fake_object *w_is, const fake_object *y_is, float *x, float *w,
                   float *y, fake_target to, float beta);

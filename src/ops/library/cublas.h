/* cuBLAS, opened at run time: the first of libcublas.so.13, .12 and .11 that starts here, or the file named by
 * SAMEBITS_CUBLAS.
 *
 * TF32 is off by default: the math mode is CUBLAS_DEFAULT_MATH, in which sgemm computes in float. An environment that
 * changes this is refused (ops/library/library.h). */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_cublas sb_cublas;

/* Does a version start here, on an existing device? If not, `why` is set to a message. */
bool sb_cublas_found(char *why, size_t size);

/* The version that this process started last, or if it started none, the first that opens. That one is not started, so
 * runs on other backends only read its version. False: there is none. */
bool sb_cublas_found_version(char *version, size_t size);

/* Size of the device memory for the library's work. With a workspace of the caller, equal products give equal bits,
 * also in a graph. The documentation of cublasSetWorkspace recommends this size for the largest devices. */
enum { SB_CUBLAS_WORKSPACE = 32 << 20 };

/* Open the library; work goes to the stream (cudaStream_t). workspace has SB_CUBLAS_WORKSPACE bytes and stays the
 * caller's; NULL: the library allocates its own. SB_E_MISSING: no version of the library starts. SB_E_USAGE: the
 * environment changes its arithmetic. */
sb_status sb_cublas_open_library(sb_cublas **blas, void *stream, void *workspace, bool tf32);
void sb_cublas_close(sb_cublas *blas); /* NULL does nothing */
const char *sb_cublas_version(const sb_cublas *blas);

/* c[m][n] = a b + beta c, all row-major; *_row is the distance of rows in elements. a is [m][k], or if a_turned stored
 * as [k][m]; b is [k][n], or if b_turned [n][k]. Returns NULL, or an error message. */
const char *sb_cublas_product(sb_cublas *blas, bool a_turned, bool b_turned, int m, int n, int k, const float *a,
                              int a_row, const float *b, int b_row, float beta, float *c, int c_row);

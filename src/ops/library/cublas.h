/* cuBLAS, opened at run time: the first of libcublas.so.13, .12 and .11 that starts here, or what SAMEBITS_CUBLAS
 * names.
 *
 * TF32 is off unless asked for: the math mode is CUBLAS_DEFAULT_MATH, in which sgemm computes in float. An environment
 * that says otherwise is refused (ops/library/library.h). */
#ifndef SB_OPS_CUBLAS_H
#define SB_OPS_CUBLAS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_cublas sb_cublas;

/* Does one start here, on a device that is there? If not, why holds the sentence. */
bool sb_cublas_found(char *why, size_t size);

/* Of the one that this process has started last; where it has started none, of the first that opens, which need not
 * start: a run on another backend does not start it for its version's sake. */
bool sb_cublas_found_version(char *version, size_t size);

/* Device memory for the library to work in: with memory of its own the same products give the same bits, also in a
 * graph. As much as the documentation of cublasSetWorkspace advises for the largest devices. */
enum { SB_CUBLAS_WORKSPACE = 32 << 20 };

/* Work goes to the stream (cudaStream_t); workspace holds SB_CUBLAS_WORKSPACE bytes and stays the caller's (NULL: the
 * library's own). SB_E_MISSING: no library, or none starts; SB_E_USAGE: the environment changes its arithmetic. */
sb_status sb_cublas_open_library(sb_cublas **blas, void *stream, void *workspace, bool tf32);
void sb_cublas_close(sb_cublas *blas); /* NULL is fine */
const char *sb_cublas_version(const sb_cublas *blas);

/* c[m][n] = a b + beta c, all row-major with rows *_row apart; a is [m][k], or stored as [k][m] where a_turned, b
 * in the same way. NULL, or what went wrong. */
const char *sb_cublas_product(sb_cublas *blas, bool a_turned, bool b_turned, int m, int n, int k, const float *a,
                              int a_row, const float *b, int b_row, float beta, float *c, int c_row);

#endif

/* Products of OpenBLAS for sb_real. Only this file of the operations includes cblas.h. */
#pragma once

#include "ops/real.h"

#include <cblas.h>
#include <stdbool.h>

/* c[m][n] = op(a) op(b) + beta c, row-major; op(a) is m x k, op(b) k x n; *_row: the distance of rows in memory, in
 * elements. */
static inline void sb_gemm(bool transpose_a, bool transpose_b, int m, int n, int k, const sb_real *a, int a_row,
                           const sb_real *b, int b_row, sb_real beta, sb_real *c, int c_row)
{
    CBLAS_TRANSPOSE op_a = transpose_a ? CblasTrans : CblasNoTrans, op_b = transpose_b ? CblasTrans : CblasNoTrans;
#ifdef SB_REAL_IS_DOUBLE
    cblas_dgemm(CblasRowMajor, op_a, op_b, m, n, k, 1, a, a_row, b, b_row, beta, c, c_row);
#else
    cblas_sgemm(CblasRowMajor, op_a, op_b, m, n, k, 1, a, a_row, b, b_row, beta, c, c_row);
#endif
}

/* The sum of a[i] b[i], i = 0 .. n - 1. */
static inline double sb_dot(size_t n, const sb_real *a, const sb_real *b)
{
#ifdef SB_REAL_IS_DOUBLE
    return cblas_ddot((blasint)n, a, 1, b, 1);
#else
    return cblas_sdot((blasint)n, a, 1, b, 1);
#endif
}

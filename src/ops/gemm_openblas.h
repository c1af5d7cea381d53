/* The only file that includes cblas.h: its matrix product for sb_real. */
#ifndef SB_OPS_GEMM_OPENBLAS_H
#define SB_OPS_GEMM_OPENBLAS_H

#include "ops/real.h"

#include <cblas.h>
#include <stdbool.h>

/* c[m][n] = op(a) op(b) + beta c, row-major; op(a) is m x k, op(b) k x n; the leading dimensions are those stored. */
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

#endif

/* Eigenvalues and eigenvectors of a small symmetric matrix, by cyclic Jacobi rotations (Golub and Van Loan, Matrix
 * Computations, 4th edition, section 8.5). A sweep takes n^3 operations, about ten sweeps are needed, and the results
 * are as accurate as the matrix. For up to a few hundred rows. */
#pragma once

/* matrix[n][n] is symmetric and is overwritten. value[n] is ascending; row i of vector[n][n] is the eigenvector of
 * value[i], of norm 1. */
void sb_eigen_symmetric(int n, double *matrix, double *value, double *vector);

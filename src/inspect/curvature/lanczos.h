/* The extreme eigenvalues of a large symmetric matrix, of which only products with vectors are computed, by the method
 * of Lanczos with full orthogonalization, applied twice (Golub and Van Loan, Matrix Computations, 4th edition, section
 * 10.3).
 *
 *     const sb_lanczos_plan plan = {.n = n, .steps = 80, .extremes = 3, .tolerance = 1e-3, .product = product};
 *     SB_TRY(sb_lanczos_run(&lanczos, &plan));
 *     printf("%g +- %g\n", lanczos.value[0], lanczos.bound[0]);       the smallest
 *     sb_lanczos_free(&lanczos);
 *
 * The product need not be exactly symmetric: each product is projected onto all earlier vectors. The asymmetry of the
 * projected matrix is reported and is part of the bounds.
 */
#pragma once

#include "core/status.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* y[n] = A x[n] */
typedef sb_status sb_product(void *context, const double *x, double *y);

enum { SB_LANCZOS_STEPS_MAX = 1000 };

typedef struct sb_lanczos_plan {
    size_t n;         /* rows of the matrix */
    int steps;        /* most products, up to SB_LANCZOS_STEPS_MAX */
    int extremes;     /* number of wanted eigenvalues at each end */
    double tolerance; /* stop when their bounds are below this share of the largest absolute value; 0: run all steps */
    uint64_t seed;    /* seed of the first vector */
    sb_product *product;
    void *context;
} sb_lanczos_plan;

typedef struct sb_lanczos {
    size_t n;
    int n_steps;      /* products; fewer than planned if the tolerance was reached or the space was exhausted */
    bool converged;   /* the wanted eigenvalues are within the tolerance, or the space was exhausted */
    double *value;    /* [n_steps], ascending */
    double *bound;    /* [n_steps]: |A x - value x| for its vector x; a symmetric A has an eigenvalue within this
                       * distance */
    double asymmetry; /* Frobenius norm of the antisymmetric part of A, as projected onto the vectors */
    double *vector;   /* [n_steps][n_steps]: row i has the coordinates of value[i]'s vector in the basis */
    double *basis;    /* [n_steps][n], orthonormal */
} sb_lanczos;

/* Returns a failure of `product`, or SB_E_MEMORY. On failure nothing is left to free. */
sb_status sb_lanczos_run(sb_lanczos *lanczos, const sb_lanczos_plan *plan);
void sb_lanczos_free(sb_lanczos *lanczos); /* one of zeros, too */

/* Write the vector of value[i], of norm 1, into x[n]. */
void sb_lanczos_vector(const sb_lanczos *lanczos, int i, double *x);

/* Eigenvalues and eigenvectors of a small symmetric matrix, by cyclic Jacobi rotations (Golub and Van Loan, Matrix
 * Computations, 4th edition, section 8.5). A sweep takes n^3 operations, about ten sweeps are needed, and the results
 * are as accurate as the matrix. For up to a few hundred rows. */

/* matrix[n][n] is symmetric and is overwritten. value[n] is ascending; row i of vector[n][n] is the eigenvector of
 * value[i], of norm 1. */
void sb_eigen_symmetric(int n, double *matrix, double *value, double *vector);

/* Sums over vectors of n doubles, in the order of the elements, so that the bits repeat. */

static inline double sb_vector_dot(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static inline double sb_vector_norm(size_t n, const double *x)
{
    return sqrt(sb_vector_dot(n, x, x));
}

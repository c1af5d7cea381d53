/* Patch whitening: the filters of a first layer that makes the 3x3 patches of the training images uncorrelated
 * (docs/specification.md, section 9). The covariance comes from exact sums of bytes, and its eigenvectors from cyclic
 * Jacobi rotations with + - * / and sqrt alone, so that every machine gets the same bits; order and signs are fixed. It
 * is computed once, on the host.
 *
 *     double value[27], vector[27 * 27], w[27 * 27];
 *     SB_TRY(sb_whitening(&images, value, vector));
 *     sb_whitening_filters(27, value, vector, w);
 */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { SB_WHITENING_IMAGES = 10000 }; /* at most this number of images is used */

/* The images to be whitened: patches of x = (byte - mean) / sd, with mean and sd of the channel. */
typedef struct sb_whitening_images {
    size_t n;
    int c, h, w;             /* h and w at least 3; 9 c elements in a patch */
    const uint8_t *bytes;    /* [..][c][h][w] */
    const uint32_t *number;  /* [n]: the numbers of the images; NULL: the first n */
    const double *mean, *sd; /* [c] */
} sb_whitening_images;

/* Exact sums over all patches, of d = 9 c elements each: first[i] of element i, second[i][j] of the products of
 * elements i and j. The index of an element is channel * 9 + row * 3 + column. Overwrites both. SB_E_MEMORY. */
sb_status sb_whitening_sums(const sb_whitening_images *images, int64_t *first, int64_t *second);

/* matrix[d][d] = X^T X / (P - 1) of the P patches in X, without subtracting the patches' mean. */
sb_status sb_whitening_covariance(const sb_whitening_images *images, double *matrix);

/* Eigenvalues in descending order (equal ones by their index), and in row i of vector[d][d] the eigenvector of
 * value[i]. Its component of largest absolute value (the first of equal ones) is positive. Overwrites the symmetric
 * matrix. SB_E_MEMORY. */
sb_status sb_whitening_eigen(int d, double *matrix, double *value, double *vector);

/* Covariance and eigenvectors in one call. */
sb_status sb_whitening(const sb_whitening_images *images, double *value, double *vector);

/* w[d][d]: v_i / sqrt(l_i + 0.01). */
void sb_whitening_filters(int d, const double *value, const double *vector, double *w);

/* Sums over vectors of n doubles, in the order of the elements, so that the bits repeat. */
#pragma once

#include <math.h>
#include <stddef.h>

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

#include "inspect/curvature/eigen.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SWEEPS_MAX = 60 }; /* convergence is quadratic: ten are enough for any matrix that fits into memory */

typedef struct rotation {
    double c, s;
} rotation;

/* The rotation in the plane of p and q that makes a[p][q] zero: the smaller angle of the two. */
static rotation rotation_of(double pp, double qq, double pq)
{
    const double tau = (qq - pp) / (2 * pq);
    const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + hypot(1, tau));
    const double c = 1 / hypot(1, t);
    return (rotation){c, t * c};
}

static void turn_rows(int n, double *a, int p, int q, rotation r)
{
    for (int k = 0; k < n; k++) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = r.c * x - r.s * y;
        a[q * n + k] = r.s * x + r.c * y;
    }
}

static void turn_columns(int n, double *a, int p, int q, rotation r)
{
    for (int k = 0; k < n; k++) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = r.c * x - r.s * y;
        a[k * n + q] = r.s * x + r.c * y;
    }
}

/* Are all elements off the diagonal only rounding? */
static bool is_diagonal(int n, const double *a)
{
    double beside = 0, all = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double square = a[i * n + k] * a[i * n + k];
            all += square, beside += i == k ? 0 : square;
        }
    return sqrt(beside) <= DBL_EPSILON * sqrt(all);
}

static void swap_rows(int n, double *vector, int i, int k)
{
    for (int j = 0; j < n; j++) {
        const double x = vector[i * n + j];
        vector[i * n + j] = vector[k * n + j], vector[k * n + j] = x;
    }
}

static void sort_ascending(int n, double *value, double *vector)
{
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int k = i + 1; k < n; k++)
            if (value[k] < value[least]) least = k;
        const double x = value[i];
        value[i] = value[least], value[least] = x;
        if (least != i) swap_rows(n, vector, i, least);
    }
}

void sb_eigen_symmetric(int n, double *matrix, double *value, double *vector)
{
    memset(vector, 0, (size_t)n * (size_t)n * sizeof *vector);
    for (int i = 0; i < n; i++) vector[i * n + i] = 1;
    for (int sweep = 0; sweep < SWEEPS_MAX && !is_diagonal(n, matrix); sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (matrix[p * n + q] == 0) continue;
                const rotation r = rotation_of(matrix[p * n + p], matrix[q * n + q], matrix[p * n + q]);
                turn_rows(n, matrix, p, q, r);
                turn_columns(n, matrix, p, q, r);
                turn_rows(n, vector, p, q, r);
            }
    for (int i = 0; i < n; i++) value[i] = matrix[i * n + i];
    sort_ascending(n, value, vector);
}

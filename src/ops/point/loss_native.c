/* Mean squared error of the native backend. */
#include "ops/native.h"
#include "ops/parts.h"

#include <string.h>

/* The chain of one row in double. The products are exact in the float build. */
static double row_error(const sb_real *p, const sb_real *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double d = p[i] - y[i];
        sum = fma(d, d, sum);
    }
    return sum;
}

/* The chains of n_rows rows, a lane each: sum[row]. */
static void rows_errors(const sb_real *p, const sb_real *y, size_t n_row, int n_rows, double sum[SB_LANES])
{
    enum { HALVES = SB_LANES / SB_DOUBLES };
    sb_doubles s[HALVES];
    for (int h = 0; h < HALVES; h++) s[h] = (sb_doubles){0};
    for (size_t i = 0; i < n_row; i += SB_LANES) {
        const int n = n_row - i < SB_LANES ? (int)(n_row - i) : SB_LANES;
        sb_vec d[SB_LANES];
        for (int l = 0; l < SB_LANES; l++) d[l] = sb_vec_all(0);
        for (int l = 0; l < n_rows; l++)
            d[l] = sb_vec_load_n(p + l * n_row + i, n) - sb_vec_load_n(y + l * n_row + i, n);
        sb_vec_transpose(d);
        for (int k = 0; k < n; k++) {
            sb_half half[HALVES];
            memcpy(half, &d[k], sizeof half);
            for (int h = 0; h < HALVES; h++) {
                const sb_doubles wide = sb_doubles_of(half[h]);
                s[h] = sb_doubles_fma(wide, wide, s[h]);
            }
        }
    }
    memcpy(sum, s, sizeof s);
}

/* Rows are shared among threads, a vector of them at a time; then one thread adds them up, in their order. */
static void loss_forward(sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, double *loss)
{
    (void)ops;
    const size_t n_row = (size_t)p->w * p->c;
    const long n_rows = (long)p->n * p->h;
    if (n_rows == 1) { /* one chain */
#pragma omp single
        *loss = row_error(p->x, y->x, n_row) / (double)n_mean;
        return;
    }
    sb_parts mine, *parts = sb_parts_shared(&mine);
    for (long first = 0; first < n_rows; first += SB_PARTS) {
        const int n = n_rows - first < SB_PARTS ? (int)(n_rows - first) : SB_PARTS;
#pragma omp for schedule(static)
        for (int row = 0; row < n; row += SB_LANES) {
            const size_t at = (size_t)(first + row) * n_row;
            double sum[SB_LANES];
            rows_errors(p->x + at, y->x + at, n_row, sb_lanes_at(row, n), sum);
            memcpy(parts->part + row, sum, sb_lanes_at(row, n) * sizeof *sum);
        }
        sb_parts_add(parts, n);
    }
#pragma omp single
    *loss = parts->total / (double)n_mean;
}

static void loss_backward(sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, bool add, sb_tensor *dp)
{
    (void)ops;
    long n = (long)sb_tensor_size(p);
    sb_real scale = (sb_real)2 / (sb_real)n_mean;
#pragma omp for simd schedule(static)
    for (long i = 0; i < n; i++) dp->x[i] = SB_FMA(scale, p->x[i] - y->x[i], add ? dp->x[i] : 0);
}

void SB_NATIVE(sb_loss_native)(sb_ops *ops)
{
    ops->loss_forward = loss_forward;
    ops->loss_backward = loss_backward;
}

/* Mean squared error of the native backend. */
#include "ops/native.h"

/* One row's chain in double. The products are exact in the float build. */
static double row_error(const sb_real *p, const sb_real *y, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        double d = p[i] - y[i];
        sum = fma(d, d, sum);
    }
    return sum;
}

static void loss_forward(sb_ops *ops, const sb_tensor *p, const sb_tensor *y, size_t n_mean, double *loss)
{
    (void)ops;
    long n_row = (long)p->w * p->c;
#pragma omp single
    {
        double sum = 0;
        for (int row = 0; row < p->n * p->h; row++) sum += row_error(p->x + row * n_row, y->x + row * n_row, n_row);
        *loss = sum / (double)n_mean;
    }
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

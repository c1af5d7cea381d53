/* Batch norm: its tensors, and its formulas in one written order of operations. The activation is one of
 * ops/point/activation.h.
 *
 *     sb_norm norm = {.c = 64, .groups = 16, .eps = SB_NORM_EPS, .rate = SB_NORM_RATE, .shift = b, ...};
 *     SB_TRY(sb_norm_check(&norm, x.n, x.h, x.w));
 *     norm.space = ops->allocate(ops, sb_norm_size(&norm));
 *     ops->norm_forward(ops, &norm, &x, &y);
 *
 * Group g is all samples n with n mod groups = g (1: plain batch norm), m = (samples of a group) h w values a channel.
 *
 *     mu = sum x / m      var = sum (x - mu)^2 / m      inv = 1 / sqrt(var + eps)
 *     xhat = (x - mu) inv       y = activation(fma(scale, xhat, shift))
 *     dshift = sum over the groups of sum_g dz      dscale = sum over the groups of sum_g dz xhat
 *     dx = (scale inv) ((dz - sum_g dz / m) - xhat (sum_g dz xhat / m))       dz: dy through the activation
 *     running_mean = (1 - rate) running_mean + rate mu      running_var the same with sum (x - mu)^2 / (m - 1)
 *
 * The four sums over a group (x, squares, dz, dz xhat) are formed in double. For each sample, ascending, and each row a
 * chain over x starts at 0; the sums of the rows are added, y ascending. Products are added to their chain by fma. mu,
 * inv and the two quotients are rounded once to the number type; later steps use the rounded values. Sums over groups
 * are formed in double, groups ascending, and rounded once.
 *
 * Evaluation uses the same two lines. mu and var are the means of running_mean and running_var over the groups (in
 * double, groups ascending, rounded once). */
#pragma once

#include "core/rows/activations.h"
#include "core/status.h"
#include "ops/real.h"

#include <stddef.h>

#define SB_NORM_EPS  1e-5
#define SB_NORM_RATE 0.1

typedef struct sb_norm {
    int c, groups; /* channels; groups of samples */
    double eps;
    double rate;              /* weight of a batch in the running values */
    sb_activation activation; /* applied to the result; linear: none */
    sb_real alpha; /* of the activation */
    const sb_real *scale;     /* [c]; NULL: frozen at 1 */
    const sb_real *shift;     /* [c] */
    sb_real *scale_grad;      /* [c], overwritten; unused if scale is NULL */
    sb_real *shift_grad;      /* [c], overwritten */
    sb_real *running_mean;    /* [groups][c], start at 0 and 1; only norm_forward writes them */
    sb_real *running_var;
    void *space;              /* sb_norm_size bytes of device memory, kept until norm_backward; norm_evaluate uses it,
                               * too */
} sb_norm;

/* The parts of the space. */
typedef struct sb_norm_parts {
    double *sum, *product;   /* [groups][c]: sum_g dz, sum_g dz xhat */
    sb_real *mean, *inverse; /* [groups][c] */
    sb_real *offset, *slope; /* [groups][c]: sum and product divided by m */
    sb_real *scale;          /* [groups][c]: factor in native's loops; 1 if the scale is frozen */
} sb_norm_parts;

/* Offset of native's sums of rows (of x or dz, and of dz xhat), which wait until all earlier rows are added. */
static inline size_t sb_norm_rows_at(const sb_norm *norm)
{
    const size_t n_bytes = (size_t)norm->groups * norm->c * (2 * sizeof(double) + 5 * sizeof(sb_real));
    return (n_bytes + 63) / 64 * 64;
}

/* Number of rows whose sums are kept. */
static inline int sb_norm_rows_at_once(const sb_norm *norm)
{
    enum { SUMS = 32768 };
    return norm->c < SUMS ? SUMS / norm->c : 1;
}

static inline size_t sb_norm_size(const sb_norm *norm)
{
    return sb_norm_rows_at(norm) + 2 * sizeof(double) * (size_t)sb_norm_rows_at_once(norm) * (size_t)norm->c;
}

SB_HOST_DEVICE sb_norm_parts sb_norm_parts_of(const sb_norm *norm)
{
    const size_t n = (size_t)norm->groups * norm->c;
    double *sum = (double *)norm->space;
    sb_real *mean = (sb_real *)(sum + 2 * n);
    const sb_norm_parts parts = {sum, sum + n, mean, mean + n, mean + 2 * n, mean + 3 * n, mean + 4 * n};
    return parts;
}

/* SB_E_USAGE unless it can train on n samples of h x w: "a batch of 50 cannot be divided into 16 groups of batch
 * norm". */
sb_status sb_norm_check(const sb_norm *norm, int n, int h, int w);

SB_HOST_DEVICE sb_real sb_norm_mean(double sum, double m)
{
    return (sb_real)(sum / m);
}

SB_HOST_DEVICE sb_real sb_norm_inverse(double variance, double eps)
{
    return (sb_real)(1 / sqrt(variance + eps));
}

/* One step of the chain of squares. */
SB_HOST_DEVICE double sb_norm_square(sb_real x, sb_real mean, double sum)
{
    double d = (double)x - (double)mean;
    return fma(d, d, sum);
}

SB_HOST_DEVICE sb_real sb_norm_running(sb_real running, sb_real now, double rate)
{
    return (sb_real)(1 - rate) * running + (sb_real)rate * now;
}

/* Write the gradients of channel c's scale and shift: sums over the groups. */
SB_HOST_DEVICE void sb_norm_parameters(const sb_norm *norm, int c)
{
    const sb_norm_parts at = sb_norm_parts_of(norm);
    double shift = 0, scale = 0;
    for (int g = 0; g < norm->groups; g++) {
        shift += at.sum[(size_t)g * norm->c + c];
        scale += at.product[(size_t)g * norm->c + c];
    }
    norm->shift_grad[c] = (sb_real)shift;
    if (norm->scale) norm->scale_grad[c] = (sb_real)scale;
}

/* Write mean and inverse of channel c for an evaluation, at group 0. */
SB_HOST_DEVICE void sb_norm_running_means(const sb_norm *norm, int c)
{
    const sb_norm_parts at = sb_norm_parts_of(norm);
    double mean = 0, variance = 0;
    for (int g = 0; g < norm->groups; g++) {
        mean += (double)norm->running_mean[(size_t)g * norm->c + c];
        variance += (double)norm->running_var[(size_t)g * norm->c + c];
    }
    at.mean[c] = (sb_real)(mean / norm->groups);
    at.inverse[c] = sb_norm_inverse((double)(sb_real)(variance / norm->groups), norm->eps);
}

SB_HOST_DEVICE sb_real sb_norm_hat(sb_real x, sb_real mean, sb_real inverse)
{
    return (x - mean) * inverse;
}

/* y before the activation. */
SB_HOST_DEVICE sb_real sb_norm_value(sb_real x, sb_real mean, sb_real inverse, sb_real scale, sb_real shift)
{
    return SB_FMA(scale, sb_norm_hat(x, mean, inverse), shift);
}

SB_HOST_DEVICE sb_real sb_norm_gradient(sb_real dz, sb_real hat, sb_real inverse, sb_real scale, sb_real offset,
                                  sb_real slope)
{
    return scale * inverse * (dz - offset - hat * slope);
}

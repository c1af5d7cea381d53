/* Layer norm and group norm of the native backend, as written in group_norm.h; threads share sets, pixels and channels. */
#include "ops/native.h"
#include "ops/norm/group_norm.h"

/* The lanes of a row side by side; where whole ones of channels fill a pixel, without counting. */
static inline __attribute__((always_inline)) double
sb_group_norm_add(sb_group_norm_sum kind, const sb_group_norm_row *row, const sb_group_norm_set *set)
{
    double lane[SB_ORDER_LANES] = {0};
    int k = 0;
    for (int p = 0; p < row->n_pixels; p++) {
        const long first = p * row->pixel;
        int c = 0;
        for (; k % SB_ORDER_LANES == 0 && c + SB_ORDER_LANES <= row->n_c; c += SB_ORDER_LANES)
            for (int l = 0; l < SB_ORDER_LANES; l++)
                lane[l] = sb_group_norm_term(kind, row, set, first + c + l, c + l, lane[l]);
        for (; c < row->n_c; c++, k++)
            lane[k % SB_ORDER_LANES] = sb_group_norm_term(kind, row, set, first + c, c, lane[k % SB_ORDER_LANES]);
    }
    return sb_join_lanes(lane);
}

#include "ops/norm/group_norm_sums.h"

/* Set number i of all, as the row it begins with, of maps [n][h][w][c]. */
static sb_group_norm_row row_of(const sb_group_norm *norm, const sb_tensor *x, const sb_tensor *dy, long i)
{
    const int n_c = norm->c / norm->groups;
    const long pixel = i / norm->groups * (norm->is_of_pixels ? 1 : (long)x->h * x->w);
    const long first = pixel * x->c + i % norm->groups * n_c;
    return (sb_group_norm_row){.x = x->x + first,
                               .dy = dy ? dy->x + first : NULL,
                               .scale = norm->scale + i % norm->groups * n_c,
                               .n_pixels = norm->is_of_pixels ? 1 : x->w,
                               .n_c = n_c,
                               .pixel = x->c,
                               .channel = 1};
}

/* The sets of a pixel, group after group. */
static const sb_group_norm_set *sets_of(const sb_group_norm *norm, long pixel, int pixels)
{
    const long of_sample = norm->is_of_pixels ? pixel : pixel / pixels;
    return (const sb_group_norm_set *)norm->space + of_sample * norm->groups;
}

static void group_norm_forward(sb_ops *ops, const sb_group_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
    const int pixels = x->h * x->w, n_c = norm->c / norm->groups;
    const long n_sets = sb_group_norm_sets(norm, x->n, pixels), pitch = (long)x->w * x->c;
#pragma omp for schedule(static)
    for (long i = 0; i < n_sets; i++)
        sb_group_norm_statistics(norm, row_of(norm, x, NULL, i), norm->is_of_pixels ? 1 : x->h, pitch,
                                 (sb_group_norm_set *)norm->space + i);
#pragma omp for schedule(static)
    for (long i = 0; i < (long)x->n * pixels; i++)
        for (int first = 0; first < x->c; first += n_c) {
            const sb_group_norm_set set = sets_of(norm, i, pixels)[first / n_c];
            const sb_real *from = x->x + i * x->c;
            sb_real *to = y->x + i * x->c;
#pragma omp simd
            for (int c = first; c < first + n_c; c++)
                to[c] = sb_norm_value(from[c], set.mean, set.inverse, norm->scale[c], norm->shift[c]);
        }
}

/* The terms of a pixel in the sums of channels first .. first + n; without counting where they have one set. */
static inline void add_pixel(const sb_group_norm *norm, const sb_group_norm_set *sets, const sb_real *x,
                             const sb_real *dy, int first, int n, double *sum, double *product)
{
    const int n_c = norm->c / norm->groups;
    const bool is_one = norm->groups == 1;
    const sb_group_norm_set one = sets[0];
    for (int k = 0; k < n; k++) {
        const sb_group_norm_set set = is_one ? one : sets[(first + k) / n_c];
        const double d = (double)dy[first + k];
        sum[k] += d;
        product[k] = fma(d, (double)sb_norm_hat(x[first + k], set.mean, set.inverse), product[k]);
    }
}

/* The gradients of the parameters of channels first .. first + n. */
static void add_parameters(const sb_group_norm *norm, const sb_tensor *x, const sb_tensor *dy, int first, int n)
{
    double shift[SB_ORDER_LANES] = {0}, scale[SB_ORDER_LANES] = {0};
    for (long row = 0; row < (long)x->n * x->h; row++) {
        double sum[SB_ORDER_LANES] = {0}, product[SB_ORDER_LANES] = {0};
        for (long pixel = row * x->w; pixel < (row + 1) * x->w; pixel++)
            add_pixel(norm, sets_of(norm, pixel, x->h * x->w), x->x + pixel * x->c, dy->x + pixel * x->c, first, n, sum,
                      product);
        for (int k = 0; k < n; k++) shift[k] += sum[k], scale[k] += product[k];
    }
    for (int k = 0; k < n; k++) {
        norm->shift_grad[first + k] = (sb_real)shift[k];
        norm->scale_grad[first + k] = (sb_real)scale[k];
    }
}

static void group_norm_backward(sb_ops *ops, const sb_group_norm *norm, const sb_tensor *x, const sb_tensor *dy,
                                sb_tensor *dx)
{
    (void)ops;
    const int pixels = x->h * x->w, n_c = norm->c / norm->groups;
    const long n_sets = sb_group_norm_sets(norm, x->n, pixels), pitch = (long)x->w * x->c;
#pragma omp for schedule(static)
    for (long i = 0; i < n_sets; i++)
        sb_group_norm_quotients(row_of(norm, x, dy, i), norm->is_of_pixels ? 1 : x->h, pitch,
                                (sb_group_norm_set *)norm->space + i);
#pragma omp for schedule(static)
    for (int c = 0; c < x->c; c += SB_ORDER_LANES)
        add_parameters(norm, x, dy, c, x->c - c < SB_ORDER_LANES ? x->c - c : SB_ORDER_LANES);
#pragma omp for schedule(static)
    for (long i = 0; i < (long)x->n * pixels; i++)
        for (int first = 0; first < x->c; first += n_c) {
            const sb_group_norm_set set = sets_of(norm, i, pixels)[first / n_c];
            const sb_real *from = x->x + i * x->c, *gradient = dy->x + i * x->c;
            sb_real *to = dx->x + i * x->c;
#pragma omp simd
            for (int c = first; c < first + n_c; c++)
                to[c] = sb_group_norm_gradient(&set, from[c], gradient[c], norm->scale[c]);
        }
}

void SB_NATIVE(sb_group_norm_native)(sb_ops *ops)
{
    ops->group_norm_forward = group_norm_forward;
    ops->group_norm_backward = group_norm_backward;
}

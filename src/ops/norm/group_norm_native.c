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

static void group_norm_forward(sb_ops *ops, const sb_group_norm *norm, const sb_tensor *x, sb_tensor *y)
{
    (void)ops;
    const int pixels = x->h * x->w;
    const long n_sets = sb_group_norm_sets(norm, x->n, pixels), pitch = (long)x->w * x->c;
#pragma omp for schedule(static)
    for (long i = 0; i < n_sets; i++)
        sb_group_norm_statistics(norm, row_of(norm, x, NULL, i), norm->is_of_pixels ? 1 : x->h, pitch,
                                 (sb_group_norm_set *)norm->space + i);
#pragma omp for schedule(static)
    for (long i = 0; i < (long)x->n * pixels; i++)
        for (int c = 0; c < x->c; c++) {
            const sb_group_norm_set *set = sb_group_norm_at(norm, (int)(i / pixels), pixels, (int)(i % pixels), c);
            y->x[i * x->c + c] =
                sb_norm_value(x->x[i * x->c + c], set->mean, set->inverse, norm->scale[c], norm->shift[c]);
        }
}

/* The gradients of the parameters of channels first .. first + n. */
static void add_parameters(const sb_group_norm *norm, const sb_tensor *x, const sb_tensor *dy, int first, int n)
{
    double shift[SB_ORDER_LANES] = {0}, scale[SB_ORDER_LANES] = {0};
    for (int row = 0; row < x->n * x->h; row++) {
        double sum[SB_ORDER_LANES] = {0}, product[SB_ORDER_LANES] = {0};
        for (int at = 0; at < x->w; at++) {
            const size_t pixel = ((size_t)row * x->w + at) * x->c;
            for (int c = first; c < first + n; c++) {
                const sb_group_norm_set *set =
                    sb_group_norm_at(norm, row / x->h, x->h * x->w, row % x->h * x->w + at, c);
                const double d = (double)dy->x[pixel + c];
                sum[c - first] += d;
                product[c - first] =
                    fma(d, (double)sb_norm_hat(x->x[pixel + c], set->mean, set->inverse), product[c - first]);
            }
        }
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
    const int pixels = x->h * x->w;
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
        for (int c = 0; c < x->c; c++)
            dx->x[i * x->c + c] =
                sb_group_norm_gradient(sb_group_norm_at(norm, (int)(i / pixels), pixels, (int)(i % pixels), c),
                                       x->x[i * x->c + c], dy->x[i * x->c + c], norm->scale[c]);
}

void SB_NATIVE(sb_group_norm_native)(sb_ops *ops)
{
    ops->group_norm_forward = group_norm_forward;
    ops->group_norm_backward = group_norm_backward;
}

/* Kernels of batch norm, as written in ops/norm/norm.h; the CPU twin is norm_native.c. */
#pragma once

#include "ops/kernels/reduce.h"
#include "ops/norm/norm.h"
#include "ops/point/activation.h"

/* What all of them read: maps of h x w, x [samples][c][h][w]. */
typedef struct sb_norm_maps {
    const sb_real *x;
    int samples, h, w;
} sb_norm_maps;

/* Rows of a group, and where row r of channel c of group g begins. */
SB_HOST_DEVICE int sb_norm_rows(const sb_norm *norm, const sb_norm_maps *maps)
{
    return maps->samples / norm->groups * maps->h;
}

SB_HOST_DEVICE long sb_norm_row(const sb_norm *norm, const sb_norm_maps *maps, int g, int c, int row)
{
    long sample = (long)row / maps->h * norm->groups + g;
    return ((sample * norm->c + c) * maps->h + row % maps->h) * maps->w;
}

/* The place of element i of x in the parts, which are [groups][c]; evaluation: of one group. */
SB_HOST_DEVICE long sb_norm_place(const sb_norm *norm, const sb_norm_maps *maps, int groups, long i)
{
    int map = (int)i / (maps->h * maps->w), c = map % norm->c, sample = map / norm->c;
    return (long)(sample % groups) * norm->c + c;
}

/* ---- sums: one block for each channel of each group, which are along x ---- */

typedef struct sb_norm_statistics_args {
    sb_norm norm;
    sb_norm_maps maps;
} sb_norm_statistics_args;

enum { sb_norm_statistics_threads = SB_ROWS_ABREAST, sb_norm_statistics_resident = 8 };

typedef struct sb_norm_statistics_shared {
    double row[2][SB_ROWS_ABREAST];
    sb_real mean;
} sb_norm_statistics_shared;

typedef struct sb_norm_statistics_own {
    double total; /* of thread 0 */
} sb_norm_statistics_own;

/* The steps of the mean, then the steps of the squares. */
SB_HOST_DEVICE int sb_norm_statistics_steps(const sb_norm_statistics_args *k, sb_spot at)
{
    (void)at;
    return 2 * sb_rows_steps(sb_norm_rows(&k->norm, &k->maps));
}

SB_HOST_DEVICE double sb_norm_row_sum(const sb_real *x, int w, bool squares, sb_real mean)
{
    double sum = 0;
    SB_UNROLL_4
    for (int i = 0; i < w; i++) sum = squares ? sb_norm_square(x[i], mean, sum) : sum + (double)x[i];
    return sum;
}

/* Thread 0, after the last row. */
SB_HOST_DEVICE void sb_norm_keep_mean(const sb_norm *norm, int place, double sum, double m, sb_real *shared_mean)
{
    *shared_mean = sb_norm_parts_of(norm).mean[place] = sb_norm_mean(sum, m);
    norm->running_mean[place] = sb_norm_running(norm->running_mean[place], *shared_mean, norm->rate);
}

SB_HOST_DEVICE void sb_norm_keep_variance(const sb_norm *norm, int place, double squares, double m)
{
    sb_norm_parts_of(norm).inverse[place] = sb_norm_inverse(squares / m, norm->eps);
    norm->running_var[place] = sb_norm_running(norm->running_var[place], (sb_real)(squares / (m - 1)), norm->rate);
}

SB_HOST_DEVICE void sb_norm_statistics_step(const sb_norm_statistics_args *k, sb_spot at, int step,
                                            sb_norm_statistics_shared *shared, sb_norm_statistics_own *own)
{
    const int rows = sb_norm_rows(&k->norm, &k->maps), steps = sb_rows_steps(rows);
    const bool squares = step >= steps;
    const int pass = squares ? step - steps : step, g = at.x / k->norm.c, c = at.x % k->norm.c;
    const int first = pass * SB_ROWS_ABREAST, before = first - SB_ROWS_ABREAST, row = first + at.thread;
    if (row < rows)
        shared->row[step % 2][at.thread] = sb_norm_row_sum(k->maps.x + sb_norm_row(&k->norm, &k->maps, g, c, row),
                                                           k->maps.w, squares, squares ? shared->mean : 0);
    if (at.thread > 0) return;
    if (pass == 0) own->total = 0;
    SB_UNROLL_16
    for (int r = 0; before >= 0 && r < SB_ROWS_ABREAST && before + r < rows; r++)
        own->total += shared->row[(step - 1) % 2][r];
    if (first < rows) return;
    const double m = (double)rows * k->maps.w;
    if (squares)
        sb_norm_keep_variance(&k->norm, at.x, own->total, m);
    else
        sb_norm_keep_mean(&k->norm, at.x, own->total, m, &shared->mean);
}

/* sum_g dz and sum_g dz xhat, and their quotients */
typedef struct sb_norm_gradients_args {
    sb_norm norm;
    sb_norm_maps maps;
    const sb_real *dz;
} sb_norm_gradients_args;

enum { sb_norm_gradients_threads = SB_ROWS_ABREAST, sb_norm_gradients_resident = 8 };

typedef struct sb_norm_gradients_shared {
    double row[2][2][SB_ROWS_ABREAST];
} sb_norm_gradients_shared;

typedef struct sb_norm_gradients_own {
    double sum, product; /* of thread 0 */
} sb_norm_gradients_own;

SB_HOST_DEVICE int sb_norm_gradients_steps(const sb_norm_gradients_args *k, sb_spot at)
{
    (void)at;
    return sb_rows_steps(sb_norm_rows(&k->norm, &k->maps));
}

SB_HOST_DEVICE void sb_norm_row_gradients(const sb_norm_gradients_args *k, long first, sb_real mean, sb_real inverse,
                                          double *sum, double *product)
{
    double s = 0, p = 0;
    SB_UNROLL_4
    for (int i = 0; i < k->maps.w; i++) {
        const double dz = (double)k->dz[first + i];
        s += dz;
        p = fma(dz, (double)sb_norm_hat(k->maps.x[first + i], mean, inverse), p);
    }
    *sum = s, *product = p;
}

SB_HOST_DEVICE void sb_norm_gradients_step(const sb_norm_gradients_args *k, sb_spot at, int step,
                                           sb_norm_gradients_shared *shared, sb_norm_gradients_own *own)
{
    const int rows = sb_norm_rows(&k->norm, &k->maps), g = at.x / k->norm.c, c = at.x % k->norm.c;
    const int first = step * SB_ROWS_ABREAST, before = first - SB_ROWS_ABREAST, row = first + at.thread;
    const sb_norm_parts parts = sb_norm_parts_of(&k->norm);
    if (row < rows)
        sb_norm_row_gradients(k, sb_norm_row(&k->norm, &k->maps, g, c, row), parts.mean[at.x], parts.inverse[at.x],
                              &shared->row[step % 2][0][at.thread], &shared->row[step % 2][1][at.thread]);
    if (at.thread > 0) return;
    if (step == 0) own->sum = own->product = 0;
    SB_UNROLL_16
    for (int r = 0; before >= 0 && r < SB_ROWS_ABREAST && before + r < rows; r++) {
        own->sum += shared->row[(step - 1) % 2][0][r];
        own->product += shared->row[(step - 1) % 2][1][r];
    }
    if (first < rows) return;
    const double m = (double)rows * k->maps.w;
    parts.sum[at.x] = own->sum, parts.product[at.x] = own->product;
    parts.offset[at.x] = (sb_real)(own->sum / m), parts.slope[at.x] = (sb_real)(own->product / m);
}

/* ---- elements: at_once of them, 1 or 4 neighbors in a map, are a kernel's element ---- */

/* What a channel of a group has in common. */
typedef struct sb_norm_channel {
    sb_real mean, inverse, scale, shift;
} sb_norm_channel;

SB_HOST_DEVICE sb_norm_channel sb_norm_channel_at(const sb_norm *norm, long place)
{
    const sb_norm_parts parts = sb_norm_parts_of(norm);
    const int c = (int)(place % norm->c);
    const sb_norm_channel of = {parts.mean[place], parts.inverse[place], norm->scale ? norm->scale[c] : 1,
                                norm->shift[c]};
    return of;
}

SB_HOST_DEVICE sb_real sb_norm_before(const sb_norm_channel *of, sb_real x)
{
    return sb_norm_value(x, of->mean, of->inverse, of->scale, of->shift);
}

/* dy through the activation */
SB_HOST_DEVICE sb_real sb_norm_dz(const sb_norm *norm, const sb_norm_channel *of, sb_real x, sb_real dy)
{
    if (norm->activation == SB_ACTIVATION_linear) return dy;
    return sb_activation_gradient(norm->activation, sb_norm_before(of, x), dy, norm->alpha);
}

/* y; groups: 1 in an evaluation */
typedef struct sb_norm_value_args {
    long n;
    sb_norm norm;
    sb_norm_maps maps;
    sb_real *y;
    int groups, at_once;
} sb_norm_value_args;

SB_HOST_DEVICE sb_real sb_norm_activated(const sb_norm *norm, const sb_norm_channel *of, sb_real x)
{
    return sb_activation_value(norm->activation, sb_norm_before(of, x), norm->alpha);
}

SB_HOST_DEVICE void sb_norm_value_each(const sb_norm_value_args *k, long i)
{
    const long first = i * k->at_once, place = sb_norm_place(&k->norm, &k->maps, k->groups, first);
    const sb_norm_channel of = sb_norm_channel_at(&k->norm, place);
    if (k->at_once == 1) {
        k->y[i] = sb_norm_activated(&k->norm, &of, k->maps.x[i]);
        return;
    }
    sb_four four = *(const sb_four *)(k->maps.x + first);
    SB_UNROLL
    for (int j = 0; j < 4; j++) four.x[j] = sb_norm_activated(&k->norm, &of, four.x[j]);
    *(sb_four *)(k->y + first) = four;
}

/* dz of element i */
typedef struct sb_norm_through_args {
    long n;
    sb_norm norm;
    sb_norm_maps maps;
    const sb_real *dy;
    sb_real *dz;
} sb_norm_through_args;

SB_HOST_DEVICE void sb_norm_through_each(const sb_norm_through_args *k, long i)
{
    const long place = sb_norm_place(&k->norm, &k->maps, k->norm.groups, i);
    const sb_norm_channel of = sb_norm_channel_at(&k->norm, place);
    k->dz[i] = sb_norm_dz(&k->norm, &of, k->maps.x[i], k->dy[i]);
}

/* dx of dz, or, if it is given NULL, of dy through the activation */
typedef struct sb_norm_input_gradient_args {
    long n;
    sb_norm norm;
    sb_norm_maps maps;
    const sb_real *dz, *dy;
    sb_real *dx;
    int at_once;
} sb_norm_input_gradient_args;

SB_HOST_DEVICE sb_real sb_norm_dx(const sb_norm_input_gradient_args *k, const sb_norm_channel *of, sb_real offset,
                                  sb_real slope, sb_real x, sb_real d)
{
    const sb_real dz = k->dz ? d : sb_norm_dz(&k->norm, of, x, d), hat = sb_norm_hat(x, of->mean, of->inverse);
    return sb_norm_gradient(dz, hat, of->inverse, of->scale, offset, slope);
}

SB_HOST_DEVICE void sb_norm_input_gradient_each(const sb_norm_input_gradient_args *k, long i)
{
    const sb_norm_parts parts = sb_norm_parts_of(&k->norm);
    const long first = i * k->at_once, place = sb_norm_place(&k->norm, &k->maps, k->norm.groups, first);
    const sb_norm_channel of = sb_norm_channel_at(&k->norm, place);
    const sb_real offset = parts.offset[place], slope = parts.slope[place];
    const sb_real *d = k->dz ? k->dz : k->dy;
    if (k->at_once == 1) {
        k->dx[i] = sb_norm_dx(k, &of, offset, slope, k->maps.x[i], d[i]);
        return;
    }
    const sb_four x = *(const sb_four *)(k->maps.x + first);
    sb_four four = *(const sb_four *)(d + first);
    SB_UNROLL
    for (int j = 0; j < 4; j++) four.x[j] = sb_norm_dx(k, &of, offset, slope, x.x[j], four.x[j]);
    *(sb_four *)(k->dx + first) = four;
}

/* ---- channels ---- */

typedef struct sb_norm_parameter_gradients_args {
    long n;
    sb_norm norm;
} sb_norm_parameter_gradients_args;

SB_HOST_DEVICE void sb_norm_parameter_gradients_each(const sb_norm_parameter_gradients_args *k, long c)
{
    sb_norm_parameters(&k->norm, (int)c);
}

typedef struct sb_norm_means_args {
    long n;
    sb_norm norm;
} sb_norm_means_args;

SB_HOST_DEVICE void sb_norm_means_each(const sb_norm_means_args *k, long c)
{
    sb_norm_running_means(&k->norm, (int)c);
}

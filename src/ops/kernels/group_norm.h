/* Kernels of layer norm and group norm, as written in ops/norm/group_norm.h; the CPU twin is group_norm_native.c. */
#pragma once

#include "ops/kernels/kernel.h"
#include "ops/norm/group_norm.h"

/* The chain of one lane of a row. */
SB_HOST_DEVICE double sb_group_norm_lane(sb_group_norm_sum kind, const sb_group_norm_row *row,
                                         const sb_group_norm_set *set, int lane)
{
    double sum = 0;
    for (int k = lane; k < row->n_pixels * row->n_c; k += SB_ORDER_LANES)
        sum = sb_group_norm_term(kind, row, set, k / row->n_c * row->pixel + k % row->n_c * row->channel, k % row->n_c,
                                 sum);
    return sum;
}

/* Lanes one after the other, in the order in which halves join: 0 and 8, then 4 and 12, and both sums; and so on. */
SB_HOST_DEVICE double sb_group_norm_add(sb_group_norm_sum kind, const sb_group_norm_row *row,
                                        const sb_group_norm_set *set)
{
    double two = 0, four = 0, eight = 0, all = 0;
    for (int i = 0; i < SB_ORDER_LANES / 2; i++) {
        const int lane = (i & 1) * 4 + (i >> 1 & 1) * 2 + (i >> 2);
        const double first = sb_group_norm_lane(kind, row, set, lane);
        const double pair = first + sb_group_norm_lane(kind, row, set, lane + SB_ORDER_LANES / 2);
        if (i % 2 == 0)
            two = pair;
        else if (i % 4 == 1)
            four = two + pair;
        else if (i == 3)
            eight = four + (two + pair);
        else
            all = eight + (four + (two + pair));
    }
    return all;
}

#include "ops/norm/group_norm_sums.h"

/* What all of them read: x and dy [samples][c][h][w]. */
typedef struct sb_group_norm_maps {
    const sb_real *x, *dy;
    int samples, h, w;
} sb_group_norm_maps;

/* Set number i of all, as the row it begins with. */
SB_HOST_DEVICE sb_group_norm_row sb_group_norm_row_of(const sb_group_norm *norm, const sb_group_norm_maps *maps, long i)
{
    const int n_c = norm->c / norm->groups;
    const long pixels = (long)maps->h * maps->w, of_pixel = i / norm->groups;
    const long sample = norm->is_of_pixels ? of_pixel / pixels : of_pixel;
    const long pixel = norm->is_of_pixels ? of_pixel % pixels : 0;
    const long first = (sample * norm->c + i % norm->groups * n_c) * pixels + pixel;
    const sb_group_norm_row row = {maps->x + first,
                                   maps->dy ? maps->dy + first : maps->dy,
                                   norm->scale + i % norm->groups * n_c,
                                   norm->is_of_pixels ? 1 : maps->w,
                                   n_c,
                                   1,
                                   pixels};
    return row;
}

/* The set of element i. */
SB_HOST_DEVICE sb_group_norm_set *sb_group_norm_of(const sb_group_norm *norm, const sb_group_norm_maps *maps, long i)
{
    const int pixels = maps->h * maps->w, map = (int)i / pixels;
    return sb_group_norm_at(norm, map / norm->c, pixels, (int)i % pixels, map % norm->c);
}

/* One set; of the backward pass its quotients. */
typedef struct sb_group_norm_sums_args {
    long n;
    sb_group_norm norm;
    sb_group_norm_maps maps;
} sb_group_norm_sums_args;

SB_HOST_DEVICE void sb_group_norm_sums_each(const sb_group_norm_sums_args *k, long i)
{
    const sb_group_norm_row row = sb_group_norm_row_of(&k->norm, &k->maps, i);
    const int n_rows = k->norm.is_of_pixels ? 1 : k->maps.h;
    sb_group_norm_set *set = (sb_group_norm_set *)k->norm.space + i;
    if (k->maps.dy)
        sb_group_norm_quotients(row, n_rows, k->maps.w, set);
    else
        sb_group_norm_statistics(&k->norm, row, n_rows, k->maps.w, set);
}

/* One element: of y, or of dx. */
typedef struct sb_group_norm_value_args {
    long n;
    sb_group_norm norm;
    sb_group_norm_maps maps;
    sb_real *to;
} sb_group_norm_value_args;

SB_HOST_DEVICE void sb_group_norm_value_each(const sb_group_norm_value_args *k, long i)
{
    const sb_group_norm_set *set = sb_group_norm_of(&k->norm, &k->maps, i);
    const int c = (int)i / (k->maps.h * k->maps.w) % k->norm.c;
    const sb_real x = k->maps.x[i], scale = k->norm.scale[c];
    k->to[i] = k->maps.dy ? sb_group_norm_gradient(set, x, k->maps.dy[i], scale)
                          : sb_norm_value(x, set->mean, set->inverse, scale, k->norm.shift[c]);
}

/* One row of a channel of a sample: its sums of dy and of dy xhat, [2][samples][c][h]. */
typedef struct sb_group_norm_rows_args {
    long n;
    sb_group_norm norm;
    sb_group_norm_maps maps;
    double *sums;
} sb_group_norm_rows_args;

SB_HOST_DEVICE void sb_group_norm_rows_each(const sb_group_norm_rows_args *k, long i)
{
    double sum = 0, product = 0;
    for (long at = i * k->maps.w; at < (i + 1) * k->maps.w; at++) {
        const sb_group_norm_set *set = sb_group_norm_of(&k->norm, &k->maps, at);
        const double d = (double)k->maps.dy[at];
        sum += d;
        product = fma(d, (double)sb_norm_hat(k->maps.x[at], set->mean, set->inverse), product);
    }
    k->sums[i] = sum;
    k->sums[k->n + i] = product;
}

/* One channel: its rows, one after the other. */
typedef struct sb_group_norm_parameters_args {
    long n;
    sb_group_norm norm;
    const double *sums;
    int samples, h;
} sb_group_norm_parameters_args;

SB_HOST_DEVICE void sb_group_norm_parameters_each(const sb_group_norm_parameters_args *k, long c)
{
    const long n_rows = (long)k->samples * k->norm.c * k->h;
    double shift = 0, scale = 0;
    for (int row = 0; row < k->samples * k->h; row++) {
        const long at = ((long)(row / k->h) * k->norm.c + c) * k->h + row % k->h;
        shift += k->sums[at];
        scale += k->sums[n_rows + at];
    }
    k->norm.shift_grad[c] = (sb_real)shift;
    k->norm.scale_grad[c] = (sb_real)scale;
}

/* Computations from the sums over the rows of a set (group_norm.h). A file that includes this must define
 * sb_group_norm_add, the sum over a row: with parallel lanes on a CPU, one lane after the other in a kernel. */
#pragma once

#include "ops/norm/group_norm.h"

/* The sum over all rows of a set, which have the stride `pitch`. */
SB_HOST_DEVICE double sb_group_norm_total(sb_group_norm_sum kind, sb_group_norm_row row, int n_rows, long pitch,
                                          const sb_group_norm_set *set)
{
    double total = 0;
    for (int y = 0; y < n_rows; y++) {
        total += sb_group_norm_add(kind, &row, set);
        row.x += pitch;
        if (row.dy) row.dy += pitch;
    }
    return total;
}

SB_HOST_DEVICE void sb_group_norm_statistics(const sb_group_norm *norm, sb_group_norm_row row, int n_rows, long pitch,
                                             sb_group_norm_set *set)
{
    const double m = (double)n_rows * row.n_pixels * row.n_c;
    set->mean = sb_norm_mean(sb_group_norm_total(SB_SUM, row, n_rows, pitch, set), m);
    set->inverse = sb_norm_inverse(sb_group_norm_total(SB_SQUARES, row, n_rows, pitch, set) / m, norm->eps);
}

SB_HOST_DEVICE void sb_group_norm_quotients(sb_group_norm_row row, int n_rows, long pitch, sb_group_norm_set *set)
{
    const double m = (double)n_rows * row.n_pixels * row.n_c;
    set->offset = (sb_real)(sb_group_norm_total(SB_GRADIENTS, row, n_rows, pitch, set) / m);
    set->slope = (sb_real)(sb_group_norm_total(SB_PRODUCTS, row, n_rows, pitch, set) / m);
}

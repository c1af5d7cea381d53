/* Layer norm and group norm, for each sample alone. A set of numbers is normalized together: for layer norm all
 * channels of a pixel, for group norm the channels of a group at all pixels.
 *
 *     m numbers:  mu = sum x / m      var = sum (x - mu)^2 / m      inv = 1 / sqrt(var + eps)
 *     xhat = (x - mu) inv       y = fma(scale, xhat, shift)       scale, shift: of the channel
 *     g = dy scale        dx = inv ((g - sum g / m) - xhat (sum g xhat / m))
 *     dshift = sum dy     dscale = sum dy xhat                    over all samples and pixels
 *
 * Sums are formed in double, products are added by fma. Sum over a set: each row of pixels has SB_ORDER_LANES chains
 * that start at 0. Its numbers are taken pixel by pixel, channels ascending, number k in chain k mod SB_ORDER_LANES;
 * the chains are joined by halves (order.h), and the rows added, y ascending. dshift and dscale: for each sample,
 * ascending, and each row a chain over x starts at 0; the rows are added, y ascending. mu, inv, the two quotients,
 * dshift and dscale are rounded once to the number type; later steps use the rounded values. */
#pragma once

#include "ops/norm/norm.h"
#include "ops/order.h"

#include <stdbool.h>

typedef struct sb_group_norm {
    int c, groups;     /* channels; groups of channels */
    bool is_of_pixels; /* layer norm: each pixel is a set */
    double eps;
    const sb_real *scale; /* [c] */
    const sb_real *shift; /* [c] */
    sb_real *scale_grad;  /* [c], both overwritten */
    sb_real *shift_grad;
    sb_real *space; /* sb_group_norm_size bytes of device memory, kept until the backward pass */
} sb_group_norm;

/* Values of one set in the space. */
typedef struct sb_group_norm_set {
    sb_real mean, inverse, offset, slope; /* offset, slope: the quotients of the gradients */
} sb_group_norm_set;

SB_HOST_DEVICE long sb_group_norm_sets(const sb_group_norm *norm, int n, int pixels)
{
    return (long)n * norm->groups * (norm->is_of_pixels ? pixels : 1);
}

static inline size_t sb_group_norm_size(const sb_group_norm *norm, int n, int pixels)
{
    return (size_t)sb_group_norm_sets(norm, n, pixels) * sizeof(sb_group_norm_set);
}

/* The set of a channel at a pixel of a sample. */
SB_HOST_DEVICE sb_group_norm_set *sb_group_norm_at(const sb_group_norm *norm, int sample, int pixels, int pixel,
                                                   int channel)
{
    const long of_sample = norm->is_of_pixels ? (long)sample * pixels + pixel : sample;
    return (sb_group_norm_set *)norm->space + of_sample * norm->groups + channel / (norm->c / norm->groups);
}

/* The numbers of a set in one row: n_pixels pixels with the distance `pixel` in elements, each of n_c channels with the
 * distance `channel`. dy: NULL in the forward pass. */
typedef struct sb_group_norm_row {
    const sb_real *x, *dy, *scale;
    int n_pixels, n_c;
    long pixel, channel;
} sb_group_norm_row;

typedef enum sb_group_norm_sum { SB_SUM, SB_SQUARES, SB_GRADIENTS, SB_PRODUCTS } sb_group_norm_sum;

SB_HOST_DEVICE double sb_group_norm_term(sb_group_norm_sum kind, const sb_group_norm_row *row,
                                         const sb_group_norm_set *set, long at, int c, double sum)
{
    const sb_real x = row->x[at];
    if (kind == SB_SUM) return sum + (double)x;
    if (kind == SB_SQUARES) return sb_norm_square(x, set->mean, sum);
    const double g = (double)(row->dy[at] * row->scale[c]);
    return kind == SB_GRADIENTS ? sum + g : fma(g, (double)sb_norm_hat(x, set->mean, set->inverse), sum);
}

SB_HOST_DEVICE sb_real sb_group_norm_gradient(const sb_group_norm_set *set, sb_real x, sb_real dy, sb_real scale)
{
    return sb_norm_gradient(dy * scale, sb_norm_hat(x, set->mean, set->inverse), set->inverse, 1, set->offset,
                            set->slope);
}

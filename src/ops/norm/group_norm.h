/* Layer norm and group norm: each sample alone. A set of numbers has a mean and a variance: of layer norm all channels of
 * a pixel, of group norm the channels of a group at all pixels.
 *
 *     m numbers:  mu = sum x / m      var = sum (x - mu)^2 / m      inv = 1 / sqrt(var + eps)
 *     xhat = (x - mu) inv       y = fma(scale, xhat, shift)       scale, shift: of the channel
 *     g = dy scale        dx = inv ((g - sum g / m) - xhat (sum g xhat / m))
 *     dshift = sum dy     dscale = sum dy xhat                    over all samples and pixels
 *
 * Sums are formed in double, products go into them by fma. One over a set: of each row of its pixels SB_ORDER_LANES chains
 * from 0 over its numbers, pixel by pixel with channels ascending, number k into chain k mod SB_ORDER_LANES, joined by
 * halves (order.h); the rows are added, y ascending. dshift and dscale: of each sample, ascending, and each row a chain
 * over x from 0; the rows are added, y ascending. mu, inv and the two quotients are rounded once, to the number type, and
 * what is formed of them uses the rounded ones; so are dshift and dscale. */
#ifndef SB_OPS_GROUP_NORM_H
#define SB_OPS_GROUP_NORM_H

#include "ops/norm/norm.h"
#include "ops/order.h"

#include <stdbool.h>

typedef struct sb_group_norm {
    int c, groups;     /* channels; groups of them */
    bool is_of_pixels; /* each pixel alone */
    double eps;
    const sb_real *scale; /* [c] */
    const sb_real *shift; /* [c] */
    sb_real *scale_grad;  /* [c], overwritten, as shift_grad */
    sb_real *shift_grad;
    sb_real *space; /* sb_group_norm_size bytes of the device, kept until the backward pass */
} sb_group_norm;

/* What the space has of each set. */
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

/* The numbers of a set in one row: from first on, n_pixels that lie `pixel` apart, of n_c channels that lie `channel`
 * apart. dy: NULL in the forward pass. */
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

#endif

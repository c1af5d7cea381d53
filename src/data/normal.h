/* Normalization: a table of 256 numbers converts a byte of an image to the number that a network learns from, so every
 * device gets the same bits.
 *
 *     cifar10   (byte - mean) / sd, mean 125.31, 122.95, 113.87 and sd 62.99, 62.09, 66.70 of red, green and blue
 *     mnist     ((byte / 255) - 0.1307) / 0.3081
 *     mean      (byte - mean image) / 255, after the 2x2 maximum of the bytes
 *     none      byte / 255
 *
 * cifar10, mnist and none round after each operation in the number type; `mean` is one quotient of exact integers,
 * computed in double and rounded once. docs/specification.md, section 9.
 */
#pragma once

#include "core/rows/images.h"
#include "core/status.h"
#include "ops/real.h"

#include <stddef.h>
#include <stdint.h>

enum { SB_NORMAL_BYTES = 256 };

typedef struct sb_normal {
    size_t n_tables, per; /* per: elements that share a table, a channel's or one */
    sb_real *table;       /* [n_tables][256] */
} sb_normal;

/* Open for images of c channels of `pixels` elements. sum[c * pixels]: sums of the bytes of each element over n_images,
 * only for SB_NORMAL_MEAN, else NULL. SB_E_USAGE: the kind is for another number of channels. The caller closes it. */
sb_status sb_normal_open(sb_normal *normal, sb_normal_kind kind, size_t c, size_t pixels, const int64_t *sum,
                         size_t n_images);
void sb_normal_close(sb_normal *normal); /* one of zeros, too */

/* The table of element j of an image. */
static inline const sb_real *sb_normal_at(const sb_normal *normal, size_t j)
{
    return normal->table + j / normal->per * SB_NORMAL_BYTES;
}

/* mean[c] and sd[c] of x = (byte - mean) / sd, for whitening. SB_E_USAGE: this kind has no such form. */
sb_status sb_normal_moments(sb_normal_kind kind, size_t c, double *mean, double *sd);

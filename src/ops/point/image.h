/* Images of a data set that lie where the operations compute, and what makes one of a batch of them: the arguments of
 * ops->image_load. What an augmentation is, and what it draws, is in data/augment.h; here are the numbers drawn. */
#ifndef SB_OPS_IMAGE_H
#define SB_OPS_IMAGE_H

#include "ops/real.h"

#include <stdint.h>

typedef struct sb_image_store {
    const uint8_t *bytes; /* [images][c][h][w]; device memory, as the table */
    const sb_real *table; /* [c][256], or [c * h * w][256]: from a byte to a number */
    int c, h, w;
    int per_element;  /* the second of the two */
    int has_contrast; /* choices have one */
    int has_brightness;
    long cutout; /* side of the square, pixels; 0: none. Not an int: devices compare it byte by byte, without padding */
} sb_image_store;

typedef struct sb_image_choice {
    uint32_t number;      /* of the image in the store */
    int32_t x0, y0;       /* where the crop begins; below 0: in the reflected border */
    int32_t flip;         /* left and right are exchanged */
    int32_t cut_x, cut_y; /* corner of the square */
    sb_real contrast, brightness;
} sb_image_choice;

#endif

/* The arguments of ops->image_load: the images of a data set in device memory, and for each image of a batch the random
 * choices of its augmentation. data/augment.h defines the augmentation and draws the choices. */
#pragma once

#include "ops/real.h"

#include <stdint.h>

typedef struct sb_image_store {
    const uint8_t *bytes; /* [images][c][h][w]; bytes and table are in device memory */
    const sb_real *table; /* [c][256], or [c * h * w][256]: the number for each byte */
    long n;               /* images */
    int c, h, w;
    int per_element;  /* the table is [c * h * w][256] */
    int has_contrast; /* choices have a contrast; else it is 1 */
    int has_brightness;
    long cutout; /* side of the square, pixels; 0: none. A long, so that the struct has no padding: it is compared
                  * bytewise */
} sb_image_store;

typedef struct sb_image_choice {
    uint32_t number;      /* number of the image in the store */
    int32_t x0, y0;       /* corner of the crop; negative: in the reflected border */
    int32_t flip;         /* left and right are exchanged */
    int32_t cut_x, cut_y; /* corner of the cutout */
    sb_real contrast, brightness;
} sb_image_choice;

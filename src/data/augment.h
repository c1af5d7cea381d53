/* Augmentation of an image in an epoch: a function of (seed, epoch, image) alone, so threads, ranks and queues change
 * no bit (docs/specification.md, section 9). In this order:
 *
 *     crop, flip   the image is padded by reflection by `crop` pixels, the edge not repeated; out[y][x] is
 *                  P[y + y0][(flip ? w - 1 - x : x) + x0], counted from P's corner: (crop, crop) is the image
 *     normalize    data/normal.h
 *     contrast     c x, c - 1 uniform in (-r, r)
 *     brightness   x + b, b uniform in (-r, r)
 *     noise        x + N(0, s^2)
 *     cutout       0, the mean color, in a square that is wholly inside the image
 *
 * Form `sample` draws each image from its own random words. Form `group` draws at most 200 of all options and uses each
 * for the same number of images, so that exactly half of the images are flipped.
 *
 *     SB_TRY(sb_augment_open(&augment, &plan, shape, n));
 *     sb_augment_begin(&augment, epoch);
 *     const sb_choice choice = sb_augment_choose(&augment, place, number);
 *     sb_augment_apply(&augment, &choice, number, image, &normal, x);
 *     sb_augment_close(&augment);
 *
 * One object is used by one thread.
 */
#pragma once

#include "data/normal.h"

#include <stdbool.h>

typedef struct sb_augment_plan { /* all zero: no change */
    sb_augment_form form;
    int crop; /* pixels */
    bool flip;
    int cutout;                  /* side of the square, pixels; 0: none */
    double brightness, contrast; /* r of each */
    double noise;                /* s */
} sb_augment_plan;

typedef struct sb_image_shape {
    int c, h, w;
} sb_image_shape;

enum { SB_TRANSFORMS = 3 }; /* the transforms that form `group` draws: crop, flip, cutout */

typedef struct sb_augment {
    sb_augment_plan plan;
    sb_image_shape shape;
    uint64_t seed;
    size_t n;
    long epoch;
    uint32_t *option[SB_TRANSFORMS]; /* form group: [n], the option of each image in this epoch; NULL: transform not
                                      * used */
    uint32_t *drawn;                 /* memory for permutations */
    int *column;                     /* [w]: source column of each pixel of a row */
} sb_augment;

/* Open for a training set of n images. SB_E_USAGE: the images are too small for the plan. On failure nothing stays
 * open. */
sb_status sb_augment_open(sb_augment *augment, const sb_augment_plan *plan, sb_image_shape shape, uint64_t seed,
                          size_t n);
void sb_augment_close(sb_augment *augment); /* one of zeros, too */

/* Draw the random choices that are made once for each epoch. */
void sb_augment_begin(sb_augment *augment, long epoch);

typedef struct sb_choice {
    int crop_x, crop_y; /* x0, y0 */
    bool flip;
    int cutout_x, cutout_y;
    double brightness, contrast; /* b, c */
} sb_choice;

/* The choice for the image at `place` of the training set, whose number in the data set is `number`. */
sb_choice sb_augment_choose(const sb_augment *augment, size_t place, size_t number);

/* The choice that leaves an image unchanged, or only mirrors it left to right. */
sb_choice sb_augment_plain(const sb_augment *augment, bool mirrored);

/* Write x [c][h][w] from an image [c][h][w]. `number`: the image's number in the data set, from which noise is
 * drawn. */
void sb_augment_apply(const sb_augment *augment, const sb_choice *choice, size_t number, const uint8_t *image,
                      const sb_normal *normal, sb_real *x);

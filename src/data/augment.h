/* Augmentation: an image as it is learned from in an epoch, a function of (seed, epoch, image) alone, so that threads,
 * ranks and queues change no bit of it (docs/specification.md, section 9). In this order:
 *
 *     crop, flip   the image is padded by reflection by `crop` pixels, the edge not repeated; out[y][x] is
 *                  P[y + y0][(flip ? w - 1 - x : x) + x0], counted from P's corner: (crop, crop) is the image
 *     normalise    data/normal.h
 *     contrast     c x, c - 1 uniform in (-r, r)
 *     brightness   x + b, b uniform in (-r, r)
 *     noise        x + N(0, s^2)
 *     cutout       0 in a square that lies wholly inside, which is the mean colour
 *
 * Form `sample` draws for each image from words of its own. Form `group` chooses few options for many images at once:
 * at most 200 of all options, each for as many images, so that exactly half of them are flipped.
 *
 *     SB_TRY(sb_augment_open(&augment, &plan, shape, n));
 *     sb_augment_begin(&augment, epoch);
 *     const sb_choice choice = sb_augment_choose(&augment, place, number);
 *     sb_augment_apply(&augment, &choice, number, image, &normal, x);
 *     sb_augment_close(&augment);
 *
 * One object serves one thread.
 */
#ifndef SB_DATA_AUGMENT_H
#define SB_DATA_AUGMENT_H

#include "data/normal.h"

#include <stdbool.h>

typedef struct sb_augment_plan { /* of zeros: nothing is changed */
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

enum { SB_TRANSFORMS = 3 }; /* that the form `group` draws: crop, flip, cutout */

typedef struct sb_augment {
    sb_augment_plan plan;
    sb_image_shape shape;
    uint64_t seed;
    size_t n;
    long epoch;
    uint32_t *option[SB_TRANSFORMS]; /* form group: [n], of each image in this epoch; NULL: not asked for */
    uint32_t *drawn;                 /* room for permutations */
    int *column;                     /* [w]: where the pixels of a row come from */
} sb_augment;

/* For n images in the training set. SB_E_USAGE: the images are too small for it. On failure nothing stays open. */
sb_status sb_augment_open(sb_augment *augment, const sb_augment_plan *plan, sb_image_shape shape, uint64_t seed,
                          size_t n);
void sb_augment_close(sb_augment *augment); /* one of zeros, too */

/* What is drawn for an epoch once. */
void sb_augment_begin(sb_augment *augment, long epoch);

typedef struct sb_choice {
    int crop_x, crop_y; /* x0, y0 */
    bool flip;
    int cutout_x, cutout_y;
    double brightness, contrast; /* b, c */
} sb_choice;

/* For the image at this place of the training set, with that number in the data set. */
sb_choice sb_augment_choose(const sb_augment *augment, size_t place, size_t number);

/* The choice that changes nothing but, if asked for, left and right. */
sb_choice sb_augment_plain(const sb_augment *augment, bool mirrored);

/* From an image [c][h][w] to x [c][h][w]. `number`: of the image in the data set, for the noise. */
void sb_augment_apply(const sb_augment *augment, const sb_choice *choice, size_t number, const uint8_t *image,
                      const sb_normal *normal, sb_real *x);

#endif

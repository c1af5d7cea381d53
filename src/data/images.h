/* The images of a data set in memory: which of them train, which are held out, and how they are normalized. The object
 * does not change after it was opened, so threads may share it.
 *
 * The held-out images are the last ones of a permutation that depends on the number of all images, not on the seed of a
 * run (docs/specification.md, section 9). So all runs that hold out the same number hold out the same images.
 */
#pragma once

#include "core/rows/setting.h"
#include "data/augment.h"
#include "io/dataset.h"

/* How images become numbers, for a network that learns from numbers and labels. */
typedef struct sb_image_plan {
    sb_normal_kind normal; /* MEAN: the input is the 2x2 maximum of an image */
    sb_augment_plan augment;
} sb_image_plan;

/* The plan of the settings; settings that the network does not list are ignored. False: the network learns from
 * bytes. */
bool sb_image_plan_of(const sb_settings *options, sb_image_plan *plan);

typedef struct sb_image_part {
    size_t n;
    const uint32_t *number; /* [n], ascending: indices into bytes and labels */
    const uint8_t *bytes;   /* [..][c][h][w]; without a plan [..][h][w][c], as in the file */
    const uint8_t *labels;  /* NULL: none */
} sb_image_part;

typedef enum sb_part { SB_PART_TRAIN, SB_PART_HOLD_OUT, SB_PART_TEST, SB_N_PARTS } sb_part;

typedef struct sb_images {
    sb_image_shape shape; /* of the network's input */
    int n_classes;        /* the number of class names, or one more than the largest label; 0 without a plan */
    sb_image_part part[SB_N_PARTS];
    sb_normal normal; /* with a plan */
    uint8_t *memory[4];
    uint32_t *numbers;
} sb_images;

/* Read the images. plan NULL: read bytes, labels if there are any, and no test images. SB_E_USAGE: too few images to
 * hold out, no labels, or images that do not fit the plan. On failure nothing stays open. */
sb_status sb_images_open(sb_images *images, sb_dataset *dataset, const sb_image_plan *plan, size_t hold_out);
void sb_images_close(sb_images *images); /* one of zeros, too */

static inline size_t sb_image_elements(sb_image_shape shape)
{
    return (size_t)shape.c * (size_t)shape.h * (size_t)shape.w;
}

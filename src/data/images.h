/* The images of a data set in memory, as networks learn from them: which of them train, which are held out, and what
 * normalises them. Nothing changes in it after it was opened, so that threads share it.
 *
 * The held-out images are the last ones of a permutation of all that depends on their number alone, not on the seed of
 * a run (docs/specification.md, section 9): all runs that hold out this many hold out the same ones.
 */
#ifndef SB_DATA_IMAGES_H
#define SB_DATA_IMAGES_H

#include "core/rows/setting.h"
#include "data/augment.h"
#include "io/dataset.h"

/* How images become numbers, of a network that takes numbers and labels. */
typedef struct sb_image_plan {
    sb_normal_kind normal; /* MEAN: the network sees the 2x2 maximum of an image */
    sb_augment_plan augment;
} sb_image_plan;

/* The plan that settings describe; of those that their network does not list nothing is done. False: the network takes
 * bytes. */
bool sb_image_plan_of(const sb_settings *options, sb_image_plan *plan);

typedef struct sb_image_part {
    size_t n;
    const uint32_t *number; /* [n], ascending: where they lie in bytes and labels */
    const uint8_t *bytes;   /* [..][c][h][w]; without a plan [..][h][w][c], as in the file */
    const uint8_t *labels;  /* NULL: none */
} sb_image_part;

typedef enum sb_part { SB_PART_TRAIN, SB_PART_HOLD_OUT, SB_PART_TEST, SB_N_PARTS } sb_part;

typedef struct sb_images {
    sb_image_shape shape; /* as the network sees them */
    int n_classes;        /* those that have names, or one more than the largest label; without a plan 0 */
    sb_image_part part[SB_N_PARTS];
    sb_normal normal; /* with a plan */
    uint8_t *memory[4];
    uint32_t *numbers;
} sb_images;

/* Read them. plan NULL: the bytes alone, labels where there are some, and no test images. SB_E_USAGE: there are not so
 * many to hold out, no labels, or images that the plan is not for. On failure nothing stays open. */
sb_status sb_images_open(sb_images *images, sb_dataset *dataset, const sb_image_plan *plan, size_t hold_out);
void sb_images_close(sb_images *images); /* one of zeros, too */

static inline size_t sb_image_elements(sb_image_shape shape)
{
    return (size_t)shape.c * (size_t)shape.h * (size_t)shape.w;
}

#endif

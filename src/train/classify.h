/* What a network that was trained to classify makes of images: losses, right ones, and the class of each. */
#ifndef SB_TRAIN_CLASSIFY_H
#define SB_TRAIN_CLASSIFY_H

#include "train/setup.h"

typedef struct sb_classification {
    size_t n;                   /* images */
    bool flips;                 /* correct_flipped was counted: the settings have test_flip */
    double loss, cross_entropy; /* means, with and without the smoothing of labels */
    size_t correct, correct_flipped; /* right ones; flipped: by the mean of the logits of an image and its mirror image */
    /* [n], the caller's to free, also after a failure; NULL: no image; with the mirror images where the settings have
     * test_flip */
    uint8_t *predicted;
    size_t of_class[SB_CLASSES_MAX + 1], right_of_class[SB_CLASSES_MAX + 1]; /* by label; right: as predicted */
    double entropy_of_class[SB_CLASSES_MAX + 1]; /* mean cross-entropy by label; 0 where there is no image */
} sb_classification;

/* All images of a part, each once, in the order of the data set, by the average of the weights where there is one.
 * Nothing of the training is changed. Losses are of the images alone. */
sb_status sb_classify(sb_setup *setup, sb_part part, sb_classification *found);

#endif

/* Classification of images by a trained network: losses, number of correct images, and the class of each. The same of a
 * text, where each token of a window but the first is to be predicted: "image" is such a token then, and its label the
 * token itself. */
#pragma once

#include "train/setup.h"

typedef struct sb_classification {
    size_t n;                   /* images */
    bool flips;                 /* correct_flipped is set: the settings have test_flip */
    double loss, cross_entropy; /* means, with and without label smoothing */
    size_t correct, correct_flipped; /* correctly classified images; flipped: by the mean of the logits of an image and
                                      * its mirror image */
    /* [n], predicted class of each image, with its mirror image if the settings have test_flip. The caller frees it,
     * also after a failure. NULL: no image. */
    uint8_t *predicted;
    size_t of_class[SB_CLASSES_MAX + 1], right_of_class[SB_CLASSES_MAX + 1]; /* images by label, and how many of them
                                                                              * have the right `predicted` */
    double entropy_of_class[SB_CLASSES_MAX + 1]; /* mean cross-entropy by label; 0 where there is no image */
} sb_classification;

/* Classify all images of a part once, or all its windows of a text, in the order of the data set, with the average of
 * the weights if there is one. The state of the training does not change. Losses leave mirror images out. */
sb_status sb_classify(sb_setup *setup, sb_part part, sb_classification *found);

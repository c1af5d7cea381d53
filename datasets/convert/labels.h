/* Which classes the labels of a half of a data set name, for the sentences of the converters. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SB_LABELS_MOST = 256 };

typedef struct sb_labels {
    size_t n_images[SB_LABELS_MOST]; /* of each class */
    int n_classes;                   /* that have an image */
    int n_numbers;                   /* one more than the largest label; the classes are 0 .. n_numbers-1 */
} sb_labels;

sb_labels sb_labels_count(const uint8_t *label, size_t n);

/* A line on stderr for the classes below n_numbers that have no image: "letters.h5: no test image of class 0, 7". `what`:
 * "training" or "test". Nothing is said where each class has one. */
void sb_labels_say_empty(const sb_labels *labels, int n_numbers, const char *path, const char *what);

/* Pictures with labels that are drawn one by one: what the verbs that make them share.
 *
 *     static const sb_pictures digits = {.draw = sb_digit_draw, .side = 28, .channels = 1, ...};
 *     return sb_pictures_write(&digits, call);            the values of the verb are an sb_pictures_values
 */
#ifndef SB_DATASETS_SYNTH_SYNTH_PICTURES_H
#define SB_DATASETS_SYNTH_SYNTH_PICTURES_H

#include "core/command/options.h"

#include <stdint.h>

typedef struct sb_pictures_values {
    const char *output;
    long n_images, n_test, seed;
} sb_pictures_values;

/* The option table of a verb: the file that it writes, the number of training images, and what the seed chooses. */
#define SB_PICTURES_OPTIONS(file, n_images_, seed_help)                                                                \
    SB_OPTION_TEXT_LETTER(sb_pictures_values, output, "--output", 'o', "FILE", file, "data set file to write"),        \
        SB_OPTION_INT(sb_pictures_values, n_images, "--images", "N", n_images_, 1, 1000000, "training images"),        \
        SB_OPTION_INT(sb_pictures_values, n_test, "--test", "N", "10000", 1, 1000000, "test images"),                  \
        SB_OPTION_INT(sb_pictures_values, seed, "--seed", "N", "1", 0, 2147483647, seed_help), SB_OPTION_END

typedef struct sb_pictures {
    /* Picture number `index` of a seed, [side][side][channels]; returns its label. */
    uint8_t (*draw)(uint32_t seed, uint32_t index, uint8_t *picture);
    size_t side, channels;
    const char *kind, *source; /* attributes of the data set */
    const char *classes;       /* names of the labels, one a line; NULL: none */
} sb_pictures;

/* Write the data set: the pictures from number 0 for training, and those after them for testing. */
sb_status sb_pictures_write(const sb_pictures *pictures, const sb_call *call);

#endif

/* The verbs that draw data sets, each next to its option table in synth_NAME.c. */
#pragma once

#include "core/command/options.h"
#include "datasets/synth/walk_texture.h"

#include <stdint.h>

extern const sb_command sb_verb_synth_walk, sb_verb_synth_motion, sb_verb_synth_digits, sb_verb_synth_shapes,
    sb_verb_synth_text;

enum { SB_DIGIT_SIDE = 28, SB_DIGIT_BYTES = SB_DIGIT_SIDE * SB_DIGIT_SIDE };

/* Draw picture number `index` of a seed, the same on every machine; returns which digit it is. */
uint8_t sb_digit_draw(uint32_t seed, uint32_t index, uint8_t image[SB_DIGIT_BYTES]);

enum { SB_SHAPE_SIDE = 32, SB_SHAPE_CHANNELS = 3, SB_SHAPE_BYTES = SB_SHAPE_SIDE * SB_SHAPE_SIDE * SB_SHAPE_CHANNELS };

/* "disc\nring\n...": the kinds by their numbers. */
extern const char sb_shape_classes[];

/* Draw picture number `index` of a seed, [32][32][3], the same on every machine; returns of which kind it is. */
uint8_t sb_shape_draw(uint32_t seed, uint32_t index, uint8_t image[SB_SHAPE_BYTES]);

enum {
    SB_MOTION_SUBPIXELS = 256,
    SB_MOTION_PERIOD = 256
}; /* steps of a pixel; pixels after which the picture repeats */

typedef struct sb_motion {
    int w, h;
    uint32_t speed; /* steps a frame */
    sb_texture picture;
} sb_motion;

/* Paint the picture of a seed: noise of several sizes, each colour its own. The caller frees it. */
sb_status sb_motion_make(sb_motion *motion, uint32_t seed, int w, int h, uint32_t speed);
void sb_motion_free(sb_motion *motion); /* zeros are fine */

/* Frame number `frame` into rgb [h][w][3]. */
void sb_motion_draw(const sb_motion *motion, uint32_t frame, uint8_t *rgb);

/* A video data set that is drawn frame by frame, in sequences: what the verbs 'synth walk' and 'synth motion' share. */

/* Who draws. `state` is the verb's own. */
typedef struct sb_synth_artist {
    sb_status (*begin)(void *state, uint32_t seed, long n); /* a sequence of n frames of a seed of its own */
    void (*draw)(void *state, uint8_t *rgb);                /* its next frame, [h][w][3] */
    void (*end)(void *state);                               /* free what begin took, whatever begin returned */
} sb_synth_artist;

typedef struct sb_synth_video {
    const char *output;
    sb_size size;
    long n_frames, n_sequences, seed;
} sb_synth_video;

enum { SB_SYNTH_SEQUENCES = 64 };

/* The rows of an option table for the member `video` of a verb's struct. */
#define SB_SYNTH_VIDEO_OPTIONS(type, file, sequences_help, seed_help)                                                  \
    SB_OPTION_TEXT_LETTER(type, video.output, "--output", 'o', "FILE", file, "data set file to write"),                \
        SB_OPTION_SIZE(type, video.size, "--size", "160x120", 8, 1024, "frame size"),                                  \
        SB_OPTION_INT(type, video.n_frames, "--frames", "N", "5000", 1, 1000000,                                       \
                      "total number of frames, 30 per second"),                                                        \
        SB_OPTION_INT(type, video.n_sequences, "--sequences", "K", "1", 1, 64, sequences_help),                        \
        SB_OPTION_INT(type, video.seed, "--seed", "N", "1", 0, 2147483647, seed_help)

/* Draw and write the file; `values` is the verb's struct, whose options are recorded. */
sb_status sb_synth_video_write(const sb_command *command, const void *values, const sb_synth_video *video,
                               const sb_synth_artist *artist, void *state);

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

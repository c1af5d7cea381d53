/* A video data set that is drawn frame by frame, in sequences: what the verbs 'synth walk' and 'synth motion' share. */
#ifndef SB_DATASETS_SYNTH_SYNTH_VIDEO_H
#define SB_DATASETS_SYNTH_SYNTH_VIDEO_H

#include "core/command/options.h"

#include <stdint.h>

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

#endif

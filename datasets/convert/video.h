/* Frames of a video or a still image as 8-bit RGB of one size. The only file that includes libav.
 *
 *     sb_video *video;
 *     SB_TRY(sb_video_open(&video, "clip.mp4", &options));
 *     while ((status = sb_video_next(video, rgb, &more)) == SB_OK && more) ...
 *     sb_video_close(video);
 *
 * The pixels are the same for any number of threads and any instruction set: the scaler and all its flags are fixed. A
 * damaged file is the exception, where decoders that guess may guess differently with other thread counts: leave
 * threads at 1 there.
 */
#ifndef SB_DATASETS_CONVERT_VIDEO_H
#define SB_DATASETS_CONVERT_VIDEO_H

#include "datasets/convert/aspect.h"

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_video sb_video;

typedef struct sb_video_options {
    int w, h;           /* of the frames that come out */
    sb_aspect crop;     /* cut the middle of this shape out before scaling; {0}: the whole frame, squeezed */
    const char *scaler; /* "bilinear", "area" or "bicubic" */
    int threads;        /* of the decoder */
} sb_video_options;

typedef struct sb_video_facts {
    int w, h;          /* of the source, as it is stored; 0 if the file does not say */
    int turn;          /* degrees clockwise, 0 to 359, by which players turn the frames; samebits does not */
    int n_streams;     /* of all kinds */
    int64_t n_frames;  /* what the file announces; 0 if it does not say */
    int64_t n_decoded; /* so far: frames that came out */
    int64_t n_broken;  /* so far: packets and frames that could not be decoded, left out */
    int64_t n_damaged; /* so far: frames that came out, but with errors in them */
} sb_video_facts;

/* Open a file and its best video stream; other streams are ignored. Missing: SB_E_USAGE. No media file, no video
 * stream, or one that nothing here decodes: SB_E_INTEGRITY. */
sb_status sb_video_open(sb_video **video, const char *path, const sb_video_options *options);
void sb_video_close(sb_video *video); /* NULL is fine */
const sb_video_facts *sb_video_about(const sb_video *video);

/* The next frame into rgb [h][w][3]; *more false: there is none, rgb is untouched. Broken packets are counted and
 * passed over. */
sb_status sb_video_next(sb_video *video, uint8_t *rgb, bool *more);

/* "libavformat 59.27.100, libavcodec ..." */
void sb_video_library_versions(char *text, size_t size);

#endif

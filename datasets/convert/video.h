/* Frames of a video or a still image as 8-bit RGB of one size. The files video*.c alone include libav.
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
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_aspect {
    long w, h; /* both 0: no shape is wanted */
} sb_aspect;

/* The shape of frames of w x h pixels, both at least 1. */
sb_aspect sb_aspect_of(long w, long h);

/* "4:3", as --crop takes it; NULL or an empty text is no shape. Anything else: SB_E_USAGE. */
sb_status sb_aspect_parse(sb_aspect *aspect, const char *text);

/* By more than one part in a hundred? 854x480 still counts as 16:9. */
bool sb_aspect_differs(sb_aspect a, sb_aspect b);

/* "16:9"; where a term is above 21, "1.85:1". */
enum { SB_ASPECT_TEXT = 48 };
void sb_aspect_text(sb_aspect aspect, char text[SB_ASPECT_TEXT]);

typedef struct sb_video sb_video;

typedef struct sb_video_options {
    int w, h;           /* of the frames that come out */
    sb_aspect crop;     /* cut the middle of this shape out before scaling; {0}: the whole frame, squeezed */
    const char *scaler; /* "bilinear", "area" or "bicubic" */
    int threads;        /* of the decoder */
} sb_video_options;

typedef struct sb_video_facts {
    /* of the frame that came out last; before the first, what the file states; 0 where it does not */
    int w, h;         /* as it is stored */
    sb_aspect pixel;  /* the shape of one pixel, 1:1 unless it is said */
    int turn;         /* degrees clockwise, 0 to 359, by which players turn it; samebits does not */
    bool is_mirrored; /* players mirror it, left and right, before they turn it */
    /* of the file */
    int n_streams;    /* of all kinds */
    int n_videos;     /* streams of video, without covers */
    int n_pages;      /* of a TIFF, of which the first is read; else 1 */
    int64_t n_stated; /* frames that the file announces; 0 if it does not say */
    int64_t n_frames; /* of these the ones to be shown: an edit list may hide some */
    /* so far */
    int64_t n_decoded;    /* frames that came out */
    int64_t n_broken;     /* packets and frames that could not be decoded, left out */
    int64_t n_damaged;    /* frames that came out, but with errors in them */
    double gap_ms[2];     /* least and largest time between two frames; 0: not known */
    bool is_uneven;       /* these differ by more than rounding */
    bool is_interlaced;   /* some frames are woven of two half pictures */
    bool is_hdr;          /* levels are coded for displays of high dynamic range, and stay so */
    bool is_transparent;  /* some pixels are, which is ignored */
    bool is_gray_guessed; /* gray levels were taken as 16 to 235 without being told */
} sb_video_facts;

/* Open a file and its best video stream; other streams are ignored. Missing, or no regular file: SB_E_USAGE. No media
 * file, a list or playlist of other files, no video stream, or one that nothing here decodes: SB_E_INTEGRITY. No other
 * file is ever opened, whatever the name or the content says. */
sb_status sb_video_open(sb_video **video, const char *path, const sb_video_options *options);
void sb_video_close(sb_video *video); /* NULL is fine */
const sb_video_facts *sb_video_about(const sb_video *video);

/* The next frame into rgb [h][w][3]; *more false: there is none, rgb is untouched. Broken packets are counted and
 * passed over. */
sb_status sb_video_next(sb_video *video, uint8_t *rgb, bool *more);

/* "libavformat 59.27.100, libavcodec ..." */
void sb_video_library_versions(char *text, size_t size);

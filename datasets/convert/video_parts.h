/* The parts of video.c, which alone include libav: the file, the pixels, and what frames say about themselves. */
#pragma once

#include "datasets/convert/video.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <stdbool.h>

/* What the file of a picture says besides its pixels, and libav does not pass on in every version: the pages of a TIFF or
 * PNM file, the orientation that cameras record in TIFF, JPEG, PNG and WebP, and forms of TIFF that libav misreads. */

typedef struct sb_picture_facts {
    int n_pages;         /* of a TIFF; of a PNM file 2 where more follows the first; 1 of all else */
    int orientation;     /* 1 to 8, as Exif counts them; 1: upright, or not said */
    bool is_limited;     /* a TIFF whose black is above 0, as in video */
    const char *trouble; /* why libav would show other pixels; NULL: it does not */
} sb_picture_facts;

/* From an open file of any kind; its position stays. What is damaged counts as not said. */
sb_picture_facts sb_picture_about(int fd);

struct sb_video {
    const char *path; /* the caller's */
    sb_video_options options;
    sb_video_facts facts;
    int fd;
    AVIOContext *input; /* reads fd */
    AVFormatContext *container;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;
    struct SwsContext *scaler;
    int stream;
    int64_t last_time;  /* of the last frame, in units of the stream; AV_NOPTS_VALUE: not known */
    int64_t gap[2];     /* least and largest time between frames, in these units; 0: none yet */
    bool drained;       /* the decoder was told that no packet follows */
    bool is_limited;    /* the picture's file says that its black is above 0 */
    bool opened_others; /* a demuxer wanted to open another file */
};

sb_status sb_video_fail(const sb_video *video, const char *what, int error);

/* ---- video_input.c ---- */

/* Open the file and have libav find out what it is. It is read through one descriptor; libav itself opens no file, so
 * that no list, playlist or pattern of names brings others. */
sb_status sb_video_input_open(sb_video *video);
void sb_video_input_close(sb_video *video);

/* ---- video_stream.c ---- */

/* The video stream that is decoded; covers of sound files are none. Sets facts that the container states. */
sb_status sb_video_stream_choose(sb_video *video, const AVCodec **codec);

/* Note what the frame in video->frame says: size, shape of pixels, orientation, time, half pictures, transparency. */
void sb_video_stream_note(sb_video *video);

/* ---- video_pixels.c ---- */

/* The frame in video->frame, cropped and scaled, into rgb. */
sb_status sb_video_pixels(sb_video *video, uint8_t *rgb);

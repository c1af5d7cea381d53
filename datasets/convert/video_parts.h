/* The parts of video.c, which alone include libav: the file, the pixels, and what frames say about themselves. */
#pragma once

#include "datasets/convert/video.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

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

#include "datasets/convert/video.h"

#include "core/text/plural.h"

#include <assert.h>
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sb_video {
    const char *path; /* the caller's */
    sb_video_options options;
    sb_video_facts facts;
    AVFormatContext *container;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;
    struct SwsContext *scaler;
    int stream;
    bool drained; /* the decoder was told that no packet follows */
};

static sb_status fail_av(const sb_video *video, const char *what, int error)
{
    char why[AV_ERROR_MAX_STRING_SIZE];
    av_strerror(error, why, sizeof why);
    if (error == AVERROR(EMFILE) || error == AVERROR(ENFILE))
        return sb_fail(SB_E_IO, "%s: cannot be read: %s", video->path, why);
    return sb_fail(error == AVERROR(ENOMEM) ? SB_E_MEMORY : SB_E_INTEGRITY, "%s: %s (%s)", video->path, what, why);
}

static sb_status open_container(sb_video *video)
{
    av_log_set_level(AV_LOG_QUIET); /* errors are our sentences */
    /* "file:" keeps a colon in a path from being taken for a protocol. */
    char url[4096 + 8];
    if (access(video->path, R_OK) != 0) return sb_fail(SB_E_USAGE, "%s: %s", video->path, strerror(errno));
    snprintf(url, sizeof url, "file:%s", video->path);
    int error = avformat_open_input(&video->container, url, NULL, NULL);
    if (error < 0) return fail_av(video, "not a video or image that libav can read", error);
    error = avformat_find_stream_info(video->container, NULL);
    if (error < 0) return fail_av(video, "its streams cannot be read", error);
    video->facts.n_streams = (int)video->container->nb_streams;
    return SB_OK;
}

/* By how many degrees clockwise players turn the stream: cameras that were held upright say so beside the frames. */
static int turn_of(const AVStream *stream)
{
    const uint8_t *matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, NULL);
    double counterclockwise = matrix ? av_display_rotation_get((const int32_t *)matrix) : 0;
    return isnan(counterclockwise) ? 0 : (int)lround(360 - counterclockwise) % 360;
}

static sb_status open_decoder(sb_video *video)
{
    const AVCodec *codec = NULL;
    video->stream = av_find_best_stream(video->container, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (video->stream == AVERROR_STREAM_NOT_FOUND)
        return sb_fail(SB_E_INTEGRITY, "%s: no video stream among its %d stream%s", video->path, video->facts.n_streams,
                       sb_plural((size_t)video->facts.n_streams));
    if (video->stream < 0) return fail_av(video, "no decoder for its video stream", video->stream);
    const AVStream *stream = video->container->streams[video->stream];
    for (unsigned i = 0; i < video->container->nb_streams; i++)
        if ((int)i != video->stream) video->container->streams[i]->discard = AVDISCARD_ALL;
    video->decoder = avcodec_alloc_context3(codec);
    if (!video->decoder) return sb_fail(SB_E_MEMORY, "%s: not enough memory", video->path);
    int error = avcodec_parameters_to_context(video->decoder, stream->codecpar);
    if (error < 0) return fail_av(video, "its video stream is not understood", error);
    video->decoder->flags |= AV_CODEC_FLAG_BITEXACT;
    video->decoder->thread_count = video->options.threads;
    error = avcodec_open2(video->decoder, codec, NULL);
    if (error < 0) return fail_av(video, "its video stream cannot be decoded", error);
    video->facts.n_frames = stream->nb_frames;
    video->facts.turn = turn_of(stream);
    video->facts.w = video->decoder->width, video->facts.h = video->decoder->height;
    return SB_OK;
}

sb_status sb_video_open(sb_video **video, const char *path, const sb_video_options *options)
{
    *video = calloc(1, sizeof **video);
    if (!*video) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    (*video)->path = path;
    (*video)->options = *options;
    (*video)->packet = av_packet_alloc();
    (*video)->frame = av_frame_alloc();
    sb_status status = SB_OK;
    if (!(*video)->packet || !(*video)->frame) status = sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK) status = open_container(*video);
    if (status == SB_OK) status = open_decoder(*video);
    if (status == SB_OK) return SB_OK;
    sb_video_close(*video);
    *video = NULL;
    return status;
}

void sb_video_close(sb_video *video)
{
    if (!video) return;
    sws_freeContext(video->scaler);
    av_frame_free(&video->frame);
    av_packet_free(&video->packet);
    avcodec_free_context(&video->decoder);
    avformat_close_input(&video->container);
    free(video);
}

const sb_video_facts *sb_video_about(const sb_video *video)
{
    return &video->facts;
}

/* Give the decoder its next packet of the chosen stream, or the news that there is none. */
static sb_status feed(sb_video *video)
{
    int error;
    while ((error = av_read_frame(video->container, video->packet)) >= 0) {
        bool ours = video->packet->stream_index == video->stream;
        int sent = ours ? avcodec_send_packet(video->decoder, video->packet) : 0;
        av_packet_unref(video->packet);
        if (sent == AVERROR(ENOMEM)) return fail_av(video, "cannot be decoded", sent);
        if (sent < 0) video->facts.n_broken++;
        if (ours && sent >= 0) return SB_OK;
    }
    if (error == AVERROR(EIO)) return sb_fail(SB_E_IO, "%s: %s", video->path, strerror(EIO));
    if (error != AVERROR_EOF) video->facts.n_broken++; /* the rest of the file makes no sense */
    video->drained = true;
    avcodec_send_packet(video->decoder, NULL);
    return SB_OK;
}

/* The next decoded frame in video->frame; *more false: the stream is over. */
static sb_status decode(sb_video *video, bool *more)
{
    for (;;) {
        int error = avcodec_receive_frame(video->decoder, video->frame);
        *more = error >= 0;
        if (error >= 0 || error == AVERROR_EOF) return SB_OK;
        if (error == AVERROR(ENOMEM)) return fail_av(video, "cannot be decoded", error);
        if (error != AVERROR(EAGAIN)) {
            video->facts.n_broken++;
            if (video->drained) return SB_OK;
        }
        if (!video->drained) SB_TRY(feed(video));
    }
}

/* Cut the largest middle piece of the wanted shape out of the frame. Offsets stay on whole chroma samples. */
static sb_status crop(sb_video *video)
{
    AVFrame *frame = video->frame;
    int64_t aspect_w = video->options.crop.w, aspect_h = video->options.crop.h;
    if (!aspect_w) return SB_OK;
    int w = frame->width, h = frame->height;
    if (w * aspect_h > h * aspect_w)
        w = (int)(h * aspect_w / aspect_h);
    else
        h = (int)(w * aspect_h / aspect_w);
    if (w < 1 || h < 1) return sb_fail(SB_E_USAGE, "%s: --crop leaves nothing of its frames", video->path);
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    int left = (frame->width - w) / 2 >> format->log2_chroma_w << format->log2_chroma_w;
    int top = (frame->height - h) / 2 >> format->log2_chroma_h << format->log2_chroma_h;
    frame->crop_left = (size_t)left, frame->crop_right = (size_t)(frame->width - w - left);
    frame->crop_top = (size_t)top, frame->crop_bottom = (size_t)(frame->height - h - top);
    int error = av_frame_apply_cropping(frame, AV_FRAME_CROP_UNALIGNED);
    return error < 0 ? fail_av(video, "cannot be cropped", error) : SB_OK;
}

static int scaler_flags(const char *name)
{
    /* ACCURATE_RND and BITEXACT give every instruction set the same sums; FULL_CHR keeps colour at full resolution. */
    int flags = SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
    if (strcmp(name, "area") == 0) return flags | SWS_AREA;
    if (strcmp(name, "bicubic") == 0) return flags | SWS_BICUBIC;
    assert(strcmp(name, "bilinear") == 0);
    return flags | SWS_BILINEAR;
}

/* The old names of full-range formats carry their range; the scaler wants it said beside the plain name. */
static enum AVPixelFormat plain_format(enum AVPixelFormat format, bool *full_range)
{
    switch (format) {
    case AV_PIX_FMT_YUVJ420P:
        *full_range = true;
        return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P:
        *full_range = true;
        return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ444P:
        *full_range = true;
        return AV_PIX_FMT_YUV444P;
    case AV_PIX_FMT_YUVJ440P:
        *full_range = true;
        return AV_PIX_FMT_YUV440P;
    default:
        return format;
    }
}

static sb_status scale(sb_video *video, uint8_t *rgb)
{
    const AVFrame *frame = video->frame;
    const sb_video_options *options = &video->options;
    bool full_range = frame->color_range == AVCOL_RANGE_JPEG;
    enum AVPixelFormat format = plain_format(frame->format, &full_range);
    video->scaler = sws_getCachedContext(video->scaler, frame->width, frame->height, format, options->w, options->h,
                                         AV_PIX_FMT_RGB24, scaler_flags(options->scaler), NULL, NULL, NULL);
    if (!video->scaler) return sb_fail(SB_E_INTEGRITY, "%s: its frames cannot be scaled", video->path);
    /* An unstated matrix means BT.601, as everywhere in libav. */
    int matrix = frame->colorspace == AVCOL_SPC_UNSPECIFIED ? SWS_CS_DEFAULT : (int)frame->colorspace;
    const int *rgb_coefficients = sws_getCoefficients(SWS_CS_DEFAULT);
    sws_setColorspaceDetails(video->scaler, sws_getCoefficients(matrix), full_range, rgb_coefficients, 1, 0, 1 << 16,
                             1 << 16);
    uint8_t *planes[4] = {rgb};
    int strides[4] = {3 * options->w};
    int rows = sws_scale(video->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes,
                         strides);
    return rows == options->h ? SB_OK : sb_fail(SB_E_INTEGRITY, "%s: a frame cannot be scaled", video->path);
}

sb_status sb_video_next(sb_video *video, uint8_t *rgb, bool *more)
{
    SB_TRY(decode(video, more));
    if (!*more) return SB_OK;
    video->facts.n_decoded++;
    if (video->frame->decode_error_flags || video->frame->flags & AV_FRAME_FLAG_CORRUPT) video->facts.n_damaged++;
    sb_status status = crop(video);
    if (status == SB_OK) status = scale(video, rgb);
    av_frame_unref(video->frame);
    return status;
}

void sb_video_library_versions(char *text, size_t size)
{
    const struct {
        const char *name;
        unsigned version;
    } part[] = {{"libavformat", avformat_version()},
                {"libavcodec", avcodec_version()},
                {"libswscale", swscale_version()},
                {"libavutil", avutil_version()}};
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s %u.%u.%u", i ? ", " : "", part[i].name,
                                 AV_VERSION_MAJOR(part[i].version), AV_VERSION_MINOR(part[i].version),
                                 AV_VERSION_MICRO(part[i].version));
}

#include "datasets/convert/video.h"

#include "core/command/options.h"
#include "datasets/convert/video_parts.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shape of frames: width over height in lowest terms, 16:9.
 *
 *     sb_aspect source = sb_aspect_of(1280, 720), wanted = sb_aspect_of(160, 120);
 *     if (sb_aspect_differs(source, wanted)) ... "16:9", "4:3" ...
 */

sb_aspect sb_aspect_of(long w, long h)
{
    assert(w > 0 && h > 0);
    long a = w, b = h;
    while (b) {
        long rest = a % b;
        a = b, b = rest;
    }
    return (sb_aspect){w / a, h / a};
}

sb_status sb_aspect_parse(sb_aspect *aspect, const char *text)
{
    *aspect = (sb_aspect){0};
    if (!text || !*text) return SB_OK;
    char left[16];
    const char *colon = strchr(text, ':');
    long w = 0, h = 0;
    if (colon && (size_t)(colon - text) < sizeof left) {
        snprintf(left, sizeof left, "%.*s", (int)(colon - text), text);
        if (!sb_parse_int(left, 1, 10000, &w) || !sb_parse_int(colon + 1, 1, 10000, &h)) w = 0;
    }
    if (!w) return sb_fail(SB_E_USAGE, "samebits-data convert: --crop wants a shape like 4:3, not '%s'", text);
    *aspect = sb_aspect_of(w, h);
    return SB_OK;
}

bool sb_aspect_differs(sb_aspect a, sb_aspect b)
{
    double ratio = (double)a.w * (double)b.h / ((double)a.h * (double)b.w);
    return fabs(log(ratio)) > log(1.01);
}

void sb_aspect_text(sb_aspect aspect, char text[SB_ASPECT_TEXT])
{
    if (aspect.w <= 21 && aspect.h <= 21)
        snprintf(text, SB_ASPECT_TEXT, "%ld:%ld", aspect.w, aspect.h);
    else
        snprintf(text, SB_ASPECT_TEXT, "%.2f:1", (double)aspect.w / (double)aspect.h);
}

sb_status sb_video_fail(const sb_video *video, const char *what, int error)
{
    char why[AV_ERROR_MAX_STRING_SIZE];
    av_strerror(error, why, sizeof why);
    if (error == AVERROR(EMFILE) || error == AVERROR(ENFILE))
        return sb_fail(SB_E_IO, "%s: cannot be read: %s", video->path, why);
    return sb_fail(error == AVERROR(ENOMEM) ? SB_E_MEMORY : SB_E_INTEGRITY, "%s: %s (%s)", video->path, what, why);
}

static sb_status open_decoder(sb_video *video)
{
    const AVCodec *codec = NULL;
    SB_TRY(sb_video_stream_choose(video, &codec));
    const AVStream *stream = video->container->streams[video->stream];
    for (unsigned i = 0; i < video->container->nb_streams; i++)
        if ((int)i != video->stream) video->container->streams[i]->discard = AVDISCARD_ALL;
    video->decoder = avcodec_alloc_context3(codec);
    if (!video->decoder) return sb_fail(SB_E_MEMORY, "%s: not enough memory", video->path);
    int error = avcodec_parameters_to_context(video->decoder, stream->codecpar);
    if (error < 0) return sb_video_fail(video, "its video stream is not understood", error);
    video->decoder->flags |= AV_CODEC_FLAG_BITEXACT;
    video->decoder->thread_count = video->options.threads;
    if (codec->id == AV_CODEC_ID_MJPEG) video->decoder->err_recognition |= AV_EF_EXPLODE;
    error = avcodec_open2(video->decoder, codec, NULL);
    if (error < 0) return sb_video_fail(video, "its video stream cannot be decoded", error);
    return SB_OK;
}

sb_status sb_video_open(sb_video **video, const char *path, const sb_video_options *options)
{
    *video = calloc(1, sizeof **video);
    if (!*video) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    (*video)->path = path;
    (*video)->fd = -1;
    (*video)->last_time = AV_NOPTS_VALUE;
    (*video)->options = *options;
    (*video)->packet = av_packet_alloc();
    (*video)->frame = av_frame_alloc();
    sb_status status = SB_OK;
    if (!(*video)->packet || !(*video)->frame) status = sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK) status = sb_video_input_open(*video);
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
    sb_video_input_close(video);
    free(video);
}

const sb_video_facts *sb_video_about(const sb_video *video)
{
    return &video->facts;
}

/* A JPEG without an end, whose last bytes are zeros: an interrupted copy. The decoder takes zeros for pixels. */
static bool ends_in_zeros(const AVPacket *packet)
{
    enum { LEAST = 64 };
    int n = packet->size;
    while (n > 0 && packet->data[n - 1] == 0) n--;
    if (packet->size - n < LEAST) return false;
    for (int i = n - 2; i >= 0; i--)
        if (packet->data[i] == 0xFF && (packet->data[i + 1] == 0xD9 || packet->data[i + 1] == 0xDA))
            return packet->data[i + 1] == 0xDA; /* the start of a scan, which no end follows */
    return false;
}

/* libav does not mark a JPEG that is cut short or damaged: what is missing becomes gray. So the decoder is strict first,
 * and lenient where that fails. */
static int send_packet(sb_video *video)
{
    AVCodecContext *decoder = video->decoder;
    int error = avcodec_send_packet(decoder, video->packet);
    if (decoder->codec_id != AV_CODEC_ID_MJPEG) return error;
    if (error >= 0 && ends_in_zeros(video->packet)) video->facts.n_damaged++;
    if (error != AVERROR_INVALIDDATA) return error;
    decoder->err_recognition &= ~AV_EF_EXPLODE;
    error = avcodec_send_packet(decoder, video->packet);
    decoder->err_recognition |= AV_EF_EXPLODE;
    if (error >= 0) video->facts.n_damaged++;
    return error;
}

/* Give the decoder its next packet of the chosen stream, or the news that there is none. */
static sb_status feed(sb_video *video)
{
    int error;
    while ((error = av_read_frame(video->container, video->packet)) >= 0) {
        bool ours = video->packet->stream_index == video->stream;
        int sent = ours ? send_packet(video) : 0;
        av_packet_unref(video->packet);
        if (sent == AVERROR(ENOMEM)) return sb_video_fail(video, "cannot be decoded", sent);
        if (sent < 0) video->facts.n_broken++;
        if (ours && sent >= 0) return SB_OK;
    }
    if (error == AVERROR(EIO)) return sb_fail(SB_E_IO, "%s: %s", video->path, strerror(EIO));
    if (error != AVERROR_EOF) video->facts.n_broken++; /* the rest of the file makes no sense */
    video->drained = true;
    error = avcodec_send_packet(video->decoder, NULL);
    return error < 0 ? sb_video_fail(video, "cannot be decoded to its end", error) : SB_OK;
}

/* The next decoded frame in video->frame; *more false: the stream is over. */
static sb_status decode(sb_video *video, bool *more)
{
    for (;;) {
        int error = avcodec_receive_frame(video->decoder, video->frame);
        *more = error >= 0;
        if (error >= 0 || error == AVERROR_EOF) return SB_OK;
        if (error == AVERROR(ENOMEM)) return sb_video_fail(video, "cannot be decoded", error);
        if (error != AVERROR(EAGAIN)) video->facts.n_broken++;
        if (video->drained) return SB_OK;
        if (!video->drained) SB_TRY(feed(video));
    }
}

sb_status sb_video_next(sb_video *video, uint8_t *rgb, bool *more)
{
    SB_TRY(decode(video, more));
    if (!*more) return SB_OK;
    video->facts.n_decoded++;
    if (video->frame->decode_error_flags || video->frame->flags & AV_FRAME_FLAG_CORRUPT) video->facts.n_damaged++;
    sb_video_stream_note(video);
    sb_status status = sb_video_pixels(video, rgb);
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

#include "datasets/convert/video_parts.h"

#include "core/text/plural.h"
#include "datasets/convert/picture.h"

#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <string.h>

/* ---- which stream ---- */

static bool is_video(const AVStream *stream)
{
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

/* The cover of a sound file is a stream of video, too; it is passed over also where libav likes it best. */
static int best_video(const sb_video *video, const AVCodec **codec)
{
    AVFormatContext *container = video->container;
    int best = av_find_best_stream(container, AVMEDIA_TYPE_VIDEO, -1, -1, codec, 0);
    if (best < 0 || is_video(container->streams[best])) return best;
    for (unsigned i = 0; i < container->nb_streams; i++)
        if (is_video(container->streams[i]))
            return av_find_best_stream(container, AVMEDIA_TYPE_VIDEO, (int)i, -1, codec, 0);
    return AVERROR_STREAM_NOT_FOUND;
}

/* ---- orientation ---- */

static void set_turn(sb_video_facts *facts, int turn, bool is_mirrored)
{
    facts->turn = turn;
    facts->is_mirrored = is_mirrored;
}

/* Cameras that were held upright store a matrix beside the frames. */
static void turn_by_matrix(sb_video_facts *facts, const uint8_t *bytes)
{
    int32_t matrix[9];
    memcpy(matrix, bytes, sizeof matrix);
    const double across = (double)matrix[0] * matrix[4] - (double)matrix[1] * matrix[3];
    if (across < 0) av_display_matrix_flip(matrix, 1, 0);
    const double counterclockwise = av_display_rotation_get(matrix);
    set_turn(facts, isnan(counterclockwise) ? 0 : (int)lround(360 - counterclockwise) % 360, across < 0);
}

static void turn_by_exif(sb_video_facts *facts, int orientation)
{
    static const int turns[] = {0, 0, 180, 180, 270, 90, 90, 270};
    static const bool mirrored[] = {false, true, false, true, true, false, true, false};
    if (orientation >= 1 && orientation <= 8) set_turn(facts, turns[orientation - 1], mirrored[orientation - 1]);
}

static const uint8_t *matrix_of(const AVStream *stream)
{
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVCodecParameters *of = stream->codecpar;
    const AVPacketSideData *side =
        av_packet_side_data_get(of->coded_side_data, of->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return side ? side->data : NULL;
#else
    return av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, NULL);
#endif
}

/* ---- the stream ---- */

static bool keeps_an_index(const AVFormatContext *container)
{
    return strncmp(container->iformat->name, "mov,", 4) == 0;
}

/* The frames that the index of a QuickTime or MP4 file has after its edit list; others are taken at their word. */
static int64_t frames_to_show(const sb_video *video, AVStream *stream)
{
    const int n = keeps_an_index(video->container) ? avformat_index_get_entries_count(stream) : 0;
    int64_t n_shown = 0;
    for (int i = 0; i < n; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        n_shown += entry && !(entry->flags & AVINDEX_DISCARD_FRAME);
    }
    return stream->nb_frames && n_shown ? n_shown : stream->nb_frames;
}

sb_status sb_video_stream_choose(sb_video *video, const AVCodec **codec)
{
    AVFormatContext *container = video->container;
    sb_video_facts *facts = &video->facts;
    facts->n_streams = (int)container->nb_streams;
    for (unsigned i = 0; i < container->nb_streams; i++) facts->n_videos += is_video(container->streams[i]);
    video->stream = best_video(video, codec);
    if (video->stream == AVERROR_STREAM_NOT_FOUND)
        return sb_fail(SB_E_INTEGRITY, "%s: no video stream among its %d stream%s", video->path, facts->n_streams,
                       sb_plural((size_t)facts->n_streams));
    if (video->stream < 0) return sb_video_fail(video, "no decoder for its video stream", video->stream);
    AVStream *stream = container->streams[video->stream];
    const sb_picture_facts picture = sb_picture_about(video->fd);
    const uint8_t *matrix = matrix_of(stream);
    facts->n_pages = picture.n_pages;
    facts->n_stated = stream->nb_frames;
    facts->n_frames = frames_to_show(video, stream);
    facts->w = stream->codecpar->width, facts->h = stream->codecpar->height;
    facts->pixel = (sb_aspect){1, 1};
    facts->is_interlaced = stream->codecpar->field_order > AV_FIELD_PROGRESSIVE;
    turn_by_exif(facts, picture.orientation);
    if (matrix) turn_by_matrix(facts, matrix);
    return SB_OK;
}

/* ---- the frames ---- */

static bool is_woven(const AVFrame *frame)
{
#ifdef AV_FRAME_FLAG_INTERLACED
    return frame->flags & AV_FRAME_FLAG_INTERLACED;
#else
    return frame->interlaced_frame;
#endif
}

/* A step of one unit is what rounding makes, unless it is half a frame's time or more. */
static void note_time(sb_video *video)
{
    sb_video_facts *facts = &video->facts;
    const int64_t now = video->frame->pts, before = video->last_time;
    video->last_time = now;
    if (now == AV_NOPTS_VALUE || before == AV_NOPTS_VALUE) return;
    const int64_t gap = now - before;
    const bool is_first = video->gap[0] == 0 && video->gap[1] == 0;
    if (is_first || gap < video->gap[0]) video->gap[0] = gap;
    if (is_first || gap > video->gap[1]) video->gap[1] = gap;
    const double least = (double)video->gap[0], most = (double)video->gap[1];
    const double unit_ms = 1000 * av_q2d(video->container->streams[video->stream]->time_base);
    facts->gap_ms[0] = least * unit_ms, facts->gap_ms[1] = most * unit_ms;
    facts->is_uneven = most >= 1.5 * least || (most - least > 1 && most > 1.1 * least);
}

/* Alpha is the last component; of pictures with a palette it is in the palette. */
static bool has_transparent_pixel(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    uint16_t alpha[64];
    if (!format || !(format->flags & AV_PIX_FMT_FLAG_ALPHA) || format->flags & AV_PIX_FMT_FLAG_FLOAT) return false;
    const bool has_palette = format->flags & AV_PIX_FMT_FLAG_PAL;
    const int component = has_palette ? 3 : format->nb_components - 1;
    const int opaque = has_palette ? 255 : (1 << format->comp[component].depth) - 1;
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x += 64) {
            const int n = frame->width - x < 64 ? frame->width - x : 64;
            av_read_image_line2(alpha, (const uint8_t **)frame->data, frame->linesize, format, x, y, component, n,
                                has_palette, sizeof *alpha);
            for (int i = 0; i < n; i++)
                if (alpha[i] < opaque) return true;
        }
    return false;
}

void sb_video_stream_note(sb_video *video)
{
    const AVFrame *frame = video->frame;
    sb_video_facts *facts = &video->facts;
    AVStream *stream = video->container->streams[video->stream];
    const AVRational pixel = av_guess_sample_aspect_ratio(video->container, stream, video->frame);
    const AVFrameSideData *side = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    facts->w = frame->width, facts->h = frame->height;
    facts->pixel = pixel.num > 0 && pixel.den > 0 ? sb_aspect_of(pixel.num, pixel.den) : (sb_aspect){1, 1};
    if (side && side->size >= 9 * sizeof(int32_t)) turn_by_matrix(facts, side->data);
    if (is_woven(frame)) facts->is_interlaced = true;
    if (!facts->is_transparent) facts->is_transparent = has_transparent_pixel(frame);
    note_time(video);
}

#include "datasets/convert/video_parts.h"

#include "core/text/plural.h"

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

/* Cameras that were held upright store a matrix in addition to the frames. Where it mirrors, libav takes the mirror off as if it
 * came after the turn; here it comes before, which reverses the turn. */
static void turn_by_matrix(sb_video_facts *facts, const uint8_t *bytes)
{
    int32_t matrix[9];
    memcpy(matrix, bytes, sizeof matrix);
    const bool is_mirrored = (double)matrix[0] * matrix[4] - (double)matrix[1] * matrix[3] < 0;
    if (is_mirrored) av_display_matrix_flip(matrix, 1, 0);
    const double counterclockwise = av_display_rotation_get(matrix);
    const int turn = isnan(counterclockwise) ? 0 : (int)lround(360 - counterclockwise) % 360;
    set_turn(facts, is_mirrored ? (360 - turn) % 360 : turn, is_mirrored);
}

static void turn_by_exif(sb_video_facts *facts, int orientation)
{
    static const int turns[] = {0, 0, 180, 180, 270, 90, 90, 270};
    static const bool mirrored[] = {false, true, false, true, true, false, true, false};
    if (orientation >= 1 && orientation <= 8) set_turn(facts, turns[orientation - 1], mirrored[orientation - 1]);
}

static const uint8_t *matrix_of(const AVStream *stream)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102) /* FFmpeg 6.1 moved it to the codec's parameters */
    const AVCodecParameters *of = stream->codecpar;
    const AVPacketSideData *side =
        av_packet_side_data_get(of->coded_side_data, of->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return side ? side->data : NULL;
#else
    return av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, NULL);
#endif
}

/* ---- the stream ---- */

static bool is_format(const sb_video *video, const char *beginning)
{
    return strncmp(video->container->iformat->name, beginning, strlen(beginning)) == 0;
}

/* How many entries of the stream's index are frames to show. */
static int64_t count_shown(AVStream *stream)
{
    int64_t count = 0;
    for (int i = 0, n = avformat_index_get_entries_count(stream); i < n; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        count += entry && !(entry->flags & AVINDEX_DISCARD_FRAME);
    }
    return count;
}

/* AVI fills gaps in time with empty frames: they count as time, and have no entry in the index. */
static int64_t count_empty(AVStream *stream)
{
    const int n = avformat_index_get_entries_count(stream);
    const AVIndexEntry *last = n ? avformat_index_get_entry(stream, n - 1) : NULL;
    return last && last->timestamp >= n && last->timestamp < stream->nb_frames ? last->timestamp + 1 - n : 0;
}

/* QuickTime and MP4 files have an index of what their edit list shows; others are taken at their word. */
static void set_frames(sb_video *video, AVStream *stream)
{
    sb_video_facts *facts = &video->facts;
    facts->n_stated = facts->n_frames = stream->nb_frames;
    if (stream->nb_frames && is_format(video, "avi"))
        facts->n_stated = facts->n_frames = stream->nb_frames - count_empty(stream);
    if (stream->nb_frames && is_format(video, "mov,")) {
        const int64_t n = count_shown(stream);
        if (n) facts->n_frames = n;
    }
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
    set_frames(video, stream);
    facts->w = stream->codecpar->width, facts->h = stream->codecpar->height;
    facts->pixel = (sb_aspect){1, 1};
    facts->is_interlaced = stream->codecpar->field_order > AV_FIELD_PROGRESSIVE;
    if (picture.trouble)
        return sb_fail(SB_E_INTEGRITY, "%s: %s, which is not read rightly; convert it to PNG first", video->path,
                       picture.trouble);
    video->is_limited = picture.is_limited;
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
    const AVFrame *frame = video->frame;
    const int64_t now = frame->pts != AV_NOPTS_VALUE ? frame->pts : frame->best_effort_timestamp;
    const int64_t before = video->last_time;
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
    if (frame->color_trc == AVCOL_TRC_SMPTE2084 || frame->color_trc == AVCOL_TRC_ARIB_STD_B67) facts->is_hdr = true;
    if (!facts->is_transparent) facts->is_transparent = has_transparent_pixel(frame);
    note_time(video);
}

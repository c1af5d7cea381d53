#include "datasets/convert/video_parts.h"

#include <assert.h>
#include <libavutil/pixdesc.h>
#include <string.h>

/* Cut the largest middle piece of the wanted shape, as it is shown, out of the frame. Offsets stay on whole chroma
 * samples. */
static sb_status crop(sb_video *video)
{
    AVFrame *frame = video->frame;
    if (!video->options.crop.w) return SB_OK;
    const int64_t aspect_w = (int64_t)video->options.crop.w * video->facts.pixel.h;
    const int64_t aspect_h = (int64_t)video->options.crop.h * video->facts.pixel.w;
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
    return error < 0 ? sb_video_fail(video, "cannot be cropped", error) : SB_OK;
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

/* The old names of full-range formats carry their range; the scaler wants the range in addition to the plain name. */
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

/* Gray without a stated range: video coding standards mean 16 to 235, all else 0 to 255. */
static bool is_full_gray(enum AVCodecID codec)
{
    switch (codec) {
    case AV_CODEC_ID_MPEG1VIDEO:
    case AV_CODEC_ID_MPEG2VIDEO:
    case AV_CODEC_ID_MPEG4:
    case AV_CODEC_ID_H263:
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
        return false;
    default:
        return true;
    }
}

/* Red, green and blue, also in a palette. */
static bool is_rgb(const AVPixFmtDescriptor *format)
{
    return format->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
}

static bool is_full_range(sb_video *video, const AVPixFmtDescriptor *format)
{
    const AVFrame *frame = video->frame;
    const bool is_gray = format->nb_components <= 2 && !is_rgb(format);
    if (frame->color_range != AVCOL_RANGE_UNSPECIFIED) return frame->color_range == AVCOL_RANGE_JPEG;
    if (!is_gray) return video->decoder->codec_id == AV_CODEC_ID_TIFF && !video->is_limited;
    const bool is_full = is_full_gray(video->decoder->codec_id);
    if (!is_full) video->facts.is_gray_guessed = true;
    return is_full;
}

/* The scaler would take these for BT.601, so that every color would be another one. */
static bool is_unknown_matrix(enum AVColorSpace matrix)
{
    return matrix == AVCOL_SPC_YCGCO || (matrix > AVCOL_SPC_BT2020_CL && matrix != AVCOL_SPC_UNSPECIFIED);
}

static sb_status set_colors(sb_video *video, const AVPixFmtDescriptor *format, bool is_full)
{
    const AVFrame *frame = video->frame;
    const bool has_matrix = !is_rgb(format) && format->nb_components > 2;
    if (has_matrix && is_unknown_matrix(frame->colorspace))
        return sb_fail(SB_E_INTEGRITY, "%s: its colors are coded as %s, which is not read rightly; convert it first",
                       video->path, av_color_space_name(frame->colorspace));
    /* An unstated matrix means BT.601, as everywhere in libav. RGB goes through this matrix and back, whatever it states. */
    const bool is_stated = has_matrix && frame->colorspace != AVCOL_SPC_UNSPECIFIED;
    const int matrix = is_stated ? (int)frame->colorspace : SWS_CS_DEFAULT;
    const int *rgb_coefficients = sws_getCoefficients(SWS_CS_DEFAULT);
    int error = sws_setColorspaceDetails(video->scaler, sws_getCoefficients(matrix), is_full, rgb_coefficients, 1, 0,
                                         1 << 16, 1 << 16);
    if (error >= 0 || format->flags & AV_PIX_FMT_FLAG_RGB) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: the levels of its pixels (%s) cannot be converted", video->path, format->name);
}

static sb_status scale(sb_video *video, uint8_t *rgb)
{
    const AVFrame *frame = video->frame;
    const sb_video_options *options = &video->options;
    const AVPixFmtDescriptor *about = av_pix_fmt_desc_get(frame->format);
    if (!about) return sb_fail(SB_E_INTEGRITY, "%s: its pixels have an unknown form", video->path);
    bool full_range = is_full_range(video, about);
    enum AVPixelFormat format = plain_format(frame->format, &full_range);
    video->scaler = sws_getCachedContext(video->scaler, frame->width, frame->height, format, options->w, options->h,
                                         AV_PIX_FMT_RGB24, scaler_flags(options->scaler), NULL, NULL, NULL);
    if (!video->scaler) return sb_fail(SB_E_INTEGRITY, "%s: its frames cannot be scaled", video->path);
    SB_TRY(set_colors(video, about, full_range));
    uint8_t *planes[4] = {rgb};
    int strides[4] = {3 * options->w};
    int rows = sws_scale(video->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes,
                         strides);
    return rows == options->h ? SB_OK : sb_fail(SB_E_INTEGRITY, "%s: a frame cannot be scaled", video->path);
}

sb_status sb_video_pixels(sb_video *video, uint8_t *rgb)
{
    sb_status status = crop(video);
    return status == SB_OK ? scale(video, rgb) : status;
}

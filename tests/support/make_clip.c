/* make_clip FILE FRAMES WIDTHxHEIGHT [CODEC [DEGREES | pixel=W:H | uneven | interlaced | grayN | bgr0]]: a small video whose content is known: each pixel's luma depends
 * on its place and frame alone. CODEC: ffv1 (default, lossless), mpeg4 or mjpeg; the container goes by the extension.
 * DEGREES: how far players are told to turn it clockwise, as cameras write it. pixel: the shape of its pixels. uneven:
 * after every third frame one is left out. interlaced: it is said to be woven of half pictures. gray, gray10le, gray16le:
 * a form of pixels, whose levels rise from black to white by a 255th each. bgr0: all pixels are red 200, green 40, blue 90. */
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pixel number i has the level i of 255. */
static void paint_gray(AVFrame *frame, int depth)
{
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            const int level = ((x + y * frame->width) % 256 * ((1 << depth) - 1) + 127) / 255;
            uint8_t *byte = frame->data[0] + y * frame->linesize[0] + x * (depth > 8 ? 2 : 1);
            byte[0] = (uint8_t)level;
            if (depth > 8) byte[1] = (uint8_t)(level >> 8);
        }
}

static void paint_color(AVFrame *frame)
{
    static const uint8_t color[] = {90, 40, 200, 0};
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) memcpy(frame->data[0] + y * frame->linesize[0] + 4 * x, color, 4);
}

static void paint(AVFrame *frame, int index)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (frame->format == AV_PIX_FMT_BGR0) {
        paint_color(frame);
        return;
    }
    if (format->nb_components == 1) {
        paint_gray(frame, format->comp[0].depth);
        return;
    }
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++)
            frame->data[0][y * frame->linesize[0] + x] = (uint8_t)(16 + (x * 3 + y * 2 + index * 5) % 219);
    for (int p = 1; p < 3; p++)
        for (int y = 0; y < frame->height / 2; y++)
            memset(frame->data[p] + y * frame->linesize[p], 128 + (p == 1 ? 1 : -1) * ((y + index) % 60),
                   (size_t)frame->width / 2);
}

/* Hand a frame to the encoder (NULL: no more) and write what comes out. */
static int encode(AVFormatContext *container, AVCodecContext *encoder, AVPacket *packet, const AVFrame *frame)
{
    if (avcodec_send_frame(encoder, frame) < 0) return -1;
    for (;;) {
        int error = avcodec_receive_packet(encoder, packet);
        if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return 0;
        if (error < 0) return -1;
        av_packet_rescale_ts(packet, encoder->time_base, container->streams[0]->time_base);
        packet->duration = av_rescale_q(1, encoder->time_base, container->streams[0]->time_base);
        if (av_write_frame(container, packet) < 0) return -1;
        av_packet_unref(packet);
    }
}

static int turn(AVStream *stream, double degrees)
{
    enum { SIZE = 9 * sizeof(int32_t) };
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102) /* FFmpeg 6.1 moved them to the codec's parameters */
    AVCodecParameters *about = stream->codecpar;
    AVPacketSideData *side = av_packet_side_data_new(&about->coded_side_data, &about->nb_coded_side_data,
                                                     AV_PKT_DATA_DISPLAYMATRIX, SIZE, 0);
    uint8_t *matrix = side ? side->data : NULL;
#else
    uint8_t *matrix = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, SIZE);
#endif
    if (!matrix) return -1;
    av_display_rotation_set((int32_t *)matrix, degrees);
    return 0;
}

static int open_all(const char *path, const char *codec_name, int w, int h, const char *form,
                    AVFormatContext **container, AVCodecContext **encoder)
{
    const double degrees = strtod(form, NULL);
    int pixel_w = 0, pixel_h = 1;
    const AVCodec *codec = avcodec_find_encoder_by_name(codec_name);
    if (!codec || avformat_alloc_output_context2(container, NULL, NULL, path) < 0) return -1;
    AVStream *stream = avformat_new_stream(*container, NULL);
    *encoder = avcodec_alloc_context3(codec);
    if (!stream || !*encoder) return -1;
    (*encoder)->width = w, (*encoder)->height = h;
    (*encoder)->pix_fmt = strcmp(codec_name, "mjpeg") == 0 ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P;
    if (strncmp(form, "gray", 4) == 0 || strcmp(form, "bgr0") == 0) (*encoder)->pix_fmt = av_get_pix_fmt(form);
    (*encoder)->time_base = (AVRational){1, 30};
    (*encoder)->framerate = (AVRational){30, 1};
    (*encoder)->bit_rate = 2000000;
    (*encoder)->gop_size = 8;
    if (sscanf(form, "pixel=%d:%d", &pixel_w, &pixel_h) == 2)
        (*encoder)->sample_aspect_ratio = stream->sample_aspect_ratio = (AVRational){pixel_w, pixel_h};
    if (strcmp(form, "interlaced") == 0) (*encoder)->field_order = AV_FIELD_TT;
    (*encoder)->flags |= AV_CODEC_FLAG_BITEXACT;
    if ((*container)->oformat->flags & AVFMT_GLOBALHEADER) (*encoder)->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (avcodec_open2(*encoder, codec, NULL) < 0) return -1;
    if (avcodec_parameters_from_context(stream->codecpar, *encoder) < 0) return -1;
    if (strcmp(form, "interlaced") == 0) stream->codecpar->field_order = AV_FIELD_TT;
    stream->time_base = (*encoder)->time_base;
    stream->avg_frame_rate = (*encoder)->framerate;
    if (degrees != 0 && turn(stream, degrees) != 0) return -1;
    if (avio_open(&(*container)->pb, path, AVIO_FLAG_WRITE) < 0) return -1;
    return avformat_write_header(*container, NULL) < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    int n = argc > 3 ? (int)strtol(argv[2], NULL, 10) : 0, w, h;
    if (n < 1 || sscanf(argv[3], "%dx%d", &w, &h) != 2) return 2;
    AVFormatContext *container = NULL;
    AVCodecContext *encoder = NULL;
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    av_log_set_level(AV_LOG_ERROR);
    const char *form = argc > 5 ? argv[5] : "";
    const int uneven = strcmp(form, "uneven") == 0;
    int error =
        !packet || !frame || open_all(argv[1], argc > 4 ? argv[4] : "ffv1", w, h, form, &container, &encoder) != 0;
    if (!error) {
        frame->format = encoder->pix_fmt, frame->width = w, frame->height = h;
        error = av_frame_get_buffer(frame, 0) < 0;
    }
    for (int i = 0; i < n && !error; i++) {
        error = av_frame_make_writable(frame) < 0;
        paint(frame, i);
        frame->pts = uneven ? i + i / 3 : i;
        error = error || encode(container, encoder, packet, frame) != 0;
    }
    error = error || encode(container, encoder, packet, NULL) != 0 || av_write_trailer(container) < 0;
    if (container && container->pb) avio_closep(&container->pb);
    avcodec_free_context(&encoder);
    avformat_free_context(container);
    av_frame_free(&frame);
    av_packet_free(&packet);
    return error;
}

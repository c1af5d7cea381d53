#include "datasets/convert/video_parts.h"

#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libavutil/avstring.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 15, EXTENSION_MAX = 8 };

/* Formats that are made of other files: lists, playlists and descriptions of streams. */
static const char lists[] = "concat,hls,dash,imf,sdp,rtp,rtsp,sap,webm_dash_manifest,vobsub";

static int read_file(void *context, uint8_t *bytes, int n)
{
    const sb_video *video = context;
    ssize_t got = read(video->fd, bytes, (size_t)n);
    if (got < 0) return AVERROR(errno);
    return got ? (int)got : AVERROR_EOF;
}

static int64_t seek_file(void *context, int64_t offset, int whence)
{
    const sb_video *video = context;
    struct stat about;
    if (whence == AVSEEK_SIZE) return fstat(video->fd, &about) == 0 ? about.st_size : AVERROR(errno);
    off_t at = lseek(video->fd, offset, whence & ~AVSEEK_FORCE);
    return at < 0 ? AVERROR(errno) : at;
}

static int refuse_file(AVFormatContext *container, AVIOContext **input, const char *url, int flags,
                       AVDictionary **options)
{
    sb_video *video = container->opaque;
    (void)input, (void)url, (void)flags, (void)options;
    video->opened_others = true;
    return AVERROR(EPERM);
}

/* libav knows some formats by their ending alone. The rest of the name stays out of it: it could be a pattern. */
static void plain_name(const char *path, char name[32])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    const size_t n = dot ? strlen(dot + 1) : 0;
    const bool is_plain = n > 0 && n <= EXTENSION_MAX && strspn(dot + 1, letters) == n;
    snprintf(name, 32, "input%s", is_plain ? dot : "");
}

static sb_status prepare(sb_video *video)
{
    uint8_t *block = av_malloc(BLOCK);
    if (block) video->input = avio_alloc_context(block, BLOCK, 0, video, read_file, NULL, seek_file);
    if (!video->input) av_free(block);
    video->container = avformat_alloc_context();
    char *none = av_strdup("none"); /* no protocol at all, also for demuxers that open files by themselves */
    if (!video->input || !video->container || !none) {
        av_free(none);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory", video->path);
    }
    video->container->pb = video->input;
    video->container->flags |= AVFMT_FLAG_CUSTOM_IO; /* its end is this file's business */
    video->container->opaque = video;
    video->container->io_open = refuse_file;
    video->container->protocol_whitelist = none;
    return SB_OK;
}

static sb_status fail_list(const sb_video *video, const char *format)
{
    return sb_fail(SB_E_INTEGRITY, "%s: names other files (%s) and is no video itself; name those files", video->path,
                   format);
}

static sb_status open_container(sb_video *video)
{
    char name[32];
    AVInputFormat const *format = NULL;
    plain_name(video->path, name);
    int error = av_probe_input_buffer2(video->input, &format, name, NULL, 0, 0);
    if (error < 0) return sb_video_fail(video, "not a video or image that libav can read", error);
    if (av_match_list(format->name, lists, ',')) return fail_list(video, format->name);
    error = avformat_open_input(&video->container, name, format, NULL); /* frees the container on failure */
    if (error < 0 && video->opened_others) return fail_list(video, format->name);
    if (error < 0) return sb_video_fail(video, "not a video or image that libav can read", error);
    error = avformat_find_stream_info(video->container, NULL);
    if (video->opened_others) return fail_list(video, format->name);
    if (error < 0) return sb_video_fail(video, "its streams cannot be read", error);
    return SB_OK;
}

sb_status sb_video_input_open(sb_video *video)
{
    av_log_set_level(AV_LOG_QUIET); /* errors are our sentences */
    SB_TRY(sb_file_check_input(video->path));
    video->fd = open(video->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (video->fd < 0)
        return sb_fail(errno == ENOENT ? SB_E_USAGE : SB_E_IO, "%s: %s", video->path, strerror(errno));
    if (seek_file(video, 0, AVSEEK_SIZE) == 0)
        return sb_fail(SB_E_INTEGRITY, "%s: an empty file; remove it or fetch it again", video->path);
    SB_TRY(prepare(video));
    return open_container(video);
}

void sb_video_input_close(sb_video *video)
{
    avformat_close_input(&video->container);
    if (video->input) av_freep(&video->input->buffer);
    avio_context_free(&video->input);
    if (video->fd >= 0) close(video->fd);
}

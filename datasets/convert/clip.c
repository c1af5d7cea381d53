#include "datasets/convert/clip.h"

#include "core/file.h"
#include "core/machine/interrupt.h"
#include "core/screen/progress.h"
#include "core/size.h"
#include "io/h5/h5_attribute.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct writer {
    const sb_clip_options *options;
    sb_video_options video;
    sb_h5 *file;
    uint8_t *rgb;        /* [h][w][3] */
    sb_arrange *arrange; /* where frames wait for their order; NULL: they are written as they are read */
    int64_t n_frames, n_broken, n_damaged;
    int64_t *starts; /* [n_starts], where sequences begin */
    int n_starts;
    sb_clip_say say;
    sb_progress progress;
} writer;

static bool is_full(const writer *w)
{
    return w->options->max_frames && w->n_frames >= w->options->max_frames;
}

static sb_status check_size(const writer *w, const char *path, const sb_video_facts *facts)
{
    const sb_size wanted = w->options->source;
    if (!wanted.w || (facts->w == wanted.w && facts->h == wanted.h)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: frames of %dx%d, not of %dx%d", path, facts->w, facts->h, wanted.w, wanted.h);
}

static sb_status append_frames(writer *w, const sb_media_file *file, sb_video *video)
{
    const sb_video_facts *facts = sb_video_about(video);
    bool more = true;
    for (int64_t i = 0; !is_full(w); i++) {
        SB_TRY(sb_video_next(video, w->rgb, &more));
        if (!more) return SB_OK;
        SB_TRY(check_size(w, file->path, facts));
        sb_clip_say_frame(&w->say, file->path, facts, i == 0 && file->starts_sequence);
        if (i == 0 && w->options->drop_first) continue;
        SB_TRY(w->arrange ? sb_arrange_add(w->arrange, w->rgb)
                          : sb_h5_append_rows(w->file, "frames", SB_U8, 1, w->rgb));
        sb_progress_show(&w->progress, (double)++w->n_frames, "frames  %s", file->path);
        if (sb_interrupt_signal()) return sb_fail(SB_E_INTERRUPTED, "%s: interrupted, nothing was written", file->path);
    }
    return SB_OK;
}

static sb_status append_opened(writer *w, const sb_media_file *file, sb_video *video)
{
    const int64_t before = w->n_frames;
    const sb_video_facts *facts = sb_video_about(video);
    sb_clip_say_opened(&w->say, file->path, facts);
    if (!w->options->max_frames) w->progress.total = facts->n_frames ? (double)(before + facts->n_frames) : 0;
    sb_status status = append_frames(w, file, video);
    sb_clip_say_read(&w->say, file->path, facts, status == SB_OK && !is_full(w));
    w->n_broken += facts->n_broken;
    w->n_damaged += facts->n_damaged;
    if (status == SB_OK && facts->n_decoded == 0)
        return sb_fail(SB_E_INTEGRITY, "%s: not one frame of it can be decoded", file->path);
    /* A file that gave no frame (one image, and --drop-first) starts nothing. */
    if (file->starts_sequence && w->n_frames > before) w->starts[w->n_starts++] = before;
    return status;
}

static sb_status append_file(writer *w, const sb_media_file *file)
{
    sb_video *video;
    SB_TRY(sb_video_open(&video, file->path, &w->video));
    sb_status status = append_opened(w, file, video);
    sb_video_close(video);
    return status;
}

/* What the user said about where sequences start replaces what the media say. */
static sb_status settle_starts(writer *w)
{
    const sb_list *given = &w->options->starts;
    if (given->n) w->n_starts = given->n;
    for (int i = 0; i < given->n; i++) {
        w->starts[i] = given->item[i];
        if (i == 0 ? given->item[0] != 0 : given->item[i] <= given->item[i - 1])
            return sb_fail(SB_E_USAGE, "samebits-data convert: --sequence-starts must begin with 0 and ascend");
        if (given->item[i] >= w->n_frames)
            return sb_fail(SB_E_USAGE, "samebits-data convert: --sequence-starts %d is after the last of %lld frames",
                           given->item[i], (long long)w->n_frames);
    }
    return SB_OK;
}

static sb_status write_spans(writer *w, sb_spans *spans)
{
    for (int k = 0; k < w->n_starts; k++) {
        const int64_t end = k + 1 < w->n_starts ? w->starts[k + 1] : w->n_frames;
        spans->item[k] = (sb_span){.first = w->starts[k], .n = end - w->starts[k]};
    }
    spans->n = w->n_starts;
    SB_TRY(sb_arrange_plan(&w->options->arrange, spans));
    SB_TRY(sb_arrange_write(w->arrange, &w->options->arrange, spans, w->file));
    w->n_frames = 0, w->n_starts = spans->n;
    for (int k = 0; k < spans->n; k++) w->starts[k] = w->n_frames, w->n_frames += spans->item[k].n;
    return SB_OK;
}

/* The frames that waited, in the order that was asked for; from here on the sequences are the output's. */
static sb_status write_arranged(writer *w)
{
    sb_spans spans = {.item = sb_size_allocate((size_t)w->n_starts, sizeof *spans.item)};
    if (!spans.item) return sb_h5_fail_memory(w->file);
    sb_status status = write_spans(w, &spans);
    free(spans.item);
    return status;
}

static sb_status write_starts(const writer *w)
{
    return sb_h5_write(w->file, "sequence", SB_I64, 1, (size_t[]){(size_t)w->n_starts}, w->starts, SB_H5_PLAIN);
}

static sb_status write_frames(writer *w, const sb_media *media, sb_sources *sources)
{
    size_t dim[] = {1, (size_t)w->video.h, (size_t)w->video.w, 3};
    SB_TRY(sb_h5_create_rows(w->file, "frames", SB_U8, 4, dim));
    for (int i = 0; i < media->n && !is_full(w); i++) {
        SB_TRY(append_file(w, &media->file[i]));
        SB_TRY(sb_sources_add(sources, media->file[i].path));
    }
    if (w->n_frames == 0) return sb_fail(SB_E_EMPTY, "%s: no frames to write", sb_h5_path(w->file));
    SB_TRY(sb_h5_set_int(w->file, "", "broken", w->n_broken));
    SB_TRY(sb_h5_set_int(w->file, "", "damaged", w->n_damaged));
    SB_TRY(settle_starts(w));
    if (w->arrange) SB_TRY(write_arranged(w));
    return write_starts(w);
}

/* sb_sources_add would refuse them, too, but only after those before them were decoded. */
static sb_status check_sources(const char *path, const sb_media *media)
{
    for (int i = 0; i < media->n; i++) SB_TRY(sb_file_check_apart(path, media->file[i].path));
    return SB_OK;
}

static sb_status write_file(writer *w, const char *path, const sb_media *media, const sb_provenance *provenance)
{
    char libraries[160];
    sb_video_library_versions(libraries, sizeof libraries);
    sb_sources sources = {.output = path};
    sb_provenance complete = *provenance;
    complete.sources = &sources;
    complete.libraries = libraries;
    SB_TRY(check_sources(path, media));
    SB_TRY(sb_h5_create(&w->file, path, SB_SEAL_DATA));
    w->progress = sb_progress_begin("convert", (double)w->options->max_frames);
    sb_status status = write_frames(w, media, &sources);
    if (status == SB_OK) status = sb_provenance_write(w->file, &complete);
    sb_progress_end(&w->progress);
    sb_sources_free(&sources);
    return sb_h5_finish(w->file, status);
}

sb_status sb_clip_write(const char *path, const sb_media *media, const sb_clip_options *options,
                        const sb_provenance *provenance)
{
    writer w = {
        .options = options,
        .video = {.w = options->size.w,
                  .h = options->size.h,
                  .scaler = options->scaler,
                  .threads = (int)options->threads},
    };
    SB_TRY(sb_aspect_parse(&w.video.crop, options->crop));
    w.say = (sb_clip_say){.size = options->size, .crop = w.video.crop};
    w.rgb = malloc((size_t)w.video.w * (size_t)w.video.h * 3 + 64); /* the scaler may write past the last row */
    w.starts = calloc((size_t)media->n + SB_OPTION_LIST_MAX, sizeof *w.starts);
    sb_status status = w.rgb && w.starts ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK && sb_arrange_is_asked(&options->arrange))
        status = sb_arrange_open(&w.arrange, path, (size_t)w.video.w * (size_t)w.video.h * 3);
    if (status == SB_OK) status = write_file(&w, path, media, provenance);
    sb_arrange_close(w.arrange);
    free(w.starts);
    free(w.rgb);
    if (status != SB_OK) return status;
    fprintf(stderr, "%s: %lld frames of %dx%d\n", path, (long long)w.n_frames, w.video.w, w.video.h);
    return SB_OK;
}

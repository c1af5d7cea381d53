#include "datasets/convert/clip.h"

#include <stdio.h>

enum { SHAPE_TEXT = 128 };

static bool is_square(sb_aspect pixel)
{
    return pixel.w == pixel.h;
}

/* The shape in which the frames are shown. */
static sb_aspect shape_of(const sb_video_facts *facts)
{
    return sb_aspect_of(facts->w * facts->pixel.w, facts->h * facts->pixel.h);
}

/* "frames of 90x72 (5:4)"; "frames of 90x72, shown as 16:9," where pixels are no squares */
static void frames_text(const sb_video_facts *facts, char text[SHAPE_TEXT])
{
    char shape[SB_ASPECT_TEXT];
    sb_aspect_text(shape_of(facts), shape);
    snprintf(text, SHAPE_TEXT, is_square(facts->pixel) ? "frames of %dx%d (%s)" : "frames of %dx%d, shown as %s,",
             facts->w, facts->h, shape);
}

static void say_squeezed(const sb_clip_say *say, const char *path, const sb_video_facts *facts)
{
    char shape[SB_ASPECT_TEXT], wanted[SB_ASPECT_TEXT], frames[SHAPE_TEXT];
    const sb_aspect out = sb_aspect_of(say->size.w, say->size.h), in = say->crop.w ? say->crop : shape_of(facts);
    if (!sb_aspect_differs(in, out)) return;
    sb_aspect_text(in, shape);
    sb_aspect_text(out, wanted);
    if (say->crop.w)
        snprintf(frames, sizeof frames, "frames cut to %s", shape);
    else
        frames_text(facts, frames);
    fprintf(stderr, "%s: %s are squeezed into %dx%d (%s); with --crop %ld:%ld they keep their shape\n", path, frames,
            say->size.w, say->size.h, wanted, out.w, out.h);
}

static void say_turned(const char *path, const sb_video_facts *facts)
{
    if (!facts->turn && !facts->is_mirrored) return;
    fprintf(stderr, "%s: players ", path);
    if (facts->is_mirrored) fprintf(stderr, "mirror it%s", facts->turn ? " and " : "");
    if (facts->turn) fprintf(stderr, "turn it by %d degrees", facts->turn);
    fprintf(stderr, "; here its frames are taken as they are stored\n");
}

static bool has_size_of(const sb_video_facts *a, const sb_video_facts *b)
{
    return a->w == b->w && a->h == b->h && a->pixel.w == b->pixel.w && a->pixel.h == b->pixel.h;
}

static bool has_turn_of(const sb_video_facts *a, const sb_video_facts *b)
{
    return a->turn == b->turn && a->is_mirrored == b->is_mirrored;
}

static void say_changed(const char *path, const sb_video_facts *facts, const sb_video_facts *before)
{
    char now[SHAPE_TEXT], then[SHAPE_TEXT];
    frames_text(facts, now);
    frames_text(before, then);
    fprintf(stderr, "%s: from its frame %lld on %s; before it %s\n", path, (long long)facts->n_decoded, now, then);
}

void sb_clip_say_opened(sb_clip_say *say, const char *path, const sb_video_facts *facts)
{
    if (facts->n_pages > 1 && facts->n_pages != say->last_file.n_pages)
        fprintf(stderr, "%s: has %d pages, of which only the first is read\n", path, facts->n_pages);
    if (facts->n_videos > 1 && facts->n_videos != say->last_file.n_videos)
        fprintf(stderr, "%s: has %d video streams, of which only one is read\n", path, facts->n_videos);
    if (facts->n_frames && facts->n_frames != facts->n_stated)
        fprintf(stderr, "%s: holds %lld frames, of which its edit list shows %lld; these are read\n", path,
                (long long)facts->n_stated, (long long)facts->n_frames);
}

void sb_clip_say_frame(sb_clip_say *say, const char *path, const sb_video_facts *facts, bool begins)
{
    if (!has_size_of(facts, &say->before)) {
        if (!begins) say_changed(path, facts, &say->before);
        say_squeezed(say, path, facts);
    }
    if (!has_turn_of(facts, &say->before)) say_turned(path, facts);
    say->before = *facts;
}

/* Where packets were left out, frames are missing, and that was said. */
static void say_times(const char *path, const sb_video_facts *facts)
{
    if (!facts->is_uneven || facts->n_broken) return;
    if (facts->gap_ms[0] > 0)
        fprintf(stderr, "%s: its frames are not evenly spaced: %.4g to %.4g ms between frames", path, facts->gap_ms[0],
                facts->gap_ms[1]);
    else
        fprintf(stderr, "%s: the times of its frames do not always rise", path);
    fprintf(stderr, "; they are taken as they are stored\n");
}

static void say_missing(const char *path, const sb_video_facts *facts)
{
    if (facts->n_decoded && facts->n_decoded < facts->n_frames)
        fprintf(stderr, "%s: %lld frames found, but it states that it holds %lld; it may be cut short\n", path,
                (long long)facts->n_decoded, (long long)facts->n_frames);
}

void sb_clip_say_read(sb_clip_say *say, const char *path, const sb_video_facts *facts, bool is_whole)
{
    const sb_video_facts *last = &say->last_file;
    if (facts->n_broken || facts->n_damaged)
        fprintf(stderr, "%s: %lld broken packets or frames left out, %lld frames came out damaged\n", path,
                (long long)facts->n_broken, (long long)facts->n_damaged);
    if (is_whole) say_missing(path, facts);
    say_times(path, facts);
    if (facts->is_interlaced && !last->is_interlaced)
        fprintf(stderr,
                "%s: frames are interlaced, woven of two half pictures each; they are taken as they are stored\n",
                path);
    if (facts->is_hdr && !last->is_hdr)
        fprintf(stderr, "%s: levels are coded for high dynamic range (HDR); they are taken as they are stored\n", path);
    if (facts->is_transparent && !last->is_transparent)
        fprintf(stderr, "%s: has transparent pixels; their colors are taken as they are stored\n", path);
    if (facts->is_gray_guessed && !last->is_gray_guessed)
        fprintf(stderr, "%s: does not state the range of its gray levels; 16 to 235 are taken as black and white\n",
                path);
    say->last_file = *facts;
}

/* Media files into one video data set file, frame by frame: what `convert video` and `convert fpsi` share. */
#pragma once

#include "core/command/options.h"
#include "core/status.h"
#include "datasets/catalog/provenance.h"
#include "datasets/convert/video.h"
#include "io/h5/h5.h"

#include <dirent.h>
#include <stdbool.h>

/* A video's frames in another order: to ask whether what a network learns hangs on the order of the sequences, on the
 * direction of time or on motion at all.
 *
 *     SB_TRY(sb_arrange_open(&arrange, "clip.h5", frame_bytes));
 *     SB_TRY(sb_arrange_add(arrange, rgb));                        for each frame, as it is read
 *     SB_TRY(sb_arrange_plan(&options, &sequences));
 *     SB_TRY(sb_arrange_write(arrange, &options, &sequences, file));
 *     sb_arrange_close(arrange);
 *
 * Frames wait in a file without a name next to the output, so that a long video needs the disk and not the memory.
 */

typedef struct sb_arrange_options {
    sb_list order; /* sequences, counted from 1, as they are to come; those not named are left out. n = 0: as read */
    bool reverse;  /* each sequence from its last frame to its first */
    bool still;    /* the first frame of each sequence in place of all its frames */
} sb_arrange_options;

/* The rows of an option table for the member `clip.arrange` of a verb's struct. */
#define SB_ARRANGE_OPTIONS(type)                                                                                       \
    SB_OPTION_LIST(type, clip.arrange.order, "--order", NULL, 1, 1e9,                                                  \
                   "order of the sequences, counted from 1; the others are left out"),                                 \
        SB_OPTION_FLAG(type, clip.arrange.reverse, "--reverse", "reverse each sequence"),                              \
        SB_OPTION_FLAG(type, clip.arrange.still, "--still", "repeat the first frame of each sequence")

/* One sequence of the output: which frames, as they were read, it is made of. */
typedef struct sb_span {
    int64_t first, n;
} sb_span;

typedef struct sb_spans {
    sb_span *item; /* [n], the caller's */
    int n;
} sb_spans;

/* Do the options ask for anything? Without it frames need not wait. */
bool sb_arrange_is_asked(const sb_arrange_options *options);

/* From the sequences as they were read to those that are to come. SB_E_USAGE: one is named twice or is not there, or
 * options that contradict each other. */
sb_status sb_arrange_plan(const sb_arrange_options *options, sb_spans *spans);

typedef struct sb_arrange sb_arrange;
sb_status sb_arrange_open(sb_arrange **arrange, const char *path, size_t frame_bytes);
void sb_arrange_close(sb_arrange *arrange); /* NULL is fine */
sb_status sb_arrange_add(sb_arrange *arrange, const uint8_t *rgb);

/* Append the frames of the spans to /frames of the file. */
sb_status sb_arrange_write(sb_arrange *arrange, const sb_arrange_options *options, const sb_spans *spans, sb_h5 *file);

/* What the user named, as a list of video and image files in the order they are read. */

typedef struct sb_media_file {
    char *path;
    bool starts_sequence; /* every video does; of images in one folder only the first */
} sb_media_file;

typedef struct sb_media {
    sb_media_file *file; /* [n] */
    int n;
} sb_media;

/* Add a file as it is, or the videos and images of a folder by their numbers (frame2 before frame10). Lines on stderr
 * name what a folder holds besides, and say where the names of its images leave their order open. SB_E_USAGE: not there,
 * or no regular file. SB_E_EMPTY: a folder without any. */
sb_status sb_media_add(sb_media *media, const char *path);
void sb_media_free(sb_media *media);

typedef struct sb_clip_options {
    sb_size size;
    const char *crop; /* "4:3", or NULL */
    const char *scaler;
    bool drop_first; /* leave out the first frame of each file */
    long max_frames; /* of the whole data set; 0: all */
    sb_list starts;  /* frames where sequences start, counted as they are read; n = 0: one sequence per video */
    sb_arrange_options arrange;
    long threads;
    sb_size source; /* that every input must have; {0}: any */
} sb_clip_options;

/* The rows of an option table for the member `clip` of a verb's struct. */
#define SB_CLIP_OPTIONS(type)                                                                                          \
    SB_OPTION_SIZE(type, clip.size, "--size", "160x120", 1, 8192, "size of the frames in the data set"),               \
        SB_OPTION_TEXT(type, clip.crop, "--crop", "W:H", NULL, "crop the middle to this shape before scaling"),        \
        SB_OPTION_CHOICE(type, clip.scaler, "--scaler", "bilinear|area|bicubic", "bilinear", "method of scaling"),     \
        SB_OPTION_FLAG(type, clip.drop_first, "--drop-first", "skip the first frame of each file"),                    \
        SB_OPTION_INT(type, clip.max_frames, "--frames", "N", "0", 0, 1e9, "stop after N frames; 0: all"),             \
        SB_OPTION_LIST(type, clip.starts, "--sequence-starts", NULL, 0, 1e9,                                           \
                       "numbers of the frames where sequences start; default: each video is one sequence"),            \
        SB_ARRANGE_OPTIONS(type),                                                                                      \
        SB_OPTION_INT(type, clip.threads, "--threads", "N", "1", 1, 64,                                                \
                      "threads of the decoder; they do not change the pixels")

/* Write `path` from the media files. provenance->sources and ->libraries are filled in here. */
sb_status sb_clip_write(const char *path, const sb_media *media, const sb_clip_options *options,
                        const sb_provenance *provenance);

/* What a user has to know about footage that was read: lines on stderr, each once for files that are alike.
 *
 *     sb_clip_say say = {.size = {160, 120}, .crop = {4, 3}};
 *     sb_clip_say_opened(&say, path, facts);         when a file was opened
 *     sb_clip_say_frame(&say, path, facts, begins);  after each of its frames
 *     sb_clip_say_read(&say, path, facts, is_whole); after the last one that was wanted
 */

typedef struct sb_clip_say {
    sb_size size;             /* of the frames that come out */
    sb_aspect crop;           /* {0}: none */
    sb_video_facts before;    /* of the frame before, in this file or another */
    sb_video_facts last_file; /* of the file before */
} sb_clip_say;

void sb_clip_say_opened(sb_clip_say *say, const char *path, const sb_video_facts *facts);

/* begins: the frame is the first of a sequence, so that another size than before is no change inside it. */
void sb_clip_say_frame(sb_clip_say *say, const char *path, const sb_video_facts *facts, bool begins);

/* is_whole: the file was read to its end, so that frames that did not come are missing. */
void sb_clip_say_read(sb_clip_say *say, const char *path, const sb_video_facts *facts, bool is_whole);

/* As strcmp. */
int sb_names_order(const char *a, const char *b);

/* As scandir wants it. */
int sb_names_compare(const struct dirent **a, const struct dirent **b);

/* Why the order of two neighbors, a before b, is not settled by their numbers; NULL: it is. Endings such as .png do not
 * count. "have no numbers", "have the same numbers", ... */
const char *sb_names_doubt(const char *a, const char *b);

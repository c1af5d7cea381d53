/* Media files into one video data set file, frame by frame: what `convert video` and `convert fpsi` share. */
#ifndef SB_DATASETS_CONVERT_CLIP_H
#define SB_DATASETS_CONVERT_CLIP_H

#include "core/command/options.h"
#include "datasets/catalog/provenance.h"
#include "datasets/convert/arrange.h"
#include "datasets/convert/media.h"
#include "datasets/convert/video.h"

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

#endif

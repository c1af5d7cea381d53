/* What a user has to know about footage that was read: lines on stderr, each once for files that are alike.
 *
 *     sb_clip_say say = {.size = {160, 120}, .crop = {4, 3}};
 *     sb_clip_say_opened(&say, path, facts);         when a file was opened
 *     sb_clip_say_frame(&say, path, facts, begins);  after each of its frames
 *     sb_clip_say_read(&say, path, facts, is_whole); after the last one that was wanted
 */
#ifndef SB_DATASETS_CONVERT_CLIP_SAY_H
#define SB_DATASETS_CONVERT_CLIP_SAY_H

#include "core/command/options.h"
#include "datasets/convert/video.h"

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

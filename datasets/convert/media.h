/* What the user named, as a list of video and image files in the order they are read. */
#ifndef SB_DATASETS_CONVERT_MEDIA_H
#define SB_DATASETS_CONVERT_MEDIA_H

#include "core/status.h"

#include <stdbool.h>

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

#endif

#define _GNU_SOURCE
#include "datasets/convert/media.h"

#include "core/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef enum media_kind { KIND_OTHER, KIND_VIDEO, KIND_IMAGE } media_kind;

static media_kind kind_of(const char *path)
{
    static const char *const images[] = {"png", "jpg", "jpeg", "bmp", "tif", "tiff", "ppm", "pgm", "webp"};
    static const char *const videos[] = {"mp4", "avi",  "mkv", "mov", "m4v", "webm", "mpg", "mpeg",
                                         "mts", "m2ts", "wmv", "flv", "ogv", "y4m",  "3gp"};
    const char *dot = strrchr(path, '.');
    if (!dot) return KIND_OTHER;
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        if (strcasecmp(dot + 1, images[i]) == 0) return KIND_IMAGE;
    for (size_t i = 0; i < sizeof videos / sizeof *videos; i++)
        if (strcasecmp(dot + 1, videos[i]) == 0) return KIND_VIDEO;
    return KIND_OTHER;
}

static sb_status append(sb_media *media, const char *path, bool starts_sequence)
{
    sb_media_file *grown = realloc(media->file, ((size_t)media->n + 1) * sizeof *grown);
    if (grown) media->file = grown;
    char *copy = grown ? strdup(path) : NULL;
    if (!copy) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    media->file[media->n++] = (sb_media_file){copy, starts_sequence};
    return SB_OK;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static sb_status add_folder(sb_media *media, const char *folder)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, is_visible, versionsort);
    if (n < 0) return sb_fail(SB_E_IO, "%s: %s", folder, strerror(errno));
    sb_status status = SB_OK;
    int before = media->n;
    bool image_before = false;
    for (int i = 0; i < n; i++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        media_kind is = kind_of(path);
        free(entry[i]);
        if (is == KIND_OTHER) media->n_ignored++;
        if (is == KIND_OTHER || status != SB_OK) continue;
        if ((size_t)length >= sizeof path)
            status = sb_file_too_long(folder);
        else
            status = append(media, path, is == KIND_VIDEO || !image_before);
        image_before = is == KIND_IMAGE;
    }
    free(entry);
    if (status == SB_OK && media->n == before)
        return sb_fail(SB_E_EMPTY, "%s: neither a video nor an image in this folder", folder);
    return status;
}

sb_status sb_media_add(sb_media *media, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return sb_fail(SB_E_USAGE, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode)) return add_folder(media, path);
    /* Images named one by one are one sequence too. */
    bool image_before = media->n > 0 && kind_of(media->file[media->n - 1].path) == KIND_IMAGE;
    return append(media, path, !(image_before && kind_of(path) == KIND_IMAGE));
}

void sb_media_free(sb_media *media)
{
    for (int i = 0; i < media->n; i++) free(media->file[i].path);
    free(media->file);
    *media = (sb_media){0};
}

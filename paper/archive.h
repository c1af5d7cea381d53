/* Small files as one archive, a gzipped tar that any tar unpacks: in memory, names and contents. The only room that
 * speaks libarchive. Equal contents are equal bytes: fixed order, owners, modes and times. */
#ifndef SB_PAPER_ARCHIVE_H
#define SB_PAPER_ARCHIVE_H

#include "core/status.h"

#include <stddef.h>

enum { SB_ARCHIVE_FILES = 64, SB_ARCHIVE_BYTES = 1 << 30 }; /* more is no bundle of ours */

typedef struct sb_archive_file {
    char *name, *content;
    size_t n_bytes;
} sb_archive_file;

typedef struct sb_archive { /* {0} is empty */
    size_t n;
    sb_archive_file file[SB_ARCHIVE_FILES];
} sb_archive;

/* Add a copy of the name; the content becomes the archive's, also on failure. SB_E_INTEGRITY: too many or too much. */
sb_status sb_archive_add(sb_archive *archive, const char *name, char *content, size_t n_bytes);

/* NULL: no file of that name. */
const sb_archive_file *sb_archive_find(const sb_archive *archive, const char *name);

/* Write the files into PATH, whole or not at all, each as TOP/NAME. */
sb_status sb_archive_write(const sb_archive *archive, const char *path, const char *top);

/* Read PATH. SB_E_USAGE: no such file. SB_E_INTEGRITY: no archive, cut short, changed; or holds anything but plain
 * files TOP/NAME without a further slash. A failed call leaves nothing to free. */
sb_status sb_archive_read(sb_archive *archive, const char *path, const char *top);

void sb_archive_free(sb_archive *archive);

#endif

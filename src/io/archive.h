/* A folder as one file that people exchange: a tar, gzipped or not, with one folder at its top.
 *
 *     static const sb_archive_rules rules = {.top = "samebits-results", .what = "bundle of results", ...};
 *     SB_TRY(sb_archive_unpack("theirs.tar.gz", &rules, "theirs"));
 *
 * What is unpacked from any archive obeys these rules; anything else in it is SB_E_INTEGRITY:
 *   - plain files and folders below the top: no link, device, FIFO or sparse file
 *   - no name twice; each part of a name is not empty, does not begin with '.' and has no control characters
 *   - number and bytes bounded
 *   - all belongs to the caller, with mode 0644, or 0755 for a program (less the umask): no setuid, no foreign owner
 *   - the new folder appears whole, after its content was checked, or not at all
 *
 * A target of its own (sb_archive), so that the trainer does not link libarchive; the only file that includes it.
 */
#pragma once

#include "core/status.h"
#include "io/seal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- unpacking -- */

typedef struct sb_archive_rules {
    const char *top;      /* the name of the folder that everything in it lies below */
    const char *what;     /* what it is, for messages: "bundle of results" */
    sb_seal_kind kind;    /* its seal is checked first, and SEAL is not unpacked; SB_SEAL_FOREIGN: none */
    bool is_tree;         /* it has folders and programs; otherwise plain files only */
    bool may_be_gzipped;  /* otherwise what is unpacked is never more than the archive itself */
    size_t n_entries_max; /* files and folders */
    uint64_t n_bytes_max; /* of all files together */
    sb_status (*check)(const char *folder); /* SB_OK: the content is what it should be; its message has no path */
} sb_archive_rules;

/* Check the seal of PATH and unpack it, a piece at a time, into FOLDER.part, check it there and rename it. SB_E_USAGE:
 * PATH is no regular file, or FOLDER is there already. A failed call leaves no file. */
sb_status sb_archive_unpack(const char *path, const sb_archive_rules *rules, const char *folder);

/* One member of any tar as a text from malloc, the caller's. SB_E_USAGE: no regular file; SB_E_INTEGRITY: no tar, cut
 * short, the member is absent, there twice, no plain file or longer than n_bytes_max. */
sb_status sb_archive_member(char **text, const char *path, const char *name, size_t n_bytes_max);

/* A member of a tar, of which at least n_bytes are wanted at `to`, the caller's memory. */
typedef struct sb_archive_want {
    const char *name;
    size_t n_bytes;
    uint64_t n_there; /* set: the bytes that it has */
    void *to;
    bool is_found; /* set; begins as false */
} sb_archive_want;

/* The first bytes of several members of any tar, gzipped or not, in one pass. SB_E_USAGE: no regular file;
 * SB_E_INTEGRITY: no tar, cut short, or a member is absent, there twice, no plain file or shorter than wanted. */
sb_status sb_archive_read(const char *path, sb_archive_want *want, size_t n);

/* -- packing: small files, in memory -- */

enum { SB_ARCHIVE_FILES = 64, SB_ARCHIVE_BYTES = 1 << 30 }; /* more is no bundle of tables */

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

/* Write the files into PATH, whole or not at all, each as TOP/NAME, gzipped and sealed (SB_SEAL_RESULTS). Equal
 * contents are equal bytes: fixed order, owners, modes and times. */
sb_status sb_archive_write(const sb_archive *archive, const char *path, const char *top);

void sb_archive_free(sb_archive *archive);

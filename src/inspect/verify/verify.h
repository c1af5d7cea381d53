/* Is a file as it was written? For every kind of file that the programs of this package write and later believe; the
 * table of kinds is in verify_kinds.c, a row each.
 *
 *     sb_verified v;
 *     SB_TRY(sb_verify_path("results", false, print, &v));         a folder with all that is in it, or one file
 */
#ifndef SB_INSPECT_VERIFY_H
#define SB_INSPECT_VERIFY_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sb_verdict_of_file {
    SB_FILE_HOLDS,
    SB_FILE_FAILS,   /* not as it was written; the sentence of sb_message says what is wrong */
    SB_FILE_PLAIN,   /* written by this package, but nothing that it says is believed: a log, a lock */
    SB_FILE_FOREIGN, /* not of this package */
} sb_verdict_of_file;

typedef struct sb_verified {
    const char *kind; /* "run", "table", ...; "" for a foreign file */
    sb_verdict_of_file verdict;
    char said[1024]; /* after "holds": what it holds; after "fails": the sentence, without the path */
} sb_verified;

/* One file: recognised by its seal, its first bytes or its name, then checked. What parses a format does so in a
 * process of its own. SB_E_USAGE, SB_E_IO, SB_E_MEMORY: there is no such file, or it cannot be read; nothing else is an
 * error here. */
sb_status sb_verify_file(const char *path, sb_verified *verified);

/* Told of each file of a walk; status is that of sb_verify_file. */
typedef void sb_verify_visit(void *context, const char *path, sb_status status, const sb_verified *verified);

/* The file, or every regular file below the folder in the order of their names; links are not followed. */
sb_status sb_verify_walk(const char *path, sb_verify_visit *visit, void *context);

/* Put a seal before a file of the first release, after what it says of itself was found to hold; said tells what that
 * proves and what it does not. SB_E_INTEGRITY: it does not hold, or is none of ours. */
sb_status sb_verify_adopt(const char *path, sb_verified *verified);

#endif

/* Is a file unchanged since it was written? For every kind of file that the programs of this package write and later
 * trust. verify_kinds.c has a row for each kind.
 *
 *     SB_TRY(sb_verify_walk("results", print, NULL));         a folder with all its files, or one file
 */
#pragma once

#include "core/status.h"

typedef enum sb_verdict_of_file {
    SB_FILE_HOLDS,
    SB_FILE_FAILS,   /* changed since it was written; sb_message says what is wrong */
    SB_FILE_PLAIN,   /* written by this package, but not trusted: a log, a lock */
    SB_FILE_FOREIGN, /* not of this package */
} sb_verdict_of_file;

typedef struct sb_verified {
    const char *kind; /* "run", "table", ...; "" for a foreign file */
    sb_verdict_of_file verdict;
    char said[1024]; /* if it holds, a summary of the content; if it fails, the message without the path */
} sb_verified;

/* Check one file: its kind is known by its seal, its first bytes or its name. Parsers run in a separate process.
 * SB_E_USAGE, SB_E_IO, SB_E_MEMORY: the file does not exist or cannot be read. A file that fails the check is not an
 * error: see `verdict`. */
sb_status sb_verify_file(const char *path, sb_verified *verified);

/* Called for each file of a walk; status: the result of sb_verify_file. */
typedef void sb_verify_visit(void *context, const char *path, sb_status status, const sb_verified *verified);

/* Check the file, or every regular file below the folder in the order of names; symbolic links are not followed. */
sb_status sb_verify_walk(const char *path, sb_verify_visit *visit, void *context);

/* Add a seal to a file of the first release, after its own checksums were found correct; verified->said tells what that
 * proves and what it does not. SB_E_INTEGRITY: a check failed, or the file is not of this package. */
sb_status sb_verify_adopt(const char *path, sb_verified *verified);

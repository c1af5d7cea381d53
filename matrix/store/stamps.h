/* The stamps of all runs below a folder of results in one file, so that a look at ten thousand cells opens one file and
 * not ten thousand: what opening a file costs is what a file system that many machines share is slow at.
 *
 *     RESULTS/runs/stamps.ok    the lines of the stamps, in the order of their record hashes
 *
 * A line counts for exactly as much as the stamp next to its run: its own digest must hold, and size, times and inode
 * must be the file's. Like a stamp the list may be lost at any time, or lack some: they are read one by one then, and
 * are in it afterwards. It is written whole and renamed. Of two programs that write it at a time one wins; what the
 * other had found is found again.
 *
 *     sb_stamps *stamps = sb_stamps_open("results");
 *     const sb_stamp *stamp = sb_stamps_find(stamps, cell->hash);
 *     sb_stamps_close(stamps);
 */
#pragma once

#include "core/hash.h"

#include <stdbool.h>
#include <stdint.h>

/* What was found when a run file was last read in full: a line of text next to it, so that a study of many gigabytes is
 * not digested again for each status.
 *
 *     1a2b3c4d.ok: DIGEST RECORD-HASH SIZE MTIME CTIME INODE UPDATES SECONDS CPU
 *
 * UPDATES has a '!' at its end where the training diverged at the last of them.
 * DIGEST is the first 16 digits of the SHA-256 of the rest of the line. A stamp counts while that holds and the file's
 * size, times and inode are those it names. It may be lost at any time: then the run file is read again. A stamp does
 * not detect damage that leaves size, times and inode unchanged: `status`, `plan` and `run` trust stamps, while all
 * verbs that take numbers from a run (`collect`, `status --verify`, every verb of samebits and samebits-report) read
 * all of it. The stamps of many runs are also kept in one file (stamps.h).
 *
 *     sb_file_identity file;
 *     if (sb_stamp_identify(&file, run) && sb_stamp_read(&stamp, ok) && sb_stamp_is_of(&stamp, &file)) ...
 */

typedef struct sb_file_identity { /* properties that change with a file's bytes, unless they are reset on purpose */
    int64_t n_bytes, modified_ns, changed_ns, inode;
} sb_file_identity;

typedef struct sb_stamp {      /* of a complete run whose digest holds */
    char hash[SB_SHA256_TEXT]; /* SHA-256 of its record */
    sb_file_identity file;
    int64_t updates;
    bool diverged;  /* at the last of its updates */
    double seconds; /* wall time of the training */
    char cpu[128];  /* that trained it, "" if unknown */
} sb_stamp;

enum { SB_STAMP_LINE = 512 }; /* room for a line without its end, and a NUL */

/* One call of the system. False: no such file. */
bool sb_stamp_identify(sb_file_identity *file, const char *path);

/* Does the stamp stand for that file as it is now? */
bool sb_stamp_is_of(const sb_stamp *stamp, const sb_file_identity *file);

/* The line of a stamp, and back. False: its digest does not hold, or it is no stamp. */
void sb_stamp_print(const sb_stamp *stamp, char line[SB_STAMP_LINE]);
bool sb_stamp_parse(sb_stamp *stamp, const char *line);

/* The stamp at path; false: none that holds. */
bool sb_stamp_read(sb_stamp *stamp, const char *path);

/* Leave a stamp; one that cannot be written is done without. */
void sb_stamp_write(const sb_stamp *stamp, const char *path);

typedef struct sb_stamps sb_stamps;

/* Read the list of that folder; without one, or a part of it, it begins without these. NULL: not enough memory; then it
 * is done without a list, and every function takes NULL for one. */
sb_stamps *sb_stamps_open(const char *results);

/* The stamp of that record's run; NULL: none. The list's own, until it changes. */
const sb_stamp *sb_stamps_find(const sb_stamps *stamps, const char *hash);

/* Put it in, in place of another of its record. */
void sb_stamps_keep(sb_stamps *stamps, const sb_stamp *stamp);

/* Take out what was found to be wrong, at once also of the file: a program that is killed must not leave it. */
void sb_stamps_drop(sb_stamps *stamps, const char *hash);

/* Write the list if it has changed, where that can be done, and free it. Says nothing: sb_message stays what it was. */
void sb_stamps_close(sb_stamps *stamps);

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
#pragma once

#include "core/hash.h"

#include <stdbool.h>
#include <stdint.h>

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

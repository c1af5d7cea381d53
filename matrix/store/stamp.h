/* What was found when a run file was last read in full: a line of text beside it, so that a study of many gigabytes is
 * not digested again each time somebody asks for its status.
 *
 *     1a2b3c4d.ok: DIGEST RECORD-HASH SIZE MTIME CTIME INODE UPDATES SECONDS CPU
 *
 * DIGEST is the first 16 digits of the SHA-256 of the rest of the line. A stamp counts while that holds and the file's
 * size, times and inode are those it names. It may be lost at any time: then the run file is read again. That bits rot
 * under an unchanged stamp it does not see: `status`, `plan` and `run` go by stamps, and whoever takes numbers from a
 * run (`collect`, `status --verify`, every verb of samebits and samebits-report) reads all of it.
 */
#ifndef SB_MATRIX_STORE_STAMP_H
#define SB_MATRIX_STORE_STAMP_H

#include "core/hash.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_stamp {      /* of a complete run whose digest holds */
    char hash[SB_SHA256_TEXT]; /* SHA-256 of its record */
    int64_t n_bytes;           /* of the run file */
    int64_t updates;
    double seconds; /* wall time of the training */
    char cpu[128];  /* that trained it, "" if unknown */
} sb_stamp;

/* Does the stamp at path stand for the run file as it is now? Then *stamp is filled. */
bool sb_stamp_read(sb_stamp *stamp, const char *path, const char *run);

/* Leave a stamp for the run file; one that cannot be written is done without. */
void sb_stamp_write(sb_stamp *stamp, const char *path, const char *run);

#endif

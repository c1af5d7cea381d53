/* The seal of a file: 512 bytes of text in it that hold the SHA-256 of all its bytes. Every file that samebits writes
 * and later believes carries one; it is checked by plain reads, before any library parses the file.
 *
 *     samebits seal 1
 *     sha256 4f0a...        64 digits: the digest of all bytes of the file, these 512 included, its digits read as '0'
 *     kind run              what is in it, a row of the table in seal.c
 *     bytes 123456          the size of the whole file
 *     origin written        by the program that made the content; or: adopted, put before a file of an older release
 *     ...two lines for people who open the file, then zeros up to 512 bytes
 *
 * The block has no freedom: what a check reads is compared, byte for byte, with the block that it composes anew. Equal
 * contents are equal files, seal included. Where the block lies follows from the kind:
 *
 *     HDF5 (run, checkpoint, chain, data, trace, recording)   byte 0: HDF5's user block, before which the library does not look
 *     tar (bundle)                          byte 512: the content of the first member, samebits-bundle/SEAL
 *     gzip (results)                        byte 16: an extra field of the first gzip member, which is empty
 *
 * A seal tells damage and mix-ups from what was written; it is no signature. A person who changes a file on purpose can
 * seal it again, and then the links of a run's hash chain are what is left (io/run/runfile.h).
 *
 *     SB_TRY(sb_seal_write("x.h5.part", SB_SEAL_DATA));           the file is closed, and not yet renamed
 *     SB_TRY(sb_seal_check("x.h5", SB_SEAL_DATA, NULL));
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_SEAL_BYTES = 512 };
#define SB_SEAL_MEMBER "SEAL" /* its name in a tar, below the top folder */

/* What is in a sealed file; several of them, or-ed, are what a reader takes. */
typedef enum sb_seal_kind {
    SB_SEAL_FOREIGN = 0,    /* none: a file that is not ours and has no seal, such as a golden file */
    SB_SEAL_RUN = 1,        /* finished (io/run/runfile.h) */
    SB_SEAL_CHECKPOINT = 2, /* of a run (io/run/runfile.h) */
    SB_SEAL_DATA = 4,       /* data set (io/dataset.h) */
    SB_SEAL_TRACE = 8,      /* of one update (inspect/trace/trace_file.h) */
    SB_SEAL_BUNDLE = 16,    /* a study, to be run elsewhere (matrix/bundle/bundle.h) */
    SB_SEAL_RESULTS = 32,   /* collected tables as one file (paper/exchange/exchange.h) */
    SB_SEAL_CHAIN = 64,     /* finished run without its weights (verbs/chain.c) */
    SB_SEAL_RUNS = SB_SEAL_RUN | SB_SEAL_CHECKPOINT,
    SB_SEAL_LINKS = SB_SEAL_RUNS | SB_SEAL_CHAIN, /* all that have a hash chain */
    SB_SEAL_RECORDING = 1024,                     /* training of another program, recorded (record/external_file.h) */
    SB_SEAL_ANY = 127 | SB_SEAL_RECORDING,
    /* in addition to kinds: */
    SB_SEAL_CHECKED = 128, /* the caller knows that this very file, unchanged since, was checked in full */
    SB_SEAL_MET = 256,     /* the same of its form alone (h5_form.c): its bytes are compared with the seal again */
    SB_SEAL_AT_ONCE = 512, /* a small file is opened once, and read once, into memory (sb_seal_read) */
    SB_SEAL_OWN = 2048,    /* its name is a program's choice, not a user's: another kind there is damage */
} sb_seal_kind;

const char *sb_seal_kind_name(sb_seal_kind kind); /* of one kind: "run", "data" */
const char *sb_seal_kind_text(sb_seal_kind kind); /* for sentences: "finished run", "data set" */

typedef struct sb_seal {
    sb_seal_kind kind;
    bool adopted; /* sealed by sb_seal_adopt: nothing says what happened to the file before */
    uint64_t n_bytes;
    char sha256[65];
} sb_seal;

/* What a file of that kind begins with: the block, still empty, and what its container needs around it. Nothing but
 * HDF5 makes this by itself. Returns how many bytes. */
enum { SB_SEAL_FRAME_MAX = 2 * SB_SEAL_BYTES };
size_t sb_seal_frame(sb_seal_kind kind, uint8_t frame[SB_SEAL_FRAME_MAX]);

/* Fill in the block of a file that is written and closed and has 512 bytes left for it at the kind's place. The caller
 * flushes it to the disk afterwards and gives it its name (sb_file_commit). SB_E_IO: it cannot be written. */
sb_status sb_seal_write(const char *path, sb_seal_kind kind);

/* Read the whole file and hold it against its seal; *seal, unless NULL, says what it is. Memory does not grow with the
 * file. SB_E_USAGE: no such file, or none that can be read. SB_E_INTEGRITY: it has no seal, or any of its bytes is not as
 * it was written. SB_E_USAGE, or with SB_SEAL_OWN SB_E_INTEGRITY: it is whole, and none of `kinds` (or-ed). With
 * SB_SEAL_CHECKED only the seal itself and the size are looked at. */
sb_status sb_seal_check(const char *path, unsigned kinds, sb_seal *seal);

/* The same, and the bytes that were checked, all seal->n_bytes of them, from malloc. *bytes is NULL where the file is
 * larger than `most`: then nothing but the size was looked at. */
sb_status sb_seal_read(const char *path, unsigned kinds, uint64_t most, sb_seal *seal, char **bytes);

/* What the seal of a file says, by its first bytes alone: nothing is checked. False: there is no seal. */
bool sb_seal_peek(const char *path, sb_seal *seal);

/* Is that an HDF5 file without a seal, as the first release wrote them? By its first bytes. */
bool sb_seal_is_missing(const char *path);

/* Was that a sealed file, whose seal or what stands around it is damaged? By its first bytes: enough of them is as a
 * seal has it, or what follows it. */
bool sb_seal_is_broken(const char *path);

/* Put a seal before an HDF5 file that has none, whole or not at all; the origin is then "adopted". The caller has
 * checked what can be checked. SB_E_INTEGRITY: not such a file. */
sb_status sb_seal_adopt(const char *path, sb_seal_kind kind);

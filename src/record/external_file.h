/* The file of a recording: HDF5 after a seal of kind `recording`, written and read whole. What is in it stands in
 * docs/run-file.md, "Recordings of other programs". */
#ifndef SB_RECORD_EXTERNAL_FILE_H
#define SB_RECORD_EXTERNAL_FILE_H

#include "core/status.h"
#include "record/external.h"

/* Written as PATH.part, sealed and renamed. */
sb_status sb_external_write(const sb_external *e, const char *path);

/* Read and check a recording: seal, form, digests, and that its parts fit. SB_E_INTEGRITY otherwise. With `own` the seal
 * alone proves the form: for a file of this very library, by a process that must not fork. A failed call leaves nothing
 * to free. */
sb_status sb_external_read(sb_external *e, const char *path, bool own);

/* The same with what its journal has in addition. */
sb_status sb_external_read_all(sb_external *e, const char *path);

/* Is that a recording, by its seal? Nothing is checked. */
bool sb_external_is(const char *path);

#endif

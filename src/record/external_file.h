/* The file of a recording: HDF5 after a seal of kind `recording`, written and read as a whole. docs/run-file.md,
 * "Recordings of other programs", describes its content. */
#pragma once

#include "core/status.h"
#include "record/external.h"

/* Write the file as PATH.part, seal it and rename it. */
sb_status sb_external_write(const sb_external *e, const char *path);

/* Read a recording and check its seal, form, digests, and that its parts fit each other. SB_E_INTEGRITY: a check
 * failed. With `own` the seal replaces the check of the form by a separate process: for a file that this library wrote,
 * in a process that must not fork. A failed call leaves nothing to free. */
sb_status sb_external_read(sb_external *e, const char *path, bool own);

/* The same, with the records of its journal applied. */
sb_status sb_external_read_all(sb_external *e, const char *path);

/* Is this file a recording, by the kind in its seal? No digest is checked. */
bool sb_external_is(const char *path);

/* The lock file: which images, data sets and trainers a study is held to. Written by `samebits-matrix image lock`.
 *
 *     images:
 *       - stack: cpu
 *         id: sha256:932c036786a8...
 *         build_id: 1e5057b01d2e...
 *         revision: fc62e39a1b2c
 *     data:
 *       - file: walk-1a2b3c4d.h5
 *         digest: 5d41402abc4b...
 *
 * The file is not tracked: an image holds a program that holds its revision, so no lock could be part of the very
 * revision whose images it names. It travels with them, in a bundle.
 */
#pragma once

#include "matrix/image/image.h"
#include "matrix/schema/matrix_schema.h"

#include "core/hash.h"
#include "core/status.h"

#define SB_IMAGE_LOCK_FILE "containers/matrix.lock"

/* Read and check. SB_E_MISSING: no such file; SB_E_INTEGRITY: "PATH:LINE: ...". The caller frees. */
sb_status sb_image_lock_load(sb_image_lock **locked, const char *path);
void sb_image_lock_free(sb_image_lock *locked); /* NULL is fine */

/* Write the file, whole or not at all; its folder is made. */
sb_status sb_image_lock_write(const sb_image_lock *locked, const char *path);

/* The row of a stack or of a data file (by the last part of its path); NULL: it is not locked. */
const sb_locked_image *sb_image_lock_image(const sb_image_lock *locked, const sb_stack *stack);
const sb_locked_data *sb_image_lock_data(const sb_image_lock *locked, const char *path);

/* SB_E_INTEGRITY if the data set is locked and its content is another one. */
sb_status sb_image_lock_check_data(const sb_image_lock *locked, const char *lock, const char *path);

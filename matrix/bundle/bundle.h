/* A study as one file that another machine unpacks and runs without a network:
 *
 *     samebits-bundle/SEAL                        over all of this file (io/seal.h); unbundle leaves it out
 *                     MANIFEST                    SHA-256 of every other file, as sha256sum writes it
 *                     README                      what to type
 *                     bin/                        samebits-matrix and samebits
 *                     matrix/                     the matrix file and its hardware file
 *                     containers/                 matrix.lock and the images it names
 *                     cache/data/                 the data sets
 *
 * A tar archive of fixed owners, times and order: equal contents are an equal bundle.
 */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/engine/container.h"
#include "matrix/image/image.h"

#include "core/status.h"

#include <stddef.h>

typedef struct sb_bundle {
    const sb_cells *cells;
    const sb_data_source *const *source; /* whose files are in the folder data */
    size_t n_sources;
    const char *data;
    const char *lock;
    const sb_image_lock *locked;   /* NULL: of commands, whose images are the user's */
    const sb_container *container; /* has the locked images */
} sb_bundle;

/* Write the bundle, whole or not at all. SB_E_USAGE: the hardware file lies outside the matrix file's folder;
 * SB_E_MISSING: an image or the trainer is not here. */
sb_status sb_bundle_pack(const sb_bundle *bundle, const char *path);

/* Unpack into a new folder by the rules of io/archive.h and hold every file against the manifest; the folder is there
 * only if all hold. SB_E_USAGE: no such file, or the folder is there already; SB_E_INTEGRITY: cut short, packed,
 * anything but plain files and folders below the top, or a file that the manifest does not name, or names otherwise. */
sb_status sb_bundle_unpack(const char *path, const char *folder);

/* The list of a folder's files with their SHA-256, in the form of sha256sum: "DIGEST  PATH", sorted by path. */

#define SB_MANIFEST_FILE "MANIFEST"

/* Write FOLDER/MANIFEST over all regular files below FOLDER, links followed. */
sb_status sb_manifest_write(const char *folder);

/* SB_E_INTEGRITY unless the files below FOLDER are the files of its manifest, each a regular file of that digest. The
 * message does not name the folder. */
sb_status sb_manifest_check(const char *folder);

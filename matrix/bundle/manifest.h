/* The list of a folder's files with their SHA-256, in the form of sha256sum: "DIGEST  PATH", sorted by path. */
#pragma once

#include "core/status.h"

#define SB_MANIFEST_FILE "MANIFEST"

/* Write FOLDER/MANIFEST over all regular files below FOLDER, links followed. */
sb_status sb_manifest_write(const char *folder);

/* SB_E_INTEGRITY unless the files below FOLDER are the files of its manifest, each a regular file of that digest. The
 * message does not name the folder. */
sb_status sb_manifest_check(const char *folder);

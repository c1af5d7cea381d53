/* A list of files by their checksums: what samebits-data fetches although it is no data set, such as the packages of
 * container images. A line each, with blanks between its words; # begins a comment, and empty lines count for nothing:
 *
 *     PACKAGE BYTES SHA256 FILE ADDRESS
 *
 * PACKAGE  a name; the files of a package are the lines that begin with it
 * FILE     its name: letters, digits, and . _ + ~ -
 * ADDRESS  of the folder that has the file, with the / at its end: https://.../
 */
#ifndef SB_DATASETS_FETCH_LIST_H
#define SB_DATASETS_FETCH_LIST_H

#include "core/hash.h"
#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sb_listed {
    char package[64], sha256[SB_SHA256_TEXT], name[256], address[512];
    int64_t n_bytes;
} sb_listed;

typedef struct sb_listing {
    size_t n;
    sb_listed *item; /* in the order of the file */
} sb_listing;

/* Read and check. SB_E_USAGE: no such file; SB_E_INTEGRITY: "PATH:LINE: ...". A failed call leaves nothing to free. */
sb_status sb_listing_read(sb_listing *listing, const char *path);
void sb_listing_free(sb_listing *listing);

#endif

/* Bring one file of a data set into the cache, whole and checked, or not at all: mirrors in order, attempts with
 * pauses that grow, SHA-256 while writing. What arrived stays as PATH.part, and the next attempt goes on from there, in
 * this run or a later one. */
#ifndef SB_DATASETS_FETCH_FETCH_H
#define SB_DATASETS_FETCH_FETCH_H

#include "datasets/catalog/catalog.h"

enum { SB_FETCH_MIRRORS = SB_CATALOG_MIRRORS + 1 };

typedef struct sb_fetch_options {
    const char *folder;                   /* of the data set in the cache; made if absent */
    const char *mirror[SB_FETCH_MIRRORS]; /* addresses or folders, in order, before the file's own; NULL ends */
    bool offline;                         /* use folders only */
    bool has_substitute;                  /* sentences name what needs no download: a data set has one */
    long retries;                         /* further attempts at one address after a passing failure */
    double delay_s;                       /* pause before the first of them; doubles, at most 30 s */
    double timeout_s;                     /* a server that is silent for so long counts as stopped */
    double least_rate;                    /* bytes/s; so does one that over that time sends less on average */
} sb_fetch_options;

/* SB_OK: FOLDER/NAME is there and its checksum holds (it may have been there before). SB_E_INTEGRITY: another file was
 * offered, it is removed and the sentence names both checksums or sizes. SB_E_IO: not reachable, disk full.
 * SB_E_MISSING: offline and not in the cache. SB_E_USAGE: a mirror that is no folder. */
sb_status sb_fetch_file(const sb_catalog_file *file, const sb_fetch_options *options);

#endif

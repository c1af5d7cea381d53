/* Bring one file of a data set into the cache, whole and checked, or not at all: mirrors in order, attempts with
 * pauses that grow, SHA-256 while writing. What arrived stays as PATH.part, and the next attempt goes on from there, in
 * this run or a later one. */
#pragma once

#include "core/hash.h"
#include "core/status.h"
#include "datasets/catalog/catalog.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

/* One attempt to bring the rest of a file from one address into an open file. The only file that includes curl. */

typedef struct sb_download {
    const char *url;   /* http, https or file */
    const char *path;  /* where the bytes go, for messages */
    FILE *file;        /* the caller's, positioned after the bytes that are there */
    sb_sha256 *hash;   /* the caller's, has seen those bytes; sees the new ones while they are written */
    int64_t n_there;   /* bytes in the file; grows */
    int64_t n_wanted;  /* bytes of the whole file */
    double timeout_s;  /* give up when nothing arrives for so long */
    double least_rate; /* bytes/s: give up when, over timeout_s on average, less arrives */
} sb_download;

typedef enum sb_download_end {
    SB_DOWNLOAD_DONE,     /* n_there == n_wanted */
    SB_DOWNLOAD_AGAIN,    /* a passing failure, or it stopped half-way: the same address may go on */
    SB_DOWNLOAD_RESTART,  /* the server cannot go on in the middle: begin at 0 */
    SB_DOWNLOAD_NOT_HERE, /* this address does not have it or cannot be reached: try another */
    SB_DOWNLOAD_WRONG,    /* what is here has another size: it is another file */
    SB_DOWNLOAD_STOP,     /* a failure of this machine, or an interrupt: no use trying on */
} sb_download_end;

/* Fetch bytes n_there .. n_wanted-1. Whatever arrives is written, so that a later attempt can go on from there. *status
 * is SB_OK for DONE, else SB_E_IO, SB_E_INTEGRITY (WRONG) or SB_E_INTERRUPTED with a sentence that begins with the
 * address. */
sb_download_end sb_download_run(sb_download *download, sb_status *status);

/* The address of a file in a mirror: MIRROR/NAME for an address with "://", a file:// address for a folder, which must
 * be there (else SB_E_USAGE). */
sb_status sb_download_address(const char *mirror, const char *name, char *url, size_t size);

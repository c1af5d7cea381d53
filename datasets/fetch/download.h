/* One attempt to bring the rest of a file from one address into an open file. The only file that includes curl. */
#ifndef SB_DATASETS_FETCH_DOWNLOAD_H
#define SB_DATASETS_FETCH_DOWNLOAD_H

#include "core/hash.h"
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

#endif

/* The IDX format of MNIST, plain or in gzip: a big-endian magic number 0x0000TTRR (TT = 08: bytes, RR: rank), RR
 * big-endian sizes, then the bytes. Described at http://yann.lecun.com/exdb/mnist/. The only file that includes zlib.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { SB_IDX_RANK_MAX = 3 };

typedef struct sb_idx {
    int rank;
    size_t dim[SB_IDX_RANK_MAX]; /* outermost first */
    size_t n;                    /* their product */
    uint8_t *bytes;              /* [n], from malloc */
} sb_idx;

/* Read a whole file of that rank. Missing: SB_E_USAGE; another magic number or rank, damaged gzip, more or fewer bytes
 * than the header says: SB_E_INTEGRITY. On success the caller owns idx and calls sb_idx_free. */
sb_status sb_idx_read(sb_idx *idx, const char *path, int rank);
void sb_idx_free(sb_idx *idx);

/* "1.2.13" */
const char *sb_idx_zlib_version(void);

/* A trace as a file, so that the update of one machine is compared with that of another; HDF5 after a seal of kind
 * `trace` (io/seal.h).
 *
 *   /meta    attributes: program, trace (schema, 1), update, backend, kernel, gradient and weights (hashes of the link)
 *   /row     operation [n][32] text
 *   /tensor  row [m] int64; role [m][16], name [m][64] text; written [m] uint8; shape [m][3] int64 (c, h, w);
 *            hash [m][16] uint8
 *   /kept    N: the numbers of tensor N of /tensor, if its row is the one that was kept
 */
#ifndef SB_INSPECT_TRACE_FILE_H
#define SB_INSPECT_TRACE_FILE_H

#include "inspect/trace/trace.h"
#include "ops/context.h"

typedef struct sb_traced {
    int64_t update;
    char backend[32], kernel[SB_VARIANT_MAX];
    sb_hash gradient, weights; /* after the update */
    size_t n;
    sb_trace_row *row; /* [n] */
} sb_traced;

sb_status sb_trace_write(const sb_traced *traced, const char *path);

/* Is that a trace, by its seal? Nothing is checked. */
bool sb_trace_is(const char *path);

/* SB_E_INTEGRITY: not a trace, or its parts do not fit. A failed call leaves nothing to free. */
sb_status sb_trace_read(sb_traced *traced, const char *path);

/* The same of one without a seal, as the first release wrote it; nothing is believed of it by that. */
sb_status sb_trace_read_unsealed(sb_traced *traced, const char *path);
void sb_traced_free(sb_traced *traced); /* of sb_trace_read */

#endif

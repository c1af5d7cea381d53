/* The file of a trace, to compare an update on two machines; HDF5 after a seal of kind `trace` (io/seal.h).
 *
 *   /meta    attributes: program, trace (schema, 1), update, backend, kernel, gradient and weights (hashes of the
 *            chain's entry)
 *   /row     operation [n][32] text
 *   /tensor  row [m] int64; role [m][16], name [m][64] text; written [m] uint8; shape [m][3] int64 (c, h, w);
 *            hash [m][16] uint8
 *   /kept    N: the numbers of tensor N of /tensor, if its row was kept
 */
#pragma once

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

/* Is this file a trace, by the kind in its seal? No digest is checked. */
bool sb_trace_is(const char *path);

/* SB_E_INTEGRITY: not a trace, or its parts do not fit each other. A failed call leaves nothing to free. */
sb_status sb_trace_read(sb_traced *traced, const char *path);

/* The same for a trace without a seal, as the first release wrote it. Without a seal nothing proves its content. */
sb_status sb_trace_read_unsealed(sb_traced *traced, const char *path);
void sb_traced_free(sb_traced *traced); /* after sb_trace_read */

/* The file that says that a command's cell is complete, written after its program ended well and its output was read: a line
 * of JSON with the record and what was found, and the SHA-256 of that line.
 *
 *     {"claims":"","cpu":"...","diverged":false,"output":"SHA-256 of the output","record":"{...}","seconds":1.5,"updates":40}
 */
#pragma once

#include "matrix/cells/record.h"

#include "core/hash.h"
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_cell_result {
    int64_t updates; /* rows or updates of the output */
    double seconds;  /* wall time of the program */
    bool diverged;   /* a metric is not finite */
    char output[SB_SHA256_TEXT];
    char weights[SB_HASH_TEXT];  /* of a recording; "": unknown */
    char claims[SB_SHA256_TEXT]; /* of the file of claims when the program ended; "": the matrix file names none */
    char cpu[128];
} sb_cell_result;

sb_status sb_cell_result_write(const sb_cell_result *result, const char *record, const char *path);

/* SB_E_EMPTY: not there. SB_E_INTEGRITY: its digest does not hold, or it is no such file. */
sb_status sb_cell_result_read(sb_cell_result *result, char record[SB_RECORD_BYTES], const char *path);

/* What the files of the run file share: the numbers of /final. */
#pragma once

#include "io/run/runfile.h"

enum { SB_RUN_FINALS = SB_N_METRICS + 4 };

/* The real numbers among them, a row each. */
extern const struct sb_run_final_row {
    const char *name;
    size_t offset;    /* in sb_run_summary */
    bool is_measured; /* nothing else in the file says it */
} sb_run_finals[SB_RUN_FINALS];

double *sb_run_final_at(sb_run_summary *summary, size_t row);

/* Compute /final from the rest of the file, without cell, hash and measured times. The hash of the weights is from
 * /head; "": there is no /head. SB_E_INTEGRITY: a part that it needs is absent. */
sb_status sb_runfile_final_of(sb_h5 *file, sb_run_summary *final);

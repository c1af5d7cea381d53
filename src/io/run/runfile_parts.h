/* What the files of the run file share: the numbers of /final. */
#ifndef SB_IO_RUNFILE_PARTS_H
#define SB_IO_RUNFILE_PARTS_H

#include "io/run/runfile.h"

enum { SB_RUN_FINALS = SB_N_METRICS + 4 };

/* The real numbers among them, a row each. */
extern const struct sb_run_final_row {
    const char *name;
    size_t offset;    /* in sb_run_summary */
    bool is_measured; /* nothing else in the file says it */
} sb_run_finals[SB_RUN_FINALS];

double *sb_run_final_at(sb_run_summary *summary, size_t row);

/* /final as the rest of the file gives it, without cell, hash and what is measured; the weights are those of /head, ""
 * where there is none. SB_E_INTEGRITY: something that it follows from is absent. */
sb_status sb_runfile_final_of(sb_h5 *file, sb_run_summary *final);

#endif

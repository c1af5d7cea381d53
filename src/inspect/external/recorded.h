/* Two recordings of other programs: the first update, part and tensor that differ, and the settings and facts that
 * differ. */
#pragma once

#include "inspect/diff.h"
#include "record/external.h"

typedef struct sb_recorded_diff {
    sb_diff of; /* parting.name: "parameters", "batch", "loss", ..., "length"; parting.same is -1 if already the initial
                 * state differs */
    sb_external side[2];
    size_t n_different, n_tensors; /* tensors of the part; 0: not known */
} sb_recorded_diff;

/* The caller frees d, also after a failure. SB_E_USAGE: a file is not a recording. SB_E_EMPTY: no update in common. */
sb_status sb_recorded_compare(sb_recorded_diff *d, const char *path_a, const char *path_b);
void sb_recorded_free(sb_recorded_diff *d);

/* SB_OK: the same bits. SB_E_DIFFERS: they differ. SB_E_USAGE: the parameters are different and cannot be compared. */
sb_status sb_recorded_judge(const sb_recorded_diff *d);

void sb_recorded_print(const sb_recorded_diff *d, FILE *out);

/* The optimizer's settings at that update, a text; "": not known. */
const char *sb_recorded_settings(const sb_external *e, int64_t update);

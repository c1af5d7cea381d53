/* Two recordings of other programs: the first update, part and tensor that differ, and what tells the runs apart. */
#ifndef SB_INSPECT_RECORDED_H
#define SB_INSPECT_RECORDED_H

#include "inspect/diff.h"
#include "record/external.h"

typedef struct sb_recorded_diff {
    sb_diff of; /* parting.name: "parameters", "batch", "loss", ..., "length"; parting.same -1: not even the start */
    sb_external side[2];
    size_t n_different, n_tensors; /* of the part; 0: not known */
} sb_recorded_diff;

/* The caller frees, whatever is returned. SB_E_USAGE: one of them is no recording. SB_E_EMPTY: no update in common. */
sb_status sb_recorded_compare(sb_recorded_diff *d, const char *path_a, const char *path_b);
void sb_recorded_free(sb_recorded_diff *d);

/* SB_OK: the same bits. SB_E_DIFFERS; SB_E_USAGE: other parameters, which are not comparable. */
sb_status sb_recorded_judge(const sb_recorded_diff *d);

void sb_recorded_print(const sb_recorded_diff *d, FILE *out);

/* A settings text that held at that update; "" if none is known. */
const char *sb_recorded_settings(const sb_external *e, int64_t update);

#endif

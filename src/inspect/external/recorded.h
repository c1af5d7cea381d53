/* Two recordings of other programs: the first update, part and tensor that differ, and the settings and facts that
 * differ. */
#pragma once

#include "inspect/bisect/bisect.h"
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

/* Recordings of processes that trained together: a folder with one file for each rank, NAME.r0.h5, NAME.r1.h5, ... */

typedef struct sb_ranked_diff {
    sb_text_list path[2]; /* by rank */
    size_t n;             /* ranks */
    size_t rank;          /* the rank of the first difference; the last rank if none differs */
    sb_recorded_diff of;  /* of that rank; its paths are in `path` */
} sb_ranked_diff;

bool sb_ranked_is(const char *path); /* a folder */

/* Before two paths are opened: SB_E_USAGE if one of them is neither a file nor a folder, so that an absent file is not
 * called one of another kind. */
sb_status sb_ranked_check(const char *path_a, const char *path_b);

/* The caller frees d, also after a failure. SB_E_USAGE: a rank is missing or twice in a folder, or the numbers of ranks
 * differ. */
sb_status sb_ranked_compare(sb_ranked_diff *d, const char *folder_a, const char *folder_b);
void sb_ranked_free(sb_ranked_diff *d);

/* Bisects recordings and traces of other programs, without training. */

/* Is this file a trace of another program? */
bool sb_recorded_is_trace(const char *path);

/* Say which update to trace on both sides; if both traces are next to the recordings, compare them. */
sb_status sb_recorded_bisect_runs(const char *path_a, const char *path_b, sb_bisect_facts *facts, FILE *out);

/* SB_OK: the same bits. SB_E_DIFFERS: out says where and why. nudged: n traces of runs like a whose initial weights
 * were all moved by one rounding; with them out also says whether the runs differ by more than the effect of
 * rounding. */
sb_status sb_recorded_bisect_traces(const char *path_a, const char *path_b, const char *const *nudged, size_t n,
                                    sb_bisect_facts *facts, FILE *out);

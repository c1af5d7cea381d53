/* Bisects recordings and traces of other programs, without training. */
#pragma once

#include "inspect/bisect/bisect.h"

/* Is this file a trace of another program? */
bool sb_recorded_is_trace(const char *path);

/* Say which update to trace on both sides; if both traces are next to the recordings, compare them. */
sb_status sb_recorded_bisect_runs(const char *path_a, const char *path_b, sb_bisect_facts *facts, FILE *out);

/* SB_OK: the same bits. SB_E_DIFFERS: out says where and why. nudged: n traces of runs like a whose initial weights
 * were all moved by one rounding; with them out also says whether the runs differ by more than the effect of
 * rounding. */
sb_status sb_recorded_bisect_traces(const char *path_a, const char *path_b, const char *const *nudged, size_t n,
                                    sb_bisect_facts *facts, FILE *out);

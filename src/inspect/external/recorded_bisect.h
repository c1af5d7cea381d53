/* bisect of recordings and traces of other programs: nothing is trained here. */
#ifndef SB_INSPECT_RECORDED_BISECT_H
#define SB_INSPECT_RECORDED_BISECT_H

#include "inspect/bisect/bisect.h"

/* Is that a trace of another program? */
bool sb_recorded_is_trace(const char *path);

/* Which update to trace on both sides; where both traces lie next to the recordings, what they say. */
sb_status sb_recorded_bisect_runs(const char *path_a, const char *path_b, sb_bisect_facts *facts, FILE *out);

/* SB_OK: the same bits; SB_E_DIFFERS: out says where and why. nudged: n traces of runs like a that began with every weight
 * moved by one rounding; with them out also says whether the runs differ by more than rounding carries. */
sb_status sb_recorded_bisect_traces(const char *path_a, const char *path_b, const char *const *nudged, size_t n,
                                    sb_bisect_facts *facts, FILE *out);

#endif

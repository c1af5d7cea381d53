/* bisect of recordings and traces of other programs: nothing is trained here. */
#ifndef SB_INSPECT_RECORDED_BISECT_H
#define SB_INSPECT_RECORDED_BISECT_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct sb_recorded_facts { /* starts with {0} */
    bool has_update;               /* something differs, from that update on */
    int64_t update;
    const char *part, *kind; /* NULL: not known */
    bool traced;
    int64_t n_operations, number; /* of side a; the one that is blamed, from 1, 0: none */
    char side;                    /* 'a', 'b'; 0: both */
    char operation[128], phase[16], module[256], site[256], arguments[512], tensors[1024];
    bool has_carried; /* sketches were compared, and are not all the same */
    double carried;   /* over what rounding carries: at the first mark above the limit, else the largest */
    char carried_at[256];
} sb_recorded_facts;

/* Is that a trace of another program? */
bool sb_recorded_is_trace(const char *path);

/* Which update to trace on both sides; where both traces lie next to the recordings, what they say. */
sb_status sb_recorded_bisect_runs(const char *path_a, const char *path_b, sb_recorded_facts *facts, FILE *out);

/* SB_OK: the same bits; SB_E_DIFFERS: out says where and why. nudged: n traces of runs like a that began with every weight
 * moved by one rounding; with them out also says whether the runs differ by more than rounding carries. */
sb_status sb_recorded_bisect_traces(const char *path_a, const char *path_b, const char *const *nudged, size_t n,
                                    sb_recorded_facts *facts, FILE *out);

#endif

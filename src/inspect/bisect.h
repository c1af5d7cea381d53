/* Why two runs differ: the first update, the first operation in it and the first number, and then which of the settings
 * that tell the runs apart makes the difference, each tried alone. */
#ifndef SB_INSPECT_BISECT_H
#define SB_INSPECT_BISECT_H

#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_bisect_options {
    const char *data;   /* the data set both learned from */
    const char *folder; /* traces and runs made on the way stay there; NULL: they go */
    bool quiet;
} sb_bisect_options;

/* Two run files of the same network. Trains here what is needed of them: single updates, unless they
 * part late. SB_OK: the same bits; SB_E_DIFFERS: out says where and why; SB_E_USAGE: not the same network, or not
 * their data set; SB_E_MISSING: one of them needs a backend that is not here. */
sb_status sb_bisect_runs(const char *path_a, const char *path_b, const sb_bisect_options *options, FILE *out);

/* Two trace files of one update, made on two machines, say: the first operation that differs. Nothing is trained. */
sb_status sb_bisect_traces(const char *path_a, const char *path_b, FILE *out);

#endif

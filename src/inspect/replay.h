/* Replays a run: does this machine, with this program, repeat its bits? */
#ifndef SB_INSPECT_REPLAY_H
#define SB_INSPECT_REPLAY_H

#include "core/status.h"
#include "train/readback.h"

#include <stdio.h>

typedef struct sb_replay_options {
    const char *data;          /* the data set the run learned from */
    const char *backend, *isa; /* replace the run's; NULL: the recorded backend, and the best instruction set */
    long threads;              /* 0: as recorded */
    long updates;              /* at most this number; 0: all updates of the run */
    bool quiet;
} sb_replay_options;

/* The options of the run at `path` with the changes of `options`. They point into *readback, which must outlive
 * them. */
sb_status sb_replay_setup(sb_readback *readback, const char *path, const sb_replay_options *options,
                          sb_settings *setup);

/* Train again and compare each entry of the hash chain with the recorded one. SB_OK: all entries are equal; out says
 * how many. SB_E_DIFFERS at the first that differs; out has the differences of the two environments. SB_E_USAGE: not
 * the run's data set. */
sb_status sb_replay_run(const char *path, const sb_replay_options *options, const sb_settings *setup, FILE *out);

#endif

/* Does this machine, with this program, repeat the bits of a run that is already there? */
#ifndef SB_INSPECT_REPLAY_H
#define SB_INSPECT_REPLAY_H

#include "core/status.h"
#include "train/readback.h"

#include <stdio.h>

typedef struct sb_replay_options {
    const char *data;          /* the data set the run learned from */
    const char *backend, *isa; /* in place of the run's; NULL: as recorded, and the best instruction set */
    long threads;              /* the same; 0: as recorded */
    long updates;              /* at most; 0: all that the run has */
    bool quiet;
} sb_replay_options;

/* The options of the run at `path`, as replay changes them; *readback holds what they point into. */
sb_status sb_replay_setup(sb_readback *readback, const char *path, const sb_replay_options *options,
                          sb_settings *setup);

/* Train again, and hold each link of the hash chain against the recorded one. SB_OK: all links are the same, and out
 * says how many; SB_E_DIFFERS at the first one that is not, with what out says differs between the two environments;
 * SB_E_USAGE: not the data set the run learned from. */
sb_status sb_replay_run(const char *path, const sb_replay_options *options, const sb_settings *setup, FILE *out);

#endif

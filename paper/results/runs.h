/* What the report takes from the run files themselves (io/run/runfile.h): predicted frames here, facts of the machines
 * in machine_facts.h. A run file need not be there: the csv files hold the losses, and run files are large and often stay where
 * they were made. */
#pragma once

#include "core/status.h"
#include "io/h5/h5.h"
#include "paper/results/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the run file of a cell should be; *there says whether it is. */
sb_status sb_run_find(const sb_results *results, const sb_result *cell, char path[SB_PATH_MAX], bool *there);

/* The finished run file of a cell, after all of it was read and checked in a process of its own. SB_E_EMPTY: absent, or
 * not finished. SB_E_INTEGRITY: damaged, of another cell, or of another schema. With SB_OK *file is the caller's to
 * close. */
sb_status sb_run_open(sb_h5 **file, const sb_results *results, const sb_result *cell);

/* The same in this process, which is one that sb_guard_start made: one process reads many files, each of them once. */
sb_status sb_run_open_guarded(sb_h5 **file, const sb_results *results, const sb_result *cell);

typedef struct sb_frames { /* {0} holds none */
    size_t n, h, w;
    int64_t *frame;             /* [n], numbers in the data set */
    uint8_t *truth, *predicted; /* [n][h][w][3], grey ones as well */
} sb_frames;

/* The frames of a cell's run, in a whole and finished run file of that very cell. SB_E_EMPTY: the file is absent, not
 * finished, or holds no frames; sb_message says which. A failed call leaves nothing to free. */
sb_status sb_run_frames(sb_frames *frames, const sb_results *results, const sb_result *cell);
void sb_frames_free(sb_frames *frames);

/* Does the folder hold a recording, by its seal? Nothing is checked. */
bool sb_recordings_are_in(const char *folder);

/* Is its cells.csv of a study of commands (docs/any-program.md), by its columns? */
bool sb_commands_are_in(const char *folder);

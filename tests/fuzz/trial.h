/* HDF5 files as the programs meet them, where a fuzzer can look on: first in the process beside this one
 * (io/h5/h5_trial.c), then by readers in this one, as inside a guard (core/machine/guard.h).
 *
 *     if (sb_trial_survived(path, true)) read_run(path);
 *
 * libhdf5 is the distribution's, without sanitizers, and some files crash it. That process beside is there for them:
 * such a crash is no finding. Everything else is: a crash of our own code, there or here, and one of the library over a
 * file that it got through there. Programs with this file want the linker's --wrap for both functions of that guard.
 */
#pragma once

#include <stdbool.h>

/* False: the library broke down over it. Ends this process where our own code did. */
bool sb_trial_survived(const char *path, bool is_sealed);

/* Runs this program as a separate process, for things that a process can do only once, such as reading the environment
 * before main, or having a peak of memory. */
#pragma once

#include "core/status.h"

/* Run the command line argv (ended by NULL) and wait for it; its stdout is dropped. *code: its exit code, 128 + n for
 * signal n. *peak_bytes: its peak memory; may be NULL. SB_E_IO: it cannot be started. */
sb_status sb_child_run(char *const argv[], int *code, double *peak_bytes);

/* This program again, as a process of its own: for what a process can do but once, such as reading the environment
 * before main, or having a peak of memory. */
#ifndef SB_INSPECT_CHILD_H
#define SB_INSPECT_CHILD_H

#include "core/status.h"

/* The command line argv (ended by NULL), waited for; what it prints to stdout is dropped. *code: its exit
 * code, 128 + n for signal n. *peak_bytes: of its memory; may be NULL. SB_E_IO if it cannot be started. */
sb_status sb_child_run(char *const argv[], int *code, double *peak_bytes);

#endif

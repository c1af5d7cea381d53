/* Another program, run to its end: gnuplot, rsvg-convert, latexmk. */
#ifndef SB_PAPER_FILES_CHILD_PROGRAM_H
#define SB_PAPER_FILES_CHILD_PROGRAM_H

#include "core/status.h"

#include <stddef.h>

/* Run argv[0], looked up on PATH, in `folder`, with nothing on its stdin and in one locale on every machine. The
 * beginning of what it says on stdout and stderr comes as one line in said[size], "" for nothing. *code is its exit
 * code, 128 + N if signal N ended it. SB_E_MISSING: there is no such program; `package` is the one to install. */
sb_status sb_child_program_run(const char *folder, const char *const argv[], const char *package, char *said,
                               size_t size, int *code);

#endif

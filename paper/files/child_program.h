/* Another program, run to its end: gnuplot, rsvg-convert, latexmk. Several may be under way at a time:
 *
 *     sb_child_program gnuplot;
 *     SB_TRY(sb_child_program_begin(&gnuplot, folder, argv, "gnuplot-nox"));
 *     SB_TRY(sb_child_program_end(&gnuplot, said, sizeof said, &code));
 */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <sys/types.h>

typedef struct sb_child_program {
    const char *name; /* of argv, the caller's */
    pid_t process;
    int said; /* the pipe that it talks into */
} sb_child_program;

/* Start argv[0], looked up on PATH, in `folder`, with nothing on its stdin and in one locale on every machine.
 * SB_E_MISSING: there is no such program; `package` is the one to install. A failed call leaves nothing to end. */
sb_status sb_child_program_begin(sb_child_program *program, const char *folder, const char *const argv[],
                                 const char *package);

/* Wait for its end. The beginning of what it says on stdout and stderr comes as one line in said[size], "" for nothing.
 * *code is its exit code, 128 + N if signal N ended it. */
sb_status sb_child_program_end(sb_child_program *program, char *said, size_t size, int *code);

/* Both, one after the other. */
sb_status sb_child_program_run(const char *folder, const char *const argv[], const char *package, char *said,
                               size_t size, int *code);

/* What other programs leave where tables of samebits train are expected. */
#ifndef SB_PAPER_RECORDINGS_H
#define SB_PAPER_RECORDINGS_H

#include <stdbool.h>

/* Does the folder hold a recording, by its seal? Nothing is checked. */
bool sb_recordings_are_in(const char *folder);

/* Is its cells.csv of a study of commands (docs/any-program.md), by its columns? */
bool sb_commands_are_in(const char *folder);

#endif

/* Recordings of other programs where collected tables are expected. */
#ifndef SB_PAPER_RECORDINGS_H
#define SB_PAPER_RECORDINGS_H

#include <stdbool.h>

/* Does the folder hold a recording, by its seal? Nothing is checked. */
bool sb_recordings_are_in(const char *folder);

#endif

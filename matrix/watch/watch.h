/* How far a training is that another process runs, from the journal it leaves next to its run file, and the
 * end of its log. */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/store/store.h"

typedef struct sb_watch { /* start with {0} for each attempt */
    double first_seen;    /* when an update was seen for the first time; 0: none yet */
    long first, update;   /* updates done then, and at the last look */
    long total;           /* updates to do, 0 if unknown */
    double loss;          /* of the last frame, at that update */
    double rate;          /* updates per second since the first look, 0 if unknown */
} sb_watch;

void sb_watch_look(sb_watch *watch, const sb_cell *cell, const sb_store *store);

/* Seconds until it is done at this rate; negative if that cannot be said yet. */
double sb_watch_left(const sb_watch *watch);

/* -- the end of a log, for people -- */

enum { SB_TAIL_BYTES = 8192 };

/* The last n_lines lines of a text file, without the final line end; "" if there are none. Longer ends are cut to
 * SB_TAIL_BYTES. A line that was rewritten in place (carriage returns) counts as what it showed last. */
void sb_tail_read(char text[SB_TAIL_BYTES], const char *path, int n_lines);

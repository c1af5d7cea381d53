/* How far a training is that another process runs, from the journal it leaves next to its run file. */
#ifndef SB_MATRIX_WATCH_WATCH_H
#define SB_MATRIX_WATCH_WATCH_H

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

#endif

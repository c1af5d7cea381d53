/* How far a training is that another process runs, from the journal it leaves next to its run file, and the
 * end of its log. */
#pragma once

#include "core/status.h"
#include "matrix/cells/cells.h"
#include "matrix/cells/filter.h"
#include "matrix/store/store.h"

#include <stdio.h>

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

/* A study while it runs, for those who watch: the state of each selected cell, and how far those are that run. Nothing
 * is written but what `status` writes, too, and no run waits for who watches it.
 *
 *     sb_live live;
 *     SB_TRY(sb_live_open(&live, &selection, &looker));
 *     sb_live_look(&live);                        again and again
 *     sb_live_text(&live, rows, columns, out);
 *     sb_live_close(&live);
 */

enum { SB_LIVE_CURVE = 32 };

typedef struct sb_live_cell {
    const sb_cell *cell;
    sb_cell_state state;
    char why[SB_WHY];
    long update, total; /* updates done, 0: none; to do, 0: unknown */
    double loss;        /* of the last frame, at that update; of a running cell */
    double rate;        /* updates per second; 0: unknown */
    double left;        /* seconds; negative: unknown */
    int n_curve;
    double curve[SB_LIVE_CURVE]; /* losses of updates spread over what a running cell has done */
} sb_live_cell;

typedef struct sb_live {
    sb_live_cell *cell; /* in the order of the selection */
    size_t n, count[SB_STATE_N];
    sb_looker looker;
    double seconds; /* that the last look took */
} sb_live;

/* selection must outlive it. */
sb_status sb_live_open(sb_live *live, const sb_selection *selection, const sb_looker *looker);
void sb_live_close(sb_live *live);

/* Cells that are done stay so and are not looked at again. */
void sb_live_look(sb_live *live);

/* A line for each cell, and one for all. rows: at most this number of lines, running and failed cells first;
 * 0: all, in the order of the matrix. columns: of the terminal, whose lines leave out what does not fit
 * (core/screen/fields.h); 0: no terminal. */
void sb_live_text(const sb_live *live, int rows, int columns, FILE *out);

/* What the report takes from the run files themselves (io/runfile.h): predicted frames, and facts of the machine. A run
 * file need not be there: the csv files hold the losses, and run files are large and often stay where they were made.
 */
#ifndef SB_PAPER_RUNS_H
#define SB_PAPER_RUNS_H

#include "core/status.h"
#include "io/h5.h"
#include "paper/notes.h"
#include "paper/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where the run file of a cell should be; *there says whether it is. */
sb_status sb_run_find(const sb_results *results, const sb_cell *cell, char path[SB_PATH_MAX], bool *there);

/* The run file of a cell. SB_E_EMPTY: absent. SB_E_INTEGRITY: damaged, of another cell, or of another schema. With SB_OK
 * *file is the caller's to close; whether the run is finished and whole, sb_runfile_check says. */
sb_status sb_run_open(sb_h5 **file, const sb_results *results, const sb_cell *cell);

typedef struct sb_frames { /* {0} holds none */
    size_t n, h, w;
    int64_t *frame;             /* [n], numbers in the data set */
    uint8_t *truth, *predicted; /* [n][h][w][3], grey ones as well */
} sb_frames;

/* The frames of a cell's run, in a whole and finished run file of that very cell. SB_E_EMPTY: the file is absent, not
 * finished, or holds no frames; sb_message says which. A failed call leaves nothing to free. */
sb_status sb_run_frames(sb_frames *frames, const sb_results *results, const sb_cell *cell);
void sb_frames_free(sb_frames *frames);

typedef struct sb_fact {
    char *name, *value; /* of an attribute of /env */
    size_t n_cells;     /* that have this value */
} sb_fact;

typedef struct sb_facts { /* {0} holds none */
    size_t n;
    sb_fact *fact; /* names in the order of the first run file, the values of a name together */
    size_t n_runs; /* run files that were there */
} sb_facts;

/* /env of every run file that is there; how many are absent is a note. */
sb_status sb_run_facts(sb_facts *facts, const sb_results *results, sb_notes *notes);

/* The facts as a table: name, value, runs. In it, a value's lines are joined by " | ". */
#define SB_ENVIRONMENT_FILE "environment.csv"
void sb_facts_write(FILE *out, const sb_facts *facts);
void sb_facts_free(sb_facts *facts);

#endif

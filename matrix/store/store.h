/* Where a cell's files lie, and what state they say the cell is in.
 *
 *     RESULTS/runs/prednet/walk/native/any/copy/s001/1a2b3c4d.h5       the run file, written by samebits train
 *                                                   1a2b3c4d.log      what it printed, all attempts
 *                                                   1a2b3c4d.failed   why the last attempt failed; gone once it ran
 *                                                   1a2b3c4d.lock     held by the process that runs the cell (process.h)
 *                                                   1a2b3c4d.ok       that its digest was found to hold (stamps.h)
 *                                                   1a2b3c4d.h5.journal its updates, until it is done
 *                                                   1a2b3c4d.again.*  the same of a run that is made once more
 *                                                   1a2b3c4d.result   in place of the run file, of a cell with a command
 *                                                   1a2b3c4d.csv      what the command wrote; also .jsonl, .run
 *                                                   1a2b3c4d.folder/  the cell's own folder, if the command wants one
 *     RESULTS/runs/stamps.ok                                            the stamps of many (stamps.h)
 */
#pragma once

#include "matrix/cells/cells.h"
#include "matrix/store/stamps.h"

#include "core/file.h"
#include "core/screen/screen.h"
#include "core/status.h"
#include "io/run/runfile.h"

typedef struct sb_store {
    char folder[SB_PATH_MAX];
    char run[SB_PATH_MAX], log[SB_PATH_MAX], failed[SB_PATH_MAX], lock[SB_PATH_MAX], ok[SB_PATH_MAX];
    char journal[SB_PATH_MAX];
    char output[SB_PATH_MAX]; /* what the program is told to write: the run file, or the output of a command */
    char kept[SB_PATH_MAX];   /* the own folder of a command's cell */
    size_t relative;          /* run + relative is the run file's path below RESULTS */
} sb_store;

/* SB_E_USAGE when the paths would be too long. */
sb_status sb_store_locate(sb_store *store, const char *results, const sb_cell *cell);

/* The same for a second run of the cell, next to the first. */
sb_status sb_store_locate_again(sb_store *store, const char *results, const sb_cell *cell);

typedef enum sb_store_trust {
    SB_TRUST_STAMP, /* a run file that was read in full before, and is unchanged since, counts as whole */
    SB_TRUST_SEAL,  /* the same, if all of its bytes hold against its seal; for sb_store_open */
    SB_TRUST_NONE,  /* every run file is read in full */
} sb_store_trust;

/* Does the cell's run file hold a complete run of exactly this cell? SB_OK, and *stamp says what is in it; SB_E_EMPTY:
 * not there or not finished; SB_E_INTEGRITY: damaged, made to crash its reader, or the run of another record. It is
 * read in a process of its own. Leaves a stamp. stamps: the list that is asked first, and told; NULL: none. Where it has
 * the stamp, a whole file costs one call of the system. */
sb_status sb_store_check(const sb_store *store, const sb_cell *cell, sb_store_trust trust, sb_stamps *stamps,
                         sb_stamp *stamp);

/* The same, and the run's summary; with SB_OK *file is open and the caller's. What is opened was compared with its
 * seal, where it was not read in full just now or a stamp was to do. */
sb_status sb_store_open(const sb_store *store, const sb_cell *cell, sb_store_trust trust, sb_stamps *stamps,
                        sb_run_summary *summary, sb_h5 **file);

typedef enum sb_cell_state {
    SB_STATE_COMPLETE,
    SB_STATE_DIVERGED,     /* complete, and the training diverged: a result, too */
    SB_STATE_RUNNING,      /* a process holds its lock */
    SB_STATE_FAILED,       /* the last attempt failed, or its run file is damaged */
    SB_STATE_STALE,        /* a run of this name is there, of other settings */
    SB_STATE_MISSING,      /* not run, or begun and interrupted */
    SB_STATE_DATA_MISSING, /* not run, and its data is not here */
    SB_STATE_HARDWARE_MISSING,
    SB_STATE_N,
} sb_cell_state;

/* Is there a result, so that nothing is left to train? */
static inline bool sb_cell_state_is_done(sb_cell_state state)
{
    return state == SB_STATE_COMPLETE || state == SB_STATE_DIVERGED;
}

const char *sb_cell_state_word(sb_cell_state state); /* "hardware missing" */
sb_role sb_cell_state_role(sb_cell_state state);

typedef struct sb_store_look { /* what the files say about a cell, on this host */
    sb_cell_state state;
    char why[SB_WHY]; /* of one that diverged, failed, lacks hardware, or is missing and has begun */
    bool is_damaged;  /* its run file is there, and not as it was written */
    bool has_journal; /* it is not complete, and updates of it are written down */
    sb_stamp stamp;   /* of one that is done */
} sb_store_look;

typedef struct sb_looker {
    const char *results, *data;  /* folders: of the runs, of the data sets */
    const char *mirror;          /* of the data sets' sources; NULL: none */
    sb_stamps *stamps;           /* the caller's; NULL: stamps are read one by one */
    const sb_data_source *asked; /* the data set asked for last, NULL at the beginning, and the answer: */
    bool lacks;
    char why[SB_WHY];
} sb_looker;

/* What state a cell is in on this machine: what its files say, and whether its data can be had. A cell that was not run, or
 * whose run is stale, lacks its data where a person has to bring something first.
 *
 *     sb_looker looker = {.results = "results", .data = "cache/data", .stamps = sb_stamps_open("results")};
 *     sb_look(&look, &looker, cell, SB_TRUST_STAMP);
 */
void sb_look(sb_store_look *look, sb_looker *looker, const sb_cell *cell, sb_store_trust trust);

/* The run file of another record under the cell's name, the newest one; false if there is none. */
bool sb_store_find_other(const sb_store *store, char path[SB_PATH_MAX]);

/* Room on the disk under a path. */

/* Bytes free to this user where path is, or will be: the nearest folder above it that is there. Negative: unknown. */
double sb_disk_free(const char *path);

/* "35.2 GiB", "181 MiB": for people. */
void sb_disk_text(double n_bytes, char text[32]);

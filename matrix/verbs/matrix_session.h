/* What all verbs begin with: load the matrix that the options name, select the cells.
 *
 *     SB_OWNED(sb_matrix_session_close) sb_matrix_session w = {0};
 *     SB_TRY(sb_matrix_session_open(&w, call));
 *     ...w.selection...
 */
#pragma once

#include "matrix/cells/filter.h"
#include "matrix/engine/engine.h"
#include "matrix/image/image.h"
#include "matrix/process/process.h"
#include "matrix/run/plan.h"
#include "matrix/store/store.h"

#include "core/command/options.h"
#include "core/file.h"
#include "core/status.h"
#include "core/text/json.h"
#include "matrix/hardware/hardware.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_matrix_session_options { /* of all verbs; each has the rows it needs in its table */
    const char *file, *results, *data, *mirror, *output, *engine, *lock, *order;
    const char *partition, *account, *time, *memory, *gres; /* of a cluster */
    sb_filter filter;
    sb_texts with; /* folders of tables that were collected elsewhere */
    long jobs, order_seed, max_parallel, grace;
    bool excluded, failed, missing, stale, again, dry_run, verify, slurm, print, traces, json, once;
} sb_matrix_session_options;

#define SB_SESSION_FILE                                                                                                \
    SB_OPTION_NEEDED(sb_matrix_session_options, file, "--file", 'f', "FILE", "matrix file, such as matrix/demo.yaml")
#define SB_SESSION_FILTER                                                                                              \
    SB_OPTION_TEXTS_LETTER(sb_matrix_session_options, filter.names, "--name", 'n', "FILTER", "select cells"),          \
        SB_OPTION_TEXTS_LETTER(sb_matrix_session_options, filter.excludes, "--exclude", 'x', "FILTER",                 \
                               "exclude cells, also selected ones"),                                                   \
        SB_OPTION_TEXTS_LETTER(sb_matrix_session_options, filter.tags, "--tag", 't', "TAG",                            \
                               "select studies with this tag")
#define SB_SESSION_RESULTS                                                                                             \
    SB_OPTION_TEXT(sb_matrix_session_options, results, "--results", "DIR", "results", "folder of the runs, DIR/runs")
#define SB_SESSION_DATA                                                                                                \
    SB_OPTION_TEXT(sb_matrix_session_options, data, "--data", "DIR", "cache/data",                                     \
                   "folder of the data sets; missing ones are made")
#define SB_SESSION_MIRROR                                                                                              \
    SB_OPTION_TEXT(sb_matrix_session_options, mirror, "--mirror", "DIR|URL", NULL,                                     \
                   "copy of the sources of the data sets")
#define SB_SESSION_JSON SB_OPTION_JSON(sb_matrix_session_options)
#define SB_SESSION_VERIFY                                                                                              \
    SB_OPTION_FLAG(sb_matrix_session_options, verify, "--verify",                                                      \
                   "check all bytes of each run file, also of unchanged ones")
#define SB_SESSION_WISH                                                                                                \
    SB_OPTION_FLAG(sb_matrix_session_options, failed, "--failed", "select cells whose last attempt failed"),           \
        SB_OPTION_FLAG(sb_matrix_session_options, missing, "--missing", "select cells that never finished"),           \
        SB_OPTION_FLAG(sb_matrix_session_options, stale, "--stale",                                                    \
                       "select cells whose settings changed since their run"),                                         \
        SB_OPTION_FLAG(sb_matrix_session_options, again, "--again", "train complete cells again and compare the bits")
#define SB_SESSION_JOBS                                                                                                \
    SB_OPTION_INT_LETTER(sb_matrix_session_options, jobs, "--jobs", 'j', "N", "1", 1, 1024,                            \
                         "number of cells that run at the same time")
#define SB_SESSION_ORDER                                                                                               \
    SB_OPTION_CHOICE(sb_matrix_session_options, order, "--order", SB_ORDER_NAMES, "matrix",                            \
                     "order of the cells; round-robin: one seed of each condition first"),                             \
        SB_OPTION_INT(sb_matrix_session_options, order_seed, "--order-seed", "N", "1", 0, 1e9,                         \
                      "seed of --order random")

#define SB_SESSION_ENGINE                                                                                              \
    SB_OPTION_CHOICE(sb_matrix_session_options, engine, "--engine", SB_ENGINE_NAMES, "auto",                           \
                     "container engine that runs a cell"),                                                             \
        SB_OPTION_TEXT(sb_matrix_session_options, lock, "--lock", "FILE", NULL,                                        \
                       "lock file of images and data (default: " SB_IMAGE_LOCK_FILE " if it exists)")

typedef struct sb_matrix_session { /* start with {0} */
    sb_matrix_session_options options;
    sb_cells *cells;
    sb_selection selection;
    sb_stamps *stamps; /* of the results, once a looker was asked for */
} sb_matrix_session;

/* The command's table must be over sb_matrix_session_options. A plain argument is a filter (-n). What the filters
 * removed is told on stderr. Whatever comes back, the caller ends with sb_matrix_session_close. */
sb_status sb_matrix_session_open(sb_matrix_session *work, const sb_call *call);

/* `PROGRAM run -f FILE ...` as these options have it, but without a filter: what a cell is run with, or run with
 * again. */
void sb_matrix_session_run_argv(sb_argv *argv, const char *program, const sb_matrix_session_options *options);

/* The same of samebits-matrix as a line for a shell, from malloc (sb_argv_line). */
sb_status sb_matrix_session_run_line(const sb_matrix_session_options *options, char **line);

/* What is to be run, in which order. */
sb_plan_request sb_matrix_session_request(const sb_matrix_session_options *options);

/* Where the cells' files and data are looked for. Good until the session is closed, which writes the list of stamps. */
sb_looker sb_matrix_session_looker(sb_matrix_session *work);

/* What --verify says. */
sb_store_trust sb_matrix_session_trust(const sb_matrix_session_options *options);

/* Free what open made. */
void sb_matrix_session_close(sb_matrix_session *work);

/* One cell: its state, how far it is, what changed since its last run, and the command that runs it. */

/* On stdout, for people; or, where json is not NULL, as its object "cell" (SB_EXPLAIN_KEYS), which is null after a failure.
 * SB_E_INTEGRITY: the last run under its name is damaged. */
sb_status sb_explain(sb_matrix_session *session, const sb_cell *cell, sb_json *json);

#define SB_EXPLAIN_KEYS                                                                                                \
    {"cell", SB_JSON_OBJECT, "with CELL: more about this one; else null"},                                                        \
        {"cell.run", SB_JSON_TEXT, "where its run file is or will be"},                                                \
        {"cell.log", SB_JSON_TEXT, "where its log is or will be"},                                                     \
        {"cell.log_end", SB_JSON_TEXT, "of a failed one: the last lines of the log"},                                  \
        {"cell.updates", SB_JSON_INTEGER, "updates done; null: none"},                                                 \
        {"cell.updates_total", SB_JSON_INTEGER, "updates to do; null: unknown"},                                       \
        {"cell.loss", SB_JSON_REAL, "of one that has begun: of the last frame of its last update"},                    \
        {"cell.cpu", SB_JSON_TEXT, "of a complete one: the CPU that trained it"},                                      \
        {"cell.machine", SB_JSON_TEXT, "this machine: its CPU and its GPUs"},                                          \
        {"cell.other_run", SB_JSON_TEXT, "a run of other settings under its name; null: none"},                        \
        {"cell.changes", SB_JSON_LIST, "what differs between that run and the cell"},                                  \
        {"cell.changes[].key", SB_JSON_TEXT, "the setting"},                                                           \
        {"cell.changes[].before", SB_JSON_TEXT, "of the run; null: not set"},                                          \
        {"cell.changes[].after", SB_JSON_TEXT, "of the cell; null: not set"},                                          \
    {                                                                                                                  \
        "cell.command", SB_JSON_TEXT, "the command that runs it"                                                       \
    }

/* What this machine can run of a matrix, and what is missing: for people, in groups. */

typedef struct sb_doctor_fact {
    const char *section; /* tools, backends, engines, machine, disk, data */
    bool present;
    char name[SB_PATH_MAX], text[SB_PATH_MAX + 64];
} sb_doctor_fact;

typedef struct sb_doctor {
    sb_doctor_fact *fact; /* the facts of a section next to each other */
    size_t n, n_cells;
    bool can_train, is_short, is_commands;
    size_t count[SB_N_EVIDENCES_OF_CELLS]; /* cells by evidence; those without their data are absent */
    sb_reasons reasons;                    /* why they are */
} sb_doctor;

/* Looks at tools, backends, engines, machine, disk, data sets and cells. Whatever comes back, the caller frees. */
sb_status sb_doctor_examine(sb_doctor *doctor, const sb_matrix_session *w);
void sb_doctor_free(sb_doctor *doctor);

/* Cells that can run here, or have run. */
size_t sb_doctor_runnable(const sb_doctor *doctor);

/* SB_OK: one can. SB_E_MISSING: none; the sentence says what to do first. */
sb_status sb_doctor_judge(const sb_doctor *doctor, const char *matrix);

/* All of it, for people. */
void sb_doctor_print(const sb_doctor *doctor, FILE *out);

/* One cell: its state, how far it is, what changed since its last run, and the command that runs it. */
#pragma once

#include "matrix/verbs/matrix_session.h"

#include "core/text/json.h"

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

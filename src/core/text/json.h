/* What a verb found, as one JSON document on stdout: `VERB --json`.
 *
 *     static const sb_json_key keys[] = {
 *         {"cells", SB_JSON_LIST, "the cells, in the order of the matrix"},
 *         {"cells[].name", SB_JSON_TEXT, "name of the cell"},
 *         {"cells[].loss", SB_JSON_REAL, "loss of the last frame"},
 *         SB_JSON_END,
 *     };
 *     sb_json json = sb_json_begin(call->command);       sb_command.json = keys
 *     sb_json_list(&json, "cells");
 *     sb_json_object(&json, NULL);                       NULL: an item of the list
 *     sb_json_text(&json, "name", cell->name);
 *     sb_json_real(&json, "loss", NAN);                  null
 *     sb_json_end(&json);
 *     sb_json_end(&json);
 *     return sb_json_print(&json, status);
 *
 * The rows are the one list of keys: a key without a row, a value of another kind, or an object that ends without one
 * of its keys is a bug and asserted; docs/json.md is made from the rows (core/command/manual.h). Numbers have all their
 * digits; a real that is not finite, and what is not known or does not apply, is null. Every document begins and ends
 * with the keys of sb_json_common. */
#pragma once

#include "core/command/options.h"
#include "core/text/writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Grows when a key goes or changes its meaning; new keys may come at any time. */
enum { SB_JSON_SCHEMA = 1, SB_JSON_DEPTH = 8, SB_JSON_PATH = 128 };

typedef enum sb_json_kind {
    SB_JSON_TEXT,
    SB_JSON_INTEGER,
    SB_JSON_REAL,
    SB_JSON_FLAG,
    SB_JSON_OBJECT,
    SB_JSON_LIST,
} sb_json_kind;
extern const char *const sb_json_kind_name[]; /* "text", "integer", "number", "true or false", "object", "list" */

struct sb_json_key {
    const char *path; /* "cells[].state": [] stands for each item of a list; NULL ends the rows. At most 64 rows. */
    sb_json_kind kind;
    const char *help; /* one line for docs/json.md */
};
#define SB_JSON_END                                                                                                    \
    {                                                                                                                  \
        0                                                                                                              \
    }

/* schema, program, version, verb; exit_code, message */
extern const sb_json_key sb_json_common[];

typedef struct sb_json { /* of sb_json_begin; the functions below alone touch it */
    sb_writer *out;
    const sb_command *command;
    char path[SB_JSON_PATH]; /* of the object or list that is open */
    int depth;
    struct {
        size_t length;    /* of path */
        bool list, begun; /* begun: it has an item */
        uint64_t written; /* a bit for each row */
    } level[SB_JSON_DEPTH];
} sb_json;

sb_json sb_json_begin(const sb_command *command);

/* key: as in its row after the last dot; NULL: the next item of the open list. */
void sb_json_object(sb_json *json, const char *key);
void sb_json_list(sb_json *json, const char *key);
void sb_json_end(sb_json *json);                                     /* of the object or list that was begun last */
void sb_json_text(sb_json *json, const char *key, const char *text); /* text NULL: null */
void sb_json_words(sb_json *json, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
void sb_json_integer(sb_json *json, const char *key, int64_t value);
void sb_json_integer_if(sb_json *json, const char *key, int64_t value, bool there); /* null where it is not there */
void sb_json_real(sb_json *json, const char *key, double value);
void sb_json_reals(sb_json *json, const char *key, const double *value, size_t n); /* a list of n */
void sb_json_flag(sb_json *json, const char *key, bool value);
void sb_json_null(sb_json *json, const char *key); /* of any kind */

/* End the document with the exit code and the sentence of this status, print it and hand the status through;
 * SB_E_MEMORY, and nothing is printed, where memory was short. */
sb_status sb_json_print(sb_json *json, sb_status status);

/* Instead of printing it: a failure left it without its facts. Hands the status through. */
sb_status sb_json_drop(sb_json *json, sb_status status);

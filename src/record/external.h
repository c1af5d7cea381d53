/* A recording in memory: the hash chain of another program's training, entry by entry. A record of the journal is one
 * change of the recording; the file (external_file.h) contains all of it.
 *
 * The parts of an entry have the numbers of sb_part in samebits.h. */
#pragma once

#include "core/hash.h"
#include "record/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_PART_BATCH, SB_PART_GRADIENT, SB_PART_OPTIMIZER, SB_PART_WEIGHTS, SB_PART_STATE, SB_PART_GENERATOR, SB_PARTS };

/* "batch", "gradient", "optimiser", "weights", "state", "generator": names in the file */
extern const char *const sb_part_names[SB_PARTS];

/* The same parts in sentences: "optimizer" */
extern const char *const sb_part_words[SB_PARTS];

typedef struct sb_text_list { /* {0} is empty */
    size_t n, room;
    char **item;
} sb_text_list;

typedef struct sb_pairs { /* names and values, {0} is empty */
    sb_text_list name, value;
} sb_pairs;

typedef struct sb_chain_link {
    int64_t update;
    double seconds;  /* wall time since the previous entry */
    unsigned absent; /* bit p is set: part p was not given */
    sb_hash part[SB_PARTS];
    size_t n[SB_PARTS];       /* tensors of the part */
    sb_hash *tensor[SB_PARTS]; /* [n]; NULL: removed to save space */
    sb_hash *canonical, *samples; /* [n[SB_PART_BATCH]] */
    size_t n_values;
    double *value; /* [n_values], in the order of columns; NaN: no value */
} sb_chain_link;

typedef struct sb_settings_change {
    int64_t update;
    char *text;
} sb_settings_change;

/* The texts of a row of /found, in the order of sb_report. */
enum { SB_FOUND_KIND, SB_FOUND_OPERATION, SB_FOUND_SITE, SB_FOUND_TENSOR, SB_FOUND_MODULE, SB_FOUND_TEXT, SB_FOUND_TEXTS };
extern const char *const sb_found_names[SB_FOUND_TEXTS];

typedef struct sb_found_row {
    int64_t update;
    char *text[SB_FOUND_TEXTS];
} sb_found_row;

typedef struct sb_external { /* {0} is empty */
    sb_pairs meta, config, env;
    sb_text_list events, columns, names[SB_PARTS];
    size_t n_links, links_room;
    sb_chain_link *link;
    size_t n_changes, changes_room;
    sb_settings_change *change;
    size_t n_found, found_room;
    sb_found_row *found;
    int64_t n_records; /* number of the journal's records that are applied */
    bool complete;
} sb_external;

void sb_external_free(sb_external *e);

/* -- single changes; false: not enough memory -- */
bool sb_text_list_add(sb_text_list *texts, const char *text, size_t n);
void sb_text_list_free(sb_text_list *texts);
bool sb_pairs_set(sb_pairs *pairs, const char *name, const char *value);
const char *sb_pairs_find(const sb_pairs *pairs, const char *name); /* NULL: none */

void sb_chain_link_free(sb_chain_link *link);
sb_chain_link *sb_external_link(const sb_external *e, int64_t update); /* NULL: none */
int64_t sb_external_last(const sb_external *e);                        /* update of the last entry; -1: none */
bool sb_external_may_add_column(const sb_external *e, const char *name); /* false: the name is not valid, exists
                                                                          * already, or is a name of the file's own
                                                                          * columns */

/* Beginnings of the events of a resume. The second one is added if the resume was not from the last entry. */
#define SB_EVENT_RESUMED "resumed after update "
#define SB_EVENT_WENT_ON "went on from update "

/* Does the program draw from this generator: does its state change between entries of one process? A program that does
 * not draw from a generator may not seed it. Then its state differs in each process, and a change at a resume means
 * nothing. */
bool sb_external_is_drawn(const sb_external *e, size_t generator);

/* -- records of the journal: one change each -- */
typedef enum sb_change {
    SB_CHANGE_META = 1,
    SB_CHANGE_CONFIG,
    SB_CHANGE_ENV,
    SB_CHANGE_NAMES,
    SB_CHANGE_LINK,
    SB_CHANGE_SETTINGS,
    SB_CHANGE_FOUND,
    SB_CHANGE_EVENT,
    SB_CHANGE_CUT,
    SB_CHANGE_COLUMN,
} sb_change;

/* Apply a record. False: the record is not valid at this place, or there is not enough memory; then nothing was
 * applied. */
bool sb_external_apply(sb_external *e, sb_change change, const void *bytes, size_t n);

/* Append the bytes of an entry. */
void sb_external_put_link(sb_bytes *b, const sb_chain_link *link);

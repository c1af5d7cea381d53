/* A recording in memory: what a training of others handed over, link by link. A record of the journal is one change of
 * it; the file (external_file.h) is all of it.
 *
 * The parts of a link have the numbers of sb_part in samebits.h. */
#ifndef SB_RECORD_EXTERNAL_H
#define SB_RECORD_EXTERNAL_H

#include "core/hash.h"
#include "record/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_PART_BATCH, SB_PART_GRADIENT, SB_PART_OPTIMIZER, SB_PART_WEIGHTS, SB_PART_STATE, SB_PART_GENERATOR, SB_PARTS };

/* "batch", "gradient", "optimiser", "weights", "state", "generator": names in the file */
extern const char *const sb_part_names[SB_PARTS];

typedef struct sb_text_list { /* {0} is empty */
    size_t n, room;
    char **item;
} sb_text_list;

typedef struct sb_pairs { /* names and values, {0} is empty */
    sb_text_list name, value;
} sb_pairs;

typedef struct sb_chain_link {
    int64_t update;
    double seconds;  /* wall time since the link before */
    unsigned absent; /* bit p: part p was not given */
    sb_hash part[SB_PARTS];
    size_t n[SB_PARTS];       /* tensors of the part */
    sb_hash *tensor[SB_PARTS]; /* [n]; NULL once they were thinned out */
    sb_hash *canonical, *samples; /* [n of the batch] */
    size_t n_values;
    double *value; /* [n_values], by column; NaN: none */
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
    int64_t n_records; /* of the journal, that are in it */
    bool complete;
} sb_external;

void sb_external_free(sb_external *e);

/* -- single changes; false: memory was short -- */
bool sb_text_list_add(sb_text_list *texts, const char *text, size_t n);
bool sb_text_list_add_own(sb_text_list *texts, char *text); /* takes it, also when it fails */
void sb_text_list_free(sb_text_list *texts);
bool sb_pairs_set(sb_pairs *pairs, const char *name, const char *value);
const char *sb_pairs_find(const sb_pairs *pairs, const char *name); /* NULL: none */

void sb_chain_link_free(sb_chain_link *link);
sb_chain_link *sb_external_link(const sb_external *e, int64_t update); /* NULL: none */
int64_t sb_external_last(const sb_external *e);                        /* update of the last link; -1: none */
bool sb_external_may_add_column(const sb_external *e, const char *name); /* a name, not there yet, and no table's own */
void sb_external_cut(sb_external *e, int64_t update);                  /* links and settings after that update go */

/* What events say of a resume; where it did not begin after the last link, of both numbers. */
#define SB_EVENT_RESUMED "resumed after update "
#define SB_EVENT_WENT_ON "went on from update "

/* Does the state of that generator change from link to link? A program that draws nothing from one does not seed it, so that
 * it is another one in each process: between two processes, at a resume, a change says nothing. */
bool sb_external_is_drawn(const sb_external *e, size_t generator);

/* -- records: one change each -- */
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

/* Apply a record; false: it is of no sense here, or memory was short, and nothing of it was applied. */
bool sb_external_apply(sb_external *e, sb_change change, const void *bytes, size_t n);

/* The bytes of a link. */
void sb_external_put_link(sb_bytes *b, const sb_chain_link *link);

#endif

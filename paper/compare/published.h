/* Numbers and claims of others: the records of the yaml files in results/published, whose README.md states the format.
 * */
#ifndef SB_PAPER_COMPARE_PUBLISHED_H
#define SB_PAPER_COMPARE_PUBLISHED_H

#include "core/status.h"
#include "io/yaml/claim_file.h"
#include "paper/numbers/numbers.h"

#include <stddef.h>

typedef enum sb_published_kind {
    SB_PUBLISHED_MEASURED,
    SB_PUBLISHED_DIGITISED,
    SB_PUBLISHED_CLAIM,
    SB_N_PUBLISHED_KINDS
} sb_published_kind;
extern const char *const sb_published_kind_name[SB_N_PUBLISHED_KINDS]; /* "measured", "digitised", "claim" */

typedef struct sb_published_record {
    const char *label, *what, *unit, *source, *date;
    sb_published_kind kind;
    double value, low, high, sd; /* NAN: the source does not give it; a claim has none of them */
    size_t n;                    /* runs of the value; 0: unknown */
    const sb_selector *cell;     /* our cells that measure the same thing; empty: none do */
    sb_metric metric;
} sb_published_record;

typedef struct sb_record_file sb_record_file;

typedef struct sb_published {
    size_t n;
    sb_published_record *record; /* files by name, records as in their file */
    size_t n_files;
    sb_record_file **file; /* what the records point into */
} sb_published;

/* Every *.yaml of the folder. SB_E_USAGE with "PATH:LINE: ..." where a file makes no sense, and for no such folder.
 * SB_E_EMPTY: no file. A failed call leaves nothing to free. */
sb_status sb_published_read(sb_published *published, const char *folder);
void sb_published_free(sb_published *published);

/* Each record with a number into the register, as published.LABEL. */
sb_status sb_published_add(sb_numbers *numbers, const sb_published *published);

#endif

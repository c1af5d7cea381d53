/* A file of published records (results/published/README.md) as structs, texts as written; published.c checks what they
 * mean. A text that is absent is NULL. */
#ifndef SB_PAPER_COMPARE_PUBLISHED_SCHEMA_H
#define SB_PAPER_COMPARE_PUBLISHED_SCHEMA_H

#include "core/status.h"
#include "io/yaml/claim_file.h"

typedef struct sb_record_text {
    char *label, *what, *value, *low, *high, *sd, *n, *unit, *metric;
    sb_selector cell;
} sb_record_text;

typedef struct sb_record_file {
    char *title, *source, *date, *kind;
    sb_record_text *records;
    unsigned n_records;
} sb_record_file;

/* SB_E_USAGE with "PATH:LINE: ...". */
sb_status sb_schema_load_records(const char *path, sb_record_file **file);
void sb_schema_free_records(sb_record_file *file);

#endif

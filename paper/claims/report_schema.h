/* The two kinds of YAML file the report reads, as structs: published records (results/published/README.md) and claims
 * (paper/claims.yaml). The only file of the report that speaks libcyaml (io/yaml.h). Texts as written; published.c and
 * claims.c check what they mean. A text that is absent is NULL. */
#ifndef SB_PAPER_CLAIMS_REPORT_SCHEMA_H
#define SB_PAPER_CLAIMS_REPORT_SCHEMA_H

#include "core/status.h"
#include "paper/claims/selector.h"

typedef struct sb_record_text {
    char *label, *what, *value, *low, *high, *sd, *n, *unit, *metric;
    sb_selector cell;
} sb_record_text;

typedef struct sb_record_file {
    char *title, *source, *date, *kind;
    sb_record_text *records;
    unsigned n_records;
} sb_record_file;

typedef struct sb_claim {
    char *name, *by, *text, *relation, *metric, *each, *margin, *why, *uncounted;
    sb_selector of, over;
} sb_claim;

typedef struct sb_claim_file {
    sb_claim *claims;
    unsigned n_claims;
} sb_claim_file;

/* SB_E_USAGE with "PATH:LINE: ...". */
sb_status sb_schema_load_records(const char *path, sb_record_file **file);
void sb_schema_free_records(sb_record_file *file);
sb_status sb_schema_load_claims(const char *path, sb_claim_file **file);
void sb_schema_free_claims(sb_claim_file *file);

#endif

/* My results against others': every arm of mine against the arm of the reference that is nearest to it, and against
 * published numbers of the same thing.
 *
 * Nearest: the same recipe and target (recipe.h) is a must; of those the arm that agrees in most, in the order backend,
 * arithmetic, machine, kernel type, threads, evidence (of other backends machine and evidence alone). What still
 * differs is named. An arm without such a partner is left out and said so. All comparisons are one family (verdict.h).
 * The margin comes from a one-ulp ensemble in the reference, else in mine, unless one was chosen.
 *
 * A published value is compared with the mean over my seeds, as ratio of mine over it. Only where its source gives a
 * spread and a number of runs does a test follow (Welch); otherwise the verdict is undetermined, whatever the numbers.
 */
#pragma once

#include "core/status.h"
#include "core/text/writer.h"
#include "io/yaml/claim_file.h"
#include "paper/claims/claims.h"
#include "paper/numbers/numbers.h"
#include "paper/results/condition.h"

#include <stddef.h>

/* Numbers and claims of others: the records of the yaml files in results/published, whose README.md states the format. */

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
 * SB_E_EMPTY: no file. The caller frees, also after a failure. */
sb_status sb_published_read(sb_published *published, const char *folder);
void sb_published_free(sb_published *published);

/* Each record with a number into the register, as published.LABEL. */
sb_status sb_published_add(sb_numbers *numbers, const sb_published *published);

typedef struct sb_comparison {
    sb_finding finding;      /* of: mine; over NULL: a published number */
    char mine[SB_ARM_TEXT];  /* "target/native copy" */
    char other[SB_ARM_TEXT]; /* the same of the reference, or the label of a published number */
    char differ[96];         /* what differs besides the results: "machine, threads"; "nothing"; "published" */
    sb_evidence evidence;    /* the weaker of both sides */
} sb_comparison;

typedef struct sb_compare {
    size_t n;
    sb_comparison *comparison; /* in the order of my arms, then published ones */
    sb_metric metric;
    bool common; /* starts that one side lacks are left out */
    size_t count[SB_N_VERDICTS];
    sb_notes notes; /* arms left out */
} sb_compare;

/* One side of it. */
typedef struct sb_compared {
    const sb_results *results;
    const sb_arms *arms;
} sb_compared;

typedef struct sb_compare_rule {
    sb_metric metric;
    const sb_margin *margin; /* NULL: from an ensemble */
    bool common;             /* starts that one side lacks are left out (verdict.h) */
} sb_compare_rule;

/* SB_E_EMPTY: nothing in common, and why. Both sides and published must outlive it. The caller frees, also after a
 * failure. */
sb_status sb_compare_judge(sb_compare *compare, sb_compared mine, sb_compared reference, const sb_published *published,
                           const sb_compare_rule *rule);
void sb_compare_free(sb_compare *compare);

/* compare_write.c: the same content for people, as a table of Markdown, as csv and as JSON, each by a writer of its
 * language: sb_plain, sb_markdown, sb_csv, sb_json_tree. */
extern const sb_language sb_markdown;
void sb_compare_text(sb_writer *out, const sb_compare *compare);
void sb_compare_markdown(sb_writer *out, const sb_compare *compare);
void sb_compare_csv(sb_writer *out, const sb_compare *compare);
void sb_compare_json(sb_writer *out, const sb_compare *compare);

/* figure_compare.c: compare.gp, compare.svg, compare-narrow.svg into an existing folder. */
sb_status sb_compare_draw(const sb_compare *compare, const char *folder);

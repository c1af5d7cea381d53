/* Collected results of another program (docs/any-program.md): cells.csv with axes and metrics of any name, and
 * coverage.csv, which says which values of a metric are better.
 *
 *     if (sb_commands_are_in(folder)) {                     paper/results/runs.h
 *         SB_TRY(sb_program_results_read(&results, folder));
 *         SB_TRY(sb_program_judge(&judgement, &results, metric, of, over, (sb_judge_rule){.margin = NAN}));
 *         ...
 *         sb_program_results_free(&results);
 *     }
 *
 * A condition is what the runs of one study have in common whose seeds, and replicates (ulp), alone differ. */
#pragma once

#include "core/status.h"
#include "core/text/writer.h"
#include "io/table.h"
#include "io/yaml/claim_file.h"
#include "paper/claims/claims.h"
#include "paper/judge/judge.h"
#include "paper/results/condition.h"

#include <stdbool.h>
#include <stddef.h>

/* -- results: program_results.c -- */

enum { SB_PROGRAM_LABEL = 256 };

typedef struct sb_program_condition {
    char label[SB_PROGRAM_LABEL]; /* "rate=0.1 order=sorted": the facts in which the conditions differ */
    size_t row;                   /* its first */
    size_t n;                     /* runs */
} sb_program_condition;

typedef struct sb_program_results { /* {0} holds none */
    sb_table cells, coverage;
    sb_claim_names names;        /* study and axes, and the metrics */
    size_t fact[SB_CLAIM_FACTS]; /* columns */
    size_t hash, seed, bits;     /* columns; bits: hashes of the final weights, else of the output */
    bool has_weights;
    size_t n_metrics;
    const char **metric; /* [n_metrics] in the order of the table */
    bool *higher;        /* [n_metrics] is better */
    size_t n_conditions;
    sb_program_condition *condition; /* in the order of the table */
    size_t *of_row;                  /* [n_rows] the condition of a row */
    sb_condition state;              /* as collected, and complete? */
} sb_program_results;

/* SB_E_INTEGRITY: a row makes no sense. SB_E_USAGE: the name of a condition is too long. The caller frees, also after a
 * failure. */
sb_status sb_program_results_read(sb_program_results *results, const char *folder);
void sb_program_results_free(sb_program_results *results);

/* Has any run of the condition the metric? Studies of one file may have other metrics. */
bool sb_program_has_metric(const sb_program_results *results, size_t condition, size_t metric);

/* The value of a run of a condition that has the metric; NAN: it diverged. */
double sb_program_value(const sb_program_results *results, size_t row, size_t metric);

/* One condition over another. rule: the caller's margin, its source, and common; the results give the rest. */
sb_status sb_program_judge(sb_judgement *judgement, const sb_program_results *results, size_t metric, size_t of,
                           size_t over, sb_judge_rule rule);

/* -- claims: program_claims.c -- */

/* Claims about results of another program, judged by the rules of docs/claims.md, and what follows from no claim: each
 * condition over the first one of its study, in each metric.
 *
 *     SB_TRY(sb_program_claims_judge(&claims, path, &results));
 *     sb_claims_print(stdout, &claims.claims);
 *     sb_program_claims_free(&claims);
 */

typedef struct sb_program_claims { /* {0} holds none */
    sb_claims claims;
    sb_group group;            /* one for all conditions: it has no name */
    sb_configuration *setting; /* [n_conditions] */
    sb_result cell;
    const sb_result *cells; /* &cell */
} sb_program_claims;

/* The results must outlive the claims. SB_E_USAGE with "PATH:LINE: ..." where the file makes no sense. The caller
 * frees, also after a failure. */
sb_status sb_program_claims_judge(sb_program_claims *claims, const char *path, const sb_program_results *results);
void sb_program_claims_free(sb_program_claims *claims);

/* -- comparisons, question and answer: program_compare.c -- */

/* Each condition of another program's results over the first one of its study, in one metric: what can be said where no claim
 * says what to compare.
 *
 *     SB_TRY(sb_program_compare(&comparisons, &results, metric));
 *     for (size_t i = 0; i < comparisons.n; i++)
 *         sb_verdict_effect_text(&comparisons.item[i].judgement.comparison->verdict, text);
 *     sb_program_comparisons_free(&comparisons);
 */

/* Ratios up to it count as equal, as in samebits-report judge. */
#define SB_PROGRAM_MARGIN 1.05

typedef struct sb_program_comparison {
    size_t of, over; /* conditions */
    sb_judgement judgement;
} sb_program_comparison;

typedef struct sb_program_comparisons { /* {0} holds none */
    size_t n;
    sb_program_comparison *item; /* [n] in the order of the conditions; p is adjusted for all of them */
} sb_program_comparisons;

/* The caller frees, also after a failure. */
sb_status sb_program_compare(sb_program_comparisons *comparisons, const sb_program_results *results, size_t metric);
void sb_program_comparisons_free(sb_program_comparisons *comparisons);

/* A plain line that ends with '?': what the claims ask, else how many runs there are. */
enum { SB_PROGRAM_QUESTION = 4 * SB_QUESTION_LENGTH + 1 };
void sb_program_question(const sb_program_results *results, const sb_program_claims *claims,
                         char text[SB_PROGRAM_QUESTION]);

/* The question, and the answer in sentences: the claims, if there are any, else the comparisons. SB_E_MEMORY only. */
sb_status sb_program_write_answer(sb_writer *out, const sb_program_results *results, const sb_program_claims *claims);

/* -- page: program_page.c -- */

/* Results of another program as one page: the question and its answer, each metric with its conditions, the claims, what was
 * left out, every run. It has the style of the other page (page/page.h) and needs no other file. */

/* FOLDER/index.html. claims NULL: there are none. */
sb_status sb_program_page_write(const sb_program_results *results, const sb_program_claims *claims, const char *folder);

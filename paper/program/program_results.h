/* Collected results of another program (docs/any-program.md): cells.csv with axes and metrics of any name, and
 * coverage.csv, which says which values of a metric are better.
 *
 *     if (sb_commands_are_in(folder)) {                     paper/results/recordings.h
 *         SB_TRY(sb_program_results_read(&results, folder));
 *         SB_TRY(sb_program_judge(&judgement, &results, metric, of, over, (sb_judge_rule){.margin = NAN}));
 *         ...
 *         sb_program_results_free(&results);
 *     }
 *
 * A condition is what the runs of one study have in common whose seeds, and replicates (ulp), alone differ. */
#ifndef SB_PAPER_PROGRAM_PROGRAM_RESULTS_H
#define SB_PAPER_PROGRAM_PROGRAM_RESULTS_H

#include "core/status.h"
#include "io/table.h"
#include "io/yaml/claim_file.h"
#include "paper/judge/judge.h"
#include "paper/results/condition.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_PROGRAM_LABEL = 256 };

typedef struct sb_program_condition {
    char label[SB_PROGRAM_LABEL]; /* "rate=0.1 order=sorted": the facts in which the conditions differ */
    size_t row;                   /* its first */
    size_t n;                     /* runs */
} sb_program_condition;

typedef struct sb_program_results { /* {0} holds none */
    sb_table cells, coverage;
    sb_claim_names names;               /* study and axes, and the metrics */
    size_t fact[SB_CLAIM_FACTS];        /* columns */
    size_t hash, seed, bits;            /* columns; bits: hashes of the final weights, else of the output */
    bool has_weights;
    size_t n_metrics;
    const char **metric;                /* [n_metrics] in the order of the table */
    bool *higher;                       /* [n_metrics] is better */
    size_t n_conditions;
    sb_program_condition *condition;    /* in the order of the table */
    size_t *of_row;                     /* [n_rows] the condition of a row */
    sb_condition state;                 /* as collected, and complete? */
} sb_program_results;

/* SB_E_INTEGRITY: a row makes no sense. SB_E_USAGE: the name of a condition is too long. A failed call leaves nothing to
 * free. */
sb_status sb_program_results_read(sb_program_results *results, const char *folder);
void sb_program_results_free(sb_program_results *results);

/* Has any run of the condition the metric? Studies of one file may have other metrics. */
bool sb_program_has_metric(const sb_program_results *results, size_t condition, size_t metric);

/* The value of a run of a condition that has the metric; NAN: it diverged. */
double sb_program_value(const sb_program_results *results, size_t row, size_t metric);

/* One condition over another. rule: the caller's margin, its source, and common; the results give the rest. */
sb_status sb_program_judge(sb_judgement *judgement, const sb_program_results *results, size_t metric, size_t of, size_t over,
                           sb_judge_rule rule);

#endif

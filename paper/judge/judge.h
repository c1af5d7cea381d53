/* Verdicts from plain tables: all conditions of a table compared with each other, by verdict.h. Values are compared as
 * ratios. If one is negative, or where the rule says so, they are compared as differences: the engine is then given
 * exp(value / unit), so that its logarithms are values in that unit.
 *
 *     SB_TRY(sb_judge_read(&runs, ...));
 *     SB_TRY(sb_judge(&judgement, &runs, &(sb_judge_rule){.margin = 1.05, .margin_source = "--margin", .within = NAN}));
 *     ... judgement.comparison[i].verdict.word ...
 *     sb_judgement_free(&judgement);
 *     sb_judge_runs_free(&runs);
 */
#pragma once

#include "core/command/options.h"
#include "core/status.h"
#include "io/table.h"
#include "paper/effects/verdict.h"

#include <stdbool.h>
#include <stddef.h>

/* -- tables: judge_runs.c -- */

/* The runs of plain tables, each with a condition, a seed and a final value. Three forms of table are read:
 *
 *   rows      columns for condition, seed and metric; a row is a run. MLflow's "params.", "metrics." and "tags." in front of
 *             a column's name may be left out. With a column of steps a row is one step, and a run's last value counts.
 *   wide      the export of a chart of Weights & Biases: a column "RUN - METRIC" for each run, a row for each step
 *   scalars   the export of TensorBoard: "Wall time,Step,Value"; the file is a run
 *
 * In the last two the run's name, or the path of the file, says condition and seed: "hardware=h100,seed=3".
 *
 *     SB_TRY(sb_judge_read(&runs, &(sb_judge_columns){.by = "hardware", .metric = "loss"}, paths, n_paths));
 *     ...
 *     sb_judge_runs_free(&runs);
 */

/* Names of columns. NULL: the usual one, if the table has it. */
#define SB_JUDGE_NONE "none" /* not even the usual one */
typedef struct sb_judge_columns {
    const char *by, *metric; /* never NULL */
    const char *pair;        /* "seed"; runs without it are not paired */
    const char *hash;        /* of the final weights: "weights", if it holds hashes */
    const char *step;        /* "step", "epoch", ...; without it each row is a run */
    const char *run; /* "run", "run_id", ...: distinguishes the runs of one condition and seed if rows are steps */
    sb_texts where;  /* "COLUMN=VALUE": only rows that have all of them */
} sb_judge_columns;

typedef struct sb_judge_run {
    char *condition, *pair, *weights, *name; /* the last three may be NULL */
    double value;                            /* NAN: it diverged */
    double step;                             /* NAN: the table has no steps */
    bool empty;                              /* the field of the value is */
    const char *path;
    size_t line;  /* of the value; of the heading where a run is a column */
    size_t order; /* of the row */
} sb_judge_run;

typedef struct sb_judge_runs {
    size_t n, room, n_rows;
    size_t n_passed;   /* values that are not finite, before the last step of a run */
    sb_judge_run *run; /* in the order of the tables */
    bool paired;
    char steps[64]; /* the column of steps; "": none */
    char copy[520]; /* "A.csv and B.csv": two tables with the same rows; "": none */
} sb_judge_runs;

/* The paths must outlive the runs. SB_E_USAGE: no such file or column, or a file that is named twice. SB_E_EMPTY: no run. SB_E_INTEGRITY: a line makes
 * no sense. A failed call leaves nothing to free. */
sb_status sb_judge_read(sb_judge_runs *runs, const sb_judge_columns *columns, const char *const *path, size_t n_paths);
void sb_judge_runs_free(sb_judge_runs *runs);

/* Are higher values of that metric better, by coverage.csv next to a collected table, which keeps 'better' of its matrix
 * file? false as well where none is there, or it does not say. */
bool sb_judge_higher(const char *table, const char *metric);

/* -- one table: judge_forms.c -- */

/* The rows of one table, added to the runs. */
sb_status sb_judge_take(sb_judge_runs *runs, const sb_judge_columns *columns, const sb_table *table, const char *path);

/* A copy of this run, added to the runs; texts are copied. */
sb_status sb_judge_add(sb_judge_runs *runs, const sb_judge_run *run);

/* -- names: judge.c -- */

/* The value of a key in the name of a run: "h100" of "run-hardware=h100_seed=3-tag-loss" and "hardware". It is allocated;
 * NULL: the name does not say it, or no memory. */
char *sb_judge_named(const char *name, const char *key);

/* Is the heading "RUN - METRIC"? Then the run's name is in `name`. */
enum { SB_JUDGE_NAME = 256 };
bool sb_judge_heads(const char *heading, const char *metric, char name[SB_JUDGE_NAME]);

/* -- the same file twice: judge_runs.c -- */

/* SB_E_USAGE if two of these paths lead to one file, or to files whose seals hold the same digest; SB_E_MEMORY. */
sb_status sb_distinct_check(const char *const *path, size_t n);

/* -- verdicts: judge.c -- */

enum { SB_JUDGE_CONDITIONS = 32 };

typedef struct sb_judge_rule {
    const char *by, *metric;
    bool higher;               /* is better */
    bool common;               /* only the seeds that both conditions have */
    double margin;             /* ratios up to it count as equal; NAN: none do */
    const char *margin_source; /* who chose it: "--margin" */
    double within;             /* differences up to it do; NAN: ratios are judged */
    const char *reference;     /* the condition that the others are compared with; NULL: each with each */
} sb_judge_rule;

typedef struct sb_judge_comparison {
    const char *of, *over; /* conditions; the runs own the texts */
    sb_verdict verdict;    /* of the values of `of` over the values of `over`, whichever is better */
    size_t more;           /* pairs, or seeds of each condition, that would decide; 0: unknown, or it is decided */
} sb_judge_comparison;

typedef struct sb_judgement {
    bool differences;
    double unit;   /* of differences, a power of two above all values; 0: ratios are judged */
    size_t n_zero; /* values of 0 that are judged by ratios */
    size_t n_conditions;
    const char *condition[SB_JUDGE_CONDITIONS];
    size_t n;
    sb_judge_comparison *comparison;
} sb_judgement;

/* SB_E_EMPTY: nothing to compare. SB_E_USAGE: no such reference, or too many conditions. The caller frees, also after a
 * failure. */
sb_status sb_judge(sb_judgement *judgement, const sb_judge_runs *runs, const sb_judge_rule *rule);
void sb_judgement_free(sb_judgement *judgement);

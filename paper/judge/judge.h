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
#ifndef SB_PAPER_JUDGE_JUDGE_H
#define SB_PAPER_JUDGE_JUDGE_H

#include "core/status.h"
#include "paper/effects/verdict.h"
#include "paper/judge/judge_runs.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_JUDGE_CONDITIONS = 32 };

typedef struct sb_judge_rule {
    const char *by, *metric;
    bool higher;           /* is better */
    bool common;           /* only the seeds that both conditions have */
    double margin;         /* ratios up to it count as equal; NAN: none do */
    const char *margin_source; /* who chose it: "--margin" */
    double within;         /* differences up to it do; NAN: ratios are judged */
    const char *reference; /* the condition that the others are compared with; NULL: each with each */
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

/* SB_E_EMPTY: nothing to compare. SB_E_USAGE: no such reference, or too many conditions. A failed call leaves nothing to
 * free. */
sb_status sb_judge(sb_judgement *judgement, const sb_judge_runs *runs, const sb_judge_rule *rule);
void sb_judgement_free(sb_judgement *judgement);

#endif

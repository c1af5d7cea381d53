#include "paper/program/program_results.h"

#include "core/size.h"
#include "paper/files/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- columns -- */

/* The metrics of coverage.csv. */
static sb_status find_metrics(sb_program_results *r)
{
    const sb_table *t = &r->coverage;
    size_t column;
    r->metric = sb_size_allocate(t->n_rows + 1, sizeof *r->metric);
    r->higher = sb_size_allocate(t->n_rows + 1, sizeof *r->higher);
    if (!r->metric || !r->higher) return sb_fail(SB_E_MEMORY, "%s: not enough memory", t->path);
    for (size_t row = 0; row < t->n_rows; row++) {
        const char *name = sb_table_text_or_none(t, row, "value");
        if (strcmp(sb_table_text_or_none(t, row, "what"), "metric") != 0) continue;
        SB_TRY(sb_table_column(&r->cells, name, &column));
        r->higher[r->n_metrics] = strcmp(sb_table_text_or_none(t, row, "why"), "higher") == 0;
        r->metric[r->n_metrics++] = name;
    }
    r->names.metric = r->metric;
    r->names.n_metrics = r->n_metrics;
    if (r->n_metrics) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: names no metric; collect again", t->path);
}

/* Study and axes stand between the hash of a cell and its first metric. */
static sb_status find_facts(sb_program_results *r)
{
    const sb_table *t = &r->cells;
    size_t first, end;
    SB_TRY(sb_table_column(t, "hash", &r->hash));
    SB_TRY(sb_table_column(t, "seed", &r->seed));
    SB_TRY(sb_table_column(t, "study", &first));
    SB_TRY(sb_table_column(t, r->metric[0], &end));
    r->bits = sb_table_find(t, "weights");
    r->has_weights = r->bits < t->n_columns;
    if (!r->has_weights) SB_TRY(sb_table_column(t, "output", &r->bits));
    for (size_t c = r->hash + 1; c < end; c++) {
        if (strcmp(t->field[c], "seed") == 0 || strcmp(t->field[c], "ulp") == 0) continue;
        if (r->names.n_facts == SB_CLAIM_FACTS)
            return sb_fail(SB_E_INTEGRITY, "%s:1: more than %d columns of axes", t->path, SB_CLAIM_FACTS);
        r->fact[r->names.n_facts] = c;
        r->names.fact[r->names.n_facts++] = t->field[c];
    }
    return SB_OK;
}

/* -- conditions -- */

static bool is_same(const sb_program_results *r, size_t a, size_t b)
{
    for (size_t i = 0; i < r->names.n_facts; i++)
        if (strcmp(sb_table_text(&r->cells, a, r->fact[i]), sb_table_text(&r->cells, b, r->fact[i])) != 0) return false;
    return true;
}

static sb_status find_conditions(sb_program_results *r)
{
    r->condition = sb_size_allocate(r->cells.n_rows + 1, sizeof *r->condition);
    r->of_row = sb_size_allocate(r->cells.n_rows + 1, sizeof *r->of_row);
    if (!r->condition || !r->of_row) return sb_fail(SB_E_MEMORY, "%s: not enough memory", r->cells.path);
    for (size_t row = 0; row < r->cells.n_rows; row++) {
        size_t k = 0;
        while (k < r->n_conditions && !is_same(r, r->condition[k].row, row)) k++;
        if (k == r->n_conditions) r->condition[r->n_conditions++].row = row;
        r->condition[k].n++;
        r->of_row[row] = k;
    }
    return r->n_conditions ? SB_OK : sb_fail(SB_E_EMPTY, "%s: holds no run", r->cells.path);
}

static const char *fact_of(const sb_program_results *r, size_t condition, size_t fact)
{
    return sb_table_text(&r->cells, r->condition[condition].row, r->fact[fact]);
}

/* Has it another value in each condition; or does it vary at all? */
static bool tells_apart(const sb_program_results *r, size_t fact, bool all)
{
    for (size_t a = 0; a < r->n_conditions; a++)
        for (size_t b = a + 1; b < r->n_conditions; b++)
            if ((strcmp(fact_of(r, a, fact), fact_of(r, b, fact)) == 0) == all) return !all;
    return all;
}

/* alone: the fact that is the whole name; n_facts: each fact that varies is a part of it. Conditions differ by
 * their names, so no name is cut. */
static sb_status name_condition(sb_program_results *r, size_t k, size_t alone)
{
    char *label = r->condition[k].label;
    for (size_t i = 0; i < r->names.n_facts; i++) {
        const size_t used = strlen(label), room = SB_PROGRAM_LABEL - used;
        if (alone < r->names.n_facts ? i != alone : !tells_apart(r, i, false)) continue;
        const char *blank = used ? " " : "", *name = r->names.fact[i];
        if ((size_t)snprintf(label + used, room, "%s%s=%s", blank, name, fact_of(r, k, i)) < room) continue;
        return sb_fail(
            SB_E_USAGE,
            "%s:%zu: the axes of this run with their values have more than %d characters; shorten the values",
            r->cells.path, sb_table_line(&r->cells, r->condition[k].row), SB_PROGRAM_LABEL - 1);
    }
    return SB_OK;
}

/* If a fact differs between all conditions, it alone is the name; the last such fact of the table, where the program's
 * own are. */
static sb_status name_conditions(sb_program_results *r)
{
    size_t alone = r->names.n_facts;
    for (size_t i = 0; i < r->names.n_facts; i++)
        if (tells_apart(r, i, true)) alone = i;
    if (r->n_conditions == 1) alone = 0;
    for (size_t k = 0; k < r->n_conditions; k++) SB_TRY(name_condition(r, k, alone));
    return SB_OK;
}

/* -- reading -- */

static sb_status check_values(const sb_program_results *r)
{
    for (size_t row = 0; row < r->cells.n_rows; row++) {
        long seed;
        SB_TRY(sb_table_int(&r->cells, row, r->seed, &seed));
        for (size_t m = 0; m < r->n_metrics; m++) {
            size_t column;
            double value;
            SB_TRY(sb_table_column(&r->cells, r->metric[m], &column));
            if (*sb_table_text(&r->cells, row, column)) SB_TRY(sb_table_real(&r->cells, row, column, &value));
        }
    }
    return SB_OK;
}

static sb_status read_table(sb_table *table, const char *folder, const sb_columns *columns, const char *name)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, folder, "%s", name));
    return sb_table_read(table, path, columns);
}

sb_status sb_program_results_read(sb_program_results *r, const char *folder)
{
    *r = (sb_program_results){0};
    SB_TRY(read_table(&r->cells, folder, NULL, "cells.csv"));
    SB_TRY(read_table(&r->coverage, folder, &sb_columns_coverage, "coverage.csv"));
    SB_TRY(find_metrics(r));
    SB_TRY(find_facts(r));
    SB_TRY(check_values(r));
    SB_TRY(find_conditions(r));
    SB_TRY(name_conditions(r));
    return sb_condition_read(&r->state, folder, r->cells.n_rows, NULL);
}

void sb_program_results_free(sb_program_results *r)
{
    sb_condition_free(&r->state);
    free(r->of_row);
    free(r->condition);
    free(r->higher);
    free(r->metric);
    sb_table_free(&r->coverage);
    sb_table_free(&r->cells);
    *r = (sb_program_results){0};
}

/* -- verdicts -- */

bool sb_program_has_metric(const sb_program_results *r, size_t condition, size_t metric)
{
    size_t left = r->condition[condition].n;
    for (size_t row = r->condition[condition].row; left; row++) {
        if (r->of_row[row] != condition) continue;
        if (*sb_table_text_or_none(&r->cells, row, r->metric[metric])) return true;
        left--;
    }
    return false;
}

double sb_program_value(const sb_program_results *r, size_t row, size_t metric)
{
    size_t column;
    double value;
    if (sb_table_column(&r->cells, r->metric[metric], &column) != SB_OK) return NAN;
    if (sb_table_real(&r->cells, row, column, &value) != SB_OK) return NAN;
    return isfinite(value) ? value : NAN;
}

static sb_status add_runs(sb_judge_runs *runs, const sb_program_results *r, size_t metric, size_t condition)
{
    const sb_table *t = &r->cells;
    for (size_t row = 0; row < t->n_rows; row++) {
        if (r->of_row[row] != condition) continue;
        const sb_judge_run run = {.condition = r->condition[condition].label,
                                  .pair = t->field[(row + 1) * t->n_columns + r->seed],
                                  .weights = t->field[(row + 1) * t->n_columns + r->bits],
                                  .value = sb_program_value(r, row, metric),
                                  .step = NAN,
                                  .path = t->path,
                                  .line = sb_table_line(t, row)};
        SB_TRY(sb_judge_add(runs, &run));
    }
    return SB_OK;
}

sb_status sb_program_judge(sb_judgement *judgement, const sb_program_results *r, size_t metric, size_t of, size_t over,
                           sb_judge_rule rule)
{
    SB_OWNED(sb_judge_runs_free) sb_judge_runs runs = {.paired = true};
    rule.by = "condition";
    rule.metric = r->metric[metric];
    rule.higher = r->higher[metric];
    rule.within = NAN;
    rule.reference = r->condition[over].label;
    SB_TRY(add_runs(&runs, r, metric, over));
    SB_TRY(add_runs(&runs, r, metric, of));
    SB_TRY(sb_judge(judgement, &runs, &rule));
    /* The runs go, and the conditions' labels stay. */
    judgement->condition[0] = r->condition[over].label, judgement->condition[1] = r->condition[of].label;
    sb_judge_comparison *comparison = judgement->comparison;
    comparison->of = comparison->verdict.side[0].name = r->condition[of].label;
    comparison->over = comparison->verdict.side[1].name = r->condition[over].label;
    return SB_OK;
}

#include "core/command/nearest.h"
#include "paper/judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* -- columns -- */

static const char usual_steps[] = "step|Step|_step|global_step|epoch|iteration|update";
static const char usual_runs[] = "run|Run|run_id|Run ID|run_name";

/* MLflow writes "params.seed" and "metrics.loss". */
static bool find_column(const sb_table *table, const char *name, size_t *column)
{
    static const char *const before[] = {"", "params.", "metrics.", "tags."};
    char whole[SB_JUDGE_NAME];
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        snprintf(whole, sizeof whole, "%s%s", before[i], name);
        *column = sb_table_find(table, whole);
        if (*column < table->n_columns) return true;
    }
    return false;
}

/* The first of "step|Step|..." that the table has. */
static bool find_first(const sb_table *table, const char *names, size_t *column)
{
    char name[SB_JUDGE_NAME];
    for (; *names; names += *names == '|') {
        const size_t n = strcspn(names, "|");
        snprintf(name, sizeof name, "%.*s", (int)n, names);
        if (find_column(table, name, column)) return true;
        names += n;
    }
    return false;
}

/* The column whose name differs in case alone; NULL: none. */
static const char *find_other_case(const sb_table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcasecmp(table->field[c], name) == 0) return table->field[c];
    return NULL;
}

static const char *find_nearest(const sb_table *table, const char *name)
{
    const char *same = find_other_case(table, name);
    sb_nearest nearest = sb_nearest_begin(name);
    for (size_t c = 0; c < table->n_columns; c++) sb_nearest_offer(&nearest, table->field[c]);
    return same ? same : nearest.name;
}

static sb_status fail_column(const sb_table *table, const char *name, const char *option)
{
    const char *near = find_nearest(table, name);
    char all[SB_JUDGE_NAME] = "";
    if (near)
        return sb_fail(SB_E_USAGE, "%s:%zu: no column '%.80s', did you mean '%.80s'? (%s)", table->path, table->line[0],
                       name, near, option);
    for (size_t c = 0; c < table->n_columns && strlen(all) < SB_JUDGE_NAME / 2; c++)
        snprintf(all + strlen(all), SB_JUDGE_NAME - strlen(all), "%s%.80s", c ? ", " : "", table->field[c]);
    return sb_fail(SB_E_USAGE, "%s:%zu: no column '%.80s' (%s); its columns: %s%s", table->path, table->line[0], name,
                   option, all, strlen(all) < SB_JUDGE_NAME / 2 ? "" : ", ...");
}

/* The column of that name; without one the first of the usual ones. *column is n_columns where there is none of them, and
 * for the name "none". */
static sb_status find_optional(const sb_table *table, const char *name, const char *usual, const char *option,
                               size_t *column)
{
    if (name ? find_column(table, name, column) : find_first(table, usual, column)) return SB_OK;
    *column = table->n_columns;
    return name && strcmp(name, SB_JUDGE_NONE) != 0 ? fail_column(table, name, option) : SB_OK;
}

/* -- values -- */

static bool is_empty(const char *text)
{
    static const char *const words[] = {"", "na", "n/a", "null", "none"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0) return true;
    return false;
}

/* NAN for what is no finite number: the run diverged. */
static sb_status take_value(const sb_table *table, size_t row, size_t column, sb_judge_run *run)
{
    run->value = NAN;
    run->empty = is_empty(sb_table_text(table, row, column));
    if (!run->empty) SB_TRY(sb_table_real(table, row, column, &run->value));
    if (!isfinite(run->value)) run->value = NAN;
    return SB_OK;
}

static sb_status take_step(const sb_table *table, size_t row, size_t column, double *step)
{
    *step = NAN;
    if (column == table->n_columns) return SB_OK;
    SB_TRY(sb_table_real(table, row, column, step));
    if (isfinite(*step)) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s wants a number, not '%s'", table->path, sb_table_line(table, row),
                   table->field[column], sb_table_text(table, row, column));
}

/* Seeds are compared as numbers if they are numbers: 3 is 3.0. */
enum { SEED = 32 };
static char *seed_text(char *text, char number[SEED])
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value)) return text;
    snprintf(number, SEED, "%.17g", value);
    return number;
}

static sb_status fail_empty(const sb_table *table, size_t row, size_t column)
{
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: %s is empty", table->path, sb_table_line(table, row), table->field[column]);
}

/* -- rows -- */

typedef struct columns {
    size_t by, pair, metric, hash, step, run;
    size_t where[SB_OPTION_LIST_MAX];
    const char *value[SB_OPTION_LIST_MAX];
} columns;

static sb_status find_where(const sb_table *table, const sb_texts *where, columns *c)
{
    for (int i = 0; i < where->n; i++) {
        char name[SB_JUDGE_NAME];
        c->value[i] = strchr(where->item[i], '=');
        if (!c->value[i] || c->value[i] == where->item[i])
            return sb_fail(SB_E_USAGE, "samebits-report judge: --where wants COLUMN=VALUE, not '%.80s'",
                           where->item[i]);
        snprintf(name, sizeof name, "%.*s", (int)(c->value[i]++ - where->item[i]), where->item[i]);
        if (!find_column(table, name, &c->where[i])) return fail_column(table, name, "--where");
    }
    return SB_OK;
}

static bool is_wanted(const sb_table *table, const columns *c, int n, size_t row)
{
    for (int i = 0; i < n; i++)
        if (strcmp(sb_table_text(table, row, c->where[i]), c->value[i]) != 0) return false;
    return true;
}

static bool holds_hashes(const sb_table *table, size_t column)
{
    for (size_t row = 0; column < table->n_columns && row < table->n_rows; row++) {
        const char *text = sb_table_text(table, row, column);
        if (!is_empty(text) && !sb_column_holds(SB_COLUMN_HASH, NULL, text)) return false;
    }
    return true;
}

static sb_status find_columns(const sb_table *table, const sb_judge_columns *named, columns *c)
{
    if (!find_column(table, named->metric, &c->metric)) return fail_column(table, named->metric, "--metric");
    SB_TRY(find_optional(table, named->pair, "seed", "--pair", &c->pair));
    if (!named->pair && c->pair == table->n_columns && find_other_case(table, "seed"))
        return fail_column(table, "seed", "--pair");
    SB_TRY(find_optional(table, named->hash, "weights", "--hash", &c->hash));
    if (!named->hash && !holds_hashes(table, c->hash)) c->hash = table->n_columns;
    SB_TRY(find_optional(table, named->step, usual_steps, "--step", &c->step));
    return find_optional(table, named->run, usual_runs, "--run", &c->run);
}

/* A column of conditions, seeds and values at once would compare numbers with themselves. */
static sb_status check_roles(const sb_table *table, const columns *c)
{
    static const char *const option[] = {"--by", "--metric", "--pair"};
    const size_t of[] = {c->by, c->metric, c->pair};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            if (of[i] == of[k])
                return sb_fail(SB_E_USAGE, "%s:%zu: %s and %s name the same column '%.80s'", table->path,
                               table->line[0], option[k], option[i], table->field[of[i]]);
    return SB_OK;
}

static char *field(const sb_table *table, size_t row, size_t column)
{
    return column < table->n_columns ? table->field[(row + 1) * table->n_columns + column] : NULL;
}

static sb_status take_row(sb_judge_runs *runs, const columns *c, const sb_table *table, size_t row, const char *path)
{
    char number[SEED];
    sb_judge_run run = {.condition = field(table, row, c->by),
                        .pair = field(table, row, c->pair),
                        .weights = field(table, row, c->hash),
                        .name = field(table, row, c->run),
                        .path = path,
                        .line = sb_table_line(table, row)};
    if (!*run.condition) return fail_empty(table, row, c->by);
    if (run.pair && (is_empty(run.pair) || strcasecmp(run.pair, "nan") == 0)) return fail_empty(table, row, c->pair);
    if (run.pair) run.pair = seed_text(run.pair, number);
    if (run.weights && is_empty(run.weights)) run.weights = NULL;
    SB_TRY(take_value(table, row, c->metric, &run));
    SB_TRY(take_step(table, row, c->step, &run.step));
    return sb_judge_add(runs, &run);
}

static sb_status take_rows(sb_judge_runs *runs, const sb_judge_columns *named, const sb_table *table, size_t by,
                           const char *path)
{
    columns c = {.by = by};
    SB_TRY(find_columns(table, named, &c));
    SB_TRY(check_roles(table, &c));
    SB_TRY(find_where(table, &named->where, &c));
    if (c.step < table->n_columns) snprintf(runs->steps, sizeof runs->steps, "%s", table->field[c.step]);
    for (size_t row = 0; row < table->n_rows; row++)
        if (is_wanted(table, &c, named->where.n, row)) SB_TRY(take_row(runs, &c, table, row, path));
    return SB_OK;
}

/* -- runs that a name describes -- */

static sb_status fail_named(const sb_judge_run *run, const char *name, const char *key)
{
    return sb_fail(SB_E_USAGE, "%s:%zu: run '%.120s' has no '%s=VALUE' in its name; judge a table with a column '%s'",
                   run->path, run->line, name, key, key);
}

/* What the column `value` of all rows says of one run. */
static sb_status take_named(sb_judge_runs *runs, const sb_judge_columns *named, const sb_table *table, const char *name,
                            size_t step, size_t value, sb_judge_run *run)
{
    if (named->where.n) return sb_fail(SB_E_USAGE, "%s: --where is for tables with a row for each run", run->path);
    char number[SEED], *pair = sb_judge_named(name, named->pair ? named->pair : "seed");
    run->condition = sb_judge_named(name, named->by);
    run->name = (char *)name;
    run->pair = pair ? seed_text(pair, number) : NULL;
    sb_status status = run->condition ? SB_OK : fail_named(run, name, named->by);
    if (status == SB_OK && named->pair && !pair) status = fail_named(run, name, named->pair);
    for (size_t row = 0; status == SB_OK && row < table->n_rows; row++) {
        run->line = sb_table_line(table, row);
        status = take_value(table, row, value, run);
        if (status == SB_OK) status = take_step(table, row, step, &run->step);
        if (status == SB_OK && step == table->n_columns) run->step = (double)row;
        if (status == SB_OK) status = sb_judge_add(runs, run);
    }
    free(run->condition);
    free(pair);
    return status;
}

static sb_status take_wide(sb_judge_runs *runs, const sb_judge_columns *named, const sb_table *table, const char *path,
                           size_t *n_found)
{
    char name[SB_JUDGE_NAME];
    size_t step;
    *n_found = 0;
    SB_TRY(find_optional(table, NULL, usual_steps, "--step", &step));
    for (size_t c = 0; c < table->n_columns; c++) {
        if (!sb_judge_heads(table->field[c], named->metric, name)) continue;
        sb_judge_run run = {.path = path, .line = table->line[0]};
        SB_TRY(take_named(runs, named, table, name, step, c, &run));
        ++*n_found;
    }
    if (*n_found) snprintf(runs->steps, sizeof runs->steps, "%s", step < table->n_columns ? table->field[step] : "row");
    return SB_OK;
}

static sb_status take_scalars(sb_judge_runs *runs, const sb_judge_columns *named, const sb_table *table,
                              const char *path)
{
    sb_judge_run run = {.path = path, .line = table->line[0]};
    snprintf(runs->steps, sizeof runs->steps, "Step");
    return take_named(runs, named, table, path, 1, 2, &run);
}

static bool is_scalars(const sb_table *table)
{
    static const char *const heading[] = {"Wall time", "Step", "Value"};
    for (size_t c = 0; c < 3; c++)
        if (table->n_columns != 3 || strcmp(table->field[c], heading[c]) != 0) return false;
    return true;
}

sb_status sb_judge_take(sb_judge_runs *runs, const sb_judge_columns *named, const sb_table *table, const char *path)
{
    size_t column, n_found;
    if (is_scalars(table)) return take_scalars(runs, named, table, path);
    if (find_column(table, named->by, &column)) return take_rows(runs, named, table, column, path);
    SB_TRY(take_wide(runs, named, table, path, &n_found));
    if (n_found) return SB_OK;
    if (sb_table_find(table, "run_id") < table->n_columns && sb_table_find(table, "key") < table->n_columns)
        return sb_fail(
            SB_E_USAGE,
            "%s:%zu: this export of an MLflow chart has no '%s'; judge what mlflow.search_runs().to_csv() writes", path,
            table->line[0], named->by);
    return fail_column(table, named->by, "--by");
}

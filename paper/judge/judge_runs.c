#include "paper/judge/judge.h"

#include "core/size.h"
#include "io/seal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files that are named twice would be counted twice, so that a mean has more runs than were trained.
 *
 *     SB_TRY(sb_distinct_check(path, n));
 *     -> "run1.h5 and copy.h5: the same run, named twice; name it once"
 */

typedef struct identity {
    struct stat about; /* st_ino 0: no such file */
    sb_seal seal;
} identity;

static bool is_same_file(const identity *a, const identity *b)
{
    return a->about.st_ino && a->about.st_ino == b->about.st_ino && a->about.st_dev == b->about.st_dev;
}

static sb_status compare(const char *const *path, const identity *of, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (*of[i].seal.sha256 && strcmp(of[k].seal.sha256, of[i].seal.sha256) == 0)
            return sb_fail(SB_E_USAGE, "%s and %s: the same run, named twice; name it once", path[k], path[i]);
        if (strcmp(path[k], path[i]) == 0) return sb_fail(SB_E_USAGE, "%s: named twice; name it once", path[i]);
        if (is_same_file(&of[k], &of[i]))
            return sb_fail(SB_E_USAGE, "%s and %s: the same file, named twice; name it once", path[k], path[i]);
    }
    return SB_OK;
}

sb_status sb_distinct_check(const char *const *path, size_t n)
{
    SB_FREED identity *of = sb_size_allocate(n, sizeof *of);
    if (!of) return sb_fail(SB_E_MEMORY, "not enough memory for the names of %zu files", n);
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        of[i] = (identity){0};
        if (stat(path[i], &of[i].about) != 0) of[i].about.st_ino = 0;
        if (!sb_seal_peek(path[i], &of[i].seal)) of[i].seal = (sb_seal){0};
        status = compare(path, of, i);
    }
    return status;
}

static void free_run(sb_judge_run *run)
{
    free(run->condition);
    free(run->pair);
    free(run->weights);
    free(run->name);
}

void sb_judge_runs_free(sb_judge_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++) free_run(&runs->run[i]);
    free(runs->run);
    *runs = (sb_judge_runs){0};
}

static bool copy_text(char **copy, const char *text)
{
    *copy = text ? strdup(text) : NULL;
    return !text || *copy;
}

sb_status sb_judge_add(sb_judge_runs *runs, const sb_judge_run *run)
{
    if (!sb_size_reserve(&runs->run, &runs->room, runs->n + 1, sizeof *runs->run))
        return sb_fail(SB_E_MEMORY, "%s: not enough memory for its runs", run->path);
    sb_judge_run *added = &runs->run[runs->n];
    *added = *run;
    added->order = runs->n++;
    const bool copied = copy_text(&added->condition, run->condition) & copy_text(&added->pair, run->pair) &
                        copy_text(&added->weights, run->weights) & copy_text(&added->name, run->name);
    return copied ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory for its runs", run->path);
}

/* -- rows that are steps -- */

static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_names(const sb_judge_run *a, const sb_judge_run *b)
{
    int order = strcmp(a->condition, b->condition);
    if (!order) order = compare_texts(a->pair, b->pair);
    return order ? order : compare_texts(a->name, b->name);
}

static int compare_steps(const void *left, const void *right)
{
    const sb_judge_run *a = left, *b = right;
    int order = compare_names(a, b);
    if (!order) order = (a->step > b->step) - (a->step < b->step);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int compare_order(const void *left, const void *right)
{
    const sb_judge_run *a = left, *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

static bool is_one_step(const sb_judge_run *run, size_t n)
{
    return isnan(run[0].step) || run[0].step == run[n - 1].step;
}

/* Of n rows of one run by step, the last that has a value; the last of all where none has one. */
static sb_status find_last(const sb_judge_run *run, size_t n, size_t *last)
{
    *last = n;
    for (size_t i = 0; i < n; i++) {
        if (run[i].empty) continue;
        if (*last < n && run[i].step == run[*last].step)
            return sb_fail(
                SB_E_INTEGRITY,
                "%s:%zu: a second value of step %g for the same condition and seed; name the column that tells "
                "these runs apart with --run",
                run[i].path, run[i].line, run[i].step);
        *last = i;
    }
    if (*last == n) *last = n - 1;
    return SB_OK;
}

static void drop_step(sb_judge_runs *runs, sb_judge_run *run)
{
    runs->n_passed += isnan(run->value) && !run->empty;
    free_run(run);
}

/* Rows of one run become one. Rows that all have one step are runs of their own. */
static sb_status keep_last_steps(sb_judge_runs *runs)
{
    sb_judge_run *run = runs->run;
    size_t kept = 0, last = 0, n;
    sb_status status = SB_OK;
    if (runs->n) qsort(run, runs->n, sizeof *run, compare_steps);
    for (size_t i = 0; i < runs->n; i += n) {
        for (n = 1; i + n < runs->n && compare_names(&run[i], &run[i + n]) == 0;) n++;
        const bool all = is_one_step(&run[i], n) || status != SB_OK;
        if (!all) status = find_last(&run[i], n, &last);
        for (size_t k = 0; k < n; k++)
            if (all || status != SB_OK || k == last)
                run[kept++] = run[i + k];
            else
                drop_step(runs, &run[i + k]);
    }
    runs->n = kept;
    if (runs->n) qsort(run, runs->n, sizeof *run, compare_order);
    return status;
}

/* -- all tables -- */

static sb_status check_pairs(sb_judge_runs *runs, const sb_judge_columns *columns)
{
    for (size_t i = 0; i < runs->n; i++)
        if (!runs->run[i].pair != !runs->run[0].pair)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: no '%s', which other runs have", runs->run[i].path,
                           runs->run[i].line, columns->pair ? columns->pair : "seed");
    runs->paired = runs->run[0].pair;
    return SB_OK;
}

/* Rows that are copied may be right, such as those of two runs with the same bits: they are counted and reported. */
static bool has_same_fields(const sb_table *a, const sb_table *b)
{
    if (a->n_rows != b->n_rows || a->n_columns != b->n_columns) return false;
    for (size_t i = 0; i < (a->n_rows + 1) * a->n_columns; i++)
        if (strcmp(a->field[i], b->field[i]) != 0) return false;
    return true;
}

static void note_copy(sb_judge_runs *runs, const sb_table *table, size_t i)
{
    for (size_t k = 0; k < i && !*runs->copy; k++)
        if (has_same_fields(&table[k], &table[i]))
            snprintf(runs->copy, sizeof runs->copy, "%.255s and %.255s", table[k].path, table[i].path);
}

static sb_status read_table(sb_judge_runs *runs, const sb_judge_columns *columns, sb_table *table, const char *path)
{
    SB_TRY(sb_file_check_input(path));
    SB_TRY(sb_table_read_any(table, path));
    return sb_judge_take(runs, columns, table, path);
}

static sb_status read_tables(sb_judge_runs *runs, const sb_judge_columns *columns, const char *const *path, size_t n)
{
    SB_TRY(sb_distinct_check(path, n));
    SB_FREED sb_table *table = calloc(n, sizeof *table);
    if (!table) return sb_fail(SB_E_MEMORY, "not enough memory for %zu tables", n);
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        status = read_table(runs, columns, &table[i], path[i]);
        if (status == SB_OK) note_copy(runs, table, i);
    }
    for (size_t i = 0; i < n; i++) sb_table_free(&table[i]);
    return status;
}

sb_status sb_judge_read(sb_judge_runs *runs, const sb_judge_columns *columns, const char *const *path, size_t n_paths)
{
    *runs = (sb_judge_runs){0};
    sb_status status = read_tables(runs, columns, path, n_paths);
    runs->n_rows = runs->n;
    if (status == SB_OK && !runs->n)
        status = sb_fail(SB_E_EMPTY, "%s: no run %s", path[0],
                         columns->where.n ? "has the values of --where" : "below its header");
    if (status == SB_OK) status = keep_last_steps(runs);
    if (status == SB_OK) status = check_pairs(runs, columns);
    if (status == SB_OK && runs->n == runs->n_rows) *runs->steps = 0;
    if (status != SB_OK) sb_judge_runs_free(runs);
    return status;
}

/* -- which values are better -- */

static bool is_higher(const sb_table *coverage, const char *metric)
{
    for (size_t row = 0; row < coverage->n_rows; row++)
        if (strcmp(sb_table_text_or_none(coverage, row, "what"), "metric") == 0 &&
            strcmp(sb_table_text_or_none(coverage, row, "value"), metric) == 0)
            return strcmp(sb_table_text_or_none(coverage, row, "why"), "higher") == 0;
    return false;
}

bool sb_judge_higher(const char *table, const char *metric)
{
    char path[SB_PATH_MAX];
    sb_table coverage;
    sb_file_beside(table, "coverage.csv", path);
    if (!sb_file_exists(path) || sb_table_read(&coverage, path, &sb_columns_coverage) != SB_OK) return false;
    const bool higher = is_higher(&coverage, metric);
    sb_table_free(&coverage);
    return higher;
}

#include "paper/results/condition.h"

#include "core/command/options.h"
#include "core/hash.h"
#include "core/machine/environment.h"
#include "io/run/runfile.h"
#include "io/sums.h"
#include "paper/files/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The notes of the report about its gaps: one sentence for each omission. They go to stderr and onto the page. */

sb_status sb_notes_add(sb_notes *notes, const char *format, ...)
{
    enum { NOTE_MAX = 1024 };
    char **grown = realloc(notes->text, (notes->n + 1) * sizeof *grown);
    if (!grown) return sb_fail(SB_E_MEMORY, "not enough memory for a note");
    notes->text = grown;
    char *text = malloc(NOTE_MAX);
    if (!text) return sb_fail(SB_E_MEMORY, "not enough memory for a note");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, NOTE_MAX, format, arguments);
    va_end(arguments);
    sb_home_hide(text); /* notes are for the page */
    notes->text[notes->n++] = text;
    return SB_OK;
}

void sb_notes_free(sb_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) free(notes->text[i]);
    free(notes->text);
    *notes = (sb_notes){0};
}

/* -- as collected? -- */

/* What failed is the sentence of sb_message. */
static sb_status note_failure(sb_notes *notes)
{
    return sb_notes_add(notes, "%s", sb_message());
}

static sb_status note_table(void *context, const char *name, sb_status status)
{
    (void)name;
    sb_condition *condition = context;
    return status == SB_E_INTEGRITY ? note_failure(&condition->changed) : status;
}

static sb_status check_sums(sb_condition *condition, const char *folder)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, folder, "%s", SB_SUMS_FILE));
    if (!sb_file_exists(path))
        return sb_notes_add(&condition->changed, "%s: absent, so nothing says that the tables are as collected", path);
    sb_status status = sb_sums_each(folder, note_table, condition);
    return status == SB_E_INTEGRITY ? note_failure(&condition->changed) : status;
}

/* -- complete? -- */

static bool is_fact(const char *what, const char *name, const char *value, long *number)
{
    return strcmp(what, name) == 0 && sb_parse_int(value, 0, 1e9, number);
}

static sb_status check_schema(sb_condition *condition, long schema)
{
    if (sb_runfile_reads(schema)) return SB_OK;
    return sb_notes_add(&condition->incomplete,
                        "%s: collected from run files of schema %ld, this program reads 1 to %d; collect again",
                        condition->coverage.path, schema, SB_RUN_SCHEMA);
}

/* Of an excerpt the matrix file may go its own way: what was asked for stays what it was. */
static sb_status check_matrix(sb_condition *condition, const char *digest)
{
    char now[SB_SHA256_TEXT];
    bool whole = condition->n_selected == condition->n_cells;
    if (!whole || !digest || !condition->matrix || !sb_file_exists(condition->matrix)) return SB_OK;
    SB_TRY(sb_sha256_file(condition->matrix, now));
    if (strcmp(now, digest) == 0) return SB_OK;
    return sb_notes_add(&condition->incomplete, "%s: changed since these results were collected; collect again",
                        condition->matrix);
}

static sb_status read_row(sb_condition *condition, const char *what, const char *value, const char *why,
                          const char **digest)
{
    long schema;
    const bool is_matrix = strcmp(what, "matrix") == 0, is_digest = strcmp(what, "matrix_sha256") == 0;
    if (is_matrix) condition->matrix = value;
    if (is_digest) *digest = value;
    if (is_matrix || is_digest || strcmp(what, "collected elsewhere") == 0 || strcmp(what, "metric") == 0) return SB_OK;
    if (is_fact(what, "run_schema", value, &schema)) return check_schema(condition, schema);
    if (is_fact(what, "cells", value, &condition->n_cells) ||
        is_fact(what, "selected", value, &condition->n_selected) ||
        is_fact(what, "complete", value, &condition->n_complete) ||
        is_fact(what, "diverged", value, &condition->n_diverged))
        return SB_OK;
    if (!condition->custom && !sb_column_holds(SB_COLUMN_CELL, NULL, value))
        return sb_fail(SB_E_INTEGRITY, "%s: a cell wants %s, not '%.80s'", condition->coverage.path,
                       sb_column_wanted(SB_COLUMN_CELL), value);
    if (strcmp(what, "excluded") == 0 || strcmp(what, "not selected") == 0) {
        condition->left_out[condition->n_left_out++] = (sb_missing){what, value, why, 0};
        return SB_OK;
    }
    condition->missing[condition->n_missing++] = (sb_missing){what, value, why, 0};
    condition->n_hardware += strcmp(what, "hardware missing") == 0;
    condition->n_data += strcmp(what, "data missing") == 0;
    return SB_OK;
}

static sb_status read_rows(sb_condition *condition)
{
    const sb_table *table = &condition->coverage;
    size_t what, value, why;
    const char *digest = NULL;
    SB_TRY(sb_table_column(table, "what", &what));
    SB_TRY(sb_table_column(table, "value", &value));
    SB_TRY(sb_table_column(table, "why", &why));
    condition->missing = calloc(table->n_rows + 1, sizeof *condition->missing);
    condition->left_out = calloc(table->n_rows + 1, sizeof *condition->left_out);
    if (!condition->missing || !condition->left_out) return sb_fail(SB_E_MEMORY, "%s: not enough memory", table->path);
    for (size_t i = 0; i < table->n_rows; i++)
        SB_TRY(read_row(condition, sb_table_text(table, i, what), sb_table_text(table, i, value),
                        sb_table_text(table, i, why), &digest));
    return check_matrix(condition, digest);
}

/* Cells alike become neighbours, the first of the file in front. */
static int compare_reasons(const void *left, const void *right)
{
    const sb_missing *a = *(sb_missing *const *)left, *b = *(sb_missing *const *)right;
    int order = strcmp(a->state, b->state);
    if (order == 0) order = strcmp(a->why, b->why);
    return order ? order : (a > b) - (a < b);
}

static bool is_alike(const sb_missing *a, const sb_missing *b)
{
    return strcmp(a->state, b->state) == 0 && strcmp(a->why, b->why) == 0;
}

static sb_status count_alike(const sb_condition *condition, sb_missing *missing, size_t n)
{
    SB_FREED sb_missing **sorted = malloc((n + 1) * sizeof *sorted);
    if (!sorted) return sb_fail(SB_E_MEMORY, "%s: not enough memory", condition->coverage.path);
    for (size_t i = 0; i < n; i++) sorted[i] = &missing[i];
    qsort(sorted, n, sizeof *sorted, compare_reasons);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && is_alike(sorted[first], sorted[end]);) end++;
        sorted[first]->n_alike = end - first;
    }
    return SB_OK;
}

static sb_status note_data(sb_condition *condition)
{
    const sb_missing *first = condition->missing;
    if (!condition->n_data) return SB_OK;
    while (strcmp(first->state, "data missing") != 0) first++;
    return sb_notes_add(&condition->incomplete, "%zu of %ld cells could not run without their data: %s",
                        condition->n_data, condition->n_selected, first->why);
}

static sb_status check_coverage(sb_condition *condition, const char *folder, size_t n_cells)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, folder, "coverage.csv"));
    if (!sb_file_exists(path))
        return sb_notes_add(&condition->incomplete, "%s: absent, so what is missing is unknown", path);
    SB_TRY(sb_table_read(&condition->coverage, path, &sb_columns_coverage));
    SB_TRY(read_rows(condition));
    SB_TRY(count_alike(condition, condition->missing, condition->n_missing));
    SB_TRY(count_alike(condition, condition->left_out, condition->n_left_out));
    if (condition->n_complete != (long)n_cells)
        SB_TRY(sb_notes_add(&condition->changed, "%s: says %ld complete cells, but cells.csv has %zu", path,
                            condition->n_complete, n_cells));
    SB_TRY(note_data(condition));
    size_t n = condition->n_missing - condition->n_hardware - condition->n_data;
    const sb_missing *first = condition->missing;
    if (n == 0) return SB_OK;
    while (strcmp(first->state, "hardware missing") == 0 || strcmp(first->state, "data missing") == 0) first++;
    return sb_notes_add(
        &condition->incomplete, "%zu of %ld cells that could run are not here, the first of them %s (%s)", n,
        condition->n_selected - (long)(condition->n_hardware + condition->n_data), first->cell, first->state);
}

/* -- the verdict -- */

static void write_stamp(sb_condition *condition)
{
    const char *changed = condition->changed.n ? "built from tables changed after they were collected" : "";
    const char *incomplete = condition->incomplete.n ? "built from incomplete or stale results" : "";
    snprintf(condition->stamp, sizeof condition->stamp, "%s%s%s", changed, *changed && *incomplete ? "; " : "",
             incomplete);
}

sb_status sb_condition_read(sb_condition *condition, const char *folder, size_t n_cells, const sb_results *results)
{
    *condition = (sb_condition){.custom = !results};
    sb_audit audit = {.changed = &condition->changed};
    SB_TRY(check_sums(condition, folder));
    SB_TRY(check_coverage(condition, folder, n_cells));
    if (results) SB_TRY(sb_audit_cells(results, &audit));
    condition->n_retimed = audit.n_retimed;
    condition->retimed = audit.retimed;
    write_stamp(condition);
    return SB_OK;
}

sb_status sb_condition_accept(const sb_condition *condition, const char *folder, sb_allowed allowed)
{
    const sb_notes *changed = &condition->changed, *incomplete = &condition->incomplete;
    /* The last one names the row where a run file can. */
    if (changed->n && !allowed.changed)
        return sb_fail(SB_E_INTEGRITY, "%s%s%s; collect again, or say --changed, and every page says it",
                       changed->text[0], changed->n > 1 ? "\n" : "",
                       changed->n > 1 ? changed->text[changed->n - 1] : "");
    if (incomplete->n && !allowed.incomplete)
        return sb_fail(SB_E_PARTIAL, "%s: %s; say --incomplete to build all the same, and every page says it", folder,
                       incomplete->text[0]);
    return SB_OK;
}

void sb_condition_free(sb_condition *condition)
{
    sb_notes_free(&condition->incomplete);
    sb_notes_free(&condition->changed);
    free(condition->missing);
    free(condition->left_out);
    sb_table_free(&condition->coverage);
    *condition = (sb_condition){0};
}

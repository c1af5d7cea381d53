#include "paper/results/results.h"

#include "paper/files/output.h"
#include "paper/results/rows.h"
#include "paper/results/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN(ID, key, ...)             #key,
#define TITLE(ID, key, unit, title, ...) title,
const char *const sb_metric_column[SB_N_LOSSES] = {SB_METRICS(COLUMN, SB_METRIC_NONE, SB_METRIC_NONE)
                                                       SB_TEST_LOSSES(COLUMN)};
const char *const sb_metric_title[SB_N_LOSSES] = {SB_METRICS(TITLE, SB_METRIC_NONE, SB_METRIC_NONE)
                                                      SB_TEST_LOSSES(TITLE)};
const char *const sb_target_name[SB_N_TARGETS] = {"copy", "shared"};

static int compare_names(const void *left, const void *right)
{
    const sb_result *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : strcmp(a->hash, b->hash);
}

/* Two rows of one cell become neighbours, in the order of their lines. */
static int compare_hashes(const void *left, const void *right)
{
    const sb_result *a = *(sb_result *const *)left, *b = *(sb_result *const *)right;
    int order = strcmp(a->hash, b->hash);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_hash_to_cell(const void *hash, const void *cell)
{
    return strcmp(hash, (*(sb_result *const *)cell)->hash);
}

/* Sort the cells by their hash, and refuse a hash that stands twice. */
static sb_status index_cells(sb_results *results)
{
    sb_result **by_hash = results->by_hash = malloc(results->n_cells * sizeof *by_hash);
    if (!by_hash) return sb_fail(SB_E_MEMORY, "%s: not enough memory", results->cells.path);
    for (size_t i = 0; i < results->n_cells; i++) by_hash[i] = &results->cell[i];
    qsort(by_hash, results->n_cells, sizeof *by_hash, compare_hashes);
    for (size_t i = 1; i < results->n_cells; i++)
        if (strcmp(by_hash[i]->hash, by_hash[i - 1]->hash) == 0)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: cell %s is in line %zu, too", results->cells.path, by_hash[i]->line,
                           by_hash[i]->name, by_hash[i - 1]->line);
    return SB_OK;
}

static sb_status read_cells(sb_results *results)
{
    const sb_table *table = &results->cells;
    if (table->n_rows == 0)
        return sb_fail(SB_E_EMPTY, "%s: no cell has finished yet; see 'samebits-matrix status'", table->path);
    results->n_cells = table->n_rows;
    results->cell = calloc(table->n_rows, sizeof *results->cell);
    if (!results->cell) return sb_fail(SB_E_MEMORY, "%s: not enough memory", table->path);
    for (size_t i = 0; i < table->n_rows; i++) SB_TRY(sb_cell_read(table, i, &results->cell[i]));
    qsort(results->cell, results->n_cells, sizeof *results->cell, compare_names);
    return index_cells(results);
}

sb_result *sb_results_find(const sb_results *results, const char *hash)
{
    sb_result *const *found = bsearch(hash, results->by_hash, results->n_cells, sizeof *found, compare_hash_to_cell);
    return found ? *found : NULL;
}

/* Older tables do not name the cell of a row. */
static sb_status check_name(const sb_table *table, size_t row, const sb_result *cell)
{
    const char *name = sb_table_text_or_none(table, row, "name");
    if (!*name || strcmp(name, cell->name) == 0) return SB_OK;
    return sb_row_fail(table, row, "the hash belongs to cell %s, but the name is '%s'; collect again", cell->name,
                       name);
}

/* Count the points of each curve, then give each cell its place: update, last, mean, one after the other. */
static sb_status place_curves(sb_results *results, const sb_table *table, size_t hash_column)
{
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *hash = sb_table_text(table, row, hash_column);
        sb_result *cell = sb_results_find(results, hash);
        if (!cell) return sb_row_fail(table, row, "no cell of cells.csv has the hash '%s'; collect again", hash);
        SB_TRY(check_name(table, row, cell));
        cell->n_curve++;
    }
    double *place = results->points = malloc((1 + SB_N_METRICS) * (table->n_rows + 1) * sizeof *place);
    if (!place) return sb_fail(SB_E_MEMORY, "%s: not enough memory", table->path);
    for (sb_result *cell = results->cell; cell < results->cell + results->n_cells; cell++) {
        if (cell->n_curve == 0 && !cell->diverged)
            return sb_fail(SB_E_INTEGRITY, "%s: no row of cell %s; collect again", table->path, cell->name);
        cell->update = place;
        for (int m = 0; m < SB_N_METRICS; m++) cell->curve[m] = place + (size_t)(1 + m) * cell->n_curve;
        place += (1 + SB_N_METRICS) * cell->n_curve;
        cell->n_curve = 0;
    }
    return SB_OK;
}

static sb_status read_point(const sb_table *table, size_t row, const size_t column[1 + SB_N_METRICS], sb_result *cell)
{
    size_t i = cell->n_curve++;
    SB_TRY(sb_table_real(table, row, column[0], &cell->update[i]));
    if (!(cell->update[i] > (i ? cell->update[i - 1] : 0)) || !isfinite(cell->update[i]))
        return sb_row_fail(table, row, "the updates of cell %s do not ascend; collect again", cell->name);
    for (int m = 0; m < SB_N_METRICS; m++) {
        SB_TRY(sb_table_real(table, row, column[1 + m], &cell->curve[m][i]));
        if (cell->diverged && !isfinite(cell->curve[m][i])) return cell->n_curve--, SB_OK;
        SB_TRY(sb_cell_check_loss(table, row, sb_metric_column[m], cell->curve[m][i], cell->name));
    }
    return SB_OK;
}

static sb_status read_curves(sb_results *results, const sb_table *table)
{
    size_t hash_column, column[1 + SB_N_METRICS];
    SB_TRY(sb_table_column(table, "hash", &hash_column));
    SB_TRY(sb_table_column(table, "update", &column[0]));
    for (int m = 0; m < SB_N_METRICS; m++) SB_TRY(sb_table_column(table, sb_metric_column[m], &column[1 + m]));
    SB_TRY(place_curves(results, table, hash_column));
    for (size_t row = 0; row < table->n_rows; row++) {
        sb_result *cell = sb_results_find(results, sb_table_text(table, row, hash_column));
        SB_TRY(read_point(table, row, column, cell));
    }
    return SB_OK;
}

static sb_status read_timing(sb_results *results, const sb_table *table)
{
    size_t n_found = 0, hash_column;
    SB_TRY(sb_table_column(table, "hash", &hash_column));
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *hash = sb_table_text(table, row, hash_column);
        sb_result *cell = sb_results_find(results, hash);
        if (!cell || cell->seconds > 0)
            return sb_row_fail(table, row, "'%s' is no cell of cells.csv, or here twice; collect again", hash);
        SB_TRY(sb_cell_read_timing(table, row, cell));
        n_found++;
    }
    if (n_found == results->n_cells) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s: %zu rows, but cells.csv has %zu; collect again", table->path, n_found,
                   results->n_cells);
}

/* One csv file of the folder; that it is absent means that nothing was collected. */
static sb_status open_table(const char *folder, const sb_columns *columns, sb_table *table)
{
    char path[SB_PATH_MAX];
    SB_TRY(sb_path_join(path, folder, "%s", columns->file));
    if (!sb_file_exists(path) && sb_recordings_are_in(folder))
        return sb_fail(
            SB_E_EMPTY,
            "%s: holds recordings of another program and no %s: compare two with 'samebits diff', "
            "write their losses with 'samebits export', and judge a table of final values with 'samebits-report "
            "judge'",
            folder, columns->file);
    if (!sb_file_exists(path))
        return sb_fail(SB_E_EMPTY, "%s: holds no %s; write it with 'samebits-matrix collect'", folder, columns->file);
    return sb_table_read(table, path, columns);
}

static sb_status read_tables(sb_results *results, const char *folder)
{
    SB_OWNED(sb_table_free) sb_table curves = {0}, timing = {0};
    SB_TRY(open_table(folder, &sb_columns_cells, &results->cells));
    SB_TRY(read_cells(results));
    SB_TRY(open_table(folder, &sb_columns_curves, &curves));
    SB_TRY(read_curves(results, &curves));
    SB_TRY(open_table(folder, &sb_columns_timing, &timing));
    SB_TRY(read_timing(results, &timing));
    SB_TRY(sb_replicates_find(results));
    SB_TRY(sb_registrations_read(&results->registrations, folder));
    return sb_baseline_losses_read(&results->baselines, folder);
}

sb_status sb_results_read(sb_results *results, const char *folder, const char *run_folder)
{
    *results = (sb_results){0};
    if (!sb_file_exists(folder))
        return sb_fail(SB_E_USAGE, "%s: no such folder; 'samebits-matrix collect' makes it", folder);
    if (sb_commands_are_in(folder))
        return sb_fail(SB_E_USAGE,
                       "%s: results of a study of commands, which 'samebits-report answer', 'claims', 'write' and "
                       "'judge' read; this verb does not",
                       folder);
    if (!run_folder) run_folder = folder;
    if (!sb_file_exists(run_folder)) return sb_fail(SB_E_USAGE, "%s: no such folder of run files", run_folder);
    snprintf(results->run_folder, sizeof results->run_folder, "%s", run_folder);
    return read_tables(results, folder);
}

bool sb_result_same_loss(const sb_result *a, const sb_result *b, sb_metric metric)
{
    return a->diverged == b->diverged && (a->diverged || a->loss[metric] == b->loss[metric]);
}

void sb_results_free(sb_results *results)
{
    free(results->points);
    free(results->replicates);
    free(results->by_hash);
    free(results->cell);
    sb_registrations_free(&results->registrations);
    sb_baseline_losses_free(&results->baselines);
    sb_table_free(&results->cells);
    *results = (sb_results){0};
}

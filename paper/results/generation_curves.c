#include "paper/results/generation_curves.h"

#include "paper/files/path.h"
#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_individual_rank_name[SB_N_RANKS] = {"best", "median", "worst"};

typedef struct point {
    const sb_result *cell; /* that stands for its arm, of all its cells the first in cells.csv */
    double generation, loss[SB_N_RANKS];
} point;

/* -- reading -- */

static sb_status read_loss(const sb_table *table, size_t row, size_t column, double *loss)
{
    *loss = NAN;
    if (!*sb_table_text(table, row, column)) return SB_OK;
    SB_TRY(sb_table_real(table, row, column, loss));
    if (*loss >= 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: a loss of %g", table->path, sb_table_line(row), *loss);
}

static sb_status read_point(const sb_table *table, const size_t column[2 + SB_N_RANKS], size_t row,
                            const sb_results *results, point *p)
{
    const char *hash = sb_table_text(table, row, column[0]);
    const sb_result *cell = sb_results_find(results, hash);
    if (!cell)
        return sb_fail(SB_E_INTEGRITY, "%s:%zu: no cell of cells.csv has the hash '%s'", table->path,
                       sb_table_line(row), hash);
    const bool as_before = row > 0 && strcmp(hash, sb_table_text(table, row - 1, column[0])) == 0;
    p->cell = as_before ? p[-1].cell : sb_recipe_first_of_arm(results, cell);
    SB_TRY(sb_table_real(table, row, column[1], &p->generation));
    if (!(p->generation >= 0) || (as_before && !(p->generation > p[-1].generation)))
        return sb_fail(SB_E_INTEGRITY, "%s:%zu: generation %g does not come next", table->path, sb_table_line(row),
                       p->generation);
    for (int k = 0; k < SB_N_RANKS; k++) SB_TRY(read_loss(table, row, column[2 + k], &p->loss[k]));
    return SB_OK;
}

static sb_status read_points(const sb_table *table, const sb_results *results, point *points)
{
    size_t column[2 + SB_N_RANKS];
    SB_TRY(sb_table_column(table, "hash", &column[0]));
    SB_TRY(sb_table_column(table, "generation", &column[1]));
    for (int k = 0; k < SB_N_RANKS; k++) SB_TRY(sb_table_column(table, sb_individual_rank_name[k], &column[2 + k]));
    for (size_t row = 0; row < table->n_rows; row++) SB_TRY(read_point(table, column, row, results, &points[row]));
    return SB_OK;
}

/* -- curves -- */

static int compare_points(const void *left, const void *right)
{
    const point *a = left, *b = right;
    if (a->cell != b->cell) return a->cell->line < b->cell->line ? -1 : 1;
    return (a->generation > b->generation) - (a->generation < b->generation);
}

/* One rank over the points of an arm; value: room for one of each run. Losses that are no number are in no point. */
static sb_status draw_curve(sb_generation_curve *curve, int rank, const point *p, size_t n, double *value)
{
    double *block = calloc(4 * n, sizeof *block);
    if (!block) return sb_fail(SB_E_MEMORY, "not enough memory for %zu generations", n);
    *curve = (sb_generation_curve){0, block, block + n, block + 2 * n, block + 3 * n};
    for (size_t first = 0, end; first < n; first = end) {
        size_t n_values = 0;
        for (end = first; end < n && p[end].generation == p[first].generation; end++)
            if (isfinite(p[end].loss[rank])) value[n_values++] = p[end].loss[rank];
        if (n_values == 0) continue;
        const size_t k = curve->n++;
        curve->generation[k] = p[first].generation;
        sb_stats_spread(value, n_values, &curve->low[k], &curve->median[k], &curve->high[k]);
    }
    return SB_OK;
}

static sb_status draw_arm(sb_generation_arm *arm, const point *p, size_t n, double *value)
{
    arm->cell = p->cell;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && p[end].generation == p[first].generation;) end++;
        if (end - first > arm->n_runs) arm->n_runs = end - first;
    }
    for (int k = 0; k < SB_N_RANKS; k++) SB_TRY(draw_curve(&arm->curve[k], k, p, n, value));
    return SB_OK;
}

static sb_status draw_arms(sb_generation_curves *curves, const point *p, size_t n)
{
    double *value = calloc(n, sizeof *value);
    curves->arm = calloc(n, sizeof *curves->arm);
    sb_status status = value && curves->arm ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for %zu generations", n);
    for (size_t first = 0, end; first < n && status == SB_OK; first = end) {
        for (end = first + 1; end < n && p[end].cell == p[first].cell;) end++;
        status = draw_arm(&curves->arm[curves->n++], p + first, end - first, value);
    }
    free(value);
    return status;
}

sb_status sb_generation_curves_read(sb_generation_curves *curves, const char *folder, const sb_results *results)
{
    char path[SB_PATH_MAX];
    sb_table table;
    *curves = (sb_generation_curves){0};
    SB_TRY(sb_path_join(path, folder, "%s", sb_columns_generations.file));
    if (!sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_table_read(&table, path, &sb_columns_generations));
    const size_t n = table.n_rows;
    point *points = calloc(n ? n : 1, sizeof *points);
    sb_status status = points ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK) status = read_points(&table, results, points);
    if (status == SB_OK && n) {
        qsort(points, n, sizeof *points, compare_points);
        status = draw_arms(curves, points, n);
    }
    free(points);
    sb_table_free(&table);
    if (status != SB_OK) sb_generation_curves_free(curves);
    return status;
}

void sb_generation_curves_free(sb_generation_curves *curves)
{
    for (size_t i = 0; i < curves->n; i++)
        for (int k = 0; k < SB_N_RANKS; k++) free(curves->arm[i].curve[k].generation);
    free(curves->arm);
    *curves = (sb_generation_curves){0};
}

#include "paper/results/generation_curves.h"

#include "paper/results/recipe.h"
#include "paper/results/rows.h"
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

static const sb_row_column columns[] = {
    {"hash", sb_field_cell, offsetof(point, cell)},
    {"generation", sb_field_real, offsetof(point, generation)},
    {"best", sb_field_size_or_none, offsetof(point, loss[SB_RANK_BEST])},
    {"median", sb_field_size_or_none, offsetof(point, loss[SB_RANK_MEDIAN])},
    {"worst", sb_field_size_or_none, offsetof(point, loss[SB_RANK_WORST])},
    {0},
};

/* The first cell of its arm in place of each. */
static sb_status find_arms(const sb_rows *rows, const sb_results *results)
{
    const sb_result *last = NULL;
    for (size_t row = 0; row < rows->n; row++) {
        point *p = (point *)rows->row + row;
        const bool as_before = p->cell == last;
        last = p->cell;
        p->cell = as_before ? p[-1].cell : sb_recipe_first_of_arm(results, p->cell);
        if (!(p->generation >= 0) || (as_before && !(p->generation > p[-1].generation)))
            return sb_row_fail(&rows->table, row, "generation %g does not come next", p->generation);
    }
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
    sb_rows rows;
    *curves = (sb_generation_curves){0};
    SB_TRY(sb_rows_read(&rows, folder, &sb_columns_generations, results, columns, sizeof(point)));
    sb_status status = find_arms(&rows, results);
    if (status == SB_OK && rows.n) {
        qsort(rows.row, rows.n, sizeof(point), compare_points);
        status = draw_arms(curves, rows.row, rows.n);
    }
    sb_rows_free(&rows);
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

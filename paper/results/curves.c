#include "paper/results/curves.h"

#include "paper/results/recipe.h"
#include "paper/results/rows.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_curve_make(sb_curve *curve, size_t n)
{
    double *block = calloc(4 * n + 1, sizeof *block);
    *curve = (sb_curve){0, block, block + n, block + 2 * n, block + 3 * n, 0};
    return block ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for a curve of %zu points", n);
}

void sb_curve_free(sb_curve *curve)
{
    free(curve->at);
    *curve = (sb_curve){0};
}

void sb_curve_add(sb_curve *curve, double at, double *value, size_t n)
{
    if (n == 0) return;
    curve->at[curve->n] = at;
    sb_stats_spread(value, n, &curve->low[curve->n], &curve->median[curve->n], &curve->high[curve->n]);
    curve->n++;
}

/* -- panels -- */

typedef struct point {
    const sb_result *cell; /* that stands for its panel */
    int curve;
    double at, value; /* value NaN: none */
} point;

static int compare_within(const point *a, const point *b)
{
    if (a->curve != b->curve) return a->curve - b->curve;
    return (a->at > b->at) - (a->at < b->at);
}

/* p [n]: one curve of the panel; value: room for each of them. */
static sb_status draw_curve(sb_curve_panel *panel, const point *p, size_t n, double *value)
{
    sb_curve *curve = &panel->curve[p->curve];
    SB_TRY(sb_curve_make(curve, n));
    for (size_t first = 0, end; first < n; first = end) {
        size_t n_values = 0;
        for (end = first; end < n && p[end].at == p[first].at; end++)
            if (isfinite(p[end].value)) value[n_values++] = p[end].value;
        if (end - first > panel->n_runs) panel->n_runs = end - first;
        curve->n_none += end - first - n_values;
        sb_curve_add(curve, p[first].at, value, n_values);
    }
    return SB_OK;
}

static sb_status draw(sb_curves *curves, point *p, size_t n, int (*compare_points)(const void *left, const void *right),
                      int (*compare_cells)(const sb_result *a, const sb_result *b))
{
    if (n == 0) return SB_OK;
    SB_FREED double *value = calloc(n, sizeof *value);
    curves->panel = calloc(n, sizeof *curves->panel);
    if (!value || !curves->panel) return sb_fail(SB_E_MEMORY, "not enough memory for %zu points", n);
    qsort(p, n, sizeof *p, compare_points);
    for (size_t first = 0, end; first < n; first = end) {
        if (first == 0 || compare_cells(p[first - 1].cell, p[first].cell) != 0)
            curves->panel[curves->n++].cell = p[first].cell;
        for (end = first + 1;
             end < n && p[end].curve == p[first].curve && compare_cells(p[end].cell, p[first].cell) == 0;)
            end++;
        SB_TRY(draw_curve(&curves->panel[curves->n - 1], p + first, end - first, value));
    }
    return SB_OK;
}

void sb_curves_free(sb_curves *curves)
{
    for (size_t i = 0; i < curves->n; i++)
        for (int k = 0; k < SB_CURVES_MOST; k++) sb_curve_free(&curves->panel[i].curve[k]);
    free(curves->panel);
    *curves = (sb_curves){0};
}

/* -- distances -- */

const char *const sb_differs_name[SB_N_DIFFERS] = {"target", "setting", "ulp"};

/* One of the names, by the columns of the table. */
static sb_status read_differs(const sb_field *f, void *member)
{
    const char *text;
    int *differs = member;
    SB_TRY(sb_field_text(f, &text));
    for (*differs = 0; *differs < SB_N_DIFFERS - 1 && strcmp(sb_differs_name[*differs], text) != 0;) ++*differs;
    return SB_OK;
}

static const sb_row_column distance_columns[] = {
    {"b", sb_field_cell, offsetof(point, cell)},
    {"differs", read_differs, offsetof(point, curve)},
    {"update", sb_field_real, offsetof(point, at)},
    {"relative", sb_field_size, offsetof(point, value)},
    {0},
};

static int compare_by_recipe(const void *left, const void *right)
{
    const point *a = left, *b = right;
    const int order = sb_recipe_compare(a->cell, b->cell);
    return order ? order : compare_within(a, b);
}

sb_status sb_curves_of_distances(sb_curves *curves, const char *folder, const sb_results *results)
{
    SB_OWNED(sb_rows_free) sb_rows rows = {0};
    *curves = (sb_curves){0};
    SB_TRY(sb_rows_read(&rows, folder, &sb_columns_distances, results, distance_columns, sizeof(point)));
    for (point *p = rows.row; p < (point *)rows.row + rows.n; p++)
        if (p->value == 0) p->value = NAN;
    return draw(curves, rows.row, rows.n, compare_by_recipe, sb_recipe_compare);
}

/* -- generations -- */

typedef struct generation {
    const sb_result *cell; /* in place of each of an arm, the first in cells.csv */
    double at, loss[SB_N_RANKS];
} generation;

static const sb_row_column generation_columns[] = {
    {"hash", sb_field_cell, offsetof(generation, cell)},
    {"generation", sb_field_real, offsetof(generation, at)},
    {"best", sb_field_size_or_none, offsetof(generation, loss[SB_RANK_BEST])},
    {"median", sb_field_size_or_none, offsetof(generation, loss[SB_RANK_MEDIAN])},
    {"worst", sb_field_size_or_none, offsetof(generation, loss[SB_RANK_WORST])},
    {0},
};

static int compare_lines(const sb_result *a, const sb_result *b)
{
    return (a->line > b->line) - (a->line < b->line);
}

static int compare_by_line(const void *left, const void *right)
{
    const point *a = left, *b = right;
    const int order = compare_lines(a->cell, b->cell);
    return order ? order : compare_within(a, b);
}

static sb_status list_points(const sb_rows *rows, const sb_results *results, point *point_of)
{
    const sb_result *last = NULL;
    for (size_t row = 0; row < rows->n; row++) {
        generation *g = (generation *)rows->row + row;
        const bool as_before = g->cell == last;
        last = g->cell;
        g->cell = as_before ? g[-1].cell : sb_recipe_first_of_arm(results, g->cell);
        if (!(g->at >= 0) || (as_before && !(g->at > g[-1].at)))
            return sb_row_fail(&rows->table, row, "generation %g does not come next", g->at);
        for (int k = 0; k < SB_N_RANKS; k++) *point_of++ = (point){g->cell, k, g->at, g->loss[k]};
    }
    return SB_OK;
}

sb_status sb_curves_of_generations(sb_curves *curves, const char *folder, const sb_results *results)
{
    SB_OWNED(sb_rows_free) sb_rows rows = {0};
    *curves = (sb_curves){0};
    SB_TRY(sb_rows_read(&rows, folder, &sb_columns_generations, results, generation_columns, sizeof(generation)));
    const size_t n = SB_N_RANKS * rows.n;
    SB_FREED point *points = calloc(n + 1, sizeof *points);
    SB_TRY(points ? list_points(&rows, results, points)
                  : sb_fail(SB_E_MEMORY, "not enough memory for %zu generations", rows.n));
    return draw(curves, points, n, compare_by_line, compare_lines);
}

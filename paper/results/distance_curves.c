#include "paper/results/distance_curves.h"

#include "paper/files/path.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_differs_name[SB_N_DIFFERS] = {"target", "setting", "ulp"};

typedef struct point {
    const sb_result *cell; /* b of the pair */
    int differs;
    double update, relative;
} point;

/* -- reading -- */

static sb_status read_point(const sb_table *table, const size_t column[4], size_t row, const sb_results *results,
                            point *p)
{
    const char *hash = sb_table_text(table, row, column[0]), *differs = sb_table_text(table, row, column[1]);
    p->cell = sb_results_find(results, hash);
    if (!p->cell)
        return sb_fail(SB_E_INTEGRITY, "%s:%zu: no cell of cells.csv has the hash '%s'", table->path,
                       sb_table_line(row), hash);
    for (p->differs = 0; p->differs < SB_N_DIFFERS; p->differs++)
        if (strcmp(sb_differs_name[p->differs], differs) == 0) break;
    if (p->differs == SB_N_DIFFERS)
        return sb_fail(SB_E_INTEGRITY, "%s:%zu: differs wants target, setting or ulp, not '%s'", table->path,
                       sb_table_line(row), differs);
    SB_TRY(sb_table_real(table, row, column[2], &p->update));
    SB_TRY(sb_table_real(table, row, column[3], &p->relative));
    if (isfinite(p->relative) && p->relative >= 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY, "%s:%zu: a distance of %g", table->path, sb_table_line(row), p->relative);
}

static sb_status read_points(const sb_table *table, const sb_results *results, point *points)
{
    static const char *const name[4] = {"b", "differs", "update", "relative"};
    size_t column[4];
    for (int i = 0; i < 4; i++) SB_TRY(sb_table_column(table, name[i], &column[i]));
    for (size_t row = 0; row < table->n_rows; row++) SB_TRY(read_point(table, column, row, results, &points[row]));
    return SB_OK;
}

/* -- curves -- */

static int compare_points(const void *left, const void *right)
{
    const point *a = left, *b = right;
    int order = sb_recipe_compare(a->cell, b->cell);
    if (order) return order;
    if (a->differs != b->differs) return a->differs - b->differs;
    if (a->update != b->update) return a->update < b->update ? -1 : 1;
    return (a->relative > b->relative) - (a->relative < b->relative);
}

/* Points of one recipe and difference, sorted. */
static sb_status draw_curve(sb_distance_curve *curve, const point *p, size_t n)
{
    double *block = calloc(4 * n, sizeof *block);
    if (!block) return sb_fail(SB_E_MEMORY, "not enough memory for %zu distances", n);
    curve->update = block;
    curve->median = block + n;
    curve->low = block + 2 * n;
    curve->high = block + 3 * n;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && p[end].update == p[first].update;) end++;
        size_t positive = first;
        while (positive < end && p[positive].relative == 0) positive++;
        curve->n_zero += positive - first;
        if (positive == end) continue;
        size_t middle = positive + (end - positive) / 2;
        bool even = (end - positive) % 2 == 0;
        curve->update[curve->n] = p[first].update;
        curve->median[curve->n] = even ? (p[middle - 1].relative + p[middle].relative) / 2 : p[middle].relative;
        curve->low[curve->n] = p[positive].relative;
        curve->high[curve->n++] = p[end - 1].relative;
    }
    return SB_OK;
}

static sb_status draw_panels(sb_distance_curves *distances, const point *p, size_t n)
{
    distances->panel = calloc(n, sizeof *distances->panel);
    if (!distances->panel) return sb_fail(SB_E_MEMORY, "not enough memory for %zu distances", n);
    for (size_t first = 0, end; first < n; first = end) {
        bool same = first > 0 && sb_recipe_compare(p[first - 1].cell, p[first].cell) == 0;
        if (!same) distances->panel[distances->n++].cell = p[first].cell;
        for (end = first + 1;
             end < n && p[end].differs == p[first].differs && sb_recipe_compare(p[end].cell, p[first].cell) == 0;)
            end++;
        SB_TRY(draw_curve(&distances->panel[distances->n - 1].curve[p[first].differs], p + first, end - first));
    }
    return SB_OK;
}

sb_status sb_distance_curves_read(sb_distance_curves *distances, const char *folder, const sb_results *results)
{
    char path[SB_PATH_MAX];
    sb_table table;
    *distances = (sb_distance_curves){0};
    SB_TRY(sb_path_join(path, folder, "distances.csv"));
    if (!sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_table_read(&table, path, &sb_columns_distances));
    size_t n = table.n_rows;
    point *points = malloc((n ? n : 1) * sizeof *points);
    sb_status status = points ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (status == SB_OK) status = read_points(&table, results, points);
    if (status == SB_OK && n) {
        qsort(points, n, sizeof *points, compare_points);
        status = draw_panels(distances, points, n);
    }
    free(points);
    sb_table_free(&table);
    if (status != SB_OK) sb_distance_curves_free(distances);
    return status;
}

void sb_distance_curves_free(sb_distance_curves *distances)
{
    for (size_t i = 0; i < distances->n; i++)
        for (int d = 0; d < SB_N_DIFFERS; d++) free(distances->panel[i].curve[d].update);
    free(distances->panel);
    *distances = (sb_distance_curves){0};
}

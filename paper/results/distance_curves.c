#include "paper/results/distance_curves.h"

#include "paper/results/recipe.h"
#include "paper/results/rows.h"

#include <stdlib.h>
#include <string.h>

const char *const sb_differs_name[SB_N_DIFFERS] = {"target", "setting", "ulp"};

typedef struct point {
    const sb_result *cell; /* b of the pair */
    int differs;
    double update, relative;
} point;

/* -- reading -- */

static sb_status read_differs(const sb_field *f, void *member)
{
    const char *text;
    int *differs = member;
    SB_TRY(sb_field_text(f, &text));
    for (*differs = 0; *differs < SB_N_DIFFERS; ++*differs)
        if (strcmp(sb_differs_name[*differs], text) == 0) return SB_OK;
    return sb_row_fail(f->table, f->row, "differs wants target, setting or ulp, not '%s'", text);
}

static const sb_row_column columns[] = {
    {"b", sb_field_cell, offsetof(point, cell)},
    {"differs", read_differs, offsetof(point, differs)},
    {"update", sb_field_real, offsetof(point, update)},
    {"relative", sb_field_size, offsetof(point, relative)},
    {0},
};

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
    sb_rows rows;
    *distances = (sb_distance_curves){0};
    SB_TRY(sb_rows_read(&rows, folder, &sb_columns_distances, results, columns, sizeof(point)));
    if (rows.n) qsort(rows.row, rows.n, sizeof(point), compare_points);
    const sb_status status = rows.n ? draw_panels(distances, rows.row, rows.n) : SB_OK;
    sb_rows_free(&rows);
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

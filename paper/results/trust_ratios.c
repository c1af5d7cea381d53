#include "paper/results/curves.h"

#include "paper/results/recipe.h"
#include "paper/results/rows.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct point {
    const sb_result *cell, *arm; /* arm: the first cell of its arm */
    size_t place;                /* of the tensor in its network */
    const char *name;
    double epoch, ratio; /* NaN: none */
    size_t line;
} point;

/* -- reading -- */

static const sb_row_column columns[] = {
    {"hash", sb_field_cell, offsetof(point, cell)},
    {"tensor", sb_field_text, offsetof(point, name)},
    {"epoch", sb_field_real, offsetof(point, epoch)},
    {"ratio", sb_field_size_or_none, offsetof(point, ratio)},
    {0},
};

static sb_status find_places(const sb_rows *rows, const sb_results *results)
{
    for (size_t row = 0; row < rows->n; row++) {
        point *p = (point *)rows->row + row;
        const bool same_run = row > 0 && p[-1].cell == p->cell;
        p->line = sb_table_line(&rows->table, row);
        p->arm = same_run ? p[-1].arm : sb_recipe_first_of_arm(results, p->cell);
        if (strlen(p->name) >= SB_TRUST_NAME)
            return sb_row_fail(&rows->table, row, "'%.20s...' is too long a name", p->name);
        if (!(p->epoch >= 0) || (same_run && p->epoch < p[-1].epoch))
            return sb_row_fail(&rows->table, row, "epoch %g does not come next", p->epoch);
        p->place = same_run && p->epoch == p[-1].epoch ? p[-1].place + 1 : 0;
    }
    return SB_OK;
}

/* -- arms -- */

static int compare_points(const void *left, const void *right)
{
    const point *a = left, *b = right;
    if (a->arm != b->arm) return a->arm->line < b->arm->line ? -1 : 1;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    if (a->epoch != b->epoch) return a->epoch < b->epoch ? -1 : 1;
    return (a->cell->line > b->cell->line) - (a->cell->line < b->cell->line);
}

/* The median over points of one epoch, possibly of all runs; NaN: none has a ratio. */
static double median_of(const point *p, size_t n, double *value)
{
    double low, median = NAN, high;
    size_t n_values = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(p[i].ratio)) value[n_values++] = p[i].ratio;
    if (n_values) sb_stats_spread(value, n_values, &low, &median, &high);
    return median;
}

static size_t count_epoch(const point *p, size_t n)
{
    size_t k = 1;
    while (k < n && p[k].epoch == p[0].epoch) k++;
    return k;
}

/* p [n]: one tensor of one arm, epoch after epoch. */
static void sum_up(sb_trust_tensor *tensor, const point *p, size_t n, double *value)
{
    size_t n_last = 1;
    while (n_last < n && p[n - 1 - n_last].epoch == p[n - 1].epoch) n_last++;
    *tensor = (sb_trust_tensor){.first = median_of(p, count_epoch(p, n), value),
                                .last = median_of(p + n - n_last, n_last, value),
                                .low = HUGE_VAL,
                                .high = 0};
    strcpy(tensor->name, p->name);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(p[i].ratio)) continue;
        tensor->low = fmin(tensor->low, p[i].ratio);
        tensor->high = fmax(tensor->high, p[i].ratio);
    }
}

/* p [n]: one tensor of one arm. */
static sb_status check(const point *p, size_t n, const char *path)
{
    for (size_t i = 1; i < n; i++) {
        if (strcmp(p[i].name, p->name) != 0)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: tensor '%s' where the run %s has '%s'", path, p[i].line, p[i].name,
                           p->cell->hash, p->name);
        if (p[i].cell == p[i - 1].cell && p[i].epoch == p[i - 1].epoch)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: epoch %g of the run %s comes twice", path, p[i].line, p[i].epoch,
                           p[i].cell->hash);
    }
    return SB_OK;
}

/* p [n]: all of an arm. */
static sb_status sum_up_arm(sb_trust_arm *arm, const point *p, size_t n, const char *path, double *value)
{
    *arm = (sb_trust_arm){.cell = p->arm};
    arm->tensor = calloc(p[n - 1].place + 1, sizeof *arm->tensor);
    if (!arm->tensor) return sb_fail(SB_E_MEMORY, "not enough memory for %zu tensors", p[n - 1].place + 1);
    for (size_t first = 0, end; first < n; first = end) {
        sb_trust_tensor *tensor = &arm->tensor[arm->n];
        for (end = first + 1; end < n && p[end].place == p[first].place;) end++;
        SB_TRY(check(p + first, end - first, path));
        sum_up(tensor, p + first, end - first, value);
        arm->n += tensor->low <= tensor->high;
        if (first) continue;
        for (size_t i = 0, k; i < end; i += k, arm->n_epochs++) {
            k = count_epoch(p + i, end - i);
            if (k > arm->n_runs) arm->n_runs = k;
        }
    }
    return SB_OK;
}

static sb_status sum_up_all(sb_trust_ratios *ratios, const point *p, size_t n, const char *path)
{
    SB_FREED double *value = calloc(n, sizeof *value);
    ratios->arm = calloc(n, sizeof *ratios->arm);
    if (!value || !ratios->arm) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && p[end].arm == p[first].arm;) end++;
        SB_TRY(sum_up_arm(&ratios->arm[ratios->n++], p + first, end - first, path, value));
    }
    return SB_OK;
}

sb_status sb_trust_ratios_read(sb_trust_ratios *ratios, const char *folder, const sb_results *results)
{
    SB_OWNED(sb_rows_free) sb_rows rows = {0};
    *ratios = (sb_trust_ratios){0};
    SB_TRY(sb_rows_read(&rows, folder, &sb_columns_trust, results, columns, sizeof(point)));
    SB_TRY(find_places(&rows, results));
    if (rows.n == 0) return SB_OK;
    qsort(rows.row, rows.n, sizeof(point), compare_points);
    return sum_up_all(ratios, rows.row, rows.n, rows.table.path);
}

bool sb_trust_ratios_vary(const sb_trust_ratios *ratios)
{
    for (size_t i = 0; i < ratios->n; i++)
        for (size_t k = 0; k < ratios->arm[i].n; k++)
            if (!sb_trust_is_fixed(&ratios->arm[i].tensor[k])) return true;
    return false;
}

const sb_trust_tensor *sb_trust_find(const sb_trust_arm *arm, const char *name)
{
    for (size_t i = 0; i < arm->n; i++)
        if (strcmp(arm->tensor[i].name, name) == 0) return &arm->tensor[i];
    return NULL;
}

void sb_trust_ratios_free(sb_trust_ratios *ratios)
{
    for (size_t i = 0; i < ratios->n; i++) free(ratios->arm[i].tensor);
    free(ratios->arm);
    *ratios = (sb_trust_ratios){0};
}

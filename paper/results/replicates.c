#include "paper/results/results.h"

#include "core/size.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- the value of a start -- */

enum { VALUE_BITS = 40 }; /* after the binary point: tables have nine digits, 30 bits, of a loss */

size_t sb_result_runs(const sb_result *cell)
{
    return 1 + cell->n_replicates;
}

static const sb_result *run_of(const sb_result *cell, size_t i)
{
    return i ? cell->replicate[i - 1] : cell;
}

size_t sb_result_diverged(const sb_result *cell)
{
    size_t n = 0;
    for (size_t i = 0; i < sb_result_runs(cell); i++) n += run_of(cell, i)->diverged;
    return n;
}

/* Equal on paper is equal here: no rounding of a mean may decide which of two starts has the higher rank. */
static double rounded(double value)
{
    return isfinite(value) ? nearbyint(ldexp(value, VALUE_BITS)) / ldexp(1, VALUE_BITS) : value;
}

double sb_result_value(const sb_result *cell, sb_metric metric)
{
    const size_t n = sb_result_runs(cell);
    double sum = 0;
    if (sb_result_diverged(cell)) return INFINITY;
    for (size_t i = 0; i < n; i++) sum += log(run_of(cell, i)->loss[metric]);
    return rounded(sum / (double)n);
}

double sb_result_loss_gap(const sb_result *a, const sb_result *b)
{
    double gap = 0;
    if (a->diverged || b->diverged) return a->diverged == b->diverged ? 0 : INFINITY;
    for (int m = 0; m < SB_N_METRICS; m++)
        if (a->loss[m] != b->loss[m])
            gap = fmax(gap, fabs(a->loss[m] - b->loss[m]) / fmin(a->loss[m], b->loss[m]));
    return gap;
}

bool sb_result_same_bits(const sb_result *a, const sb_result *b)
{
    return strcmp(a->weights, b->weights) == 0 && sb_result_loss_gap(a, b) <= SB_SAME_LOSS;
}

/* -- who is a replicate of whom -- */

typedef struct pair {
    sb_result *start;
    const sb_result *replicate;
} pair;

typedef struct pairs {
    size_t n, room;
    pair *pair;
} pairs;

static long draw_of(const sb_result *cell)
{
    return strtol(sb_recipe_draw(cell), NULL, 10);
}

static sb_status add(pairs *list, sb_result *start, const sb_result *replicate)
{
    for (size_t i = 0; i < list->n; i++) {
        const pair *p = &list->pair[i];
        if (p->start == start && p->replicate->ulp == replicate->ulp && draw_of(p->replicate) == draw_of(replicate) &&
            strcmp(p->replicate->weights, replicate->weights) == 0)
            return SB_OK;
    }
    if (!sb_size_reserve(&list->pair, &list->room, list->n + 1, sizeof *list->pair))
        return sb_fail(SB_E_MEMORY, "not enough memory for the replicates");
    list->pair[list->n++] = (pair){start, replicate};
    return SB_OK;
}

/* The same condition and start, drawn otherwise. */
static bool differ_in_draw(const sb_result *a, const sb_result *b)
{
    return a->seed == b->seed && a->ulp == 0 && b->ulp == 0 && a->target == b->target && draw_of(a) != draw_of(b) &&
           strcmp(a->study, b->study) == 0 && a->evidence == b->evidence && a->threads == b->threads &&
           sb_recipe_compare_role(a, b, SB_ROLE_SETTING) == 0 && sb_recipe_compare(a, b) == 0;
}

/* The run of the smallest draw; the cell itself where there is none. */
static sb_result *find_first_draw(const sb_results *results, sb_result *cell)
{
    sb_result *first = cell;
    for (sb_result *other = results->cell; other < results->cell + results->n_cells; other++)
        if (draw_of(other) < draw_of(first) && differ_in_draw(other, cell)) first = other;
    return first;
}

static bool is_unmoved_of(const sb_result *cell, const sb_result *moved)
{
    return cell->ulp == 0 && cell->seed == moved->seed && cell->target == moved->target &&
           sb_recipe_compare(cell, moved) == 0 && sb_recipe_differ(cell, moved) == 1U << SB_FACTOR_ULP;
}

/* The cell of its own study; else the cell of other studies, which must all have the same bits. NULL: none, or
 * different ones. */
static const sb_result *find_unmoved(const sb_results *results, const sb_result *moved)
{
    const sb_result *found = NULL;
    bool alike = true;
    for (const sb_result *cell = results->cell; cell < results->cell + results->n_cells; cell++) {
        if (!is_unmoved_of(cell, moved)) continue;
        if (strcmp(cell->study, moved->study) == 0) return cell;
        alike = alike && (!found || sb_result_same_bits(found, cell));
        found = found ? found : cell;
    }
    return alike ? found : NULL;
}

/* Own runs with the bits of the unmoved run have the moved one as a replicate. */
static sb_status add_moved(pairs *list, const sb_results *results, const sb_result *moved)
{
    const sb_result *unmoved = find_unmoved(results, moved);
    if (!unmoved) return SB_OK;
    for (sb_result *cell = results->cell; cell < results->cell + results->n_cells; cell++) {
        const bool alike = cell->ulp == 0 && cell->seed == unmoved->seed && cell->target == unmoved->target &&
                           sb_result_same_bits(cell, unmoved) && sb_recipe_compare(cell, unmoved) == 0;
        if (alike) SB_TRY(add(list, cell, moved));
    }
    return SB_OK;
}

static sb_status find_pairs(pairs *list, const sb_results *results)
{
    for (sb_result *cell = results->cell; cell < results->cell + results->n_cells; cell++) {
        if (cell->ulp > 0) SB_TRY(add_moved(list, results, cell));
        sb_result *first = cell->ulp == 0 && draw_of(cell) ? find_first_draw(results, cell) : cell;
        cell->is_replicate = cell->ulp > 0 || first != cell;
        if (first != cell) SB_TRY(add(list, first, cell));
    }
    return SB_OK;
}

static int compare_pairs(const void *left, const void *right)
{
    const pair *a = left, *b = right;
    return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
                                : (a->replicate > b->replicate) - (a->replicate < b->replicate);
}

sb_status sb_replicates_find(sb_results *results)
{
    pairs list = {0};
    sb_status status = find_pairs(&list, results);
    if (status == SB_OK && list.n) {
        results->replicates = malloc(list.n * sizeof(sb_result *));
        if (!results->replicates) status = sb_fail(SB_E_MEMORY, "not enough memory for the replicates");
    }
    if (list.n) qsort(list.pair, list.n, sizeof *list.pair, compare_pairs);
    for (size_t i = 0; status == SB_OK && i < list.n; i++) {
        sb_result *start = list.pair[i].start;
        results->replicates[i] = list.pair[i].replicate;
        if (start->n_replicates++ == 0) start->replicate = &results->replicates[i];
    }
    free(list.pair);
    return status;
}

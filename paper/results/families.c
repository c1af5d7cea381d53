#include "paper/results/curves.h"

#include "paper/results/recipe.h"
#include "paper/results/rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Where arithmetic turned a comparison in a run of Deep GA: the first generation in which its parents, by rank, are others
 * than in the run from the same seed in the reference condition, which is the first one of the recipe in cells.csv. */

static bool is_from_first(const sb_family *f)
{
    return f->n > 0 && f->kin[0].generation == 0;
}

/* The first family of the recipe stands for the reference arm. */
static const sb_family *reference_of(const sb_families *families, const sb_family *f)
{
    for (const sb_family *k = families->family; k < f; k++)
        if (is_from_first(k) && sb_recipe_compare(k->cell, f->cell) == 0) return k;
    return f;
}

static const sb_family *partner_of(const sb_families *families, const sb_family *f)
{
    const sb_family *reference = reference_of(families, f);
    if (sb_recipe_same_arm(reference->cell, f->cell)) return NULL; /* it is of that arm itself */
    for (size_t i = 0; i < families->n; i++) {
        const sb_family *k = &families->family[i];
        if (is_from_first(k) && sb_recipe_same_arm(reference->cell, k->cell) && k->cell->seed == f->cell->seed)
            return k;
    }
    return NULL;
}

/* Of one that has more parents, or more generations, the rest is not compared. */
static sb_turn compare(const sb_family *a, const sb_family *b)
{
    sb_turn turn = {a->cell, b->cell, -1};
    for (size_t i = 0; i < a->n && i < b->n && turn.generation < 0; i++)
        if (a->kin[i].individual != b->kin[i].individual) turn.generation = a->kin[i].generation;
    return turn;
}

static sb_turn_arm *arm_of(sb_turns *turns, const sb_result *cell, size_t n_most)
{
    for (size_t i = 0; i < turns->n; i++)
        if (sb_recipe_same_arm(turns->arm[i].cell, cell)) return &turns->arm[i];
    sb_turn_arm *arm = &turns->arm[turns->n];
    arm->turn = calloc(n_most, sizeof *arm->turn);
    if (!arm->turn) return NULL;
    arm->cell = cell;
    turns->n++;
    return arm;
}

static sb_status fail_turns(size_t n)
{
    return sb_fail(SB_E_MEMORY, "not enough memory for %zu runs without gradients", n);
}

sb_status sb_turns_find(sb_turns *turns, const sb_families *families)
{
    const size_t n = families->n;
    *turns = (sb_turns){.arm = calloc(n ? n : 1, sizeof *turns->arm)};
    if (!turns->arm) return fail_turns(n);
    for (size_t i = 0; i < n; i++) {
        const sb_family *f = &families->family[i], *partner = is_from_first(f) ? partner_of(families, f) : NULL;
        if (!partner) continue;
        sb_turn_arm *arm = arm_of(turns, f->cell, n);
        if (!arm) return fail_turns(n);
        if (arm->n == 0) arm->reference = partner->cell;
        arm->turn[arm->n++] = compare(partner, f);
        arm->n_turned += arm->turn[arm->n - 1].generation >= 0;
        const long generations = f->kin[f->n - 1].generation + 1;
        if (generations > arm->generations) arm->generations = generations;
    }
    return SB_OK;
}

void sb_turns_free(sb_turns *turns)
{
    for (size_t i = 0; i < turns->n; i++) free(turns->arm[i].turn);
    free(turns->arm);
    *turns = (sb_turns){0};
}

typedef struct entry {
    const sb_result *cell;
    double generation, rank, individual, parent;
} entry;

static const sb_row_column columns[] = {
    {"hash", sb_field_cell, offsetof(entry, cell)},     {"generation", sb_field_real, offsetof(entry, generation)},
    {"rank", sb_field_real, offsetof(entry, rank)},     {"individual", sb_field_real, offsetof(entry, individual)},
    {"parent", sb_field_real, offsetof(entry, parent)}, {0},
};

/* -- a family -- */

/* Where a generation begins that ends in front of `end`. */
static size_t generation_before(const sb_family *f, size_t end)
{
    size_t first = end;
    while (first > 0 && f->kin[first - 1].generation == f->kin[end - 1].generation) first--;
    return first;
}

/* The individual of that number in the generation before number i's. */
static size_t find_parent(const sb_family *f, size_t i, long number)
{
    const size_t end = i - (size_t)f->kin[i].rank;
    if (number < 0 || end == 0) return SB_NO_KIN;
    for (size_t k = generation_before(f, end); k < end; k++)
        if (f->kin[k].individual == number) return k;
    return SB_NO_KIN;
}

/* Ranks come one after the other, and generations, too. */
static bool comes_next(const sb_family *f, const sb_kin *kin)
{
    const sb_kin *last = f->n ? &f->kin[f->n - 1] : NULL;
    if (!last || kin->rank == 0) return kin->rank == 0 && (!last || kin->generation == last->generation + 1);
    return kin->generation == last->generation && kin->rank == last->rank + 1;
}

static bool is_whole(double number, double least)
{
    return number >= least && number < INT32_MAX;
}

static sb_status add_kin(sb_family *f, const sb_rows *rows, size_t row)
{
    const entry *e = (const entry *)rows->row + row;
    const bool fits =
        is_whole(e->generation, 0) && is_whole(e->rank, 0) && is_whole(e->individual, 0) && is_whole(e->parent, -1);
    sb_kin *kin = &f->kin[f->n];
    if (fits) *kin = (sb_kin){(long)e->generation, (long)e->rank, (long)e->individual, SB_NO_KIN, false};
    if (!fits || !comes_next(f, kin))
        return sb_row_fail(&rows->table, row, "generation %g, rank %g: does not come next", e->generation, e->rank);
    kin->parent = find_parent(f, f->n, (long)e->parent);
    if (kin->rank >= f->n_ranks) f->n_ranks = kin->rank + 1;
    f->n++;
    return SB_OK;
}

/* From the last generation back: the line of its best one, and where all lines are one. */
static void trace_back(sb_family *f, bool *is_ancestor)
{
    const size_t last = generation_before(f, f->n);
    for (size_t k = last; k != SB_NO_KIN; k = f->kin[k].parent) f->kin[k].is_of_champion = true;
    for (size_t k = last; k < f->n; k++) is_ancestor[k] = true;
    f->ancestor = -1;
    for (size_t end = f->n, first; end > 0; end = first) {
        size_t n = 0;
        bool has_lost = false; /* an individual's parent was not chosen */
        first = generation_before(f, end);
        for (size_t k = first; k < end; k++) {
            if (!is_ancestor[k]) continue;
            n++;
            if (f->kin[k].parent == SB_NO_KIN)
                has_lost = true;
            else
                is_ancestor[f->kin[k].parent] = true;
        }
        if (n == 1) f->ancestor = f->kin[end - 1].generation;
        if (n == 1 || has_lost) return;
    }
}

static sb_status read_family(sb_family *f, const sb_rows *rows, size_t first, size_t end)
{
    SB_FREED bool *is_ancestor = calloc(end - first, sizeof *is_ancestor);
    f->kin = calloc(end - first, sizeof *f->kin);
    if (!f->kin || !is_ancestor) return sb_fail(SB_E_MEMORY, "%s: not enough memory", rows->table.path);
    for (size_t row = first; row < end; row++) SB_TRY(add_kin(f, rows, row));
    trace_back(f, is_ancestor);
    return SB_OK;
}

/* -- all of them -- */

static int compare_families(const void *left, const void *right)
{
    const sb_family *a = left, *b = right;
    return (a->cell->line > b->cell->line) - (a->cell->line < b->cell->line);
}

static sb_status read_run(sb_families *families, const sb_rows *rows, const sb_results *results, size_t first,
                          size_t end)
{
    const sb_result *cell = ((const entry *)rows->row + first)->cell;
    for (size_t k = 0; k < families->n; k++)
        if (families->family[k].cell == cell)
            return sb_row_fail(&rows->table, first, "the run %s has rows before", cell->hash);
    sb_family *f = &families->family[families->n++];
    f->cell = cell;
    f->is_first = sb_recipe_first_of_arm(results, cell) == cell;
    return read_family(f, rows, first, end);
}

static sb_status read_runs(sb_families *families, const sb_rows *rows, const sb_results *results)
{
    const entry *e = rows->row;
    size_t n_runs = 0;
    for (size_t row = 0; row < rows->n; row++) n_runs += row == 0 || e[row].cell != e[row - 1].cell;
    families->family = calloc(n_runs + 1, sizeof *families->family);
    if (!families->family) return sb_fail(SB_E_MEMORY, "%s: not enough memory", rows->table.path);
    for (size_t first = 0, end; first < rows->n; first = end) {
        for (end = first + 1; end < rows->n && e[end].cell == e[first].cell;) end++;
        SB_TRY(read_run(families, rows, results, first, end));
    }
    if (families->n) qsort(families->family, families->n, sizeof *families->family, compare_families);
    return SB_OK;
}

sb_status sb_families_read(sb_families *families, const char *folder, const sb_results *results)
{
    SB_OWNED(sb_rows_free) sb_rows rows = {0};
    *families = (sb_families){0};
    SB_TRY(sb_rows_read(&rows, folder, &sb_columns_parents, results, columns, sizeof(entry)));
    return rows.n ? read_runs(families, &rows, results) : SB_OK;
}

void sb_families_free(sb_families *families)
{
    for (size_t i = 0; i < families->n; i++) free(families->family[i].kin);
    free(families->family);
    *families = (sb_families){0};
}

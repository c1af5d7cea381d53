#include "paper/results/families.h"

#include "paper/files/path.h"
#include "paper/results/recipe.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct columns {
    size_t hash, generation, rank, individual, parent;
} columns;

static sb_status find_columns(const sb_table *table, columns *c)
{
    SB_TRY(sb_table_column(table, "hash", &c->hash));
    SB_TRY(sb_table_column(table, "generation", &c->generation));
    SB_TRY(sb_table_column(table, "rank", &c->rank));
    SB_TRY(sb_table_column(table, "individual", &c->individual));
    return sb_table_column(table, "parent", &c->parent);
}

/* -- a family -- */

/* Where a generation begins that ends in front of `end`. */
static size_t generation_before(const sb_family *f, size_t end)
{
    size_t first = end;
    while (first > 0 && f->kin[first - 1].generation == f->kin[end - 1].generation) first--;
    return first;
}

/* The one of that number in the generation before that of number i. */
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

static sb_status add_kin(sb_family *f, const sb_table *table, const columns *c, size_t row)
{
    double generation, rank, individual, parent;
    SB_TRY(sb_table_real(table, row, c->generation, &generation));
    SB_TRY(sb_table_real(table, row, c->rank, &rank));
    SB_TRY(sb_table_real(table, row, c->individual, &individual));
    SB_TRY(sb_table_real(table, row, c->parent, &parent));
    const bool fits = generation >= 0 && generation < INT32_MAX && rank >= 0 && rank < INT32_MAX && individual >= 0 &&
                      individual < INT32_MAX && parent >= -1 && parent < INT32_MAX;
    sb_kin *kin = &f->kin[f->n];
    if (fits) *kin = (sb_kin){(long)generation, (long)rank, (long)individual, SB_NO_KIN, false};
    if (!fits || !comes_next(f, kin))
        return sb_fail(SB_E_INTEGRITY, "%s:%zu: generation %g, rank %g: does not come next", table->path,
                       sb_table_line(row), generation, rank);
    kin->parent = find_parent(f, f->n, (long)parent);
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
        bool has_lost = false; /* somebody whose parent was not chosen */
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

static sb_status read_family(sb_family *f, const sb_table *table, const columns *c, size_t first, size_t end)
{
    bool *is_ancestor = calloc(end - first, sizeof *is_ancestor);
    f->kin = calloc(end - first, sizeof *f->kin);
    sb_status status = f->kin && is_ancestor ? SB_OK : sb_fail(SB_E_MEMORY, "%s: not enough memory", table->path);
    for (size_t row = first; row < end && status == SB_OK; row++) status = add_kin(f, table, c, row);
    if (status == SB_OK) trace_back(f, is_ancestor);
    free(is_ancestor);
    return status;
}

/* -- all of them -- */

static int compare_families(const void *left, const void *right)
{
    const sb_family *a = left, *b = right;
    return (a->cell->line > b->cell->line) - (a->cell->line < b->cell->line);
}

static sb_status read_run(sb_families *families, const sb_table *table, const columns *c, const sb_results *results,
                          size_t first, size_t end)
{
    const char *hash = sb_table_text(table, first, c->hash);
    const sb_result *cell = sb_results_find(results, hash);
    if (!cell)
        return sb_fail(SB_E_INTEGRITY, "%s:%zu: no cell of cells.csv has the hash '%s'", table->path,
                       sb_table_line(first), hash);
    for (size_t k = 0; k < families->n; k++)
        if (families->family[k].cell == cell)
            return sb_fail(SB_E_INTEGRITY, "%s:%zu: the run %s has rows before", table->path, sb_table_line(first),
                           hash);
    sb_family *f = &families->family[families->n++];
    f->cell = cell;
    f->is_first = sb_recipe_first_of_arm(results, cell) == cell;
    return read_family(f, table, c, first, end);
}

static sb_status read_runs(sb_families *families, const sb_table *table, const sb_results *results)
{
    columns c;
    size_t n_runs = 0;
    SB_TRY(find_columns(table, &c));
    for (size_t row = 0; row < table->n_rows; row++)
        n_runs += row == 0 || strcmp(sb_table_text(table, row, c.hash), sb_table_text(table, row - 1, c.hash)) != 0;
    families->family = calloc(n_runs ? n_runs : 1, sizeof *families->family);
    if (!families->family) return sb_fail(SB_E_MEMORY, "%s: not enough memory", table->path);
    for (size_t first = 0, end; first < table->n_rows; first = end) {
        const char *hash = sb_table_text(table, first, c.hash);
        for (end = first + 1; end < table->n_rows && strcmp(sb_table_text(table, end, c.hash), hash) == 0;) end++;
        SB_TRY(read_run(families, table, &c, results, first, end));
    }
    if (families->n) qsort(families->family, families->n, sizeof *families->family, compare_families);
    return SB_OK;
}

sb_status sb_families_read(sb_families *families, const char *folder, const sb_results *results)
{
    char path[SB_PATH_MAX];
    sb_table table;
    *families = (sb_families){0};
    SB_TRY(sb_path_join(path, folder, "%s", sb_columns_parents.file));
    if (!sb_file_exists(path)) return SB_OK;
    SB_TRY(sb_table_read(&table, path, &sb_columns_parents));
    const sb_status status = read_runs(families, &table, results);
    sb_table_free(&table);
    if (status != SB_OK) sb_families_free(families);
    return status;
}

void sb_families_free(sb_families *families)
{
    for (size_t i = 0; i < families->n; i++) free(families->family[i].kin);
    free(families->family);
    *families = (sb_families){0};
}

#include "paper/effects/measures.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_source_name[SB_N_SOURCES] = {"repeat",  "ulp",     "threads", "kernel", "arithmetic",
                                                  "library", "machine", "target",  "seed"};

#define BIT(factor) (1U << SB_FACTOR_##factor)

/* Two things at least, which no library hides: no source alone. Most pairs of many runs end here. */
static bool differ_twice(const sb_result *a, const sb_result *b)
{
    const int n = (a->seed != b->seed) + (a->target != b->target) + (a->ulp != b->ulp);
    return n > 1 || (n == 1 && strcmp(a->backend, b->backend) != 0);
}

enum { OF_NUMBERS = BIT(SEED) | BIT(TARGET) | BIT(ULP) };

/* In what two cells differ; of those that share all texts (share_texts) only numbers are looked at. */
static unsigned difference_of(const sb_result *a, const sb_result *b, bool same_texts)
{
    if (!same_texts) return sb_recipe_differ_apart(a, b);
    return (a->seed != b->seed ? BIT(SEED) : 0) | (a->target != b->target ? BIT(TARGET) : 0) |
           (a->ulp != b->ulp ? BIT(ULP) : 0);
}

/* The source in which two cells of one recipe differ alone; SB_N_SOURCES if there are several. */
static sb_source source_of(const sb_result *a, const sb_result *b, bool same_texts)
{
    static const unsigned alone[SB_N_SOURCES] = {
        [SB_SOURCE_REPEAT] = 0,
        [SB_SOURCE_ULP] = BIT(ULP),
        [SB_SOURCE_THREADS] = BIT(THREADS),
        [SB_SOURCE_KERNEL] = BIT(KERNEL),
        [SB_SOURCE_ARITHMETIC] = BIT(ARITHMETIC),
        [SB_SOURCE_LIBRARY] = BIT(BACKEND),
        [SB_SOURCE_MACHINE] = BIT(MACHINE),
        [SB_SOURCE_TARGET] = BIT(TARGET),
        [SB_SOURCE_SEED] = BIT(SEED),
    };
    if (differ_twice(a, b)) return SB_N_SOURCES;
    unsigned differ = difference_of(a, b, same_texts);
    /* What a run of the ensemble shows is the last place; other sources are measured at ulp 0. */
    if (differ != BIT(ULP) && (a->ulp > 0 || b->ulp > 0)) return SB_N_SOURCES;
    for (int s = 0; s < SB_N_SOURCES; s++)
        if (alone[s] == differ) return (sb_source)s;
    return SB_N_SOURCES;
}

/* -- one recipe -- */

static int compare_studies(const void *left, const void *right)
{
    const sb_result *a = *(const sb_result *const *)left, *b = *(const sb_result *const *)right;
    int order = sb_recipe_compare(a, b);
    return order ? order : strcmp(a->study, b->study);
}

/* first [n]: the first cell that differs from each in seed, target and ulp at most. Their pairs are most pairs of a study
 * of many seeds, and their hundred settings need not be compared for each. */
static void share_texts(const sb_result *const *cell, size_t n, size_t *first)
{
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && (first[k] != k || (sb_recipe_differ(cell[k], cell[i]) & ~(unsigned)OF_NUMBERS))) k++;
        first[i] = k;
    }
}

/* Neither of a run that diverged, nor of a loss of 0. */
static bool has_logarithms(const sb_result *cell)
{
    bool has = !cell->diverged;
    for (int m = 0; m < SB_N_METRICS; m++) has = has && cell->loss[m] > 0;
    return has;
}

/* Sums of squares, counts, and which cells took part: used [n][SB_N_SOURCES]. */
static void sum_pairs(sb_source_spread *spread, const sb_result *const *cell, size_t n, const size_t *first, bool *used)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            sb_source source = source_of(cell[i], cell[k], first[i] == first[k]);
            if (source == SB_N_SOURCES || !has_logarithms(cell[i]) || !has_logarithms(cell[k])) continue;
            sb_spread_row *row = &spread->row[source];
            row->n_pairs++;
            for (int m = 0; m < SB_N_METRICS; m++) {
                double d = log(cell[i]->loss[m] / cell[k]->loss[m]);
                row->sd[m] += d * d;
            }
            used[i * SB_N_SOURCES + source] = used[k * SB_N_SOURCES + source] = true;
        }
}

static void finish_rows(sb_source_spread *spread)
{
    for (int m = 0; m < SB_N_METRICS; m++) {
        double total = 0;
        for (int s = 0; s < SB_N_SOURCES; s++) {
            sb_spread_row *row = &spread->row[s];
            row->sd[m] = row->n_pairs ? sqrt(row->sd[m] / (2 * (double)row->n_pairs)) : NAN;
            if (row->n_pairs) total += row->sd[m] * row->sd[m];
        }
        for (int s = 0; s < SB_N_SOURCES; s++) {
            sb_spread_row *row = &spread->row[s];
            row->share[m] = total > 0 ? row->sd[m] * row->sd[m] / total : NAN;
        }
    }
}

static sb_status list_cells(sb_source_spread *spread, const sb_result *const *cell, size_t n, const bool *used)
{
    for (int s = 0; s < SB_N_SOURCES; s++) {
        sb_spread_row *row = &spread->row[s];
        if (row->n_pairs == 0) continue;
        row->cell = malloc(n * sizeof *row->cell);
        if (!row->cell) return sb_fail(SB_E_MEMORY, "not enough memory for the spread of %zu cells", n);
        for (size_t i = 0; i < n; i++)
            if (used[i * SB_N_SOURCES + (size_t)s]) row->cell[row->n_cells++] = cell[i];
        row->evidence = sb_evidence_of(row->cell, row->n_cells);
    }
    return SB_OK;
}

static sb_status measure_recipe(sb_source_spread *spread, const sb_result *const *cell, size_t n)
{
    SB_FREED bool *used = calloc(n * SB_N_SOURCES, sizeof *used);
    SB_FREED size_t *first = malloc(n * sizeof *first);
    if (!used || !first) return sb_fail(SB_E_MEMORY, "not enough memory for the spread of %zu cells", n);
    share_texts(cell, n, first);
    spread->study = cell[0]->study;
    sb_recipe_text(cell[0], spread->recipe, sizeof spread->recipe);
    sb_number_part(spread->part, sizeof spread->part, spread->study);
    sum_pairs(spread, cell, n, first, used);
    finish_rows(spread);
    return list_cells(spread, cell, n, used);
}

static int compare_spreads(const void *left, const void *right)
{
    const sb_source_spread *a = left, *b = right;
    int order = strcmp(a->study, b->study);
    return order ? order : strcmp(a->recipe, b->recipe);
}

/* Two recipes of one study: the later ones get a number. */
static void number_parts(sb_spreads *spreads)
{
    for (size_t i = 1; i < spreads->n; i++) {
        sb_source_spread *spread = &spreads->spread[i];
        size_t used = strlen(spread->part);
        if (strcmp(spread->study, spreads->spread[i - 1].study) == 0)
            snprintf(spread->part + used, sizeof spread->part - used, "-%zu", i + 1);
    }
}

sb_status sb_spreads_measure(sb_spreads *spreads, const sb_results *results)
{
    size_t n = results->n_cells;
    *spreads = (sb_spreads){.spread = calloc(n, sizeof(sb_source_spread))};
    SB_FREED const sb_result **cell = malloc(n * sizeof *cell);
    if (!cell || !spreads->spread) return sb_fail(SB_E_MEMORY, "not enough memory for the spread of %zu cells", n);
    for (size_t i = 0; i < n; i++) cell[i] = &results->cell[i];
    qsort(cell, n, sizeof *cell, compare_studies);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && sb_recipe_compare(cell[end], cell[first]) == 0;) end++;
        spreads->n++;
        SB_TRY(measure_recipe(&spreads->spread[spreads->n - 1], cell + first, end - first));
    }
    qsort(spreads->spread, spreads->n, sizeof *spreads->spread, compare_spreads);
    number_parts(spreads);
    return SB_OK;
}

void sb_spreads_free(sb_spreads *spreads)
{
    for (size_t i = 0; i < spreads->n; i++)
        for (int s = 0; s < SB_N_SOURCES; s++) free(spreads->spread[i].row[s].cell);
    free(spreads->spread);
    *spreads = (sb_spreads){0};
}

/* -- the register -- */

static sb_status add_row(sb_numbers *numbers, const sb_source_spread *spread, int source, int m)
{
    const sb_spread_row *row = &spread->row[source];
    char formula[256];
    snprintf(formula, sizeof formula,
             "sqrt(mean(d^2) / 2), d the difference of log %s of two runs of %s that differ in %s alone, over all such "
             "pairs",
             sb_metric_column[m], spread->recipe, source == SB_SOURCE_REPEAT ? "nothing" : sb_source_name[source]);
    sb_number number = sb_number_from(row->cell, row->n_cells, row->n_pairs, "log loss", formula);
    number.value = row->sd[m];
    SB_TRY(
        sb_numbers_put(numbers, &number, "spread.%s.%s.%s", spread->part, sb_source_name[source], sb_metric_part[m]));
    if (isnan(row->share[m])) return SB_OK;
    snprintf(formula, sizeof formula, "square of spread.%s.%s.%s over the sum of squares of all sources of %s",
             spread->part, sb_source_name[source], sb_metric_part[m], spread->recipe);
    number.value = row->share[m];
    number.unit = "1";
    return sb_numbers_put(numbers, &number, "spread.%s.%s.%s.share", spread->part, sb_source_name[source],
                          sb_metric_part[m]);
}

sb_status sb_spreads_add(sb_numbers *numbers, const sb_spreads *spreads)
{
    for (const sb_source_spread *spread = spreads->spread; spread < spreads->spread + spreads->n; spread++)
        for (int s = 0; s < SB_N_SOURCES; s++)
            for (int m = 0; m < SB_N_METRICS && spread->row[s].n_pairs; m++) SB_TRY(add_row(numbers, spread, s, m));
    return SB_OK;
}

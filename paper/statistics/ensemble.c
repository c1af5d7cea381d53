#include "paper/statistics/ensemble.h"

#include "core/plural.h"
#include "paper/numbers/numbers.h"
#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

sb_margin sb_ensemble_chosen(double ratio, const char *source)
{
    sb_margin margin = {.log_ratio = log(ratio), .least = log(ratio), .most = log(ratio)};
    snprintf(margin.source, sizeof margin.source, "%s", source);
    return margin;
}

sb_margin sb_ensemble_none(const char *reason)
{
    sb_margin margin = {.log_ratio = NAN, .least = NAN, .most = NAN};
    snprintf(margin.source, sizeof margin.source, "%s", reason);
    return margin;
}

/* The members of an ensemble: cells with ulp > 0, and those of ulp 0 that one of them started beside. */
static bool is_member(const sb_results *results, const sb_result *cell, const sb_result *like)
{
    if (sb_recipe_compare(cell, like) != 0) return false;
    if (cell->ulp > 0) return true;
    for (const sb_result *other = results->cell; other < results->cell + results->n_cells; other++)
        if (sb_recipe_compare(cell, other) == 0 && sb_recipe_differ(cell, other) == 1U << SB_FACTOR_ULP) return true;
    return false;
}

static size_t count_seeds(const sb_result *const *member, size_t n)
{
    size_t n_seeds = 0;
    for (size_t i = 0; i < n; i++) {
        bool first = true;
        for (size_t k = 0; k < i && first; k++) first = member[k]->seed != member[i]->seed;
        n_seeds += first;
    }
    return n_seeds;
}

enum { EVERY_SEED = -1 };

/* distance [n (n - 1) / 2] or NULL to count; without: a seed that is left out. */
static size_t measure_pairs(const sb_result *const *member, size_t n, sb_metric metric, long without, double *distance)
{
    size_t n_pairs = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            if (member[i]->seed == without || sb_recipe_differ(member[i], member[k]) != 1U << SB_FACTOR_ULP) continue;
            if (distance) distance[n_pairs] = fabs(log(member[i]->loss[metric] / member[k]->loss[metric]));
            n_pairs++;
        }
    return n_pairs;
}

/* NAN of no pairs. */
static double percentile(const sb_result *const *member, size_t n, sb_metric metric, long without, double *distance)
{
    size_t n_pairs = measure_pairs(member, n, metric, without, distance);
    return n_pairs ? sb_stats_quantile(distance, n_pairs, 0.95) : NAN;
}

static sb_digits percent(double log_ratio)
{
    return sb_number_short(100 * expm1(log_ratio));
}

static sb_status find_margin(const sb_result *const *member, size_t n, sb_metric metric, sb_margin *margin)
{
    char recipe[96];
    margin->n_pairs = measure_pairs(member, n, metric, EVERY_SEED, NULL);
    margin->n_seeds = count_seeds(member, n);
    sb_recipe_text(member[0], recipe, sizeof recipe);
    if (margin->n_pairs < SB_ENSEMBLE_PAIRS || margin->n_seeds < SB_ENSEMBLE_SEEDS) {
        snprintf(margin->source, sizeof margin->source, "the one-ulp ensemble of %s has only %zu pair%s of %zu seed%s",
                 recipe, margin->n_pairs, sb_plural(margin->n_pairs), margin->n_seeds, sb_plural(margin->n_seeds));
        return SB_OK;
    }
    double *distance = malloc(margin->n_pairs * sizeof *distance);
    if (!distance) return sb_fail(SB_E_MEMORY, "not enough memory for the one-ulp ensemble");
    margin->log_ratio = percentile(member, n, metric, EVERY_SEED, distance);
    margin->least = INFINITY, margin->most = 0;
    for (size_t i = 0; i < n; i++) {
        double without = percentile(member, n, metric, member[i]->seed, distance);
        margin->least = fmin(margin->least, without);
        margin->most = fmax(margin->most, without);
    }
    free(distance);
    snprintf(
        margin->source, sizeof margin->source,
        "one-ulp ensemble of %s: %zu runs of %zu seeds; 95 %% of %zu pairs lie within %s %%, without one seed within "
        "%s to %s %%",
        recipe, n, margin->n_seeds, margin->n_pairs, percent(margin->log_ratio).text, percent(margin->least).text,
        percent(margin->most).text);
    return SB_OK;
}

sb_status sb_ensemble_margin(const sb_results *results, const sb_result *like, sb_metric metric, sb_margin *margin)
{
    char recipe[96], reason[192];
    sb_recipe_text(like, recipe, sizeof recipe);
    snprintf(reason, sizeof reason, "no one-ulp ensemble of %s", recipe);
    *margin = sb_ensemble_none(reason);
    const sb_result **member = malloc(results->n_cells * sizeof *member);
    if (!member) return sb_fail(SB_E_MEMORY, "not enough memory for the one-ulp ensemble");
    size_t n = 0;
    for (size_t i = 0; i < results->n_cells; i++)
        if (is_member(results, &results->cell[i], like)) member[n++] = &results->cell[i];
    sb_status status = n ? find_margin(member, n, metric, margin) : SB_OK;
    free(member);
    return status;
}

#include "paper/effects/verdict.h"

#include "core/text/plural.h"
#include "paper/numbers/numbers.h"
#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_margin sb_ensemble_chosen(double ratio, const char *source)
{
    sb_margin margin = {.log_ratio = log(ratio)};
    margin.judged = margin.least = margin.most = margin.low = margin.high = margin.log_ratio;
    margin.without_two = NAN;
    snprintf(margin.source, sizeof margin.source, "%s", source);
    return margin;
}

sb_margin sb_ensemble_none(const char *reason)
{
    sb_margin margin = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0, ""};
    snprintf(margin.source, sizeof margin.source, "%s", reason);
    return margin;
}

/* The members of an ensemble: cells with ulp > 0, and the cells with ulp 0 of the same seeds. */
static bool is_member(const sb_results *results, const sb_result *cell, const sb_result *like)
{
    if (sb_recipe_compare(cell, like) != 0) return false;
    if (cell->ulp > 0) return true;
    for (const sb_result *other = results->cell; other < results->cell + results->n_cells; other++)
        if (other->ulp > 0 && other->seed == cell->seed && sb_recipe_compare(cell, other) == 0 &&
            sb_recipe_differ(cell, other) == 1U << SB_FACTOR_ULP)
            return true;
    return false;
}

/* -- the numbers -- */

enum { EVERY_SEED = -1 };

/* The 95th percentile of the distances of all seeds but one or two; distance [n] ascending, room [n]; NAN of none. */
static double percentile(const sb_distance *distance, size_t n, long without, long and_without, double *room)
{
    size_t n_left = 0;
    for (size_t i = 0; i < n; i++)
        if ((long)distance[i].seed != without && (long)distance[i].seed != and_without)
            room[n_left++] = distance[i].log_ratio;
    return n_left ? gsl_stats_quantile_from_sorted_data(room, 1, n_left, 0.95) : NAN;
}

/* without [n_seeds]: the margins without one of the seeds, in whose place the pseudo-values come. */
static void find_interval(double *without, size_t n_seeds, sb_margin *margin)
{
    const double n = (double)n_seeds;
    for (size_t i = 0; i < n_seeds; i++) without[i] = n * log(margin->log_ratio) - (n - 1) * log(without[i]);
    sb_stats_interval(without, n_seeds, &margin->low, &margin->high);
    margin->low = exp(margin->low), margin->high = exp(margin->high);
    if (margin->high > log(2)) margin->high = INFINITY;
}

static int compare_distances(const void *left, const void *right)
{
    const sb_distance *a = left, *b = right;
    return (a->log_ratio > b->log_ratio) - (a->log_ratio < b->log_ratio);
}

sb_status sb_margin_of(sb_distance *distance, size_t n, size_t n_seeds, sb_margin *margin)
{
    double *room = malloc((n + n_seeds) * sizeof *room), *without = room + n;
    if (!room) return sb_fail(SB_E_MEMORY, "not enough memory for the one-ulp ensemble");
    qsort(distance, n, sizeof *distance, compare_distances);
    margin->n_pairs = n;
    margin->n_seeds = n_seeds;
    margin->log_ratio = percentile(distance, n, EVERY_SEED, EVERY_SEED, room);
    margin->least = INFINITY, margin->most = 0;
    for (size_t i = 0; i < n_seeds; i++) {
        without[i] = percentile(distance, n, (long)i, EVERY_SEED, room);
        margin->least = fmin(margin->least, without[i]);
        margin->most = fmax(margin->most, without[i]);
    }
    margin->low = margin->high = NAN;
    if (margin->least > 0) find_interval(without, n_seeds, margin); /* of runs that do not spread there is none */
    margin->without_two = n_seeds < SB_ENSEMBLE_SPREAD_SEEDS ? NAN : INFINITY;
    for (size_t i = 0; n_seeds >= SB_ENSEMBLE_SPREAD_SEEDS && i < n_seeds; i++)
        for (size_t k = i + 1; k < n_seeds; k++)
            margin->without_two = fmin(margin->without_two, percentile(distance, n, (long)i, (long)k, room));
    sb_ensemble_limit(margin, SB_ENSEMBLE_RELEVANT);
    free(room);
    return SB_OK;
}

void sb_ensemble_limit(sb_margin *margin, double relevant)
{
    const bool few = margin->n_seeds && !(margin->without_two >= margin->log_ratio / 2);
    margin->judged = few || isnan(margin->least) ? NAN : fmin(margin->least, log(relevant));
}

/* -- an ensemble -- */

/* The number of a seed among seeds [*n], to which a new one is added. */
static size_t number_of(long seed, long *seeds, size_t *n)
{
    size_t i = 0;
    while (i < *n && seeds[i] != seed) i++;
    if (i == *n) seeds[(*n)++] = seed;
    return i;
}

/* distance [n (n - 1) / 2], seeds [n]; returns how many pairs of runs, with losses above 0, differ in ulp alone.
 */
static size_t measure_pairs(const sb_result *const *member, size_t n, sb_metric metric, long *seeds, size_t *n_seeds,
                            sb_distance *distance)
{
    size_t n_pairs = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            if (sb_recipe_differ(member[i], member[k]) != 1U << SB_FACTOR_ULP) continue;
            if (!(member[i]->loss[metric] > 0) || !(member[k]->loss[metric] > 0)) continue;
            distance[n_pairs++] = (sb_distance){fabs(log(member[i]->loss[metric] / member[k]->loss[metric])),
                                                number_of(member[i]->seed, seeds, n_seeds)};
        }
    return n_pairs;
}

static sb_digits percent(double log_ratio)
{
    return sb_number_short(100 * expm1(log_ratio));
}

static void say_source(sb_margin *margin, const char *recipe, size_t n_runs)
{
    char interval[96] = "";
    if (!isnan(margin->low))
        snprintf(interval, sizeof interval, " (95 %% interval %s to %s)", percent(margin->low).text,
                 isfinite(margin->high) ? percent(margin->high).text : "more than 100");
    snprintf(margin->source, sizeof margin->source,
             "one-ulp ensemble of %s: %zu runs of %zu seeds; 95 %% of %zu pairs lie within %s %%%s; without one of the "
             "seeds "
             "%s to %s %%",
             recipe, n_runs, margin->n_seeds, margin->n_pairs, percent(margin->log_ratio).text, interval,
             percent(margin->least).text, percent(margin->most).text);
    const size_t used = strlen(margin->source);
    if (!isnan(margin->without_two))
        snprintf(margin->source + used, sizeof margin->source - used, "; without two at least %s %%",
                 percent(margin->without_two).text);
}

/* seeds [n] and distance [n (n - 1) / 2] are room. */
static sb_status find_margin(const sb_result *const *member, size_t n, sb_metric metric, long *seeds,
                             sb_distance *distance, sb_margin *margin)
{
    char recipe[96];
    size_t n_seeds = 0;
    const size_t n_pairs = measure_pairs(member, n, metric, seeds, &n_seeds, distance);
    sb_recipe_text(member[0], recipe, sizeof recipe);
    if (n_pairs < SB_ENSEMBLE_PAIRS || n_seeds < SB_ENSEMBLE_SEEDS) {
        margin->n_pairs = n_pairs, margin->n_seeds = n_seeds;
        snprintf(margin->source, sizeof margin->source, "the one-ulp ensemble of %s has only %zu pair%s of %zu seed%s",
                 recipe, n_pairs, sb_plural(n_pairs), n_seeds, sb_plural(n_seeds));
        return SB_OK;
    }
    SB_TRY(sb_margin_of(distance, n_pairs, n_seeds, margin));
    say_source(margin, recipe, n);
    return SB_OK;
}

static bool has_ulp(const sb_results *results)
{
    for (size_t i = 0; i < results->n_cells; i++)
        if (results->cell[i].ulp > 0) return true;
    return false;
}

sb_status sb_ensemble_margin(const sb_results *results, const sb_result *like, sb_metric metric, sb_margin *margin)
{
    char recipe[96], reason[192];
    sb_recipe_text(like, recipe, sizeof recipe);
    snprintf(reason, sizeof reason, "no one-ulp ensemble of %s", recipe);
    *margin = sb_ensemble_none(reason);
    if (!has_ulp(results)) return SB_OK; /* the search for members asks about every pair of cells */
    SB_FREED const sb_result **member = malloc(results->n_cells * sizeof *member);
    if (!member) return sb_fail(SB_E_MEMORY, "not enough memory for the one-ulp ensemble");
    size_t n = 0;
    for (size_t i = 0; i < results->n_cells; i++)
        if (is_member(results, &results->cell[i], like)) member[n++] = &results->cell[i];
    SB_FREED long *seeds = malloc((n + 1) * sizeof *seeds);
    SB_FREED sb_distance *distance = malloc((n * n / 2 + 1) * sizeof *distance);
    if (!seeds || !distance) return sb_fail(SB_E_MEMORY, "not enough memory for the one-ulp ensemble");
    return n ? find_margin(member, n, metric, seeds, distance, margin) : SB_OK;
}

#include "paper/effects/measures.h"

#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const sb_metric_part[SB_N_METRICS] = {"loss-last", "loss-mean"};

static sb_status add_summary(sb_numbers *numbers, const sb_arm *arm, int m)
{
    const sb_summary *s = &arm->summary[m];
    const struct {
        const char *suffix, *words;
        double value, low, high;
    } parts[] = {
        {"", "mean over seeds of %s; 95 %% interval: " SB_STATS_INTERVAL_WORDS, s->mean, s->low, s->high},
        {".sd", "standard deviation (n - 1) over seeds of %s", s->sd, NAN, NAN},
        {".se", "standard error of the mean over seeds of %s: sd / sqrt(n)", s->se, NAN, NAN},
        {".min", "smallest over seeds of %s", s->min, NAN, NAN},
        {".median", "median over seeds of %s", s->median, NAN, NAN},
        {".max", "largest over seeds of %s", s->max, NAN, NAN},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char formula[128];
        snprintf(formula, sizeof formula, parts[i].words, sb_metric_column[m]);
        if (isnan(parts[i].value)) continue;
        sb_number number = sb_number_from(arm->cell, arm->n, arm->n, "1", formula);
        number.value = parts[i].value, number.low = parts[i].low, number.high = parts[i].high;
        SB_TRY(sb_numbers_put(numbers, &number, "%s.%s.%s.%s%s", arm->group->part, arm->setting->part,
                              sb_target_name[arm->target], sb_metric_part[m], parts[i].suffix));
    }
    return SB_OK;
}

static sb_status add_seconds(sb_numbers *numbers, const sb_arm *arm)
{
    if (arm->n_diverged) return SB_OK; /* they ended early */
    sb_number number = sb_number_from(arm->cell, arm->n, arm->n, "s", "mean over seeds of the wall time of a training");
    for (size_t i = 0; i < arm->n; i++) number.value += arm->cell[i]->seconds / (double)arm->n;
    return sb_numbers_put(numbers, &number, "%s.%s.%s.seconds", arm->group->part, arm->setting->part,
                          sb_target_name[arm->target]);
}

/* Where every run of the arm has one. Few runs have a range, and no interval. */
static sb_status add_accuracy(sb_numbers *numbers, const sb_arm *arm)
{
    sb_number number =
        sb_number_from(arm->cell, arm->n, arm->n, "%", "mean and range over seeds of accuracy, in percent");
    if (!sb_recipe_classifies(arm->setting->cell)) return SB_OK;
    number.low = INFINITY, number.high = -INFINITY;
    for (size_t i = 0; i < arm->n; i++) {
        const double percent = 100 * arm->cell[i]->accuracy;
        if (isnan(percent)) return SB_OK;
        number.value += percent / (double)arm->n;
        number.low = fmin(number.low, percent);
        number.high = fmax(number.high, percent);
    }
    return sb_numbers_put(numbers, &number, "%s.%s.%s.accuracy", arm->group->part, arm->setting->part,
                          sb_target_name[arm->target]);
}

static sb_number of_pairs(const sb_configuration *setting, const sb_result **cell, double value, char *formula)
{
    sb_number number = sb_number_from(cell, 2 * setting->n_pairs, setting->n_pairs, "ratio", formula);
    number.value = value;
    return number;
}

static sb_status add_ratio(sb_numbers *numbers, const sb_configuration *setting, const sb_result **cell, int m,
                           const char *label)
{
    const sb_ratio *effect = &setting->effect[m];
    char formula[256];
    snprintf(formula, sizeof formula,
             "geometric mean over seeds of %s(shared)/%s(copy); 95 %% interval of the mean log "
             "ratio: " SB_STATS_INTERVAL_WORDS "; p of sign-flip permutation, two-sided",
             sb_metric_column[m], sb_metric_column[m]);
    sb_number number = of_pairs(setting, cell, effect->ratio, formula);
    number.low = effect->low;
    number.high = effect->high;
    number.p = effect->p;
    sb_stats_ratio_text(effect, number.text);
    return sb_numbers_put(numbers, &number, "%s", label);
}

/* What one pair alone does to the ratio. */
static sb_status add_single_pairs(sb_numbers *numbers, const sb_configuration *setting, const sb_result **cell, int m,
                                  const char *label)
{
    const sb_ratio *effect = &setting->effect[m];
    const int places = sb_stats_ratio_decimals(effect);
    char formula[256];
    snprintf(formula, sizeof formula, "median over seeds of %s(shared)/%s(copy)", sb_metric_column[m],
             sb_metric_column[m]);
    sb_number number = of_pairs(setting, cell, effect->median, formula);
    snprintf(number.text, sizeof number.text, "%.*f", places, effect->median);
    SB_TRY(sb_numbers_put(numbers, &number, "%s.median", label));
    if (isnan(effect->least_without)) return SB_OK;
    snprintf(formula, sizeof formula,
             "geometric mean of %s(shared)/%s(copy) over all seeds but one, least and most over that one; the value is "
             "the one nearer to 1",
             sb_metric_column[m], sb_metric_column[m]);
    number = of_pairs(setting, cell, effect->ratio > 1 ? effect->least_without : effect->most_without, formula);
    snprintf(number.text, sizeof number.text, "%.*f to %.*f", places, effect->least_without, places,
             effect->most_without);
    return sb_numbers_put(numbers, &number, "%s.without-one", label);
}

/* A chance near 0 must not read as none. */
static int decimals(double chance)
{
    return chance < 0.1 ? 4 : 2;
}

/* How often the buffer alone gives the published figure, every CPU above every GPU. */
static sb_status add_separation(sb_numbers *numbers, const sb_configuration *setting, const sb_result **cell, int m,
                                const char *label)
{
    const size_t n = setting->n_pairs;
    char formula[512];
    if (n < SB_STATS_INTERVAL_RUNS) return SB_OK;
    double *loss = malloc(SB_N_TARGETS * n * sizeof *loss);
    if (!loss) return sb_fail(SB_E_MEMORY, "not enough memory for %zu pairs", n);
    for (size_t i = 0; i < n; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) loss[(size_t)t * n + i] = setting->pair[i].cell[t]->loss[m];
    const sb_separation chance = sb_separation_of(loss + SB_TARGET_SHARED * n, n, SB_PUBLISHED_CPUS,
                                                  loss + SB_TARGET_COPY * n, n, SB_PUBLISHED_GPUS);
    free(loss);
    if (isnan(chance.normal)) return SB_OK;
    snprintf(formula, sizeof formula,
             "chance that the least %s(shared) of %d runs lies above the largest %s(copy) of %d, each run of a seed "
             "of its own: by normal logarithms of these means and standard deviations, and by drawing from these runs; "
             "of runs that nothing sets apart it is 1/choose(%d, %d) = %.4f",
             sb_metric_column[m], SB_PUBLISHED_CPUS, sb_metric_column[m], SB_PUBLISHED_GPUS,
             SB_PUBLISHED_CPUS + SB_PUBLISHED_GPUS, SB_PUBLISHED_CPUS,
             sb_separation_by_chance(SB_PUBLISHED_CPUS, SB_PUBLISHED_GPUS));
    sb_number number = of_pairs(setting, cell, chance.normal, formula);
    number.unit = "1";
    snprintf(number.text, sizeof number.text, "%.*f and %.*f", decimals(chance.normal), chance.normal,
             decimals(chance.resampled), chance.resampled);
    return sb_numbers_put(numbers, &number, "%s.separated", label);
}

static sb_status add_effect(sb_numbers *numbers, const sb_group *group, const sb_configuration *setting, int m)
{
    sb_number label;
    SB_FREED const sb_result **cell = malloc(2 * setting->n_pairs * sizeof *cell);
    if (!cell) return sb_fail(SB_E_MEMORY, "not enough memory for %zu pairs", setting->n_pairs);
    for (size_t i = 0; i < setting->n_pairs; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) cell[2 * i + (size_t)t] = setting->pair[i].cell[t];
    sb_number_label(&label, "%s.%s.shared-over-copy.%s", group->part, setting->part, sb_metric_part[m]);
    SB_TRY(add_ratio(numbers, setting, cell, m, label.label));
    SB_TRY(add_single_pairs(numbers, setting, cell, m, label.label));
    return add_separation(numbers, setting, cell, m, label.label);
}

sb_status sb_measures_add(sb_numbers *numbers, const sb_arms *arms)
{
    for (size_t i = 0; i < arms->n; i++) {
        for (int m = 0; m < SB_N_METRICS; m++) SB_TRY(add_summary(numbers, arms->arm[i], m));
        SB_TRY(add_seconds(numbers, arms->arm[i]));
        SB_TRY(add_accuracy(numbers, arms->arm[i]));
    }
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++)
        for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++)
            for (int m = 0; m < SB_N_METRICS && setting->n_pairs; m++) SB_TRY(add_effect(numbers, group, setting, m));
    return SB_OK;
}

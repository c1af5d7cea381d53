#include "paper/effects/measures.h"

#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- lines -- */

static const sb_result *first_of(const sb_batch_arm *a)
{
    return a->arm->cell[0];
}

static bool has_errors(const sb_arm *arm)
{
    for (size_t i = 0; i < arm->n; i++)
        if (!isfinite(arm->cell[i]->loss[SB_METRIC_ERROR])) return false;
    return arm->n > 0;
}

/* Of one line, but perhaps for the batch? */
static bool belong_together(const sb_result *a, const sb_result *b)
{
    static const bool tuned[SB_N_SETTINGS] = {
        [SB_SETTING_BATCH] = true,        [SB_SETTING_UPDATES] = true,  [SB_SETTING_SHARDS] = true,
        [SB_SETTING_LR] = true,           [SB_SETTING_MOMENTUM] = true, [SB_SETTING_BETA1] = true,
        [SB_SETTING_WEIGHT_DECAY] = true, [SB_SETTING_EPS] = true,      [SB_SETTING_LR_KNOTS] = true,
        [SB_SETTING_LR_SHARES] = true,
    };
    return sb_recipe_same_across(a, b, tuned) && (sb_recipe_differ(a, b) & ~(1U << SB_FACTOR_SEED)) == 0;
}

static int compare_batches(const void *left, const void *right)
{
    const sb_batch_arm *a = left, *b = right;
    return (first_of(a)->batch > first_of(b)->batch) - (first_of(a)->batch < first_of(b)->batch);
}

static size_t list_arms(const sb_arms *arms, sb_batch_arm *list)
{
    size_t n = 0;
    for (size_t i = 0; i < arms->n; i++)
        if (has_errors(arms->arm[i])) list[n++] = (sb_batch_arm){.arm = arms->arm[i]};
    return n;
}

/* Bring the arms of list[0]'s line to the front, batches ascending; returns how many. */
static size_t gather(sb_batch_arm *list, size_t n)
{
    size_t n_line = 1;
    for (size_t i = 1; i < n; i++) {
        if (!belong_together(first_of(&list[0]), first_of(&list[i]))) continue;
        const sb_batch_arm own = list[i];
        memmove(&list[n_line + 1], &list[n_line], (i - n_line) * sizeof *list);
        list[n_line++] = own;
    }
    qsort(list, n_line, sizeof *list, compare_batches);
    return n_line;
}

static bool is_line(const sb_batch_arm *arm, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (first_of(&arm[i])->batch == first_of(&arm[i - 1])->batch) return false;
    return true;
}

/* Lines whose rows would read alike say by what they were computed, too. */
static void name_lines(sb_batches *batches)
{
    for (sb_batch_line *line = batches->line; line < batches->line + batches->n; line++) {
        const sb_result *cell = first_of(line->arm);
        const long steps =
            strtol(cell->setting[SB_SETTING_SYNC_EVERY] ? cell->setting[SB_SETTING_SYNC_EVERY] : "", NULL, 10);
        int n = snprintf(line->name, sizeof line->name, "%.32s", cell->optimizer);
        if (steps > 0) snprintf(line->name + n, sizeof line->name - (size_t)n, ", %ld local steps", steps);
    }
    for (size_t i = 1; i < batches->n; i++)
        for (size_t k = 0; k < i; k++) {
            sb_batch_line *line = &batches->line[i];
            const size_t n = strlen(line->name);
            if (strcmp(line->name, batches->line[k].name) != 0) continue;
            snprintf(line->name + n, sizeof line->name - n, ", %.32s", line->arm->arm->setting->label);
        }
}

/* -- numbers -- */

static sb_status measure_arm(sb_batch_arm *arm, const sb_batch_arm *smallest, double *value)
{
    const sb_arm *own = arm->arm, *base = smallest->arm;
    for (size_t i = 0; i < own->n; i++) value[i] = own->cell[i]->loss[SB_METRIC_ERROR];
    SB_TRY(sb_stats_summary(value, own->n, &arm->error));
    if (own == base) return SB_OK;
    for (size_t i = 0; i < own->n; i++)
        for (size_t k = 0; k < base->n; k++)
            if (own->cell[i]->seed == base->cell[k]->seed)
                value[arm->n_pairs++] = own->cell[i]->loss[SB_METRIC_ERROR] - base->cell[k]->loss[SB_METRIC_ERROR];
    return arm->n_pairs ? sb_stats_summary(value, arm->n_pairs, &arm->rise) : SB_OK;
}

static sb_status measure_all(sb_batches *batches)
{
    size_t most = 1;
    for (size_t i = 0; i < batches->n; i++)
        for (size_t k = 0; k < batches->line[i].n; k++)
            if (batches->line[i].arm[k].arm->n > most) most = batches->line[i].arm[k].arm->n;
    SB_FREED double *value = malloc(most * sizeof *value);
    if (!value) return sb_fail(SB_E_MEMORY, "not enough memory for %zu errors", most);
    for (size_t i = 0; i < batches->n; i++)
        for (size_t k = 0; k < batches->line[i].n; k++)
            SB_TRY(measure_arm(&batches->line[i].arm[k], batches->line[i].arm, value));
    return SB_OK;
}

sb_status sb_batches_measure(sb_batches *batches, const sb_arms *arms)
{
    const size_t room = arms->n + 1;
    size_t most = 0;
    *batches = (sb_batches){.line = calloc(room, sizeof *batches->line), .arms = calloc(room, sizeof *batches->arms)};
    if (!batches->line || !batches->arms) return sb_fail(SB_E_MEMORY, "not enough memory for batches");
    const size_t n = list_arms(arms, batches->arms);
    for (size_t first = 0, n_line; first < n; first += n_line) {
        n_line = gather(batches->arms + first, n - first);
        if (!is_line(batches->arms + first, n_line)) continue;
        if (n_line > most) most = n_line;
        batches->line[batches->n++] = (sb_batch_line){.n = n_line, .arm = batches->arms + first};
    }
    if (most < 2) batches->n = 0;
    name_lines(batches);
    return measure_all(batches);
}

void sb_batches_free(sb_batches *batches)
{
    free(batches->line);
    free(batches->arms);
    *batches = (sb_batches){0};
}

/* -- the register -- */

static sb_status add(sb_numbers *numbers, const sb_batch_arm *arm, const char *what, const sb_summary *share,
                     const char *formula)
{
    sb_number number = sb_number_from(arm->arm->cell, arm->arm->n, share->n, "%", formula);
    number.value = 100 * share->mean, number.low = 100 * share->low, number.high = 100 * share->high;
    int n = snprintf(number.text, sizeof number.text, "%.2f", number.value);
    if (isfinite(number.low))
        snprintf(number.text + n, sizeof number.text - (size_t)n, " [%.2f, %.2f]", number.low, number.high);
    return sb_numbers_put(numbers, &number, "batch.%s.%s.%s", arm->arm->group->part, arm->arm->setting->part, what);
}

static sb_status add_rise(sb_numbers *numbers, const sb_batch_arm *arm, const sb_batch_arm *smallest)
{
    char formula[256];
    snprintf(formula, sizeof formula,
             "mean over seeds of the share of test images that are wrong, less the share of the same seed in %.48s; "
             "percentage points; %s",
             first_of(smallest)->study, SB_STATS_INTERVAL_WORDS);
    return add(numbers, arm, "rise", &arm->rise, formula);
}

sb_status sb_batches_add(sb_numbers *numbers, const sb_batches *batches)
{
    for (const sb_batch_line *line = batches->line; line < batches->line + batches->n; line++)
        for (const sb_batch_arm *arm = line->arm; arm < line->arm + line->n; arm++) {
            SB_TRY(add(numbers, arm, "error", &arm->error,
                       "mean over runs of the share of test images that are wrong; " SB_STATS_INTERVAL_WORDS));
            if (arm->n_pairs) SB_TRY(add_rise(numbers, arm, line->arm));
        }
    return SB_OK;
}

#include "paper/effects/against_baselines.h"

#include "paper/effects/measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double sb_group_baseline(const sb_group *group, const sb_baseline_losses *losses, sb_baseline_id id, sb_metric metric)
{
    double loss = NAN;
    for (size_t i = 0; i < group->n_settings; i++) {
        const double own = sb_baseline_loss(losses, group->setting[i].cell, id, metric);
        if (i > 0 && own != loss) return NAN;
        loss = own;
    }
    return loss;
}

/* -- the runs behind a number -- */

static size_t count_runs(const sb_group *group)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++) n += group->setting[i].arm[t].n;
    return n;
}

static void list_runs(const sb_group *group, const sb_result **cell)
{
    for (size_t i = 0; i < group->n_settings; i++)
        for (int t = 0; t < SB_N_TARGETS; t++)
            for (size_t k = 0; k < group->setting[i].arm[t].n; k++) *cell++ = group->setting[i].arm[t].cell[k];
}

static sb_number of_runs(const sb_result *const *cell, size_t n, const char *unit, char *formula)
{
    return (sb_number){.low = NAN,
                       .high = NAN,
                       .p = NAN,
                       .n = n,
                       .unit = unit,
                       .formula = formula,
                       .evidence = sb_evidence_of(cell, n),
                       .n_cells = n,
                       .cell = cell};
}

/* -- the numbers -- */

/* Mean, least and most of the runs' losses over the baseline's; the caller gives the label. */
static sb_number over(const sb_result *const *cell, size_t n, double baseline, sb_baseline_id id, int m,
                      char formula[256])
{
    double sum = 0, least = HUGE_VAL, most = 0;
    for (size_t i = 0; i < n; i++) {
        sum += cell[i]->loss[m];
        least = fmin(least, cell[i]->loss[m]);
        most = fmax(most, cell[i]->loss[m]);
    }
    snprintf(formula, 256,
             "mean over runs of %s, over that of the baseline %s; low and high: the least and the most of a run",
             sb_metric_column[m], sb_baseline_name[id]);
    sb_number number = of_runs(cell, n, "ratio", formula);
    number.value = sum / (double)n / baseline;
    number.low = least / baseline, number.high = most / baseline;
    snprintf(number.text, sizeof number.text, "%s (%s to %s)", sb_number_short(number.value).text,
             sb_number_short(number.low).text, sb_number_short(number.high).text);
    return number;
}

static sb_status add_group(sb_numbers *numbers, const sb_group *group, const sb_result *const *cell, size_t n,
                           double baseline, sb_baseline_id id, int m)
{
    char formula[256];
    snprintf(formula, sizeof formula, "%s of predicting %s, over the windows of the last fifth of the updates",
             sb_metric_column[m], sb_baseline_rule[id]);
    sb_number number = of_runs(cell, n, "1", formula);
    number.value = baseline;
    sb_number_label(&number, "%s.baseline.%s.%s", group->part, sb_baseline_name[id], sb_metric_part[m]);
    SB_TRY(sb_numbers_add(numbers, &number));
    if (baseline == 0) return SB_OK; /* a video that stands still */
    for (size_t i = 0; i < n; i++)
        if (cell[i]->diverged) return SB_OK; /* there is no mean */
    number = over(cell, n, baseline, id, m, formula);
    sb_number_label(&number, "%s.over-%s.%s", group->part, sb_baseline_name[id], sb_metric_part[m]);
    return sb_numbers_add(numbers, &number);
}

static sb_status add_arms(sb_numbers *numbers, const sb_group *group, double baseline, sb_baseline_id id, int m)
{
    for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++)
        for (int t = 0; t < SB_N_TARGETS; t++) {
            char formula[256];
            const sb_arm *arm = &setting->arm[t];
            if (arm->n == 0 || arm->n_diverged || baseline == 0) continue;
            sb_number number = over(arm->cell, arm->n, baseline, id, m, formula);
            sb_number_label(&number, "%s.%s.%s.%s.over-%s", group->part, setting->part, sb_target_name[t],
                            sb_metric_part[m], sb_baseline_name[id]);
            SB_TRY(sb_numbers_add(numbers, &number));
        }
    return SB_OK;
}

static sb_status add_baselines(sb_numbers *numbers, const sb_group *group, const sb_baseline_losses *losses,
                               const sb_result *const *cell, size_t n)
{
    for (int id = 0; id < SB_N_BASELINES; id++)
        for (int m = 0; m < SB_N_METRICS; m++) {
            const double baseline = sb_group_baseline(group, losses, (sb_baseline_id)id, (sb_metric)m);
            if (isnan(baseline)) continue;
            SB_TRY(add_group(numbers, group, cell, n, baseline, (sb_baseline_id)id, m));
            SB_TRY(add_arms(numbers, group, baseline, (sb_baseline_id)id, m));
        }
    return SB_OK;
}

sb_status sb_against_baselines_add(sb_numbers *numbers, const sb_arms *arms, const sb_baseline_losses *losses)
{
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++) {
        const size_t n = count_runs(group);
        const sb_result **cell = calloc(n + 1, sizeof *cell);
        if (!cell) return sb_fail(SB_E_MEMORY, "not enough memory for %zu runs", n);
        list_runs(group, cell);
        sb_status status = add_baselines(numbers, group, losses, cell, n);
        free(cell);
        SB_TRY(status);
    }
    return SB_OK;
}

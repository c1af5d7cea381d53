#include "paper/effects/measures.h"

#include <math.h>
#include <stdio.h>

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
    sb_number number = sb_number_from(cell, n, n, "ratio", formula);
    number.value = sum / (double)n / baseline;
    number.low = least / baseline, number.high = most / baseline;
    snprintf(number.text, sizeof number.text, "%s (%s to %s)", sb_number_short(number.value).text,
             sb_number_short(number.low).text, sb_number_short(number.high).text);
    return number;
}

static sb_status add_group(sb_numbers *numbers, const sb_group *group, double baseline, sb_baseline_id id, int m)
{
    char formula[256];
    const sb_result *const *cell = group->cells.cell;
    const size_t n = group->cells.n;
    snprintf(formula, sizeof formula, "%s of predicting %s, over the windows of the last fifth of the updates",
             sb_metric_column[m], sb_baseline_rule[id]);
    sb_number number = sb_number_from(cell, n, n, "1", formula);
    number.value = baseline;
    SB_TRY(sb_numbers_put(numbers, &number, "%s.baseline.%s.%s", group->part, sb_baseline_name[id], sb_metric_part[m]));
    if (baseline == 0) return SB_OK; /* a video that stands still */
    for (size_t i = 0; i < n; i++)
        if (cell[i]->diverged) return SB_OK; /* there is no mean */
    number = over(cell, n, baseline, id, m, formula);
    return sb_numbers_put(numbers, &number, "%s.over-%s.%s", group->part, sb_baseline_name[id], sb_metric_part[m]);
}

static sb_status add_arm(sb_numbers *numbers, const sb_arm *arm, double baseline, sb_baseline_id id, int m)
{
    char formula[256];
    if (arm->n_diverged || baseline == 0) return SB_OK;
    sb_number number = over(arm->cell, arm->n, baseline, id, m, formula);
    return sb_numbers_put(numbers, &number, "%s.%s.%s.%s.over-%s", arm->group->part, arm->setting->part,
                          sb_target_name[arm->target], sb_metric_part[m], sb_baseline_name[id]);
}

static sb_status add_baseline(sb_numbers *numbers, const sb_arms *arms, const sb_baseline_losses *losses,
                              sb_baseline_id id, int m)
{
    double baseline = NAN;
    for (size_t i = 0; i < arms->n; i++) {
        const sb_arm *arm = arms->arm[i];
        if (i == 0 || arms->arm[i - 1]->group != arm->group) {
            baseline = sb_group_baseline(arm->group, losses, id, (sb_metric)m);
            if (!isnan(baseline)) SB_TRY(add_group(numbers, arm->group, baseline, id, m));
        }
        if (!isnan(baseline)) SB_TRY(add_arm(numbers, arm, baseline, id, m));
    }
    return SB_OK;
}

sb_status sb_against_baselines_add(sb_numbers *numbers, const sb_arms *arms, const sb_baseline_losses *losses)
{
    for (int id = 0; id < SB_N_BASELINES; id++)
        for (int m = 0; m < SB_N_METRICS; m++) SB_TRY(add_baseline(numbers, arms, losses, (sb_baseline_id)id, m));
    return SB_OK;
}

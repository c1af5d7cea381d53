#include "paper/claims/claims.h"

#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <stdlib.h>
#include <string.h>

static sb_sample of_side(const sb_finding *f)
{
    return (sb_sample){f->of->n, f->of->cell};
}

static sb_sample over_side(const sb_finding *f)
{
    return (sb_sample){f->over->n, f->over->cell};
}

sb_status sb_finding_judge(sb_finding *f, const sb_margin *margin, bool common)
{
    return sb_verdict_of(&f->verdict, of_side(f), over_side(f),
                         &(sb_verdict_rule){f->metric, margin, .common = common});
}

sb_status sb_findings_family(sb_finding *finding, size_t n)
{
    SB_FREED sb_verdict **family = malloc((n + 1) * sizeof(sb_verdict *));
    if (!family) return sb_fail(SB_E_MEMORY, "not enough memory for %zu comparisons", n);
    for (size_t i = 0; i < n; i++) family[i] = &finding[i].verdict;
    return sb_verdict_family(family, n);
}

sb_evidence sb_finding_evidence(const sb_finding *f)
{
    return sb_evidence_weaker(f->of->cell[0]->evidence, f->over->cell[0]->evidence);
}

double sb_finding_pair(const sb_finding *f, size_t i, const sb_result **of, const sb_result **over)
{
    return sb_sample_pair(of_side(f), over_side(f), f->metric, i, of, over);
}

/* -- its number -- */

sb_status sb_finding_add(sb_numbers *numbers, const sb_finding *f, const char *what)
{
    char formula[400];
    const sb_verdict *v = &f->verdict;
    const size_t n_cells = f->of->n + f->over->n;
    SB_FREED const sb_result **cell = malloc(n_cells * sizeof *cell);
    if (!cell) return sb_fail(SB_E_MEMORY, "not enough memory for the number %s", f->label);
    memcpy(cell, f->of->cell, f->of->n * sizeof *cell);
    memcpy(cell + f->of->n, f->over->cell, f->over->n * sizeof *cell);
    snprintf(formula, sizeof formula,
             "%s of %s%s; 95 %% interval of its logarithm: " SB_STATS_INTERVAL_WORDS "; p of %s, two-sided",
             v->paired ? "geometric mean over seeds of the ratio" : "ratio of the geometric means",
             sb_metric_column[f->metric], what, v->test);
    sb_number number = sb_number_from(cell, n_cells, v->n, "ratio", formula);
    number.value = v->ratio, number.low = v->low, number.high = v->high, number.p = v->p;
    sb_verdict_ratio_text(v, number.text);
    memcpy(number.label, f->label, sizeof number.label);
    return sb_numbers_add(numbers, &number);
}

/* -- hardware -- */

bool sb_finding_is_other_hardware(const sb_configuration *setting, const sb_configuration *reference)
{
    const sb_result *a = setting->cell, *b = reference->cell;
    return setting != reference && strcmp(a->hardware, b->hardware) != 0 && sb_recipe_compare(a, b) == 0;
}

/* How many settings of the study have the hardware of this one, or with `backend` its hardware and backend. */
static size_t count_alike(const sb_group *group, const sb_configuration *setting, bool backend)
{
    size_t n = 0;
    for (const sb_configuration *other = group->setting; other < group->setting + group->n_settings; other++)
        n += strcmp(other->cell->hardware, setting->cell->hardware) == 0 &&
             (!backend || strcmp(other->cell->backend, setting->cell->backend) == 0);
    return n;
}

/* Commas stand between names, so a label loses its own. */
static void add_name(char names[SB_FINDING_NAMES], const sb_group *group, const sb_configuration *setting)
{
    const size_t used = strlen(names), left = SB_FINDING_NAMES - used;
    const char *comma = used ? ", " : "";
    char *name = names + used;
    if (count_alike(group, setting, false) == 1)
        snprintf(name, left, "%s%s", comma, setting->cell->hardware);
    else if (count_alike(group, setting, true) == 1)
        snprintf(name, left, "%s%s on %s", comma, setting->cell->backend, setting->cell->hardware);
    else
        snprintf(name, left, "%s%s", comma, setting->label);
    for (char *at = name + strlen(comma); (at = strchr(at, ','));) memmove(at, at + 1, strlen(at));
}

size_t sb_finding_names(const sb_finding *f, char names[SB_FINDING_NAMES])
{
    const sb_group *group = f->of->group;
    const sb_target target = f->of->target;
    const bool gpu = sb_recipe_on_gpu(f->of->setting->cell);
    size_t n = 0;
    *names = 0;
    for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        const sb_arm *arm = &setting->arm[target];
        if (!arm->n || sb_recipe_on_gpu(setting->cell) != gpu || !sb_arm_same_runs(arm, f->of)) continue;
        if (!sb_finding_is_other_hardware(setting, f->over->setting)) continue;
        add_name(names, group, setting);
        n++;
    }
    return n;
}

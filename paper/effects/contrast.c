#include "paper/effects/contrast.h"

#include "paper/effects/measures.h"
#include "paper/effects/verdict_number.h"
#include "paper/results/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- which there are -- */

static const sb_arm *copied(const sb_configuration *setting)
{
    return &setting->arm[SB_TARGET_COPY];
}

static const sb_configuration *find_reference(const sb_group *group)
{
    for (int gpu = 0; gpu < 2; gpu++)
        for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++)
            if (copied(setting)->n && sb_recipe_on_gpu(setting->cell) == gpu) return setting;
    return NULL;
}

static bool is_other_hardware(const sb_configuration *setting, const sb_configuration *reference)
{
    const sb_result *a = setting->cell, *b = reference->cell;
    return setting != reference && copied(setting)->n && strcmp(a->hardware, b->hardware) != 0 &&
           sb_recipe_compare(a, b) == 0;
}

/* The contrast of this kind and study whose runs are the very same, or NULL. */
static sb_contrast *find_twin(sb_contrasts *contrasts, size_t first, const sb_arm *arm)
{
    for (size_t i = first; i < contrasts->n; i++)
        if (sb_arm_same_runs(contrasts->contrast[i].of, arm)) return &contrasts->contrast[i];
    return NULL;
}

/* How many settings of the study have the hardware of this one, and (apart) its backend too. */
static size_t count_alike(const sb_group *group, const sb_configuration *setting, bool backend)
{
    size_t n = 0;
    for (const sb_configuration *other = group->setting; other < group->setting + group->n_settings; other++)
        n += strcmp(other->cell->hardware, setting->cell->hardware) == 0 &&
             (!backend || strcmp(other->cell->backend, setting->cell->backend) == 0);
    return n;
}

/* The shortest name that no other setting of the study has: "i5-4590", "cudnn on gtx-1080", else its label without
 * commas, which stand between names. */
static void add_name(sb_contrast *c, const sb_group *group, const sb_configuration *setting)
{
    size_t used = strlen(c->names), left = sizeof c->names - used;
    char *name = c->names + used;
    const char *comma = used ? ", " : "";
    if (count_alike(group, setting, false) == 1)
        snprintf(name, left, "%s%s", comma, setting->cell->hardware);
    else if (count_alike(group, setting, true) == 1)
        snprintf(name, left, "%s%s on %s", comma, setting->cell->backend, setting->cell->hardware);
    else
        snprintf(name, left, "%s%s", comma, setting->label);
    for (char *at = name + strlen(comma); (at = strchr(at, ','));) memmove(at, at + 1, strlen(at));
    c->n_settings++;
}

static void add_hardware(sb_contrasts *contrasts, sb_contrast_kind kind, const sb_group *group,
                         const sb_configuration *reference)
{
    size_t first = contrasts->n;
    for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        if (!is_other_hardware(setting, reference)) continue;
        if (sb_recipe_on_gpu(setting->cell) != (kind == SB_CONTRAST_GPU)) continue;
        sb_contrast *twin = find_twin(contrasts, first, copied(setting));
        if (twin) {
            add_name(twin, group, setting);
            continue;
        }
        sb_contrast *c = &contrasts->contrast[contrasts->n++];
        *c = (sb_contrast){kind, group, setting, reference, copied(setting), copied(reference)};
        add_name(c, group, setting);
        sb_number number;
        sb_number_label(&number, "%s.%s.over-%s.copy.%s", group->part, setting->part, reference->part,
                        sb_metric_part[SB_METRIC_LAST]);
        memcpy(c->label, number.label, sizeof c->label);
    }
}

static void add_buffer(sb_contrasts *contrasts, const sb_group *group)
{
    for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++) {
        if (setting->n_pairs == 0) continue;
        sb_contrast *c = &contrasts->contrast[contrasts->n++];
        *c = (sb_contrast){SB_CONTRAST_BUFFER, group,          setting, setting, &setting->arm[SB_TARGET_SHARED],
                           copied(setting),    .n_settings = 1};
        snprintf(c->names, sizeof c->names, "%s", setting->label);
        sb_number number;
        sb_number_label(&number, "%s.%s.shared-over-copy.%s", group->part, setting->part,
                        sb_metric_part[SB_METRIC_LAST]);
        memcpy(c->label, number.label, sizeof c->label);
    }
}

/* -- what they say -- */

static sb_status judge(sb_contrast *c, const sb_results *results)
{
    sb_margin margin;
    SB_TRY(sb_ensemble_margin(results, c->of->cell[0], SB_METRIC_LAST, &margin));
    return sb_verdict_of(&c->verdict, (sb_sample){c->of->n, c->of->cell}, (sb_sample){c->over->n, c->over->cell},
                         &(sb_verdict_rule){SB_METRIC_LAST, &margin, .common = true}); /* from the same starts */
}

/* All of them, then those of one study and kind as a family. */
static sb_status judge_from(sb_contrasts *contrasts, size_t first, const sb_results *results)
{
    size_t n = contrasts->n - first;
    sb_verdict **family = malloc((n + 1) * sizeof(sb_verdict *));
    sb_status status = family ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for %zu contrasts", n);
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        family[i] = &contrasts->contrast[first + i].verdict;
        status = judge(&contrasts->contrast[first + i], results);
    }
    if (status == SB_OK && n && contrasts->contrast[first].kind != SB_CONTRAST_BUFFER)
        status = sb_verdict_family(family, n);
    free(family);
    return status;
}

static sb_status judge_group(sb_contrasts *contrasts, const sb_group *group, const sb_results *results)
{
    const sb_configuration *reference = find_reference(group);
    for (sb_contrast_kind kind = 0; kind < SB_N_CONTRASTS; kind++) {
        size_t first = contrasts->n;
        if (kind == SB_CONTRAST_BUFFER)
            add_buffer(contrasts, group);
        else if (reference)
            add_hardware(contrasts, kind, group, reference);
        SB_TRY(judge_from(contrasts, first, results));
    }
    return SB_OK;
}

sb_status sb_contrasts_judge(sb_contrasts *contrasts, const sb_ranking *ranking, const sb_results *results)
{
    size_t room = 1;
    for (size_t i = 0; i < ranking->n; i++) room += 2 * ranking->group[i]->n_settings;
    *contrasts = (sb_contrasts){.contrast = calloc(room, sizeof *contrasts->contrast)};
    if (!contrasts->contrast) return sb_fail(SB_E_MEMORY, "not enough memory for %zu contrasts", room);
    sb_status status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < ranking->n; i++)
        status = judge_group(contrasts, ranking->group[i], results);
    if (status != SB_OK) sb_contrasts_free(contrasts);
    return status;
}

void sb_contrasts_free(sb_contrasts *contrasts)
{
    free(contrasts->contrast);
    *contrasts = (sb_contrasts){0};
}

/* -- their numbers -- */

sb_evidence sb_contrast_evidence(const sb_contrast *c)
{
    return sb_evidence_weaker(c->of->cell[0]->evidence, c->over->cell[0]->evidence);
}

double sb_contrast_pair(const sb_contrast *c, size_t i, const sb_result **of, const sb_result **over)
{
    return sb_sample_pair((sb_sample){c->of->n, c->of->cell}, (sb_sample){c->over->n, c->over->cell}, SB_METRIC_LAST, i,
                          of, over);
}

static sb_status add_number(sb_numbers *numbers, const sb_contrast *c)
{
    char what[300];
    snprintf(what, sizeof what, " with the copied target, %s over %s", c->of_setting->part, c->over_setting->part);
    return sb_verdict_number_add(numbers, c->label, &c->verdict, (sb_sample){c->of->n, c->of->cell},
                                 (sb_sample){c->over->n, c->over->cell}, SB_METRIC_LAST, what);
}

sb_status sb_contrasts_add(sb_numbers *numbers, const sb_contrasts *contrasts)
{
    for (size_t i = 0; i < contrasts->n; i++)
        if (contrasts->contrast[i].kind != SB_CONTRAST_BUFFER) SB_TRY(add_number(numbers, &contrasts->contrast[i]));
    return SB_OK;
}

#include "paper/compare/compare.h"

#include "paper/results/recipe.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdlib.h>

/* -- the nearest arm -- */

/* The factors in which settings may differ, the weightiest first; evidence comes last. */
static const struct {
    sb_factor factor;
    const char *name;
} factors[] = {
    {SB_FACTOR_BACKEND, "backend"},    {SB_FACTOR_ARITHMETIC, "arithmetic"}, {SB_FACTOR_MACHINE, "machine"},
    {SB_FACTOR_KERNEL, "kernel type"}, {SB_FACTOR_THREADS, "threads"},       {SB_FACTOR_OTHER, "another setting"},
};
enum { N_FACTORS = sizeof factors / sizeof *factors };

/* The number of differences between two conditions; UINT_MAX: they must not be compared. */
static unsigned distance_of(const sb_result *a, const sb_result *b)
{
    unsigned differ = sb_recipe_differ_apart(a, b), distance = 0;
    if (sb_recipe_compare(a, b) != 0 || a->target != b->target) return ~0U;
    for (int i = 0; i < N_FACTORS; i++) distance = 2 * distance + (differ >> factors[i].factor & 1);
    return 2 * distance + (a->evidence != b->evidence);
}

/* What two arms differ in, in words. */
static void name_difference(const sb_result *a, const sb_result *b, char *text, size_t size)
{
    unsigned differ = sb_recipe_differ_apart(a, b);
    size_t used = 0;
    for (int i = 0; i < N_FACTORS && used < size; i++)
        if (differ >> factors[i].factor & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", factors[i].name);
    if (a->evidence != b->evidence && used < size)
        used += (size_t)snprintf(text + used, size - used, "%sevidence", used ? ", " : "");
    if (used == 0) snprintf(text, size, "nothing");
}

static const sb_arm *find_nearest(const sb_arm *mine, const sb_arms *list)
{
    const sb_arm *best = NULL;
    unsigned nearest = ~0U;
    for (size_t i = 0; i < list->n; i++) {
        unsigned distance = distance_of(mine->cell[0], list->arm[i]->cell[0]);
        if (distance < nearest) nearest = distance, best = list->arm[i];
    }
    return best;
}

/* -- one comparison -- */

static sb_status find_margin(const sb_compare *compare, sb_compared mine, sb_compared reference, const sb_result *like,
                             sb_margin *margin)
{
    SB_TRY(sb_ensemble_margin(reference.results, like, compare->metric, margin));
    if (!isnan(margin->log_ratio)) return SB_OK;
    return sb_ensemble_margin(mine.results, like, compare->metric, margin);
}

static sb_status compare_arm(sb_compare *compare, const sb_arm *mine, const sb_arm *other, const sb_margin *margin)
{
    sb_comparison *c = &compare->comparison[compare->n++];
    c->finding = (sb_finding){mine, other, compare->metric};
    sb_arm_text(mine, c->mine);
    sb_arm_text(other, c->other);
    name_difference(mine->cell[0], other->cell[0], c->differ, sizeof c->differ);
    c->evidence = sb_finding_evidence(&c->finding);
    return sb_finding_judge(&c->finding, margin, compare->common);
}

/* The published value as an estimate of its own: standard error and degrees of freedom as far as the source gives
 * them. */
static void judge_published(sb_verdict *v, const sb_published_record *r, const sb_summary *s)
{
    double n = (double)r->n, se_r = r->sd / sqrt(n), se_s = s->sd / sqrt((double)s->n), df = NAN;
    double variance = se_r * se_r + se_s * se_s;
    const bool tested = r->n > 1 && !isnan(r->sd) && s->n > 1 && !isnan(s->mean);
    *v = (sb_verdict){.word = SB_VERDICT_UNDETERMINED, .n = s->n < r->n ? s->n : r->n};
    sb_verdict_clear(v);
    v->test = "Welch";
    v->ratio = s->mean / r->value, v->low = s->low / r->value, v->high = s->high / r->value;
    v->direction = s->mean > r->value ? 1 : -1;
    v->margin = sb_ensemble_none("none against published numbers");
    if (tested)
        df = variance * variance /
             (se_r * se_r * se_r * se_r / (n - 1) + se_s * se_s * se_s * se_s / ((double)s->n - 1));
    const sb_estimate e = {.mean = s->mean - r->value, .se = sqrt(variance), .df = df};
    v->smallest_p = sb_stats_smallest_rank_sum_p(s->n, r->n);
    if (tested) v->p = v->p_holm = fmax(sb_stats_student_p(e), v->smallest_p);
    if (tested) v->detectable = 1 + sb_stats_detectable(e) / r->value;
    snprintf(v->reason, sizeof v->reason, "%s",
             isnan(s->mean) ? "runs diverged, so that there is no mean"
             : s->n < 2     ? "one run says nothing about spread"
                            : "the source gives no spread between runs");
}

static void compare_published(sb_compare *compare, const sb_arms *mine, const sb_published *published)
{
    for (size_t i = 0; published && i < published->n; i++) {
        const sb_published_record *r = &published->record[i];
        if (sb_selector_is_empty(r->cell) || isnan(r->value) || r->metric != compare->metric) continue;
        for (size_t k = 0; k < mine->n; k++) {
            if (!sb_selector_matches(r->cell, mine->arm[k]->cell[0])) continue;
            sb_comparison *c = &compare->comparison[compare->n++];
            *c = (sb_comparison){.evidence = SB_EVIDENCE_PUBLISHED};
            sb_arm_text(mine->arm[k], c->mine);
            snprintf(c->other, sizeof c->other, "%s", r->label);
            snprintf(c->differ, sizeof c->differ, "published");
            judge_published(&c->finding.verdict, r, &mine->arm[k]->summary[compare->metric]);
        }
    }
}

/* -- all of them -- */

/* Why two sides have nothing in common: the first thing in which the first cells differ, for a person who mixed them
 * up. */
static sb_status fail_apart(sb_compared mine, sb_compared reference)
{
    const sb_result *a = &mine.results->cell[0], *b = &reference.results->cell[0];
    char left[96], right[96];
    sb_recipe_text(a, left, sizeof left);
    sb_recipe_text(b, right, sizeof right);
    return sb_fail(
        SB_E_EMPTY,
        "%s and %s share no recipe, so nothing can be compared: %s (data %.8s) here, %s (data %.8s) there; run "
        "the same matrix on the same data",
        mine.results->cells.path, reference.results->cells.path, left, a->data_digest, right, b->data_digest);
}

static sb_status compare_arms(sb_compare *compare, sb_compared mine, sb_compared reference, const sb_margin *chosen)
{
    for (size_t i = 0; i < mine.arms->n; i++) {
        const sb_arm *own = mine.arms->arm[i], *other = find_nearest(own, reference.arms);
        char name[SB_ARM_TEXT];
        sb_arm_text(own, name);
        if (!other) {
            SB_TRY(sb_notes_add(&compare->notes, "%s: the reference has no condition of this recipe and target", name));
            continue;
        }
        sb_margin margin;
        if (chosen)
            margin = *chosen;
        else
            SB_TRY(find_margin(compare, mine, reference, own->cell[0], &margin));
        SB_TRY(compare_arm(compare, own, other, &margin));
    }
    return SB_OK;
}

/* Comparisons with arms are a family, together with the published ones that have a p. Published ones without a p stay
 * undetermined. */
static sb_status decide(sb_compare *compare)
{
    SB_FREED sb_verdict **family = malloc((compare->n + 1) * sizeof(sb_verdict *));
    if (!family) return sb_fail(SB_E_MEMORY, "not enough memory for %zu comparisons", compare->n);
    size_t n = 0;
    for (size_t i = 0; i < compare->n; i++)
        if (compare->comparison[i].finding.over || !isnan(compare->comparison[i].finding.verdict.p))
            family[n++] = &compare->comparison[i].finding.verdict;
    SB_TRY(sb_verdict_family(family, n));
    for (size_t i = 0; i < compare->n; i++) compare->count[compare->comparison[i].finding.verdict.word]++;
    return SB_OK;
}

sb_status sb_compare_judge(sb_compare *compare, sb_compared mine, sb_compared reference, const sb_published *published,
                           const sb_compare_rule *rule)
{
    const size_t n = mine.arms->n, n_records = published ? published->n : 0;
    *compare = (sb_compare){.metric = rule->metric, .common = rule->common};
    compare->comparison = calloc(n * (1 + n_records) + 1, sizeof *compare->comparison);
    if (!compare->comparison) return sb_fail(SB_E_MEMORY, "not enough memory to compare");
    SB_TRY(compare_arms(compare, mine, reference, rule->margin));
    compare_published(compare, mine.arms, published);
    return compare->n ? decide(compare) : fail_apart(mine, reference);
}

void sb_compare_free(sb_compare *compare)
{
    free(compare->comparison);
    sb_notes_free(&compare->notes);
    *compare = (sb_compare){0};
}

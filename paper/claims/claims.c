#include "paper/claims/claims.h"

#include "paper/effects/measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_outcome_name[SB_N_OUTCOMES] = {"reproduced", "not reproduced", "supported",       "not supported",
                                                    "refuted",    "undetermined",   "hardware missing"};
const sb_role sb_outcome_role[SB_N_OUTCOMES] = {
    [SB_OUTCOME_REPRODUCED] = SB_ROLE_GOOD,
    [SB_OUTCOME_NOT_REPRODUCED] = SB_ROLE_WARN,
    [SB_OUTCOME_SUPPORTED] = SB_ROLE_GOOD,
    [SB_OUTCOME_NOT_SUPPORTED] = SB_ROLE_WARN,
    [SB_OUTCOME_REFUTED] = SB_ROLE_BAD,
    [SB_OUTCOME_UNDETERMINED] = SB_ROLE_WARN,
    [SB_OUTCOME_HARDWARE_MISSING] = SB_ROLE_FAINT,
};

/* The same claim of the studies that are one video in several orders. */
static sb_status judge_orders(sb_claim_result *result, const sb_results *results, const sb_arms *arms)
{
    sb_claim orders = *result->claim;
    sb_claim_result of_orders = {.claim = &orders, .metric = result->metric};
    orders.of.setting[SB_SETTING_STUDY] = orders.over.setting[SB_SETTING_STUDY] = orders.orders;
    sb_status status = sb_claim_judge_parts(&of_orders, results, arms);
    if (status == SB_OK)
        status = sb_claim_pool_orders(&result->pool, of_orders.part, of_orders.n_parts, result->metric);
    free(of_orders.part);
    return status;
}

static sb_status judge_claim(sb_claim_result *result, const sb_results *results, const sb_arms *arms)
{
    SB_TRY(sb_claim_judge_parts(result, results, arms));
    if (result->n_parts == 0) return SB_OK;
    if (result->claim->pool) SB_TRY(sb_claim_pool_judge(&result->pool, result->part, result->n_parts, result->metric));
    if (result->claim->pool && result->claim->orders) SB_TRY(judge_orders(result, results, arms));
    sb_claim_join(result);
    return SB_OK;
}

/* "planned: 6 seeds find a ratio of 1.2 with a power of 83 %, if pairs spread by a factor of 1.1" */
void sb_claim_say_plan(sb_claim_result *result)
{
    double effect, spread;
    size_t seeds;
    if (!sb_claim_is_planned(result->claim, &effect, &spread, &seeds)) return;
    const double errors = sqrt((double)seeds) / log(spread), shift = log(effect) * errors, df = (double)seeds - 1;
    const double margin = sb_claim_margin(result->claim);
    const sb_relation relation = sb_claim_relation(result->claim);
    if (relation == SB_RELATION_EQUIVALENT && margin > 1)
        snprintf(result->planned, sizeof result->planned,
                 "planned: %zu seeds show a ratio of %s to lie within %s with a power of %.0f %%, where pairs spread "
                 "by a factor of %s",
                 seeds, result->claim->effect, result->claim->margin,
                 100 * sb_stats_power_equivalent(log(margin) * errors, shift, df, SB_VERDICT_ERRORS),
                 result->claim->spread);
    else
        snprintf(result->planned, sizeof result->planned,
                 "planned: %zu seeds find a ratio of %s with a power of %.0f %%, where pairs spread by a factor of %s",
                 seeds, result->claim->effect,
                 100 * sb_stats_power(shift, df, (relation == SB_RELATION_GREATER ? 2 : 1) * SB_STATS_ALPHA),
                 result->claim->spread);
}

/* The claims of the file that they have, each by itself. */
static sb_status judge_all(sb_claims *claims, const sb_results *results, const sb_arms *arms)
{
    claims->n = claims->file->n_claims;
    claims->result = calloc(claims->n + 1, sizeof *claims->result); /* a file may name none */
    if (!claims->result) return sb_fail(SB_E_MEMORY, "not enough memory for %zu claims", claims->n);
    for (size_t i = 0; i < claims->n; i++) {
        sb_claim_result *r = &claims->result[i];
        *r = (sb_claim_result){.claim = &claims->file->claims[i], .p = NAN, .p_family = NAN};
        r->metric = sb_claim_metric(r->claim);
        SB_TRY(judge_claim(r, results, arms));
    }
    return SB_OK;
}

sb_status sb_claims_judge(sb_claims *claims, const char *path, const sb_results *results, const sb_arms *arms,
                          const sb_condition *condition)
{
    *claims = (sb_claims){0};
    SB_TRY(sb_claim_file_load(&claims->file, path));
    SB_TRY(judge_all(claims, results, arms));
    for (size_t i = 0; i < claims->n; i++) {
        sb_claim_say_plan(&claims->result[i]);
        SB_TRY(sb_claim_say_registered(&claims->result[i], results, condition));
        if (condition) sb_claim_name_absent(&claims->result[i], condition);
    }
    return sb_claims_join_family(claims);
}

static int compare_ranks(const void *left, const void *right)
{
    const sb_finding *a = left, *b = right;
    const int order = a->of->group == b->of->group ? 0 : sb_rank_compare(a->of->group, b->of->group);
    const int evidence = (int)sb_finding_evidence(a) - (int)sb_finding_evidence(b);
    return order ? order : evidence ? evidence : (a->of > b->of) - (a->of < b->of);
}

/* STUDY.SETTING.shared-over-copy.METRIC within a setting, else STUDY.SETTING.over-REFERENCE.TARGET.METRIC */
static void label_hardware(sb_finding *f)
{
    sb_number number;
    const char *of = sb_target_name[f->of->target], *over = sb_target_name[f->over->target];
    const char *study = f->of->group->part, *setting = f->of->setting->part, *metric = sb_metric_part[f->metric];
    if (f->of->setting == f->over->setting)
        sb_number_label(&number, "%s.%s.%s-over-%s.%s", study, setting, of, over, metric);
    else
        sb_number_label(&number, "%s.%s.over-%s.%s.%s", study, setting, f->over->setting->part, of, metric);
    memcpy(f->label, number.label, sizeof f->label);
}

/* A result for each comparison of the claims. */
static sb_status take_apart(sb_claims *claims, const sb_claims *whole)
{
    claims->result = calloc(sb_claims_parts(whole) + 1, sizeof *claims->result);
    if (!claims->result) return sb_fail(SB_E_MEMORY, "not enough memory for the comparisons of hardware");
    for (const sb_claim_result *r = whole->result; r < whole->result + whole->n; r++) {
        qsort(r->part, r->n_parts, sizeof *r->part, compare_ranks);
        for (size_t i = 0; i < r->n_parts; i++) {
            sb_claim_result *one = &claims->result[claims->n++];
            *one = (sb_claim_result){.claim = r->claim, .metric = r->metric, .p_family = NAN, .n_parts = 1};
            one->part = malloc(sizeof *one->part);
            if (!one->part) return sb_fail(SB_E_MEMORY, "not enough memory for the comparisons of hardware");
            *one->part = r->part[i];
            label_hardware(one->part);
            sb_claim_join(one);
        }
    }
    return SB_OK;
}

sb_status sb_claims_ask_hardware(sb_claims *claims, const sb_results *results, const sb_arms *arms)
{
    static const char text[] = {
#include "hardware.claims.yaml.h"
    };
    SB_OWNED(sb_claims_free) sb_claims whole = {0};
    *claims = (sb_claims){0};
    SB_TRY(sb_claim_file_parse(&whole.file, "hardware.claims.yaml", text));
    sb_status status = judge_all(&whole, results, arms);
    if (status == SB_OK) status = take_apart(claims, &whole);
    claims->file = whole.file;
    whole.file = NULL;
    return status;
}

const sb_claim_result *sb_claims_next_asked(const sb_claims *hardware, int asked, const sb_claim_result *after)
{
    const sb_claim_result *at = after ? after + 1 : hardware->result, *end = hardware->result + hardware->n;
    while (at < end && at->claim != &hardware->file->claims[asked]) at++;
    return at < end ? at : NULL;
}

size_t sb_claims_parts(const sb_claims *claims)
{
    size_t n = 0;
    for (size_t i = 0; i < claims->n; i++) n += claims->result[i].n_parts;
    return n;
}

size_t sb_claims_count(const sb_claims *claims, size_t *count)
{
    size_t n_uncounted = 0;
    memset(count, 0, SB_N_OUTCOMES * sizeof *count);
    for (const sb_claim_result *r = claims->result; r < claims->result + claims->n; r++)
        if (r->claim->uncounted)
            n_uncounted++;
        else
            count[r->outcome]++;
    return n_uncounted;
}

const char *sb_claims_margin(const sb_claim_result *r, size_t i)
{
    const sb_verdict *v = &r->part[i].verdict;
    const sb_relation relation = sb_claim_relation(r->claim);
    if (relation != SB_RELATION_EQUIVALENT && relation != SB_RELATION_NO_DIFFERENCE) return NULL;
    if (isnan(v->margin.log_ratio) || v->word == SB_VERDICT_SAME_BITS) return NULL;
    for (size_t k = 0; k < i; k++)
        if (strcmp(r->part[k].verdict.margin.source, v->margin.source) == 0) return NULL;
    return v->margin.source;
}

void sb_claims_free(sb_claims *claims)
{
    for (size_t i = 0; claims->result && i < claims->n; i++) free(claims->result[i].part);
    free(claims->result);
    sb_claim_file_free(claims->file);
    *claims = (sb_claims){0};
}

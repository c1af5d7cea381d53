#include "paper/claims/claims.h"

#include "paper/claims/claim_outcome.h"
#include "paper/claims/selector.h"
#include "paper/results/recipe.h"

#include "core/text/plural.h"

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

/* -- the parts of a claim -- */

/* An arm and where it stands. */
typedef struct arm_place {
    const sb_group *group;
    const sb_configuration *setting;
    const sb_arm *arm;
} arm_place;

/* All arms the selector means: place [room]; returns how many. */
static size_t find_arms(const sb_arms *arms, const sb_selector *selector, arm_place *place)
{
    size_t n = 0;
    for (const sb_group *group = arms->group; group < arms->group + arms->n_groups; group++)
        for (const sb_configuration *setting = group->setting; setting < group->setting + group->n_settings; setting++)
            for (int t = 0; t < SB_N_TARGETS; t++) {
                const sb_arm *arm = &setting->arm[t];
                if (arm->n && sb_selector_matches(selector, arm->cell[0]))
                    place[n++] = (arm_place){group, setting, arm};
            }
    return n;
}

static bool belong_together(const sb_claim *claim, const arm_place *of, const arm_place *over)
{
    const sb_result *a = of->arm->cell[0], *b = over->arm->cell[0];
    bool across[SB_N_SETTINGS];
    sb_claim_across(claim, across);
    if (of->arm == over->arm || !sb_recipe_same_across(a, b, across)) return false;
    /* Where both selectors mean both arms, one of the two ways round is enough. */
    if (of->arm > over->arm && sb_selector_matches(&claim->over, a) && sb_selector_matches(&claim->of, b)) return false;
    return !claim->each || of->setting == over->setting;
}

static sb_status find_margin(const sb_claim_result *result, const sb_result *like, const sb_results *results,
                             sb_margin *margin)
{
    const double chosen = sb_claim_margin(result->claim), relevant = sb_claim_relevant(result->claim);
    if (chosen) {
        *margin = sb_ensemble_chosen(chosen, "chosen in claims.yaml");
        return SB_OK;
    }
    SB_TRY(sb_ensemble_margin(results, like, result->metric, margin));
    if (relevant) sb_ensemble_limit(margin, relevant);
    return SB_OK;
}

static sb_status judge_part(sb_claim_part *part, const sb_claim_result *result, const sb_results *results)
{
    sb_margin margin;
    SB_TRY(find_margin(result, part->of->cell[0], results, &margin));
    const sb_verdict_rule rule = {result->metric, &margin, .common = result->claim->pairs};
    return sb_verdict_of(&part->verdict, (sb_sample){part->of->n, part->of->cell},
                         (sb_sample){part->over->n, part->over->cell}, &rule);
}

static sb_status judge_parts(sb_claim_result *result, const sb_results *results, const arm_place *of, size_t n_of,
                             const arm_place *over, size_t n_over)
{
    result->part = calloc(n_of * n_over + 1, sizeof *result->part);
    sb_verdict **family = calloc(n_of * n_over + 1, sizeof(sb_verdict *));
    sb_status status = SB_OK;
    if (!result->part || !family) status = sb_fail(SB_E_MEMORY, "not enough memory for claim %s", result->claim->name);
    for (size_t i = 0; i < n_of; i++)
        for (size_t k = 0; status == SB_OK && k < n_over; k++) {
            if (!belong_together(result->claim, &of[i], &over[k])) continue;
            sb_claim_part *part = &result->part[result->n_parts];
            *part = (sb_claim_part){of[i].group, over[k].group, of[i].setting, over[k].setting, of[i].arm, over[k].arm};
            family[result->n_parts++] = &part->verdict;
            status = judge_part(part, result, results);
        }
    if (status == SB_OK) status = sb_verdict_family(family, result->n_parts);
    free(family);
    return status;
}

/* -- what there is -- */

/* Runs of the arms, and how many of them are emulated and imitated: "no run", "20 runs (10 emulated)". */
static void count_runs(const arm_place *place, size_t n, char *text, size_t size)
{
    size_t n_runs = 0, n_of[SB_N_EVIDENCES_OF_RUNS] = {0};
    for (size_t i = 0; i < n; i++) {
        n_runs += place[i].arm->n;
        n_of[place[i].arm->cell[0]->evidence] += place[i].arm->n;
    }
    char imitated[40] = "";
    if (n_of[SB_EVIDENCE_IMITATED]) snprintf(imitated, sizeof imitated, ", %zu imitated", n_of[SB_EVIDENCE_IMITATED]);
    if (n_runs == 0)
        snprintf(text, size, "no run");
    else
        snprintf(text, size, "%zu run%s (%zu emulated%s)", n_runs, sb_plural(n_runs), n_of[SB_EVIDENCE_EMULATED],
                 imitated);
}

static void say_what_is_missing(sb_claim_result *result, const arm_place *of, size_t n_of, const arm_place *over,
                                size_t n_over)
{
    const sb_claim *claim = result->claim;
    bool gpu = (n_of == 0 && sb_selector_wants_gpu(&claim->of)) || (n_over == 0 && sb_selector_wants_gpu(&claim->over));
    char of_runs[80], over_runs[80];
    count_runs(of, n_of, of_runs, sizeof of_runs);
    count_runs(over, n_over, over_runs, sizeof over_runs);
    result->outcome = gpu ? SB_OUTCOME_HARDWARE_MISSING : SB_OUTCOME_UNDETERMINED;
    if (n_of && n_over)
        snprintf(result->words, sizeof result->words, "no two arms of one recipe among these");
    else if (n_of || n_over)
        snprintf(result->words, sizeof result->words, "%s of one side, %s of the other", of_runs, over_runs);
    else
        snprintf(result->words, sizeof result->words, "no run of either side");
}

/* The parts of a claim: arms it means, and how many each of its selectors found. place: room for both. */
static sb_status find_parts(sb_claim_result *result, const sb_results *results, const sb_arms *arms, arm_place *place,
                            size_t room, size_t *n_of, size_t *n_over)
{
    *n_of = find_arms(arms, &result->claim->of, place);
    *n_over = find_arms(arms, &result->claim->over, place + room);
    return judge_parts(result, results, place, *n_of, place + room, *n_over);
}

/* The same claim of the studies that are one video in several orders. */
static sb_status judge_orders(sb_claim_result *result, const sb_results *results, const sb_arms *arms, arm_place *place,
                              size_t room)
{
    sb_claim orders = *result->claim;
    sb_claim_result of_orders = {.claim = &orders, .metric = result->metric};
    size_t n_of, n_over;
    orders.of.setting[SB_SETTING_STUDY] = orders.over.setting[SB_SETTING_STUDY] = orders.orders;
    sb_status status = find_parts(&of_orders, results, arms, place, room, &n_of, &n_over);
    if (status == SB_OK)
        status = sb_claim_pool_orders(&result->pool, of_orders.part, of_orders.n_parts, result->metric);
    free(of_orders.part);
    return status;
}

static sb_status judge_claim(sb_claim_result *result, const sb_results *results, const sb_arms *arms,
                             const sb_condition *condition)
{
    size_t room = SB_N_TARGETS * results->n_cells;
    arm_place *place = malloc(4 * room * sizeof *place), *over = place + room, *of_orders = place + 2 * room;
    if (!place) return sb_fail(SB_E_MEMORY, "not enough memory for claim %s", result->claim->name);
    size_t n_of, n_over;
    const bool pools = result->claim->pool;
    sb_status status = find_parts(result, results, arms, place, room, &n_of, &n_over);
    if (status == SB_OK && result->n_parts && pools)
        status = sb_claim_pool_judge(&result->pool, result->part, result->n_parts, result->metric);
    if (status == SB_OK && result->n_parts && pools && result->claim->orders)
        status = judge_orders(result, results, arms, of_orders, room);
    if (status == SB_OK && result->n_parts)
        sb_claim_join(result);
    else
        say_what_is_missing(result, place, n_of, over, n_over);
    free(place);
    return status == SB_OK ? sb_claim_say_registered(result, results, condition) : status;
}

/* "planned: 6 starts find a ratio of 1.2 with a power of 83 %, if pairs spread by a factor of 1.1" */
static void say_plan(sb_claim_result *result)
{
    double effect, spread;
    size_t seeds;
    if (!sb_claim_is_planned(result->claim, &effect, &spread, &seeds)) return;
    const bool greater = sb_claim_relation(result->claim) == SB_RELATION_GREATER;
    const double shift = log(effect) / log(spread) * sqrt((double)seeds);
    const double power = sb_stats_power(shift, (double)seeds - 1, (greater ? 2 : 1) * SB_STATS_ALPHA);
    snprintf(result->planned, sizeof result->planned,
             "planned: %zu starts find a ratio of %s with a power of %.0f %%, where pairs spread by a factor of %s",
             seeds, result->claim->effect, 100 * power, result->claim->spread);
}

sb_status sb_claims_judge(sb_claims *claims, const char *path, const sb_results *results, const sb_arms *arms,
                          const sb_condition *condition)
{
    *claims = (sb_claims){0};
    SB_TRY(sb_claim_file_load(&claims->file, path));
    sb_status status = SB_OK;
    claims->n = claims->file->n_claims;
    claims->result = calloc(claims->n + 1, sizeof *claims->result); /* a file may name none */
    if (!claims->result) status = sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    for (size_t i = 0; status == SB_OK && i < claims->n; i++) {
        claims->result[i].claim = &claims->file->claims[i];
        claims->result[i].metric = sb_claim_metric(claims->result[i].claim);
        claims->result[i].p = claims->result[i].p_family = NAN;
        status = judge_claim(&claims->result[i], results, arms, condition);
        say_plan(&claims->result[i]);
        if (status == SB_OK && condition) sb_claim_name_absent(&claims->result[i], condition);
    }
    if (status == SB_OK) status = sb_claims_join_family(claims);
    if (status != SB_OK) sb_claims_free(claims);
    return status;
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

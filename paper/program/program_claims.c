#include "paper/program/program_results.h"

#include "core/hash.h"
#include "core/size.h"
#include "core/text/plural.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- conditions -- */

static sb_status make_settings(sb_program_claims *c, const sb_program_results *r)
{
    c->group = (sb_group){.study = "", .data = ""};
    c->cell = (sb_result){.evidence = SB_EVIDENCE_MEASURED};
    for (sb_setting_id id = 0; id < SB_N_SETTINGS; id++) c->cell.setting[id] = "";
    c->cells = &c->cell;
    c->setting = sb_size_allocate(r->n_conditions, sizeof *c->setting);
    if (!c->setting) return sb_fail(SB_E_MEMORY, "not enough memory for %zu conditions", r->n_conditions);
    for (size_t k = 0; k < r->n_conditions; k++) {
        sb_configuration *setting = &c->setting[k];
        setting->cell = &c->cell;
        snprintf(setting->label, sizeof setting->label, "%s", r->condition[k].label);
        snprintf(setting->part, sizeof setting->part, "%zu", k + 1);
        setting->arm[SB_TARGET_COPY] = (sb_arm){.group = &c->group, .setting = setting, .cell = &c->cells};
    }
    return SB_OK;
}

static size_t find_metric(const sb_program_results *r, const char *name)
{
    size_t m = 0;
    while (strcmp(r->metric[m], name) != 0) m++;
    return m;
}

static bool selects(const sb_selector *selector, const char *metric, const sb_program_results *r, size_t condition)
{
    for (size_t i = 0; i < r->names.n_facts; i++)
        if (!sb_selector_allows_custom(selector, i, sb_table_text(&r->cells, r->condition[condition].row, r->fact[i])))
            return false;
    return sb_program_has_metric(r, condition, find_metric(r, metric));
}

/* With each: setting, what neither selector names is equal. */
static bool belong_together(const sb_claim *claim, const sb_program_results *r, size_t of, size_t over)
{
    if (of == over) return false;
    for (size_t i = 0; claim->each && i < r->names.n_facts; i++) {
        const size_t c = r->fact[i];
        if (claim->of.custom[i] || claim->over.custom[i]) continue;
        if (strcmp(sb_table_text(&r->cells, r->condition[of].row, c),
                   sb_table_text(&r->cells, r->condition[over].row, c)) != 0)
            return false;
    }
    return true;
}

/* -- a claim -- */

static sb_status judge_part(sb_program_claims *c, sb_claim_result *result, const sb_program_results *r, size_t of,
                            size_t over)
{
    SB_OWNED(sb_judgement_free) sb_judgement judgement = {0};
    const double margin = sb_claim_margin(result->claim);
    const sb_judge_rule rule = {
        .margin = margin ? margin : NAN, .margin_source = SB_CLAIM_MARGIN_SOURCE, .common = result->claim->pairs};
    sb_finding *part = &result->part[result->n_parts++];
    sb_arm *const a = &c->setting[of].arm[SB_TARGET_COPY], *const b = &c->setting[over].arm[SB_TARGET_COPY];
    *part = (sb_finding){a, b};
    SB_TRY(sb_program_judge(&judgement, r, find_metric(r, result->claim->metric), of, over, rule));
    part->verdict = judgement.comparison->verdict;
    a->n = part->verdict.side[0].n;
    b->n = part->verdict.side[1].n;
    return SB_OK;
}

static sb_status judge_parts(sb_program_claims *c, sb_claim_result *result, const sb_program_results *r)
{
    const sb_claim *claim = result->claim;
    const size_t n = r->n_conditions;
    SB_FREED sb_verdict **family = sb_size_allocate(n * n + 1, sizeof *family);
    result->part = sb_size_allocate(n * n + 1, sizeof *result->part);
    if (!result->part || !family) return sb_fail(SB_E_MEMORY, "not enough memory for claim %s", result->claim->name);
    for (size_t of = 0; of < n; of++)
        for (size_t over = 0; over < n; over++) {
            if (!selects(&claim->of, claim->metric, r, of) || !selects(&claim->over, claim->metric, r, over)) continue;
            if (!belong_together(claim, r, of, over)) continue;
            family[result->n_parts] = &result->part[result->n_parts].verdict;
            SB_TRY(judge_part(c, result, r, of, over));
        }
    return sb_verdict_family(family, result->n_parts);
}

static void say_missing(sb_claim_result *result, const sb_program_results *r)
{
    const sb_claim *claim = result->claim;
    size_t n_of = 0, n_over = 0;
    for (size_t row = 0; row < r->cells.n_rows; row++) {
        n_of += selects(&claim->of, claim->metric, r, r->of_row[row]);
        n_over += selects(&claim->over, claim->metric, r, r->of_row[row]);
    }
    result->outcome = SB_OUTCOME_UNDETERMINED;
    snprintf(result->words, sizeof result->words,
             "%zu run%s of one side, %zu run%s of the other, and no two conditions to compare", n_of, sb_plural(n_of),
             n_over, sb_plural(n_over));
}

/* -- registration -- */

/* Runs of its parts, and those that ended when the file of claims was as it is now. */
static void say_registered(sb_claim_result *result, const sb_program_claims *c, const sb_program_results *r,
                           const char *digest)
{
    for (size_t row = 0; row < r->cells.n_rows; row++) {
        const sb_configuration *setting = &c->setting[r->of_row[row]];
        bool is_behind = false;
        for (const sb_finding *part = result->part; part < result->part + result->n_parts; part++)
            is_behind = is_behind || part->of->setting == setting || part->over->setting == setting;
        if (!is_behind) continue;
        result->n_runs++;
        result->n_registered += strcmp(sb_table_text_or_none(&r->cells, row, "claims"), digest) == 0;
    }
    sb_claim_write_registered(result);
}

/* -- all -- */

static sb_status judge_claim(sb_program_claims *c, sb_claim_result *result, const sb_program_results *r,
                             const char *digest)
{
    SB_TRY(judge_parts(c, result, r));
    if (result->n_parts)
        sb_claim_join(result);
    else
        say_missing(result, r);
    say_registered(result, c, r, digest);
    sb_claim_say_plan(result);
    return SB_OK;
}

sb_status sb_program_claims_judge(sb_program_claims *c, const char *path, const sb_program_results *r)
{
    char digest[SB_SHA256_TEXT];
    *c = (sb_program_claims){0};
    SB_TRY(sb_sha256_file(path, digest));
    SB_TRY(sb_claim_file_load_custom(&c->claims.file, path, &r->names));
    c->claims.n = c->claims.file->n_claims;
    c->claims.result = sb_size_allocate(c->claims.n + 1, sizeof *c->claims.result);
    if (!c->claims.result) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    SB_TRY(make_settings(c, r));
    for (size_t i = 0; i < c->claims.n; i++) {
        sb_claim_result *result = &c->claims.result[i];
        *result =
            (sb_claim_result){.claim = &c->claims.file->claims[i], .metric = SB_METRIC_LAST, .p = NAN, .p_family = NAN};
        SB_TRY(judge_claim(c, result, r, digest));
    }
    return sb_claims_join_family(&c->claims);
}

void sb_program_claims_free(sb_program_claims *c)
{
    sb_claims_free(&c->claims);
    free(c->setting);
    *c = (sb_program_claims){0};
}

/* The comparisons of a claim: which arms it means, which two belong together, and what each came to. */
#include "paper/claims/claims.h"
#include "paper/results/recipe.h"

#include "core/text/plural.h"

#include <stdlib.h>
#include <string.h>

/* An arm that a selector means. */
typedef struct meant {
    const sb_arm *arm;
    bool is_reference; /* the first of its study, CPUs before GPUs */
} meant;

/* All arms the selector means: place [room]; returns how many. */
static size_t find_arms(const sb_arms *arms, const sb_selector *selector, meant *place)
{
    size_t n = 0;
    meant *reference = NULL; /* of the group so far */
    for (size_t i = 0; i < arms->n; i++) {
        const sb_arm *arm = arms->arm[i];
        if (!sb_selector_matches(selector, arm->cell[0])) continue;
        meant *added = &place[n++];
        *added = (meant){arm, true};
        if (!reference || reference->arm->group != arm->group) {
            reference = added;
        } else if (sb_recipe_on_gpu(reference->arm->setting->cell) && !sb_recipe_on_gpu(arm->setting->cell)) {
            reference->is_reference = false;
            reference = added;
        } else {
            added->is_reference = false;
        }
    }
    return n;
}

typedef enum each { EACH_ARM, EACH_SETTING, EACH_HARDWARE } each;

static each each_of(const sb_claim *claim)
{
    if (!claim->each) return EACH_ARM;
    return strcmp(claim->each, "setting") == 0 ? EACH_SETTING : EACH_HARDWARE;
}

bool sb_claim_is_of_hardware(const sb_claim *claim)
{
    return each_of(claim) == EACH_HARDWARE;
}

static bool belong_together(const sb_claim *claim, const sb_arm *of, const meant *reference)
{
    const sb_arm *over = reference->arm;
    const sb_result *a = of->cell[0], *b = over->cell[0];
    const each within = each_of(claim);
    bool across[SB_N_SETTINGS];
    if (of == over || (within == EACH_SETTING && of->setting != over->setting)) return false;
    if (within == EACH_HARDWARE)
        return reference->is_reference && of->group == over->group &&
               sb_finding_is_other_hardware(of->setting, over->setting);
    sb_claim_across(claim, across);
    if (!sb_recipe_same_across(a, b, across)) return false;
    /* Where both selectors mean both arms, one of the two ways round is enough. */
    return of < over || !sb_selector_matches(&claim->over, a) || !sb_selector_matches(&claim->of, b);
}

static sb_status find_margin(const sb_claim_result *result, const sb_result *like, const sb_results *results,
                             sb_margin *margin)
{
    const double chosen = sb_claim_margin(result->claim), relevant = sb_claim_relevant(result->claim);
    if (chosen) {
        *margin = sb_ensemble_chosen(chosen, SB_CLAIM_MARGIN_SOURCE);
        return SB_OK;
    }
    SB_TRY(sb_ensemble_margin(results, like, result->metric, margin));
    if (relevant) sb_ensemble_limit(margin, relevant);
    return SB_OK;
}

/* Of hardware that has the very same runs one part says all. */
static bool has_twin(const sb_claim_result *result, const sb_arm *of)
{
    for (const sb_finding *part = result->part; part < result->part + result->n_parts; part++)
        if (part->of->group == of->group && sb_arm_same_runs(part->of, of)) return true;
    return false;
}

static sb_status add_part(sb_claim_result *result, const sb_results *results, const sb_arm *of, const sb_arm *over)
{
    sb_margin margin;
    if (sb_claim_is_of_hardware(result->claim) && has_twin(result, of)) return SB_OK;
    sb_finding *part = &result->part[result->n_parts++];
    *part = (sb_finding){of, over, result->metric};
    SB_TRY(find_margin(result, part->of->cell[0], results, &margin));
    return sb_finding_judge(part, &margin, result->claim->pairs);
}

/* All parts of a claim are a family; in a comparison of hardware, all parts of a study. */
static sb_status join_families(sb_claim_result *result)
{
    sb_finding *part = result->part;
    if (result->claim->family) return SB_OK;
    if (!sb_claim_is_of_hardware(result->claim)) return sb_findings_family(part, result->n_parts);
    for (size_t first = 0, end; first < result->n_parts; first = end) {
        for (end = first + 1; end < result->n_parts && part[end].of->group == part[first].of->group;) end++;
        SB_TRY(sb_findings_family(part + first, end - first));
    }
    return SB_OK;
}

/* The label of a part's ratio: the claim's name, and what tells the part from the others. */
static void label_part(const sb_claim_result *r, sb_finding *part)
{
    sb_number number;
    const char *name = r->claim->name, *study = part->of->group->part, *setting = part->of->setting->part;
    if (r->n_parts == 1)
        sb_number_label(&number, "claim.%s.ratio", name);
    else if (part->of->setting == part->over->setting)
        sb_number_label(&number, "claim.%s.%s.%s", name, study, setting);
    else
        sb_number_label(&number, "claim.%s.%s.%s-%s-over-%s.%s-%s", name, study, setting,
                        sb_target_name[part->of->target], part->over->group->part, part->over->setting->part,
                        sb_target_name[part->over->target]);
    memcpy(part->label, number.label, sizeof part->label);
}

static sb_status judge_parts(sb_claim_result *result, const sb_results *results, const meant *of, size_t n_of,
                             const meant *over, size_t n_over)
{
    size_t room = 1;
    for (size_t i = 0; i < n_of; i++)
        for (size_t k = 0; k < n_over; k++) room += belong_together(result->claim, of[i].arm, &over[k]);
    result->part = calloc(room, sizeof *result->part);
    if (!result->part) return sb_fail(SB_E_MEMORY, "not enough memory for claim %s", result->claim->name);
    for (size_t i = 0; room > 1 && i < n_of; i++)
        for (size_t k = 0; k < n_over; k++)
            if (belong_together(result->claim, of[i].arm, &over[k]))
                SB_TRY(add_part(result, results, of[i].arm, over[k].arm));
    for (size_t i = 0; i < result->n_parts; i++) label_part(result, &result->part[i]);
    return join_families(result);
}

/* -- what there is -- */

/* Runs that the selector would mean, were they not replicates of others, which no claim compares. */
static size_t count_replicates(const sb_results *results, const sb_selector *selector)
{
    size_t n = 0;
    for (size_t i = 0; i < results->n_cells; i++) {
        sb_result cell = results->cell[i];
        cell.ulp = 0; /* no selector means a moved run */
        n += cell.is_replicate && sb_selector_matches(selector, &cell);
    }
    return n;
}

/* Runs of the arms, and how many of them are emulated and imitated: "no run", "20 runs (10 emulated)". */
static void count_runs(const meant *place, size_t n, const sb_results *results, const sb_selector *selector, char *text,
                       size_t size)
{
    const size_t n_replicates = count_replicates(results, selector);
    size_t n_runs = 0, n_of[SB_N_EVIDENCES_OF_RUNS] = {0};
    for (size_t i = 0; i < n; i++) {
        n_runs += place[i].arm->n;
        n_of[place[i].arm->cell[0]->evidence] += place[i].arm->n;
    }
    char imitated[40] = "";
    if (n_of[SB_EVIDENCE_IMITATED]) snprintf(imitated, sizeof imitated, ", %zu imitated", n_of[SB_EVIDENCE_IMITATED]);
    if (n_runs == 0 && n_replicates)
        snprintf(text, size, "only replicates (%zu run%s, averaged into their seeds)", n_replicates,
                 sb_plural(n_replicates));
    else if (n_runs == 0)
        snprintf(text, size, "no run");
    else
        snprintf(text, size, "%zu run%s (%zu emulated%s)", n_runs, sb_plural(n_runs), n_of[SB_EVIDENCE_EMULATED],
                 imitated);
}

static void say_what_is_missing(sb_claim_result *result, const sb_results *results, const meant *of, size_t n_of,
                                const meant *over, size_t n_over)
{
    const sb_claim *claim = result->claim;
    bool gpu = (n_of == 0 && sb_selector_wants_gpu(&claim->of)) || (n_over == 0 && sb_selector_wants_gpu(&claim->over));
    char of_runs[80], over_runs[80];
    count_runs(of, n_of, results, &claim->of, of_runs, sizeof of_runs);
    count_runs(over, n_over, results, &claim->over, over_runs, sizeof over_runs);
    result->outcome = gpu ? SB_OUTCOME_HARDWARE_MISSING : SB_OUTCOME_UNDETERMINED;
    if (n_of && n_over)
        snprintf(result->words, sizeof result->words, "no two arms of one recipe among these");
    else if (n_of || n_over)
        snprintf(result->words, sizeof result->words, "%s of one condition, %s of the other", of_runs, over_runs);
    else
        snprintf(result->words, sizeof result->words, "no run of either condition");
}

sb_status sb_claim_judge_parts(sb_claim_result *result, const sb_results *results, const sb_arms *arms)
{
    const size_t room = arms->n;
    meant *of = malloc(2 * room * sizeof *of), *over = of + room;
    if (!of) return sb_fail(SB_E_MEMORY, "not enough memory for claim %s", result->claim->name);
    const size_t n_of = find_arms(arms, &result->claim->of, of), n_over = find_arms(arms, &result->claim->over, over);
    const sb_status status = judge_parts(result, results, of, n_of, over, n_over);
    if (status == SB_OK && result->n_parts == 0) say_what_is_missing(result, results, of, n_of, over, n_over);
    free(of);
    return status;
}

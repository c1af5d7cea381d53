#include "paper/claims/claim_outcome.h"

#include "core/text/plural.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool all_same_bits(const sb_claim_result *r)
{
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++)
        if (part->verdict.word != SB_VERDICT_SAME_BITS) return false;
    return true;
}

static bool has_any_planned(const sb_claim_result *r)
{
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++)
        if (sb_claim_part_is_planned(part, r->claim)) return true;
    return false;
}

/* Is it counted, and judged by a test? */
static bool is_tested(const sb_claim_result *r)
{
    return !r->claim->uncounted && r->n_parts && sb_claim_relation(r->claim) != SB_RELATION_SAME_BITS &&
           !all_same_bits(r) && has_any_planned(r);
}

/* The part that its p comes from. */
static const sb_verdict *find_decisive(const sb_claim_result *r)
{
    const sb_verdict *found = &r->part[0].verdict;
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++) {
        const sb_verdict *v = &part->verdict;
        if (r->p == v->p_above || r->p == v->p_equivalent || r->p == v->p_holm) found = v;
    }
    return found;
}

/* It would hold alone, or be refuted. */
static void leave_undecided(sb_claim_result *r, size_t n)
{
    char words[sizeof r->words], power[SB_VERDICT_POWER] = "";
    const double looks = r->p_family / r->p;
    if (r->pool.n == 0)
        sb_verdict_power(find_decisive(r),
                         (sb_claim_relation(r->claim) == SB_RELATION_GREATER ? 2 : 1) * SB_STATS_ALPHA / looks, power);
    snprintf(r->family, sizeof r->family, "%s alone (p = %s), and p = %s as one of the %zu tested claims of this question%s",
             sb_outcome_name[r->outcome], sb_number_p(r->p).text, sb_number_p(r->p_family).text, n, power);
    snprintf(words, sizeof words, "%s; %.640s", r->family, r->words);
    memcpy(r->words, words, sizeof words);
    r->outcome = SB_OUTCOME_UNDETERMINED;
}

sb_status sb_claims_join_family(sb_claims *claims)
{
    double *p = malloc((claims->n + 1) * sizeof *p);
    if (!p) return sb_fail(SB_E_MEMORY, "not enough memory for %zu claims", claims->n);
    for (size_t i = 0; i < claims->n; i++) {
        const sb_claim_result *r = &claims->result[i];
        claims->n_tested += is_tested(r);
        p[i] = !is_tested(r) ? NAN : isnan(r->p) ? 1 : r->p;
    }
    sb_status status = sb_stats_holm(p, claims->n, p);
    for (size_t i = 0; status == SB_OK && i < claims->n; i++) {
        sb_claim_result *r = &claims->result[i];
        r->p_family = claims->file->question && is_tested(r) && !isnan(r->p) ? p[i] : NAN;
        if (r->p_family >= SB_STATS_ALPHA) leave_undecided(r, claims->n_tested);
    }
    free(p);
    return status;
}

#include "core/text/plural.h"
#include "paper/claims/claims.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of a cell's name up to what names its start: "s/natural/native/any/copy" of ".../copy/s001"; `parts` are
 * taken away at the end. */
static size_t condition_length(const char *name, int parts)
{
    size_t n = strlen(name);
    for (; parts && n; n--)
        if (name[n - 1] == '/') parts--;
    return n;
}

/* cell: NAME/HASH */
static bool is_of_condition(const char *cell, const sb_result *run)
{
    const size_t n = condition_length(cell, 2);
    return n && n == condition_length(run->name, 1) && strncmp(cell, run->name, n) == 0;
}

static bool is_of_study(const char *cell, const sb_selector *selector)
{
    char study[96];
    snprintf(study, sizeof study, "%.*s", (int)strcspn(cell, "/"), cell);
    return sb_selector_allows(selector, SB_SETTING_STUDY, study);
}

/* Of a claim without a part, whatever its studies lack. */
static bool touches(const sb_claim_result *r, const char *cell)
{
    if (r->n_parts == 0) return is_of_study(cell, &r->claim->of) || is_of_study(cell, &r->claim->over);
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++)
        if (is_of_condition(cell, part->of->cell[0]) || is_of_condition(cell, part->over->cell[0])) return true;
    return false;
}

typedef struct list {
    const sb_missing *item;
    size_t n;
} list;

static bool is_alike(const sb_missing *a, const sb_missing *b)
{
    return strcmp(a->state, b->state) == 0 && strcmp(a->why, b->why) == 0;
}

/* How many cells of this state and reason it touches; 0 where one before has the same. */
static size_t count(const sb_claim_result *r, list all, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < all.n; k++) {
        if (!is_alike(&all.item[i], &all.item[k]) || !touches(r, all.item[k].cell)) continue;
        if (k < i) return 0;
        n++;
    }
    return touches(r, all.item[i].cell) ? n : 0;
}

void sb_claim_name_absent(sb_claim_result *r, const sb_condition *condition)
{
    const list lists[] = {{condition->left_out, condition->n_left_out}, {condition->missing, condition->n_missing}};
    size_t used = 0;
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].n && used < sizeof r->absent; i++) {
            const sb_missing *cell = &lists[l].item[i];
            const size_t n = strcmp(cell->state, "hardware missing") == 0 ? 0 : count(r, lists[l], i);
            if (n)
                used +=
                    (size_t)snprintf(r->absent + used, sizeof r->absent - used, "%s%zu cell%s %s%s%s", used ? "; " : "",
                                     n, sb_plural(n), cell->state, *cell->why ? ": " : "", cell->why);
            r->n_absent += n;
        }
}

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
    snprintf(r->family, sizeof r->family,
             "%s alone (p = %s), and p = %s as one of the %zu tested claims of this question%s",
             sb_outcome_name[r->outcome], sb_number_p(r->p).text, sb_number_p(r->p_family).text, n, power);
    snprintf(words, sizeof words, "%s; %.640s", r->family, r->words);
    memcpy(r->words, words, sizeof words);
    r->outcome = SB_OUTCOME_UNDETERMINED;
}

sb_status sb_claims_join_family(sb_claims *claims)
{
    SB_FREED double *p = malloc((claims->n + 1) * sizeof *p);
    if (!p) return sb_fail(SB_E_MEMORY, "not enough memory for %zu claims", claims->n);
    for (size_t i = 0; i < claims->n; i++) {
        const sb_claim_result *r = &claims->result[i];
        claims->n_tested += is_tested(r);
        p[i] = !is_tested(r) ? NAN : isnan(r->p) ? 1 : r->p;
    }
    SB_TRY(sb_stats_holm(p, claims->n, p));
    for (size_t i = 0; i < claims->n; i++) {
        sb_claim_result *r = &claims->result[i];
        r->p_family = claims->file->question && is_tested(r) && !isnan(r->p) ? p[i] : NAN;
        if (r->p_family >= SB_STATS_ALPHA) leave_undecided(r, claims->n_tested);
    }
    return SB_OK;
}

#include "paper/claims/claims.h"

#include "core/text/plural.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <string.h>

/* -- a part -- */

/* The smallest one-sided p that n runs can give. */
static double smallest_above(const sb_verdict *v)
{
    return v->smallest_p / 2;
}

static sb_outcome outcome_of_bits(const sb_verdict *v)
{
    if (v->bits.n_contradict || v->bits.n == 0) return SB_OUTCOME_UNDETERMINED;
    if (v->bits.n_weights < v->bits.n) return SB_OUTCOME_REFUTED;
    return v->word == SB_VERDICT_SAME_BITS ? SB_OUTCOME_REPRODUCED : SB_OUTCOME_UNDETERMINED;
}

static sb_outcome outcome_of_greater(const sb_verdict *v)
{
    const bool alike = v->word == SB_VERDICT_SAME_BITS || v->word == SB_VERDICT_EQUIVALENT;
    const bool enough = v->n > 1 && smallest_above(v) < SB_STATS_ALPHA;
    if (alike || (v->word == SB_VERDICT_DIFFERENT && v->direction < 0)) return SB_OUTCOME_REFUTED;
    if (sb_verdict_has_no_side(v) || v->bits.n_contradict || isnan(v->p)) return SB_OUTCOME_UNDETERMINED;
    if (v->p_above < SB_STATS_ALPHA) return SB_OUTCOME_REPRODUCED;
    return enough ? SB_OUTCOME_NOT_REPRODUCED : SB_OUTCOME_UNDETERMINED;
}

static sb_outcome outcome_of(sb_relation wanted, const sb_verdict *v)
{
    const bool enough = v->n > 1 && v->smallest_p < SB_STATS_ALPHA;
    const bool unjudged = sb_verdict_has_no_side(v) || v->bits.n_contradict || isnan(v->p);
    if (wanted == SB_RELATION_GREATER) return outcome_of_greater(v);
    if (wanted == SB_RELATION_SAME_BITS) return outcome_of_bits(v);
    if (v->word == SB_VERDICT_SAME_BITS || v->word == SB_VERDICT_EQUIVALENT) return SB_OUTCOME_REPRODUCED;
    if (v->word == SB_VERDICT_DIFFERENT) return SB_OUTCOME_REFUTED;
    const bool not_shown = v->p >= SB_STATS_ALPHA && enough && !unjudged;
    return wanted == SB_RELATION_NO_DIFFERENCE && not_shown ? SB_OUTCOME_REPRODUCED : SB_OUTCOME_UNDETERMINED;
}

/* The word for a sentence of the study or its retraction, or of anybody else. */
static sb_outcome worded(sb_outcome outcome, const sb_claim *claim)
{
    if (strcmp(claim->by, "paper") == 0 || strcmp(claim->by, "retraction") == 0) return outcome;
    if (outcome == SB_OUTCOME_REPRODUCED) return SB_OUTCOME_SUPPORTED;
    return outcome == SB_OUTCOME_NOT_REPRODUCED ? SB_OUTCOME_NOT_SUPPORTED : outcome;
}

/* A direction is judged by its own p. */
static void say_greater(sb_finding *part)
{
    char power[SB_VERDICT_POWER] = "", remarks[SB_VERDICT_REMARKS];
    const sb_verdict *v = &part->verdict;
    sb_verdict_remarks(v, remarks);
    if (part->outcome == SB_OUTCOME_UNDETERMINED || part->outcome == SB_OUTCOME_NOT_REPRODUCED ||
        part->outcome == SB_OUTCOME_NOT_SUPPORTED)
        sb_verdict_power(v, 2 * SB_STATS_ALPHA, power);
    if (part->outcome == SB_OUTCOME_UNDETERMINED)
        snprintf(part->words, sizeof part->words, "%zu %s%s cannot give a one-sided p below %s%s%s", v->n,
                 v->paired ? "pair" : "run", sb_plural(v->n), sb_number_p(smallest_above(v)).text, power, remarks);
    else
        snprintf(part->words, sizeof part->words, "one-sided p = %s%s%s", sb_number_p(v->p_above).text, power, remarks);
}

static void say_bits(sb_finding *part)
{
    const sb_common *bits = &part->verdict.bits;
    const bool ours = *part->of->group->study; /* else the output of a program that says nothing of its weights */
    char remarks[SB_VERDICT_REMARKS];
    sb_verdict_remarks(&part->verdict, remarks);
    if (bits->n == 0)
        snprintf(part->words, sizeof part->words, "no seed is in both conditions%s", remarks);
    else if (bits->n_weights < bits->n)
        snprintf(part->words, sizeof part->words, "the %s of %zu of %zu pairs differ%s", ours ? "weights" : "bits",
                 bits->n - bits->n_weights, bits->n, remarks);
    else
        snprintf(part->words, sizeof part->words,
                 "the %s of all %zu pairs are equal, and their %s differ by up to %s %%%s", ours ? "weights" : "bits",
                 bits->n, ours ? "losses" : "values", sb_number_short(100 * bits->gap).text, remarks);
}

/* Significant alone, and not among all comparisons of the claim. */
static void say_between(sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    snprintf(part->words, sizeof part->words, "p = %s alone, which does not show that there is no difference; %.720s",
             sb_number_p(v->p).text, v->reason);
}

static void say_why(sb_finding *part, sb_relation wanted)
{
    const sb_verdict *v = &part->verdict;
    const bool unjudged = v->bits.n_contradict || v->word == SB_VERDICT_SAME_BITS;
    if (wanted == SB_RELATION_SAME_BITS && !unjudged)
        say_bits(part);
    else if (wanted == SB_RELATION_NO_DIFFERENCE && part->outcome == SB_OUTCOME_UNDETERMINED && v->p < SB_STATS_ALPHA &&
             v->p_holm >= SB_STATS_ALPHA && !unjudged)
        say_between(part);
    else if (wanted != SB_RELATION_GREATER || part->outcome == SB_OUTCOME_REFUTED || unjudged ||
             sb_verdict_has_no_side(v) || isnan(v->p))
        snprintf(part->words, sizeof part->words, "%s", v->reason);
    else
        say_greater(part);
}

static bool has_its_seeds(const sb_finding *part, const sb_claim *claim)
{
    const size_t n = claim->pairs ? part->verdict.bits.n : part->verdict.n;
    const bool others = claim->pairs || (part->of->n == n && part->over->n == n);
    return !sb_claim_seeds(claim) || (others && sb_claim_wants_seeds(claim, n));
}

static bool has_its_replicates(const sb_finding *part, const sb_claim *claim)
{
    const sb_side *a = &part->verdict.side[0], *b = &part->verdict.side[1];
    const sb_side *more = a->most_runs >= b->most_runs ? a : b;
    return sb_claim_wants_replicates(claim, more->least_runs, more->most_runs);
}

bool sb_claim_part_is_planned(const sb_finding *part, const sb_claim *claim)
{
    return has_its_seeds(part, claim) && has_its_replicates(part, claim);
}

/* A claim is not judged with other numbers of seeds, or of runs of a seed, than the claim says. */
static void judge_outcome(sb_finding *part, const sb_claim *claim)
{
    const sb_side *a = &part->verdict.side[0], *b = &part->verdict.side[1];
    part->outcome = SB_OUTCOME_UNDETERMINED;
    if (!has_its_seeds(part, claim)) {
        snprintf(part->words, sizeof part->words,
                 "the claim needs %s seeds; the first condition has %zu, the second %zu, both %zu",
                 sb_claim_seeds(claim), part->of->n, part->over->n, part->verdict.bits.n);
    } else if (!has_its_replicates(part, claim)) {
        snprintf(part->words, sizeof part->words,
                 "the claim needs %s runs of each seed; the first condition has %zu to %zu, the second %zu to %zu",
                 claim->replicates, a->least_runs, a->most_runs, b->least_runs, b->most_runs);
    } else if (sb_claim_relation(claim) == SB_RELATION_EQUIVALENT && part->verdict.unit > 0 &&
               part->verdict.word != SB_VERDICT_SAME_BITS) {
        snprintf(part->words, sizeof part->words, "%s", part->verdict.margin.source);
    } else {
        part->outcome = worded(outcome_of(sb_claim_relation(claim), &part->verdict), claim);
        say_why(part, sb_claim_relation(claim));
    }
}

/* -- a pool -- */

static bool is_of_data(const sb_finding *a, const sb_finding *b)
{
    return strcmp(a->of->cell[0]->data_digest, b->of->cell[0]->data_digest) == 0;
}

static const char *why_no_part(const sb_claim_result *result, size_t i)
{
    const sb_finding *part = &result->part[i];
    const sb_side *a = &part->verdict.side[0], *b = &part->verdict.side[1];
    if (!has_its_seeds(part, result->claim)) return "one of them lacks seeds that the claim needs";
    if (!has_its_replicates(part, result->claim)) return "one of them lacks runs of a seed that the claim needs";
    if (part->verdict.bits.n_contradict) return "the tables contradict each other";
    if (a->n_none || b->n_none) return "a run has none of these losses";
    if (a->n_diverged || b->n_diverged) return "runs diverged, so there is no ratio";
    if (a->n_zero || b->n_zero) return "a loss is 0, so there is no ratio";
    if ((a->n_alone || b->n_alone) && !result->claim->pairs)
        return "some seeds are in one condition only, and the claim does not say pairs: common";
    for (size_t k = 0; k < i; k++)
        if (is_of_data(part, &result->part[k])) return "two of them use the same data set";
    return NULL;
}

/* Why the pool says nothing; NULL: it does. */
static const char *why_no_pool(const sb_claim_result *result)
{
    for (size_t i = 0; i < result->n_parts; i++)
        if (why_no_part(result, i)) return why_no_part(result, i);
    if (isnan(result->pool.effects.mean)) return "too few seeds are in several of them";
    return isnan(result->pool.new_low) ? "an interval needs five" : NULL;
}

/* How often the effect is above 1, by an exact binomial test of its data sets. */
static void say_fraction(sb_claim_result *result)
{
    const sb_claim_pool *pool = &result->pool;
    const double fraction = sb_claim_fraction(result->claim);
    const double more = sb_stats_binomial_or_more(pool->n_above, pool->n, fraction);
    const double fewer = sb_stats_binomial_or_fewer(pool->n_above, pool->n, fraction);
    const sb_outcome outcome = more < SB_STATS_ALPHA    ? SB_OUTCOME_REPRODUCED
                               : fewer < SB_STATS_ALPHA ? SB_OUTCOME_REFUTED
                                                        : SB_OUTCOME_NOT_REPRODUCED;
    if (outcome != SB_OUTCOME_NOT_REPRODUCED) result->p = fmin(more, fewer);
    result->outcome = worded(outcome, result->claim);
    snprintf(
        result->words, sizeof result->words,
        "%zu of %zu data sets have a mean above 1; if %g of all data sets had, %zu or more would have a chance of %s",
        pool->n_above, pool->n, fraction, pool->n_above, sb_number_p(more).text);
}

static void say_pool(sb_claim_result *result)
{
    const sb_claim_pool *pool = &result->pool;
    const sb_crossed *effects = &pool->effects;
    const char *why = why_no_pool(result);
    result->p = NAN;
    if (why) {
        result->outcome = SB_OUTCOME_UNDETERMINED;
        snprintf(result->words, sizeof result->words, "%zu comparison%s: %s", pool->n, sb_plural(pool->n), why);
        return;
    }
    if (result->claim->fraction) {
        say_fraction(result);
        return;
    }
    const sb_outcome outcome = pool->new_low > 1    ? SB_OUTCOME_REPRODUCED
                               : pool->new_high < 1 ? SB_OUTCOME_REFUTED
                                                    : SB_OUTCOME_NOT_REPRODUCED;
    if (outcome != SB_OUTCOME_NOT_REPRODUCED) result->p = effects->new_p;
    result->outcome = worded(outcome, result->claim);
    snprintf(result->words, sizeof result->words,
             "of %zu data sets and %zu seeds%s the mean is %.2f [%.2f, %.2f]; a new data set lies within %.2f and %.2f "
             "with 95 %%",
             pool->n, effects->n_starts, effects->complete ? "" : ", some combinations missing,", pool->ratio,
             pool->low, pool->high, pool->new_low, pool->new_high);
}

/* -- the claim -- */

static bool is_refuted_by_fact(const sb_claim_result *result)
{
    for (const sb_finding *part = result->part; part < result->part + result->n_parts; part++)
        if (part->outcome == SB_OUTCOME_REFUTED && part->verdict.word == SB_VERDICT_SAME_BITS) return true;
    return false;
}

static bool holds(sb_outcome outcome)
{
    return outcome == SB_OUTCOME_REPRODUCED || outcome == SB_OUTCOME_SUPPORTED;
}

/* The p by which it holds, the largest of its parts, or is refuted, the smallest; NAN: it does neither, or by a fact. */
static double p_of(const sb_claim_result *result)
{
    double p = NAN;
    const sb_relation relation = sb_claim_relation(result->claim);
    if (relation == SB_RELATION_SAME_BITS || is_refuted_by_fact(result)) return NAN;
    for (const sb_finding *part = result->part; part < result->part + result->n_parts; part++) {
        const sb_verdict *v = &part->verdict;
        if (holds(result->outcome) && v->word != SB_VERDICT_SAME_BITS && relation != SB_RELATION_NO_DIFFERENCE)
            p = fmax(p, relation == SB_RELATION_GREATER ? v->p_above : v->p_equivalent);
        if (result->outcome == SB_OUTCOME_REFUTED && part->outcome == SB_OUTCOME_REFUTED)
            p = fmin(p, v->word == SB_VERDICT_EQUIVALENT ? v->p_equivalent : v->p_holm);
    }
    return p;
}

void sb_claim_join(sb_claim_result *result)
{
    static const sb_outcome order[] = {SB_OUTCOME_REFUTED,      SB_OUTCOME_NOT_REPRODUCED, SB_OUTCOME_NOT_SUPPORTED,
                                       SB_OUTCOME_UNDETERMINED, SB_OUTCOME_REPRODUCED,     SB_OUTCOME_SUPPORTED};
    size_t count[SB_N_OUTCOMES] = {0}, n[SB_N_EVIDENCES_OF_RUNS] = {0};
    for (sb_finding *part = result->part; part < result->part + result->n_parts; part++) {
        judge_outcome(part, result->claim);
        count[part->outcome]++;
        n[sb_evidence_weaker(part->of->cell[0]->evidence, part->over->cell[0]->evidence)]++;
    }
    int first = 0;
    while (count[order[first]] == 0) first++;
    result->outcome = order[first];
    snprintf(result->words, sizeof result->words, "%zu of %zu comparison%s %s", count[result->outcome], result->n_parts,
             sb_plural(result->n_parts), sb_outcome_name[result->outcome]);
    for (int e = 0; e < SB_N_EVIDENCES_OF_RUNS && n[SB_EVIDENCE_MEASURED] < result->n_parts; e++) {
        const size_t used = strlen(result->words);
        if (n[e]) snprintf(result->words + used, sizeof result->words - used, ", %zu %s", n[e], sb_evidence_name[e]);
    }
    result->p = p_of(result);
    if (result->pool.n) say_pool(result);
}

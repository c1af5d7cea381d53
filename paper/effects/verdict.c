#include "paper/effects/verdict.h"

#include "paper/statistics/stats.h"

#include <math.h>
#include <stdlib.h>

const char *const sb_verdict_name[SB_N_VERDICTS] = {"same bits", "equivalent", "different", "undetermined"};

/* Up to this number of starts in all, the test without pairs is exact. */
enum { EXACT_STARTS = 100 };

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static double at_least(double p, double least)
{
    return isnan(p) ? p : fmax(p, least);
}

void sb_verdict_clear(sb_verdict *v)
{
    v->test = "no test";
    v->ratio = v->low = v->high = v->low_90 = v->high_90 = v->mean = v->sd = NAN;
    v->p = v->smallest_p = v->p_above = v->p_below = v->p_holm = v->p_equivalent = v->p_spread = v->p_equal_spread = NAN;
    v->cliff = v->detectable = NAN;
    v->direction = 0;
    v->disagree = false;
}

/* The effect of finite values. */
static void take_estimate(sb_verdict *v, sb_estimate estimate)
{
    double low, high;
    v->mean = estimate.mean;
    v->sd = estimate.se * sqrt((double)v->n);
    v->ratio = exp(estimate.mean);
    sb_stats_ends(estimate, SB_STATS_ALPHA, &low, &high);
    v->low = exp(low), v->high = exp(high);
    sb_stats_ends(estimate, 2 * SB_STATS_ALPHA, &low, &high);
    v->low_90 = exp(low), v->high_90 = exp(high);
    v->p_equivalent = at_least(sb_stats_equivalence(estimate, v->margin.judged), v->smallest_p / 2);
    if (v->smallest_p < SB_STATS_ALPHA && !v->quick) v->detectable = exp(sb_stats_detectable(estimate));
}

/* -- pairs -- */

/* difference [n] becomes its signed ranks where one of them is infinite. */
static sb_status test_pairs(sb_verdict *v, double *difference)
{
    sb_sign_flips flips;
    const bool finite = all_finite(difference, v->n);
    v->test = finite ? "sign-flip permutation of log ratios" : "sign-flip permutation of signed ranks";
    v->smallest_p = sb_stats_smallest_p(v->n);
    v->cliff = sb_stats_cliff_pairs(difference, v->n);
    if (!finite) SB_TRY(sb_stats_signed_ranks(difference, v->n));
    SB_TRY(sb_stats_sign_flips(difference, v->n, &flips));
    v->p = flips.two_sided, v->p_above = flips.above, v->p_below = flips.below;
    v->direction = sign_of(mean_of(difference, v->n));
    v->disagree = v->direction * sign_of(v->cliff) < 0;
    return SB_OK;
}

static sb_status judge_pairs(sb_verdict *v, sb_values *l)
{
    v->paired = true;
    v->n = l->common.n;
    SB_TRY(test_pairs(v, l->difference));
    if (!all_finite(l->pair_a, v->n) || !all_finite(l->pair_b, v->n)) return SB_OK;
    if (!v->quick) SB_TRY(sb_stats_brown_forsythe_pairs(l->pair_a, l->pair_b, v->n, &v->p_spread));
    v->p_equal_spread =
        at_least(sb_stats_equal_spread_pairs(l->pair_a, l->pair_b, v->n, SB_VERDICT_SPREAD), v->smallest_p / 2);
    take_estimate(v, sb_stats_estimate(l->difference, v->n));
    v->mean = mean_of(l->difference, v->n); /* of one pair, too, which has no standard error */
    v->ratio = exp(v->mean);
    return SB_OK;
}

/* -- without pairs -- */

static sb_status test_runs(sb_verdict *v, const double *a, size_t n_a, const double *b, size_t n_b)
{
    v->smallest_p = sb_stats_smallest_rank_sum_p(n_a, n_b);
    v->cliff = sb_stats_cliff(a, n_a, b, n_b);
    if (n_a + n_b > EXACT_STARTS) {
        v->test = "Brunner-Munzel";
        SB_TRY(sb_stats_brunner_munzel(a, n_a, b, n_b, &v->p));
    } else {
        v->test = "permutation of rank sums";
        SB_TRY(sb_stats_rank_sum(a, n_a, b, n_b, &v->p));
    }
    v->p = at_least(v->p, v->smallest_p);
    v->direction = sign_of(v->cliff);
    v->p_above = v->direction > 0 ? v->p / 2 : 1 - v->p / 2;
    v->p_below = v->direction < 0 ? v->p / 2 : 1 - v->p / 2;
    return SB_OK;
}

static sb_status judge_runs(sb_verdict *v, const sb_values *l)
{
    const size_t n_a = l->side[0].n, n_b = l->side[1].n;
    v->n = n_a < n_b ? n_a : n_b;
    SB_TRY(test_runs(v, l->a, n_a, l->b, n_b));
    if (!all_finite(l->a, n_a) || !all_finite(l->b, n_b)) return SB_OK;
    SB_TRY(sb_stats_brown_forsythe(l->a, n_a, l->b, n_b, &v->p_spread));
    v->p_spread = at_least(v->p_spread, v->smallest_p);
    v->p_equal_spread =
        at_least(sb_stats_equal_spread(l->a, n_a, l->b, n_b, SB_VERDICT_SPREAD), v->smallest_p / 2);
    take_estimate(v, sb_stats_estimate_difference(l->a, n_a, l->b, n_b));
    v->mean = mean_of(l->a, n_a) - mean_of(l->b, n_b); /* of one run a side, too, which has no standard error */
    v->ratio = exp(v->mean);
    v->disagree = sign_of(v->mean) * v->direction < 0;
    return SB_OK;
}

/* -- which of the two -- */

static bool is_decided(const sb_verdict *v)
{
    return v->word != SB_VERDICT_UNDETERMINED;
}

/* The weaker of two verdicts on the same conditions; where they contradict each other, the second, which says so. */
static const sb_verdict *find_weaker(const sb_verdict *pairs, sb_verdict *runs)
{
    if (is_decided(pairs) != is_decided(runs)) return is_decided(pairs) ? runs : pairs;
    const bool other_side = pairs->word == SB_VERDICT_DIFFERENT && pairs->direction != runs->direction;
    if (is_decided(pairs) && (pairs->word != runs->word || other_side)) {
        runs->conflict = true, runs->of_pairs = pairs->word;
        return runs;
    }
    const bool alike = pairs->word == SB_VERDICT_EQUIVALENT;
    return (alike ? pairs->p_equivalent > runs->p_equivalent : pairs->p > runs->p) ? pairs : runs;
}

/* Of conditions that have only some of their starts in common. */
static sb_status judge_both(sb_verdict *v, sb_values *l)
{
    sb_verdict runs = *v;
    SB_TRY(judge_runs(&runs, l));
    SB_TRY(judge_pairs(v, l));
    v->p_holm = v->p, runs.p_holm = runs.p;
    sb_verdict_decide(v);
    sb_verdict_decide(&runs);
    *v = *find_weaker(v, &runs);
    return SB_OK;
}

static sb_status judge(sb_verdict *v, sb_values *l)
{
    const size_t n = l->common.n, n_alone = l->side[0].n_alone + l->side[1].n_alone;
    v->n = l->side[0].n < l->side[1].n ? l->side[0].n : l->side[1].n;
    sb_verdict_clear(v);
    if (l->side[0].n_none + l->side[1].n_none || (v->common && n == 0)) return SB_OK;
    if (n_alone == 0 || v->common) return judge_pairs(v, l);
    return n < SB_VERDICT_COMMON ? judge_runs(v, l) : judge_both(v, l);
}

sb_status sb_verdict_of(sb_verdict *v, sb_sample a, sb_sample b, const sb_verdict_rule *rule)
{
    sb_values l;
    SB_TRY(sb_values_take(&l, a, b, rule->metric));
    *v = (sb_verdict){.margin = *rule->margin, .common = rule->common, .quick = rule->quick, .unit = rule->unit, .bits = l.common};
    v->side[0] = l.side[0], v->side[1] = l.side[1];
    sb_status status = judge(v, &l);
    sb_values_free(&l);
    v->p_holm = v->p;
    if (status == SB_OK) sb_verdict_decide(v);
    return status;
}

sb_status sb_verdict_family(sb_verdict *const *verdict, size_t n)
{
    SB_FREED double *p = calloc(n + 1, sizeof *p);
    if (!p) return sb_fail(SB_E_MEMORY, "not enough memory for %zu verdicts", n);
    for (size_t i = 0; i < n; i++) p[i] = verdict[i]->word == SB_VERDICT_SAME_BITS ? NAN : verdict[i]->p;
    SB_TRY(sb_stats_holm(p, n, p));
    for (size_t i = 0; i < n; i++) {
        verdict[i]->p_holm = isnan(p[i]) ? verdict[i]->p : p[i];
        sb_verdict_decide(verdict[i]);
    }
    return SB_OK;
}

bool sb_verdict_has_no_side(const sb_verdict *v)
{
    return v->conflict || (v->disagree && fmin(v->p_above, v->p_below) < SB_STATS_ALPHA);
}

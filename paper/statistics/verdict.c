#include "paper/statistics/verdict.h"

#include "core/text/plural.h"
#include "paper/numbers/numbers.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_verdict_name[SB_N_VERDICTS] = {"same bits", "equivalent", "different", "undetermined"};

enum { MUNZEL_RUNS = 10 };

/* Log losses of both samples: of the pairs, or of all runs. */
typedef struct losses {
    size_t n_a, n_b;
    double *a, *b, *difference; /* difference[n_a] of pairs */
} losses;

/* Both are sorted by seed, so one walk along the two finds the partners. */
static size_t pair_losses(sb_sample a, sb_sample b, sb_metric metric, losses *l, size_t *n_same)
{
    size_t n = 0;
    *n_same = 0;
    for (size_t i = 0, k = 0; i < a.n && k < b.n;) {
        long left = a.cell[i]->seed, right = b.cell[k]->seed;
        if (left == right) {
            l->a[n] = log(a.cell[i]->loss[metric]);
            l->b[n] = log(b.cell[k]->loss[metric]);
            l->difference[n] = l->a[n] - l->b[n];
            *n_same += strcmp(a.cell[i]->weights, b.cell[k]->weights) == 0;
            n++;
        }
        i += left <= right;
        k += right <= left;
    }
    l->n_a = l->n_b = n;
    return n;
}

static void take_losses(sb_sample a, sb_sample b, sb_metric metric, losses *l)
{
    for (size_t i = 0; i < a.n; i++) l->a[i] = log(a.cell[i]->loss[metric]);
    for (size_t i = 0; i < b.n; i++) l->b[i] = log(b.cell[i]->loss[metric]);
    l->n_a = a.n;
    l->n_b = b.n;
}

static bool all_positive(sb_sample sample, sb_metric metric)
{
    for (size_t i = 0; i < sample.n; i++)
        if (!(sample.cell[i]->loss[metric] > 0)) return false;
    return true;
}

/* What can be said where a test error is 0, or there is none. */
static void leave_unjudged(sb_verdict *v, size_t n)
{
    v->n = n;
    v->test = "no test";
    v->ratio = v->low = v->high = v->low_90 = v->high_90 = v->p = v->smallest_p = v->p_equivalent = v->p_all_seeds =
        NAN;
    v->p_spread = v->p_equal_spread = v->cliff = v->detectable = NAN;
}

/* The parts that both ways end with. */
static void finish(sb_verdict *v, double mean, double low, double high, sb_estimate estimate)
{
    v->ratio = exp(mean);
    v->low = exp(low);
    v->high = exp(high);
    sb_stats_ends(estimate, 2 * SB_STATS_ALPHA, &low, &high);
    v->low_90 = exp(low);
    v->high_90 = exp(high);
    v->p_equivalent = sb_stats_equivalence(estimate, v->margin.least);
    v->p_all_seeds = sb_stats_equivalence(estimate, v->margin.log_ratio);
    v->detectable = v->smallest_p < SB_STATS_ALPHA ? exp(sb_stats_detectable(estimate)) : NAN;
}

static sb_status judge_pairs(sb_verdict *v, const losses *l)
{
    sb_summary summary;
    sb_sign_flips flips;
    const size_t n = l->n_a;
    const double *d = l->difference;
    v->n = n;
    v->test = "sign-flip permutation of log ratios";
    v->smallest_p = sb_stats_smallest_p(n);
    v->cliff = sb_stats_cliff_pairs(d, n);
    SB_TRY(sb_stats_summary(d, n, &summary));
    SB_TRY(sb_stats_sign_flips(d, n, &flips));
    v->p = flips.two_sided, v->p_above = flips.above, v->p_below = flips.below;
    SB_TRY(sb_stats_brown_forsythe_pairs(l->a, l->b, n, &v->p_spread));
    v->p_equal_spread = sb_stats_equal_spread_pairs(l->a, l->b, n, SB_VERDICT_SPREAD);
    finish(v, summary.mean, summary.low, summary.high, sb_stats_estimate(d, n));
    return SB_OK;
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static sb_status judge_arms(sb_verdict *v, const losses *l)
{
    double low = NAN, high = NAN;
    v->n = l->n_a < l->n_b ? l->n_a : l->n_b;
    v->cliff = sb_stats_cliff(l->a, l->n_a, l->b, l->n_b);
    if (v->n >= MUNZEL_RUNS) {
        v->test = "Brunner-Munzel";
        v->smallest_p = 0;
        SB_TRY(sb_stats_brunner_munzel(l->a, l->n_a, l->b, l->n_b, &v->p));
    } else {
        v->test = "permutation of rank sums";
        v->smallest_p = sb_stats_smallest_rank_sum_p(l->n_a, l->n_b);
        SB_TRY(sb_stats_rank_sum(l->a, l->n_a, l->b, l->n_b, &v->p));
    }
    SB_TRY(sb_stats_brown_forsythe(l->a, l->n_a, l->b, l->n_b, &v->p_spread));
    v->p_equal_spread = sb_stats_equal_spread(l->a, l->n_a, l->b, l->n_b, SB_VERDICT_SPREAD);
    sb_stats_difference(l->a, l->n_a, l->b, l->n_b, &low, &high);
    finish(v, mean_of(l->a, l->n_a) - mean_of(l->b, l->n_b), low, high,
           sb_stats_estimate_difference(l->a, l->n_a, l->b, l->n_b));
    return SB_OK;
}

/* -- the word -- */

static sb_digits margin_percent(double log_ratio)
{
    return sb_number_short(100 * expm1(log_ratio));
}

/* The interval that lies inside the margin, or does not. */
enum { INTERVAL = 64 };
static const char *judged_by(const sb_verdict *v, char text[INTERVAL])
{
    const sb_ratio of = {.n = v->n, .ratio = v->ratio, .low = v->low_90, .high = v->high_90};
    const int decimals = sb_stats_ratio_decimals(&of);
    snprintf(text, INTERVAL, "90 %% interval %.*f to %.*f", decimals, v->low_90, decimals, v->high_90);
    return text;
}

static void say_undetermined(sb_verdict *v)
{
    char interval[INTERVAL];
    const char *of = v->paired ? "pair" : "run";
    v->word = SB_VERDICT_UNDETERMINED;
    if (v->n == 1)
        snprintf(v->reason, sizeof v->reason, "one %s says nothing about spread", of);
    else if (v->smallest_p >= SB_STATS_ALPHA)
        snprintf(v->reason, sizeof v->reason, "%zu %ss cannot give a p below %s", v->n, of,
                 sb_number_p(v->smallest_p).text);
    else if (isnan(v->margin.log_ratio))
        snprintf(v->reason, sizeof v->reason, "no difference shown (adjusted p = %s), and no margin to call it none",
                 sb_number_p(v->p_holm).text);
    else if (isnan(v->p_equivalent))
        snprintf(v->reason, sizeof v->reason, "adjusted p = %s for a difference, and equivalence wants %d %ss",
                 sb_number_p(v->p_holm).text, SB_STATS_INTERVAL_RUNS, of);
    else if (v->p_all_seeds < SB_STATS_ALPHA)
        snprintf(v->reason, sizeof v->reason,
                 "equivalent within %s %% (p = %s), but not within the %s %% that the ensemble gives without one seed",
                 margin_percent(v->margin.log_ratio).text, sb_number_p(v->p_all_seeds).text,
                 margin_percent(v->margin.least).text);
    else
        snprintf(v->reason, sizeof v->reason,
                 "adjusted p = %s for a difference, p = %s for equivalence within %s %% (%s)",
                 sb_number_p(v->p_holm).text, sb_number_p(v->p_equivalent).text, margin_percent(v->margin.least).text,
                 judged_by(v, interval));
}

static void decide(sb_verdict *v)
{
    if (v->paired && v->n_same == v->n) {
        v->word = SB_VERDICT_SAME_BITS;
        snprintf(v->reason, sizeof v->reason, "the weights of %s %zu pair%s are equal", v->n == 1 ? "the" : "all", v->n,
                 sb_plural(v->n));
    } else if (isnan(v->ratio)) {
        v->word = SB_VERDICT_UNDETERMINED;
        snprintf(v->reason, sizeof v->reason, "a run has none of these losses, or one of 0, so that there is no ratio");
    } else if (v->p_equivalent < SB_STATS_ALPHA) {
        char interval[INTERVAL];
        v->word = SB_VERDICT_EQUIVALENT;
        snprintf(v->reason, sizeof v->reason, "a difference of %s %% or more is rejected, p = %s (%s)",
                 margin_percent(v->margin.least).text, sb_number_p(v->p_equivalent).text, judged_by(v, interval));
    } else if (v->p_holm < SB_STATS_ALPHA) {
        v->word = SB_VERDICT_DIFFERENT;
        snprintf(v->reason, sizeof v->reason, "p = %s, adjusted %s", sb_number_p(v->p).text,
                 sb_number_p(v->p_holm).text);
    } else {
        say_undetermined(v);
    }
}

double sb_sample_pair(sb_sample a, sb_sample b, sb_metric metric, size_t i, const sb_result **of,
                      const sb_result **over)
{
    for (size_t k = 0, l = 0; k < a.n && l < b.n;) {
        *of = a.cell[k];
        *over = b.cell[l];
        if ((*of)->seed == (*over)->seed && i-- == 0) return (*of)->loss[metric] / (*over)->loss[metric];
        const long left = (*of)->seed, right = (*over)->seed;
        k += left <= right;
        l += right <= left;
    }
    return NAN;
}

sb_status sb_verdict_of(sb_verdict *v, sb_sample a, sb_sample b, sb_metric metric, const sb_margin *margin)
{
    size_t room = a.n > b.n ? a.n : b.n, smaller = a.n < b.n ? a.n : b.n;
    *v = (sb_verdict){.p_above = NAN, .p_below = NAN, .margin = *margin};
    double *scratch = malloc(3 * room * sizeof *scratch);
    if (!scratch) return sb_fail(SB_E_MEMORY, "not enough memory for a verdict");
    losses l = {.a = scratch, .b = scratch + room, .difference = scratch + 2 * room};
    v->paired = 2 * pair_losses(a, b, metric, &l, &v->n_same) >= smaller;
    if (!v->paired) take_losses(a, b, metric, &l);
    sb_status status = SB_OK;
    if (all_positive(a, metric) && all_positive(b, metric))
        status = v->paired ? judge_pairs(v, &l) : judge_arms(v, &l);
    else
        leave_unjudged(v, v->paired ? l.n_a : smaller);
    free(scratch);
    v->p_holm = v->p;
    if (status == SB_OK) decide(v);
    return status;
}

sb_status sb_verdict_family(sb_verdict *const *verdict, size_t n)
{
    double *p = calloc(n + 1, sizeof *p);
    if (!p) return sb_fail(SB_E_MEMORY, "not enough memory for %zu verdicts", n);
    for (size_t i = 0; i < n; i++) p[i] = verdict[i]->word == SB_VERDICT_SAME_BITS ? NAN : verdict[i]->p;
    sb_status status = sb_stats_holm(p, n, p);
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        verdict[i]->p_holm = isnan(p[i]) ? verdict[i]->p : p[i];
        decide(verdict[i]);
    }
    free(p);
    return status;
}

void sb_verdict_ratio_text(const sb_verdict *v, char text[SB_VERDICT_TEXT])
{
    if (isnan(v->ratio)) {
        snprintf(text, SB_VERDICT_TEXT, "no ratio");
        return;
    }
    const sb_ratio ratio = {.n = v->n, .ratio = v->ratio, .low = v->low, .high = v->high, .p = v->p};
    sb_stats_ratio_text(&ratio, text);
}

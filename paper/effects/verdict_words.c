#include "core/text/plural.h"
#include "paper/effects/verdict.h"
#include "paper/numbers/numbers.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

double sb_verdict_size(const sb_verdict *v, double ratio)
{
    return v->unit > 0 ? v->unit * log(ratio) : ratio;
}

const char *sb_verdict_measure(const sb_verdict *v)
{
    return v->unit > 0 ? "difference" : "ratio";
}

/* How far from no difference: "5 %"; of differences the number. */
typedef struct size_words {
    char text[32];
} size_words;
static size_words size_of(const sb_verdict *v, double log_ratio)
{
    size_words s;
    const double number = v->unit > 0 ? v->unit * log_ratio : 100 * expm1(log_ratio);
    snprintf(s.text, sizeof s.text, "%s%s", sb_number_short(number).text, v->unit > 0 ? "" : " %");
    return s;
}

/* Appends to a text; what has no room is cut. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* The interval that lies inside the margin, or does not. */
enum { INTERVAL = 80 };
static const char *judged_by(const sb_verdict *v, char text[INTERVAL])
{
    const sb_ratio of = {.n = v->n, .ratio = v->ratio, .low = v->low_90, .high = v->high_90};
    const int decimals = sb_stats_ratio_decimals(&of);
    if (v->unit > 0)
        snprintf(text, INTERVAL, "90 %% interval %s to %s", sb_number_short(sb_verdict_size(v, v->low_90)).text,
                 sb_number_short(sb_verdict_size(v, v->high_90)).text);
    else
        snprintf(text, INTERVAL, "90 %% interval %.*f to %.*f", decimals, v->low_90, decimals, v->high_90);
    return text;
}

/* -- remarks -- */

/* A long name would leave no room for the numbers. */
enum { MOST_NAME = 40 };
static const char *const in_order[] = {"the first condition", "the second"};
static const char *const named_now[] = {"the first condition", "the second condition"};
static const char *const named_before[] = {"the first", "the second"};
static const char *name_of(const sb_verdict *v, int i, const char *const otherwise[2])
{
    const char *name = v->side[i].name;
    return name && strlen(name) <= MOST_NAME ? name : otherwise[i];
}

/* "; 6 of 12 runs of h100 and 5 of 12 of i5 diverged" */
static void append_counts(const sb_verdict *v, char *text, size_t a, size_t of_a, size_t b, size_t of_b,
                          const char *what, const char *end)
{
    append(text, SB_VERDICT_REMARKS, "; %zu of %zu %s of %s and %zu of %zu of %s %s", a, of_a, what,
           name_of(v, 0, in_order), b, of_b, name_of(v, 1, in_order), end);
}

static void append_alone(const sb_verdict *v, char *text)
{
    const sb_side *a = &v->side[0], *b = &v->side[1];
    const int i = a->n_alone ? 0 : 1;
    if (a->n_alone && b->n_alone)
        append_counts(v, text, a->n_alone, a->n, b->n_alone, b->n, "seeds", "are not in both conditions");
    else
        append(text, SB_VERDICT_REMARKS, "; %zu of %zu seeds of %s %s no run in %s", v->side[i].n_alone, v->side[i].n,
               name_of(v, i, named_now), v->side[i].n_alone == 1 ? "has" : "have", name_of(v, !i, named_before));
}

static void append_runs(const sb_verdict *v, char *text)
{
    if (v->side[0].most_runs < 2 && v->side[1].most_runs < 2) return;
    append(text, SB_VERDICT_REMARKS, "; runs averaged for each seed: ");
    for (int i = 0; i < 2; i++) {
        const sb_side *side = &v->side[i];
        append(text, SB_VERDICT_REMARKS, "%s%zu", i ? ", " : "", side->least_runs);
        if (side->most_runs > side->least_runs) append(text, SB_VERDICT_REMARKS, " to %zu", side->most_runs);
        append(text, SB_VERDICT_REMARKS, " in %s", name_of(v, i, in_order));
    }
}

void sb_verdict_remarks(const sb_verdict *v, char text[SB_VERDICT_REMARKS])
{
    const sb_side *a = &v->side[0], *b = &v->side[1];
    *text = 0;
    if ((a->n_alone || b->n_alone) && v->bits.n) {
        append_alone(v, text);
        append(text, SB_VERDICT_REMARKS,
               v->common   ? "; they are left out"
               : v->paired ? "; the verdict on all runs without pairs is no weaker"
                           : ", so runs are not paired");
    }
    if (a->n_diverged || b->n_diverged)
        append_counts(v, text, a->n_diverged, a->n_runs, b->n_diverged, b->n_runs, "runs", "diverged");
    if (a->n_zero || b->n_zero) append_counts(v, text, a->n_zero, a->n, b->n_zero, b->n, "seeds", "have a loss of 0");
    append_runs(v, text);
}

/* -- power -- */

size_t sb_verdict_more(const sb_verdict *v, double alpha)
{
    return sb_stats_more_starts(&(sb_pilot){v->mean, v->sd, v->n, v->paired, alpha, v->margin.judged,
                                            SB_VERDICT_EQUIVALENT_STARTS, SB_VERDICT_ERRORS});
}

void sb_verdict_power(const sb_verdict *v, double alpha, char text[SB_VERDICT_POWER])
{
    const size_t more = sb_verdict_more(v, alpha);
    *text = 0;
    if (v->quick || isnan(v->sd) || v->n < 2) return;
    if (!isnan(v->detectable))
        append(text, SB_VERDICT_POWER, "; this comparison by itself finds a difference of %s with a power of 80 %%",
               size_of(v, log(v->detectable)).text);
    if (more)
        append(text, SB_VERDICT_POWER, "; %zu more %s%s%s would decide", more, v->paired ? "pair" : "seed",
               sb_plural(more), v->paired ? "" : " of each condition");
    else
        append(text, SB_VERDICT_POWER, "; to decide would need more than %d %s", SB_STATS_MOST_STARTS,
               v->paired ? "pairs" : "seeds of each condition");
}

/* -- the word -- */

static void say_no_margin(sb_verdict *v)
{
    char *text = v->reason;
    const sb_margin *m = &v->margin;
    append(text, SB_VERDICT_REASON, "no difference shown (adjusted p = %s), and ", sb_number_p(v->p_holm).text);
    if (isnan(m->log_ratio))
        append(text, SB_VERDICT_REASON, "there is no margin for equivalence");
    else if (isnan(m->without_two))
        append(text, SB_VERDICT_REASON, "the ensemble's margin of %s comes from only %zu seeds",
               size_of(v, m->log_ratio).text, m->n_seeds);
    else
        append(text, SB_VERDICT_REASON,
               "the ensemble's margin of %s comes from one or two of its %zu seeds (%s without them)",
               size_of(v, m->log_ratio).text, m->n_seeds, size_of(v, m->without_two).text);
}

/* How far from no difference the standard errors around the effect reach. */
static double reach_of(const sb_verdict *v)
{
    return fabs(v->mean) + SB_VERDICT_ERRORS * v->sd / sqrt((double)v->n);
}

static void say_no_equivalence(sb_verdict *v)
{
    char interval[INTERVAL], *text = v->reason;
    const char *of = v->paired ? "pairs" : "runs";
    append(text, SB_VERDICT_REASON, "adjusted p = %s for a difference, ", sb_number_p(v->p_holm).text);
    if (isnan(v->ratio))
        append(text, SB_VERDICT_REASON, "and there is no %s to judge", v->unit > 0 ? "finite difference" : "ratio");
    else if (v->n < SB_VERDICT_EQUIVALENT_STARTS)
        append(text, SB_VERDICT_REASON, "and equivalence needs %d %s", SB_VERDICT_EQUIVALENT_STARTS, of);
    else if (v->p_equivalent < SB_STATS_ALPHA)
        append(text, SB_VERDICT_REASON,
               "p = %s for equivalence within %s (%s), but %d standard errors reach %s, and %zu %s cannot show a rare "
               "outlier",
               sb_number_p(v->p_equivalent).text, size_of(v, v->margin.judged).text, judged_by(v, interval),
               SB_VERDICT_ERRORS, size_of(v, reach_of(v)).text, v->n, of);
    else
        append(text, SB_VERDICT_REASON, "p = %s for equivalence within %s (%s)", sb_number_p(v->p_equivalent).text,
               size_of(v, v->margin.judged).text, judged_by(v, interval));
}

static void say_undetermined(sb_verdict *v)
{
    char power[SB_VERDICT_POWER], *text = v->reason;
    const char *of = v->paired ? "pair" : "run";
    v->word = SB_VERDICT_UNDETERMINED;
    if (v->n == 1)
        append(text, SB_VERDICT_REASON, "one %s says nothing about spread", of);
    else if (sb_verdict_has_no_side(v))
        append(text, SB_VERDICT_REASON,
               "mean and ranks disagree, so no condition is named higher: the %s is %s and Cliff's delta %s (p = %s)",
               sb_verdict_measure(v), sb_number_short(sb_verdict_size(v, exp(v->mean))).text,
               sb_number_short(v->cliff).text, sb_number_p(v->p).text);
    else if (v->smallest_p >= SB_STATS_ALPHA)
        append(text, SB_VERDICT_REASON, "%zu %ss cannot give a p below %s", v->n, of, sb_number_p(v->smallest_p).text);
    else if (isnan(v->margin.judged))
        say_no_margin(v);
    else
        say_no_equivalence(v);
    sb_verdict_power(v, SB_STATS_ALPHA, power);
    append(text, SB_VERDICT_REASON, "%s", power);
}

static void say_contradiction(sb_verdict *v)
{
    v->word = SB_VERDICT_UNDETERMINED;
    append(v->reason, SB_VERDICT_REASON,
           "the tables contradict each other: in %zu of %zu pairs the weights are equal, and the losses are ",
           v->bits.n_contradict, v->bits.n);
    if (isinf(v->bits.gap))
        append(v->reason, SB_VERDICT_REASON, "a number in one of them alone");
    else
        append(v->reason, SB_VERDICT_REASON, "up to %s times as large", sb_number_short(1 + v->bits.gap).text);
}

/* What decides, or why nothing does. */
static void say(sb_verdict *v)
{
    char interval[INTERVAL];
    const sb_common *bits = &v->bits;
    const bool all_partners = v->common || v->side[0].n_alone + v->side[1].n_alone == 0;
    if (bits->n_contradict) {
        say_contradiction(v);
    } else if (bits->n && bits->n_same_bits == bits->n && all_partners) {
        v->word = SB_VERDICT_SAME_BITS;
        append(v->reason, SB_VERDICT_REASON, "weights and losses of %s %zu pair%s are equal",
               bits->n == 1 ? "the" : "all", bits->n, sb_plural(bits->n));
    } else if (v->side[0].n_none + v->side[1].n_none) {
        v->word = SB_VERDICT_UNDETERMINED;
        append(v->reason, SB_VERDICT_REASON, "a run has none of these losses");
    } else if (v->common && bits->n == 0) {
        v->word = SB_VERDICT_UNDETERMINED;
        append(v->reason, SB_VERDICT_REASON, "no seed is in both conditions");
    } else if (v->conflict) {
        v->word = SB_VERDICT_UNDETERMINED;
        append(v->reason, SB_VERDICT_REASON, "the %zu pairs say %s, and all runs without pairs do not (p = %s)",
               bits->n, sb_verdict_name[v->of_pairs], sb_number_p(v->p).text);
    } else if (v->n >= SB_VERDICT_EQUIVALENT_STARTS && v->p_equivalent < SB_STATS_ALPHA &&
               reach_of(v) < v->margin.judged) {
        v->word = SB_VERDICT_EQUIVALENT;
        append(v->reason, SB_VERDICT_REASON, "a difference of %s or more is rejected, p = %s (%s)",
               size_of(v, v->margin.judged).text, sb_number_p(v->p_equivalent).text, judged_by(v, interval));
    } else if (v->p_holm < SB_STATS_ALPHA && !v->disagree) {
        v->word = SB_VERDICT_DIFFERENT;
        append(v->reason, SB_VERDICT_REASON, "p = %s, adjusted %s", sb_number_p(v->p).text,
               sb_number_p(v->p_holm).text);
    } else {
        say_undetermined(v);
    }
}

void sb_verdict_decide(sb_verdict *v)
{
    char remarks[SB_VERDICT_REMARKS];
    *v->reason = 0;
    say(v);
    sb_verdict_remarks(v, remarks);
    append(v->reason, SB_VERDICT_REASON, "%s", remarks);
}

void sb_verdict_ratio_text(const sb_verdict *v, char text[SB_VERDICT_TEXT])
{
    if (isnan(v->ratio)) {
        snprintf(text, SB_VERDICT_TEXT, "no %s", v->unit > 0 ? "finite difference" : "ratio");
        return;
    }
    if (v->unit > 0) {
        snprintf(text, SB_VERDICT_TEXT, "%s", sb_number_short(sb_verdict_size(v, v->ratio)).text);
        if (isnan(v->low)) return;
        append(text, SB_VERDICT_TEXT, " [%s, ", sb_number_short(sb_verdict_size(v, v->low)).text);
        append(text, SB_VERDICT_TEXT, "%s]", sb_number_short(sb_verdict_size(v, v->high)).text);
        return;
    }
    const sb_ratio ratio = {.n = v->n, .ratio = v->ratio, .low = v->low, .high = v->high, .p = v->p};
    sb_stats_ratio_text(&ratio, text);
}

void sb_verdict_effect_text(const sb_verdict *v, char text[SB_VERDICT_EFFECT])
{
    const char *what = isnan(v->ratio) ? "" : v->unit > 0 ? "difference " : "ratio ";
    char size[SB_VERDICT_TEXT];
    sb_verdict_ratio_text(v, size);
    snprintf(text, SB_VERDICT_EFFECT, "%s%s, n = %zu%s", what, size, v->n, v->paired ? " pairs" : "");
}

#include "paper/judge/judge.h"
#include "paper/numbers/numbers.h"
#include "paper/statistics/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double sb_judge_size(const sb_judgement *j, double log_ratio)
{
    return j->differences ? j->unit * log_ratio : exp(log_ratio);
}

/* A clause of the verdict that has no size in it: its own is right. */
static bool has_no_size(const sb_verdict *v)
{
    return v->word == SB_VERDICT_SAME_BITS || v->word == SB_VERDICT_DIFFERENT || v->bits.n_contradict || v->conflict;
}

static int say_equivalence(const sb_judgement *j, const sb_verdict *v, char *text)
{
    return snprintf(text, SB_JUDGE_WORDS, "p = %s for a difference below %s (90 %% interval %s to %s)",
                    sb_number_p(v->p_equivalent).text, sb_number_short(sb_judge_size(j, v->margin.judged)).text,
                    sb_number_short(sb_judge_size(j, log(v->low_90))).text,
                    sb_number_short(sb_judge_size(j, log(v->high_90))).text);
}

static int say_undecided(const sb_judgement *j, const sb_verdict *v, char *text)
{
    if (v->n == 1 || (v->smallest_p >= SB_STATS_ALPHA && !sb_verdict_has_no_side(v)))
        return snprintf(text, SB_JUDGE_WORDS, "%zu %s cannot give a p below %s", v->n, v->paired ? "pairs" : "runs",
                        sb_number_p(v->smallest_p).text);
    if (sb_verdict_has_no_side(v))
        return snprintf(text, SB_JUDGE_WORDS,
                        "mean and ranks disagree, so no condition is named higher (Cliff's delta %s, p = %s)",
                        sb_number_short(v->cliff).text, sb_number_p(v->p).text);
    if (isnan(v->p_equivalent))
        return snprintf(text, SB_JUDGE_WORDS, "adjusted p = %s for a difference", sb_number_p(v->p_holm).text);
    const int n = snprintf(text, SB_JUDGE_WORDS, "adjusted p = %s for a difference, ", sb_number_p(v->p_holm).text);
    return n + say_equivalence(j, v, text + n);
}

static void say_power(const sb_judgement *j, const sb_judge_comparison *c, char *text, size_t room)
{
    const double seen = c->verdict.detectable;
    int n = 0;
    if (!isnan(seen))
        n = snprintf(text, room, "; a difference of %s would have been seen with a power of 80 %%",
                     sb_number_short(sb_judge_size(j, log(seen))).text);
    if (c->more) sb_verdict_more(&c->verdict, c->more, text + n, room - (size_t)n);
}

void sb_judge_words(const sb_judgement *j, const sb_judge_comparison *c, char text[SB_JUDGE_WORDS])
{
    const sb_verdict *v = &c->verdict;
    char remarks[SB_VERDICT_REMARKS];
    snprintf(text, SB_JUDGE_WORDS, "%s", v->reason);
    if (!j->differences || has_no_size(v)) return;
    sb_verdict_remarks(v, remarks);
    const int n = v->word == SB_VERDICT_EQUIVALENT ? say_equivalence(j, v, text) : say_undecided(j, v, text);
    if (v->word == SB_VERDICT_UNDETERMINED) say_power(j, c, text + n, SB_JUDGE_WORDS - (size_t)n);
    snprintf(text + strlen(text), SB_JUDGE_WORDS - strlen(text), "%s", remarks);
}

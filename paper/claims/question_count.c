/* How many claims came out how, and whether they were registered before their runs, in one sentence. */
#include "paper/claims/question.h"

#include <string.h>

/* "all were registered before their runs" */
static void write_registered(sb_writer *out, const sb_question *q)
{
    size_t n_before = 0, n_partly = 0;
    bool lost = false;
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));) {
        n_before += r->n_registered == r->n_runs;
        n_partly += r->n_registered > 0 && r->n_registered < r->n_runs;
        lost = lost || r->n_lost;
    }
    if (q->n_judged == 0) return;
    if (q->n_judged == 1)
        sb_write(out, "; %s was %s", q->n_counted == 1 ? "it" : "the one that was judged",
                 n_before   ? "registered before its runs"
                 : n_partly ? "registered before some of its runs"
                            : "formulated after its runs, so it is weaker evidence");
    else if (n_before == q->n_judged)
        sb_write(out, "; %s registered before their runs",
                 q->n_judged < q->n_counted ? "those that were judged were"
                 : q->n_judged == 2         ? "both were"
                                            : "all were");
    else if (n_before + n_partly == 0)
        sb_write(out, "; none was registered before its runs, so they are weaker evidence");
    else
        sb_write(out, "; %zu %s registered before all of their runs%s", n_before, n_before == 1 ? "was" : "were",
                 n_partly ? ", others before some" : "");
    if (lost)
        sb_write(out, "; cells registered with %s are not in these tables", q->n_judged == 1 ? "it" : "some of them");
}

/* Counts outcomes of claims that have runs; the other claims are neither decided nor undetermined. */
static size_t count_outcomes(const sb_question *q, size_t count[SB_N_OUTCOMES])
{
    size_t n_outcomes = 0;
    memset(count, 0, SB_N_OUTCOMES * sizeof *count);
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));) n_outcomes += count[r->outcome]++ == 0;
    return n_outcomes;
}

void sb_question_write_count(sb_writer *out, const sb_question *q)
{
    size_t count[SB_N_OUTCOMES], all[SB_N_OUTCOMES], n_said = 0;
    const size_t n_outcomes = count_outcomes(q, count), n_uncounted = sb_claims_count(q->claims, all);
    const size_t n_without = q->n_counted - q->n_judged;
    for (int o = 0; o < SB_N_OUTCOMES; o++) {
        const char *words = sb_outcome_name[o];
        if (count[o] == 0) continue;
        if (n_said++)
            sb_write(out, ", %zu %s", count[o], words);
        else if (q->n_counted == 1)
            sb_write(out, "The claim of this study is %s", words);
        else if (n_outcomes == 1 && n_without == 0)
            sb_write(out, q->n_counted == 2 ? "Both claims of this study are %s" : "All claims of this study are %s",
                     words);
        else
            sb_write(out, "%zu of the %zu claims of this study %s %s", count[o], q->n_counted,
                     count[o] == 1 ? "is" : "are", words);
    }
    if (q->n_counted == 0)
        sb_write(out, "No claim answers it");
    else if (q->n_judged == 0)
        sb_write(out, q->n_counted == 1 ? "The claim of this study has no runs here"
                                        : "No claim of this study has runs here");
    else if (n_without)
        sb_write(out, ", %zu without runs here", n_without);
    write_registered(out, q);
    sb_write(out, ".");
    if (n_uncounted) sb_write(out, " %zu more %s not counted.", n_uncounted, n_uncounted == 1 ? "is" : "are");
}

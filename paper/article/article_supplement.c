/* The supplement: every claim with its rule, its outcome, and each of its comparisons. */
#include "paper/article/article_parts.h"
#include "paper/claims/selector.h"

/* "full, native: shared", and which of them are emulated. */
static void write_side(sb_writer *tex, const sb_arm *arm)
{
    const sb_evidence evidence = arm->cell[0]->evidence;
    sb_write(tex, "%s, %s, %s", arm->group->study, arm->setting->label, sb_target_name[arm->target]);
    if (evidence != SB_EVIDENCE_MEASURED) sb_write(tex, "\\textsuperscript{%c}", sb_evidence_name[evidence][0]);
}

static void write_comparison(sb_writer *tex, const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    char ratio[SB_VERDICT_TEXT];
    sb_verdict_ratio_text(v, ratio);
    write_side(tex, part->of);
    sb_write(tex, " & ");
    write_side(tex, part->over);
    sb_write(tex, " & %zu %s & %s & ", v->n, v->paired ? "pairs" : "runs", ratio);
    if (v->word == SB_VERDICT_SAME_BITS)
        sb_write(tex, "--");
    else
        sb_write(tex, "%s", sb_number_p(v->p).text);
    sb_write(tex, " & %s\\\\\n", sb_verdict_name[v->word]);
}

static void write_pool(sb_writer *tex, const sb_claim_pool *pool)
{
    char text[SB_POOL_TEXT];
    if (sb_claim_pool_text(pool, text)) sb_write(tex, " Standard deviations of the log ratio: %s.", text);
}

static void write_claim(sb_writer *tex, const sb_claim_result *r)
{
    const sb_claim *claim = r->claim;
    char of[128], over[128];
    sb_selector_text(&claim->of, of, sizeof of);
    sb_selector_text(&claim->over, over, sizeof over);
    sb_write(tex, "\\sbclaimhead{%s}{%s}{%s}{%s}\n", claim->text, claim->by, claim->name, sb_outcome_name[r->outcome]);
    sb_write(tex, "\\sbclaimrule{The %s of runs with %s, over that of runs with %s. Relation: %s. What came of it: %s.",
             sb_metric_title[r->metric], of, over, claim->relation, r->words);
    write_pool(tex, &r->pool);
    for (size_t i = 0; i < r->n_parts; i++)
        if (sb_claims_margin(r, i)) sb_write(tex, " Margin: %s.", sb_claims_margin(r, i));
    if (*r->registered) sb_write(tex, " It was %s.", r->registered);
    if (claim->why) sb_write(tex, " Note: %s.", claim->why);
    if (claim->uncounted) sb_write(tex, " Not counted: %s.", claim->uncounted);
    sb_write(tex, "}\n");
    for (size_t i = 0; i < r->n_parts; i++) write_comparison(tex, &r->part[i]);
    sb_write(tex, "\\addlinespace\n");
}

/* "11 reproduced, 6 hardware missing" */
static void write_counts(sb_writer *tex, const sb_claims *claims)
{
    size_t count[SB_N_OUTCOMES], n = 0;
    const size_t n_uncounted = sb_claims_count(claims, count);
    sb_write(tex, "\\newcommand\\sbclaimcounts{");
    for (int o = 0; o < SB_N_OUTCOMES; o++)
        if (count[o]) sb_write(tex, n++ ? ", %s: %zu" : "%s: %zu", sb_outcome_name[o], count[o]);
    if (n_uncounted) sb_write(tex, "; not counted: %zu", n_uncounted);
    sb_write(tex, "}\n\\newcommand\\sbnclaims{%zu}\n", claims->n);
}

/* Claims that could not be compared with any run here. */
static void write_note(sb_writer *tex, const sb_claims *claims)
{
    size_t n_judged = 0;
    for (size_t i = 0; i < claims->n; i++) n_judged += claims->result[i].n_parts > 0;
    sb_write(tex, "\\newcommand\\sbclaimsnote{");
    if (claims->n == 0)
        sb_write(tex, "No claim was judged for this copy of the paper: no file of claims was named, or the one that "
                      "was is empty.");
    else if (n_judged == 0)
        sb_write(tex, "None of these %zu claims has runs in these results, so none of them is decided.", claims->n);
    else if (n_judged < claims->n)
        sb_write(tex, "Of these %zu claims, %zu have runs in these results; what the others lack stands with each.",
                 claims->n, n_judged);
    sb_write(tex, "}\n");
}

void sb_article_supplement(sb_writer *tex, const sb_report *report)
{
    sb_write(tex, "%% The claims in full; written by samebits-report, see paper/article/article.h.\n");
    write_counts(tex, &report->claims);
    write_note(tex, &report->claims);
    sb_write(tex, "\\newcommand\\sbeveryclaim{");
    for (size_t i = 0; i < report->claims.n; i++) write_claim(tex, &report->claims.result[i]);
    sb_write(tex, "}\n");
}

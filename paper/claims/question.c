#include "paper/claims/question.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char claimed[] = "What was claimed of these runs, and what came out?";

/* -- what is asked -- */

/* "What came out of 18 runs of lenet on mnist?" */
static void ask_of_runs(sb_question *q, const sb_arms *arms)
{
    const sb_group *first = arms->group;
    const size_t n = arms->sorted.n;
    bool alike = arms->n_groups > 0;
    for (const sb_group *group = first; group < first + arms->n_groups; group++)
        alike = alike && strcmp(group->data, first->data) == 0 &&
                strcmp(group->setting[0].cell->model, first->setting[0].cell->model) == 0;
    snprintf(q->text, sizeof q->text, "What came out of %zu run%s%s%.60s%s%.60s?", n, sb_plural(n), alike ? " of " : "",
             alike ? first->setting[0].cell->model : "", alike ? " on " : "", alike ? first->data : "");
}

const sb_claim_result *sb_question_next(const sb_question *q, const sb_claim_result *after)
{
    const sb_claim_result *at = after ? after + 1 : q->claims->result, *end = q->claims->result + q->claims->n;
    while (at < end && (at->claim->uncounted || at->n_parts == 0)) at++;
    return at < end ? at : NULL;
}

static void count_claims(sb_question *q)
{
    for (size_t i = 0; i < q->claims->n; i++) q->n_counted += !q->claims->result[i].claim->uncounted;
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));) q->n_judged++;
}

sb_question sb_question_of(const sb_claims *claims, const sb_claims *hardware, const sb_arms *arms)
{
    const char *own = claims->file ? claims->file->question : NULL;
    const bool compared = sb_claims_parts(hardware) > 0;
    sb_question q = {.claims = claims};
    count_claims(&q);
    q.kind = own || (!compared && q.n_judged) ? SB_QUESTION_CLAIMS : compared ? SB_QUESTION_HARDWARE : SB_QUESTION_NONE;
    if (q.kind == SB_QUESTION_NONE)
        ask_of_runs(&q, arms);
    else
        snprintf(q.text, sizeof q.text, "%s",
                 own                            ? own
                 : q.kind == SB_QUESTION_CLAIMS ? claimed
                                                : hardware->file->question);
    return q;
}

/* -- a claim -- */

/* What tells a side from the other: " of sgd-4096", " of ga/openblas", " with the shared target". */
static void write_side(sb_writer *out, const sb_finding *part, const sb_arm *side)
{
    const bool settings = strcmp(part->of->setting->label, part->over->setting->label) != 0;
    if (part->of->group != part->over->group || settings) sb_write(out, " of %s", side->group->study);
    if (settings) sb_write(out, *side->group->study ? "/%s" : "%s", side->setting->label);
    if (part->of->target != part->over->target)
        sb_write(out, " with the %s target", side->target == SB_TARGET_SHARED ? "shared" : "copied");
}

static const char *metric_words(const sb_claim_result *r)
{
    return sb_claims_is_custom(r) ? r->claim->metric : sb_recipe_metric_words(r->part->of->cell[0], r->metric);
}

/* "6 pairs, imitated" */
static void write_runs(sb_writer *out, const sb_finding *part)
{
    const sb_verdict *v = &part->verdict;
    const sb_evidence evidence = sb_finding_evidence(part);
    sb_write(out, v->paired ? "%zu pair%s" : "%zu run%s on each side", v->n, sb_plural(v->n));
    if (evidence != SB_EVIDENCE_MEASURED) sb_write(out, ", %s", sb_evidence_name[evidence]);
}

/* "The test error of sgd-4096 is 61.40 times that of sgd-32 (95 % interval 1.13 to 245.90, 6 pairs)." */
static void write_effect(sb_writer *out, const sb_claim_result *r, sb_answer_form *form)
{
    const sb_finding *part = r->part;
    const sb_verdict *v = &part->verdict;
    if (v->word == SB_VERDICT_SAME_BITS) {
        sb_write(out, sb_claims_is_custom(r) ? "The bits" : "The weights");
        write_side(out, part, part->of);
        sb_write(out, " are those");
        write_side(out, part, part->over);
        sb_write(out, " (");
    } else if (isnan(v->ratio)) {
        sb_write(out, "The %s has no %s (", metric_words(r), sb_verdict_measure(v));
    } else if (v->unit > 0) {
        sb_write(out, "The %s", metric_words(r));
        write_side(out, part, part->of);
        sb_write(out, " minus that");
        write_side(out, part, part->over);
        sb_write(out, " is ");
        sb_answer_write_ratio(out, form, part->label, v);
        sb_write(out, " (");
        sb_answer_write_interval(out, form, part->label, v);
    } else {
        sb_write(out, "The %s", metric_words(r));
        write_side(out, part, part->of);
        sb_write(out, " is ");
        sb_answer_write_ratio(out, form, part->label, v);
        sb_write(out, " times that");
        write_side(out, part, part->over);
        sb_write(out, " (");
        sb_answer_write_interval(out, form, part->label, v);
    }
    write_runs(out, part);
    sb_write(out, ").");
}

static bool has_one_effect(const sb_claim_result *r)
{
    return r->n_parts == 1 && r->pool.n == 0;
}

/* The part of the smallest ratio, or of the largest; NULL: none has one. */
static const sb_finding *find_extreme(const sb_claim_result *r, bool largest)
{
    const sb_finding *found = NULL;
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++) {
        const double ratio = part->verdict.ratio;
        if (isnan(ratio)) continue;
        if (!found || (largest ? ratio > found->verdict.ratio : ratio < found->verdict.ratio)) found = part;
    }
    return found;
}

static size_t count_same_bits(const sb_claim_result *r)
{
    size_t n = 0;
    for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++)
        n += part->verdict.word == SB_VERDICT_SAME_BITS;
    return n;
}

/* Of several parts, and of those that are pooled: how far their ratios reach, how many there are, and their outcomes. */
static void write_parts(sb_writer *out, const sb_claim_result *r, sb_answer_form *form)
{
    const sb_finding *low = find_extreme(r, false), *high = find_extreme(r, true);
    size_t n_pairs = 0;
    if (count_same_bits(r) == r->n_parts) {
        for (const sb_finding *part = r->part; part < r->part + r->n_parts; part++) n_pairs += part->verdict.n;
        sb_write(out, "The %s of all %zu pairs, in %zu comparisons, are equal.",
                 sb_claims_is_custom(r) ? "bits" : "weights", n_pairs, r->n_parts);
        return;
    }
    if (low) {
        sb_write(out, "The %s of the %s is ", sb_verdict_measure(&low->verdict), metric_words(r));
        sb_answer_write_range(out, form, low, high);
        sb_write(out, " in %zu comparison%s.", r->n_parts, sb_plural(r->n_parts));
    }
    if (!low) sb_write(out, "There is no ratio.");
    sb_answer_write_sentences(out, r->words);
}

void sb_question_write_claim(sb_writer *out, const sb_claim_result *r, sb_answer_form *form)
{
    char outcome[32], label[SB_NUMBER_LABEL];
    snprintf(outcome, sizeof outcome, "%s", sb_outcome_name[r->outcome]);
    *outcome = (char)toupper((unsigned char)*outcome);
    snprintf(label, sizeof label, "claim.%s", r->claim->name);
    sb_answer_write_number(out, form, label, outcome);
    sb_write(out, ": %s ", r->claim->text);
    if (!has_one_effect(r)) {
        write_parts(out, r, form);
        return;
    }
    write_effect(out, r, form);
    sb_answer_write_sentences(out, r->part->words);
    sb_answer_write_sentences(out, r->family);
}

/* -- the answer -- */

/* The first claim, where all that are judged are decided: of some the others would need to be said, too. */
static const sb_claim_result *find_answer(const sb_question *q)
{
    const sb_claim_result *first = sb_question_next(q, NULL);
    for (const sb_claim_result *r = first; r; r = sb_question_next(q, r))
        if (r->outcome == SB_OUTCOME_UNDETERMINED) return NULL;
    return first && has_one_effect(first) ? first : NULL;
}

void sb_question_write_answer(sb_writer *out, const sb_question *q, sb_answer_form *form)
{
    const sb_claim_result *first = find_answer(q);
    bool said = !(first && sb_claims_is_custom(first)) && sb_question_write_settings(out, q);
    if (!said && first) {
        write_effect(out, first, form);
        said = true;
    }
    sb_write(out, said ? " " : "");
    sb_question_write_count(out, q);
}

/* -- the gaps -- */

bool sb_question_has_gaps(const sb_question *q)
{
    return q->n_judged < q->n_counted;
}

void sb_question_write_gaps(sb_writer *out, const sb_question *q)
{
    if (!sb_question_has_gaps(q)) return;
    if (q->n_judged == 0)
        sb_write(out, "Not answered: these results have no runs for any of the claims.");
    else
        sb_write(out, "Not answered: %zu of %zu claims. These results have no runs for %s.", q->n_counted - q->n_judged,
                 q->n_counted, q->n_counted - q->n_judged == 1 ? "it" : "them");
}

void sb_question_write_none(sb_writer *out, const sb_arms *arms)
{
    sb_write(out, "No claim asks anything else of these runs. The final losses of the %zu stud%s are below.",
             arms->n_groups, arms->n_groups == 1 ? "y" : "ies");
}

/* -- all of it -- */

void sb_question_write_claims(sb_writer *out, const sb_question *q, sb_answer_form *form)
{
    sb_question_write_answer(out, q, form);
    sb_write(out, "\n");
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));) {
        sb_question_write_claim(out, r, form);
        sb_write(out, "\n");
    }
    sb_question_write_gaps(out, q);
    sb_write(out, sb_question_has_gaps(q) ? "\n" : "");
}

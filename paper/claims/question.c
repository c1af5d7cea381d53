#include "paper/claims/question.h"

#include "core/text/plural.h"
#include "paper/results/recipe.h"

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

/* Of what is asked of every study the most important study alone: its hardware; of the buffer, whose comparisons are
 * questions of their own, one. */
static bool is_told(const sb_question *q, const sb_claim_result *r)
{
    const sb_claim_result *first = q->claims->result;
    if (q->kind != SB_QUESTION_HARDWARE) return !r->claim->uncounted && r->n_parts;
    while (first->claim != r->claim) first++;
    return r == first || (!r->claim->family && r->part->of->group == first->part->of->group);
}

const sb_claim_result *sb_question_next(const sb_question *q, const sb_claim_result *after)
{
    const sb_claim_result *at = after ? after + 1 : q->claims->result, *end = q->claims->result + q->claims->n;
    while (at < end && !is_told(q, at)) at++;
    return at < end ? at : NULL;
}

static void count_claims(sb_question *q)
{
    for (size_t i = 0; i < q->own->n; i++) {
        q->n_counted += !q->own->result[i].claim->uncounted;
        q->n_waiting += q->own->result[i].outcome == SB_OUTCOME_HARDWARE_MISSING;
    }
    for (const sb_claim_result *r = NULL; (r = sb_question_next(q, r));) q->n_judged++;
}

sb_question sb_question_of_hardware(const sb_claims *claims, const sb_claims *hardware)
{
    sb_question q = {.kind = SB_QUESTION_HARDWARE, .claims = hardware, .own = claims};
    snprintf(q.text, sizeof q.text, "%s", hardware->file ? hardware->file->question : "");
    count_claims(&q);
    return q;
}

sb_question sb_question_of(const sb_claims *claims, const sb_claims *hardware, const sb_arms *arms)
{
    const char *own = claims->file ? claims->file->question : NULL;
    const bool compared = sb_claims_parts(hardware) > 0;
    sb_question q = {.kind = SB_QUESTION_CLAIMS, .claims = claims, .own = claims, .n_studies = arms->n_groups};
    count_claims(&q);
    if (own || (!compared && q.n_judged)) {
        snprintf(q.text, sizeof q.text, "%s", own ? own : claimed);
        return q;
    }
    if (compared) return sb_question_of_hardware(claims, hardware);
    q.kind = SB_QUESTION_NONE;
    ask_of_runs(&q, arms);
    return q;
}

/* -- the answer -- */

/* "The shared target buffer raises the final loss of prednet 3 8 16 32 on walk, 100 updates. The last-frame loss ..." */
static void write_buffer(sb_writer *out, const sb_claim_result *r, sb_number_form *form)
{
    char recipe[256];
    const sb_verdict *v = &r->part->verdict;
    const sb_result *cell = r->part->of->cell[0];
    if (sb_recipe_has_published_size(cell))
        snprintf(recipe, sizeof recipe, "PredNet at its published size on %s, %ld updates", cell->data, cell->updates);
    else
        sb_recipe_text(cell, recipe, sizeof recipe);
    if (v->word == SB_VERDICT_UNDETERMINED)
        sb_write(out, "Whether the shared target buffer changes the final loss of %s is not decided. ", recipe);
    else if (v->word == SB_VERDICT_DIFFERENT)
        sb_write(out, "The shared target buffer %s the final loss of %s. ",
                 isnan(v->ratio) ? "changes"
                 : v->ratio < 1  ? "lowers"
                                 : "raises",
                 recipe);
    else
        sb_write(out, "The shared target buffer does not change the final loss of %s. ", recipe);
    sb_question_write_effect(out, r, form);
}

static void write_of_hardware(sb_writer *out, const sb_question *q, sb_number_form *form)
{
    const sb_claim_result *buffer = sb_claims_next_asked(q->claims, SB_ASKS_BUFFER, NULL);
    if (buffer) {
        write_buffer(out, buffer, form);
        sb_write(out, " ");
    }
    if (!sb_question_write_settings(out, q)) sb_write(out, "No two machines were compared.");
}

/* The first claim, where all that are judged are decided: of some the others would need to be said, too. */
static const sb_claim_result *find_answer(const sb_question *q)
{
    const sb_claim_result *first = sb_question_next(q, NULL);
    for (const sb_claim_result *r = first; r; r = sb_question_next(q, r))
        if (r->outcome == SB_OUTCOME_UNDETERMINED) return NULL;
    return first && sb_question_has_one_effect(first) ? first : NULL;
}

static void write_of_claims(sb_writer *out, const sb_question *q, sb_number_form *form)
{
    const sb_claim_result *first = find_answer(q);
    bool said = !(first && sb_claims_is_custom(first)) && sb_question_write_settings(out, q);
    if (!said && first) {
        sb_question_write_effect(out, first, form);
        said = true;
    }
    sb_write(out, said ? " " : "");
    sb_question_write_count(out, q);
}

void sb_question_write_answer(sb_writer *out, const sb_question *q, sb_number_form *form)
{
    if (q->kind == SB_QUESTION_HARDWARE)
        write_of_hardware(out, q, form);
    else if (q->kind == SB_QUESTION_CLAIMS)
        write_of_claims(out, q, form);
    else
        sb_write(out, "No two machines were compared, and no two runs differ in the target buffer alone.");
}

/* -- the gaps -- */

static bool lacks_gpu(const sb_question *q)
{
    return q->kind == SB_QUESTION_HARDWARE && !sb_claims_next_asked(q->claims, SB_ASKS_GPU, NULL);
}

bool sb_question_has_gaps(const sb_question *q)
{
    return q->kind == SB_QUESTION_CLAIMS     ? q->n_judged < q->n_counted
           : q->kind == SB_QUESTION_HARDWARE ? lacks_gpu(q) || q->n_waiting
                                             : true;
}

static void write_gaps_of_hardware(sb_writer *out, const sb_question *q)
{
    const char *see = q->own->file ? q->own->file->see : NULL;
    if (lacks_gpu(q))
        sb_write(out, "Not answered: whether a GPU differs from a CPU. No study here has run on both%s%s.%s",
                 see ? "; GPU runs are in " : "", see ? see : "", q->n_waiting ? " " : "");
    if (q->n_waiting)
        sb_write(out, "%zu of %zu claims wait%s for hardware.", q->n_waiting, q->own->n, q->n_waiting == 1 ? "s" : "");
}

void sb_question_write_gaps(sb_writer *out, const sb_question *q)
{
    const size_t n_open = q->n_counted - q->n_judged;
    if (!sb_question_has_gaps(q)) return;
    if (q->kind == SB_QUESTION_HARDWARE)
        write_gaps_of_hardware(out, q);
    else if (q->kind == SB_QUESTION_NONE)
        sb_write(out, "No claim asks anything else of these runs. The final losses of the %zu stud%s are below.",
                 q->n_studies, q->n_studies == 1 ? "y" : "ies");
    else if (q->n_judged == 0)
        sb_write(out, "Not answered: these results have no runs for any of the claims.");
    else
        sb_write(out, "Not answered: %zu of %zu claims. These results have no runs for %s.", n_open, q->n_counted,
                 n_open == 1 ? "it" : "them");
}

/* -- all of it -- */

void sb_question_write_claims(sb_writer *out, const sb_question *q, sb_number_form *form)
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

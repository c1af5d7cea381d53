#include "paper/program/program_results.h"

#include "core/size.h"
#include "core/text/plural.h"
#include "paper/claims/question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- comparisons -- */

static const char *study_of(const sb_program_results *r, size_t condition)
{
    return sb_table_text_or_none(&r->cells, r->condition[condition].row, "study");
}

static size_t first_of_study(const sb_program_results *r, size_t condition)
{
    size_t k = 0;
    while (strcmp(study_of(r, k), study_of(r, condition)) != 0) k++;
    return k;
}

sb_status sb_program_compare(sb_program_comparisons *c, const sb_program_results *r, size_t metric)
{
    SB_FREED sb_verdict **family = sb_size_allocate(r->n_conditions, sizeof *family);
    const sb_judge_rule rule = {.margin = SB_PROGRAM_MARGIN, .margin_source = "the margin of samebits-report judge"};
    *c = (sb_program_comparisons){.item = sb_size_allocate(r->n_conditions, sizeof *c->item)};
    if (!family || !c->item) return sb_fail(SB_E_MEMORY, "not enough memory for %zu conditions", r->n_conditions);
    for (size_t k = 0; k < r->n_conditions; k++) {
        sb_program_comparison *item = &c->item[c->n];
        *item = (sb_program_comparison){.of = k, .over = first_of_study(r, k)};
        if (item->of == item->over || !sb_program_has_metric(r, k, metric)) continue;
        c->n++;
        SB_TRY(sb_program_judge(&item->judgement, r, metric, item->of, item->over, rule));
        family[c->n - 1] = &item->judgement.comparison->verdict;
    }
    return sb_verdict_family(family, c->n);
}

void sb_program_comparisons_free(sb_program_comparisons *c)
{
    for (size_t i = 0; i < c->n; i++) sb_judgement_free(&c->item[i].judgement);
    free(c->item);
    *c = (sb_program_comparisons){0};
}

/* -- sentences -- */

void sb_program_question(const sb_program_results *r, const sb_program_claims *claims, char text[SB_PROGRAM_QUESTION])
{
    const char *own = claims && claims->claims.file ? claims->claims.file->question : NULL;
    const size_t n = r->cells.n_rows;
    if (own)
        snprintf(text, SB_PROGRAM_QUESTION, "%s", own);
    else
        snprintf(text, SB_PROGRAM_QUESTION, "What came out of %zu run%s of %.200s?", n, sb_plural(n), study_of(r, 0));
}

static sb_status write_metric(sb_writer *out, const sb_program_results *r, size_t metric)
{
    SB_OWNED(sb_program_comparisons_free) sb_program_comparisons c = {0};
    SB_TRY(sb_program_compare(&c, r, metric));
    if (c.n)
        sb_write(out, "%s, %s is better; ratios up to %g count as equal\n", r->metric[metric],
                 r->higher[metric] ? "higher" : "lower", SB_PROGRAM_MARGIN);
    for (size_t i = 0; i < c.n; i++) {
        const sb_program_comparison *item = &c.item[i];
        const sb_verdict *v = &item->judgement.comparison->verdict;
        char effect[SB_VERDICT_EFFECT];
        sb_verdict_effect_text(v, effect);
        sb_write(out, "%s: %s over %s: %s\n    %s\n", sb_verdict_name[v->word], r->condition[item->of].label,
                 r->condition[item->over].label, effect, v->reason);
    }
    return SB_OK;
}

sb_status sb_program_write_answer(sb_writer *out, const sb_program_results *r, const sb_program_claims *claims)
{
    char question[SB_PROGRAM_QUESTION];
    sb_program_question(r, claims, question);
    sb_write(out, "%s\n", question);
    if (claims && claims->claims.n) {
        const sb_question asked = sb_question_of(&claims->claims, &(sb_claims){0}, &(sb_arms){0});
        sb_question_write_claims(out, &asked, NULL);
        return SB_OK;
    }
    for (size_t m = 0; m < r->n_metrics; m++) SB_TRY(write_metric(out, r, m));
    return SB_OK;
}
